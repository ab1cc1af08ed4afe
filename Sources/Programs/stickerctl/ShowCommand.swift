import ArgumentParser
import StickerConfiguration
import StickerReports
import StickerStore
import StickerValues

/// `stickerctl show JOB`: shows everything about one job.
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows one job with its log.")

    @OptionGroup var shared: SharedOptions

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(help: "The number of a job, or a file or sticker, or a part of its name.")
    var job: String

    func run() throws {
        let store = try shared.openStore(.reader)
        guard let id = try store.chosenJob(job), let details = try store.operations.job(id) else {
            complain(
                "there is no job \(FileName.escaped(job)); "
                    + "finished jobs are kept for queue.historyDays")
            throw ExitCode(1)
        }
        if json { return try printJSON(details) }
        for line in details.lines { print(line) }
    }
}

extension LibraryStore {
    /// The job with that number; otherwise that of the file or sticker with that name, or of the only one whose name
    /// contains it: the newest that needs attention, or the newest of all. `nil` if there is none.
    ///
    /// - Throws: `StoreError`, or exit code 1 after listing the files, if there are several.
    func chosenJob(_ name: String) throws -> JobID? {
        if let id = Int64(name) { return JobID(rawValue: id) }
        var filter = JobFilter()
        filter.file = try standing(name)
        if let found = try newest(filter) { return found.id }
        (filter.file, filter.search) = (nil, name)
        let newest = try operations.jobs(filter, limit: 1000)
            .reduce(into: [JobRecord]()) { list, job in
                let isKnown = list.contains { $0.file == job.file && $0.drop == job.drop }
                if !isKnown { list.append(job) }
            }
        guard newest.count > 1 else { return try self.newest(filter)?.id }
        for job in newest.prefix(10) { complain(job.line) }
        complain(
            "\(newest.count.grouped) files have that in their names; show one of these by its number"
        )
        throw ExitCode(1)
    }

    private func newest(_ filter: JobFilter) throws -> JobRecord? {
        var filter = filter
        filter.needingAttention = true
        if let job = try operations.jobs(filter, limit: 1).first { return job }
        filter.needingAttention = false
        return try operations.jobs(filter, limit: 1).first
    }
}

extension JobDetails {
    /// Header, steps, warnings, the refusal with its remedy, and other jobs of the same file.
    var lines: [String] {
        var lines = header
        if !log.entries.isEmpty { lines.append("steps") }
        lines += log.entries.folded.flatMap(\.lines)
        if log.omitted > 0 { lines.append("  (\(log.omitted) steps in the middle left out)") }
        lines += (job.warnings ?? []).flatMap {
            "warning \($0.code): \(FileName.escaped($0.detail))".wrapped(indent: 2)
        }
        if let refusal = job.refusal {
            let isRefused = job.state == .discarded || job.state == .cancelled
            let title = isRefused ? "refused" : "its worker failed; another one tries once more"
            lines += [title] + refusal.lines(file: job.file)
        } else if let reason = job.reason {
            lines += entry("reason", FileName.escaped(reason))
        }
        if job.needsAttention {
            if let again = job.again { lines += entry("again", again) }
            if let command = grantCommand { lines += entry("or", command) }
            lines += entry("let go", "\(stickerctl: "dismiss \(job.id)")")
        }
        if !related.isEmpty { lines.append("other jobs of this file") }
        return lines + related.map(\.line)
    }

    private var header: [String] {
        let state = job.needsAttention ? Style.alarming("needs attention") : job.state.shown
        var lines = ["job \(job.id)  \(state)"]
        lines += entry("file", FileName.escaped(job.file))
        lines += entry("drop", "\(FileName.escaped(job.drop)), \(Int(job.bytes).grouped) B")
        lines += entry(
            "category", "\(job.category)" + (job.sticker.map { ", sticker \($0)" } ?? ""))
        lines += entry("seen", "\(job.createdAt.asDate) (\(job.origin.rawValue))")
        if let startedAt = job.startedAt {
            let attempt = job.attempt > 0 ? ", attempt \(job.attempt)" : ""
            lines += entry("started", startedAt.asDate + attempt)
        }
        if let finishedAt = job.finishedAt { lines += entry("ended", finishedAt.asDate) }
        if let recipe = job.recipe { lines += entry("recipe", recipe.rawValue) }
        if let newer = job.supersededBy { lines += entry("newer", "job \(newer)") }
        return lines
    }
}
