import ArgumentParser
import FoundationEssentials
import StickerModel
import StickerStore

/// `stickerctl show JOB`: everything about one job.
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows one job with its log.")

    @OptionGroup var shared: SharedOptions

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(help: "The number of the job.")
    var job: Int64

    func run() throws {
        let store = try shared.openStore(.reader)
        guard let details = try store.job(JobID(rawValue: job)) else {
            complain("there is no job \(job); finished jobs are kept for queue.historyDays")
            throw ExitCode(1)
        }
        if json { return try printJSON(details) }
        for line in details.lines { print(line) }
    }
}

extension JobDetails {
    /// Header, steps, warnings, the refusal with its remedy, and other jobs of the same file.
    fileprivate var lines: [String] {
        var lines = [
            "job \(job.id)  \(job.needsAttention ? "needs attention" : job.state.shown)",
            "  file      \(FileName.escaped(job.file))  (\(job.bytes) B, in \(FileName.escaped(job.drop)))",
            "  category  \(job.category)" + (job.sticker.map { "   sticker \($0)" } ?? ""),
            "  times     seen \(shown(job.createdAt))"
                + (job.finishedAt.map { ", ended \(shown($0))" } ?? "")
                + "   attempt \(job.attempt)",
        ]
        if let recipe = job.recipe { lines.append("  recipe    \(recipe)") }
        if !log.entries.isEmpty { lines.append("steps") }
        lines += log.entries.map(\.line)
        if log.omitted > 0 { lines.append("  (\(log.omitted) steps in the middle left out)") }
        lines += (job.warnings ?? []).map { "warning \($0.code): \(FileName.escaped($0.detail))" }
        if let refusal = job.refusal {
            lines += ["refused"] + refusal.lines(file: job.file)
        } else if let reason = job.reason {
            lines.append("reason  \(FileName.escaped(reason))")
        }
        if job.needsAttention { lines.append("  then      stickerctl retry \(job.id)") }
        if !related.isEmpty { lines.append("other jobs of this file") }
        return lines + related.map(\.line)
    }

    private func shown(_ milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds / 1000)).formatted(.iso8601)
    }
}
