public import ArgumentParser
public import StickerModel
import StickerStore

/// `stickerctl jobs`: a line for every job, newest first.
struct JobsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs", abstract: "Lists jobs, newest first.")

    @OptionGroup var shared: SharedOptions
    @OptionGroup var filter: JobFilterOptions

    @Option(help: "Show at most this many; with --json all unless given.")
    var limit: Int?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let store = try shared.openStore(.reader)
        let jobs = try store.jobs(try filter.filter(), limit: limit ?? (json ? Int.max : 40))
        if json { return try printJSON(JobList(jobs: jobs)) }
        guard !jobs.isEmpty else { return print("no such jobs") }
        for job in jobs { print(job.line) }
        let attention = jobs.count(where: \.needsAttention)
        if attention > 0 { print("\n\(attention) of these need attention: stickerctl show JOB") }
    }
}

/// What `jobs --json` prints.
private struct JobList: Encodable {
    var jobs: [JobRecord]
}

/// Which jobs are meant; shared by the verbs that list and steer jobs.
struct JobFilterOptions: ParsableArguments {
    @Option(help: "Only this state: \(JobState.allCases.map(\.rawValue).joined(separator: ", ")).")
    var state: JobState?

    @Option(help: "Only this category, by id.")
    var category: String?

    @Option(help: "Only jobs that ended for this reason, 'corrupt' for example.")
    var reason: String?

    @Option(help: "Only files whose path below the drop is or ends in this.")
    var file: String?

    @Flag(help: "Only jobs that need attention.")
    var attention = false

    func filter() throws -> JobFilter {
        var filter = JobFilter()
        if let state { filter.states = [state] }
        filter.category = category.map { CategoryID(rawValue: $0) }
        filter.reason = reason
        filter.file = file
        filter.needingAttention = attention
        return filter
    }
}

extension JobState: ExpressibleByArgument {}

extension JobRecord {
    /// At most 80 columns: number, state, category, file, and the reason where it ended badly.
    var line: String {
        let end = needsAttention ? "needs attention" : state.shown
        let what = reason.map { "\(end): \($0)" } ?? end
        let name = FileName.escaped(file)
        return "\(id)".leftPadded(to: 7) + "  " + what.cut(to: 34).padded(to: 35)
            + name.cutInFront(to: 35)
    }
}

extension JobState {
    /// The word for people.
    var shown: String {
        switch self {
        case .available: "waiting"
        case .scheduled: "waiting (settling)"
        case .executing: "working"
        case .retryable: "will retry"
        case .completed: "done"
        case .cancelled: "cancelled"
        case .discarded: "refused"
        }
    }
}
