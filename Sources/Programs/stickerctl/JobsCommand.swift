import ArgumentParser
import StickerConfiguration
import StickerReports
import StickerStore
import StickerValues

/// `stickerctl jobs`: prints a line for every job, newest first.
struct JobsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs", abstract: "Lists jobs, newest first.",
        usage: "stickerctl jobs [<options>]")

    @OptionGroup var shared: SharedOptions
    @OptionGroup var filter: JobFilterOptions

    @Option(help: "Show at most this many; with --json all unless given.")
    var limit: Int?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let store = try shared.openStore(.reader)
        let filter = try filter.filter(in: store)
        let jobs = try store.operations.jobs(filter, limit: limit ?? (json ? Int.max : 40))
        if json { return try printJSON(JobList(jobs: jobs)) }
        guard !jobs.isEmpty else { return print("no such jobs") }
        for job in jobs { print(job.line) }
        for line in summary(of: try store.operations.count(filter), shown: jobs) { print(line) }
    }

    /// How many further jobs there are, and what to do about those that need attention.
    private func summary(of count: JobCount, shown: [JobRecord]) -> [String] {
        var lines: [String] = []
        if count.jobs > shown.count {
            lines +=
                "\(shown.count.grouped) of \(count.jobs.grouped) shown; more: --limit \(count.jobs)"
                .wrapped(indent: 2)
        }
        let attention = count.attention.values.reduce(0, +)
        guard attention > 0 else { return lines.isEmpty ? [] : [""] + lines }
        lines += "\(attention.needingAttention): \(byReason(count.attention))"
            .wrapped(indent: 2).map(Style.alarming)
        guard let example = shown.first(where: \.needsAttention) else {
            return [""] + lines + ["which: \(stickerctl: "jobs --attention")"]
        }
        let remedy =
            example.awaitsReview
            ? "publish it: \(stickerctl: "publish \(example.id)")"
            : example.again.map { "again: \($0)" }
                ?? "let go: \(stickerctl: "dismiss \(example.id)")"
        return [""] + lines + ["why: \(stickerctl: "show \(example.id)")    \(remedy)"]
    }

    /// `5 too-long · 1 corrupt`
    private func byReason(_ reasons: [String: Int]) -> String {
        reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.value.grouped) \(FileName.escaped($0.key))" }
            .joined(separator: " · ")
    }
}

/// The output of `jobs --json`.
private struct JobList: Encodable {
    var jobs: [JobRecord]
}
