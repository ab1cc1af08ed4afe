import ArgumentParser
import StickerModel
import StickerStore

/// `stickerctl retry`: another round for jobs that were refused.
struct RetryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Gives refused jobs another round.")

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: JobChoiceOptions

    @Flag(help: "Only list what would be done.")
    var dryRun = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let store = try shared.openStore(.tool)
        var summary = RetrySummary()
        for filter in choice.filters {
            let part = try store.retry(filter, dryRun: dryRun)
            summary.requeued += part.requeued
            summary.skipped += part.skipped
        }
        if json { return try printJSON(summary) }
        for job in summary.requeued { print(job.line) }
        for skipped in summary.skipped { print(skipped.line) }
        if summary.requeued.isEmpty && summary.skipped.isEmpty { print(choice.nothing) }
        let verb = dryRun ? "would be requeued" : "requeued"
        print("\(summary.requeued.count.grouped) \(verb), \(summary.skipped.count.grouped) skipped")
    }
}

extension RetrySummary.Skipped {
    /// At most 80 columns.
    var line: String {
        "\(job.id)".leftPadded(to: 7) + "  "
            + "skipped, \(FileName.escaped(why))".cut(to: 44).padded(to: 45)
            + FileName.escaped(job.file).cutInFront(to: 25)
    }
}
