import ArgumentParser
import StickerModel
import StickerStore

/// `stickerctl dismiss`: takes refused files off the list.
struct DismissCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Takes refused jobs off the list of those that need attention.",
        discussion: "A later change of the file brings it back, and so does retry.")

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: JobChoiceOptions

    @Option(help: "Why; it stands in the log of each job.")
    var note: String?

    @Flag(help: "Only list what would be done.")
    var dryRun = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let store = try shared.openStore(.tool)
        var summary = DismissSummary()
        for filter in choice.filters {
            let part = try store.dismiss(filter, note: note, dryRun: dryRun)
            summary.dismissed += part.dismissed
            summary.skipped += part.skipped
        }
        if json { return try printJSON(summary) }
        for job in summary.dismissed { print(job.line) }
        for skipped in summary.skipped { print(skipped.line) }
        if summary.dismissed.isEmpty && summary.skipped.isEmpty { print(choice.nothing) }
        let verb = dryRun ? "would be dismissed" : "dismissed"
        print(
            "\(summary.dismissed.count.grouped) \(verb), \(summary.skipped.count.grouped) skipped")
    }
}
