import ArgumentParser
import StickerModel
import StickerStore

/// `stickerctl retry`: another round for jobs that were refused.
struct RetryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Gives refused jobs another round.")

    @OptionGroup var shared: SharedOptions

    @Argument(help: "Numbers of jobs.")
    var jobs: [Int64] = []

    @Flag(help: "Every job that needs attention.")
    var all = false

    @Option(help: "Those of this category, by id.")
    var category: String?

    @Option(help: "Those refused for this reason.")
    var reason: String?

    @Flag(help: "Only list what would be done.")
    var dryRun = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard all || !jobs.isEmpty || category != nil || reason != nil else {
            throw ValidationError("name jobs, or give --category, --reason or --all")
        }
    }

    func run() throws {
        let store = try shared.openStore(.tool)
        var filter = JobFilter()
        filter.ids = Set(jobs.map { JobID(rawValue: $0) })
        filter.category = category.map { CategoryID(rawValue: $0) }
        filter.reason = reason
        let summary = try store.retry(filter, dryRun: dryRun)
        if json { return try printJSON(summary) }
        for job in summary.requeued { print(job.line) }
        for skipped in summary.skipped {
            print(
                "  skipped \(skipped.job.id), \(skipped.why): \(FileName.escaped(skipped.job.file))"
            )
        }
        let verb = dryRun ? "would be requeued" : "requeued"
        print("\(summary.requeued.count) \(verb), \(summary.skipped.count) skipped")
    }
}
