import ArgumentParser
import StickerModel
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
        let jobs = try store.jobs(filter.filter, limit: limit ?? (json ? Int.max : 40))
        if json { return try printJSON(JobList(jobs: jobs)) }
        guard !jobs.isEmpty else { return print("no such jobs") }
        for job in jobs { print(job.line) }
        let attention = jobs.filter(\.needsAttention)
        guard let example = attention.first else { return }
        print(
            "\n"
                + Style.alarming(
                    "\(attention.count.grouped) need attention: \(byReason(attention))"))
        print("why: stickerctl show \(example.id)    again: stickerctl retry \(example.id)")
    }

    /// `5 too-long · 1 corrupt`
    private func byReason(_ jobs: [JobRecord]) -> String {
        Dictionary(grouping: jobs) { $0.reason ?? "unknown" }
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
            .map { "\($0.value.count.grouped) \(FileName.escaped($0.key))" }
            .joined(separator: " · ")
    }
}

/// What `jobs --json` prints.
private struct JobList: Encodable {
    var jobs: [JobRecord]
}
