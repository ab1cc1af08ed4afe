import ArgumentParser
import Glibc
import StickerStore
import StickerValues

/// `stickerctl follow`: prints a line for every job, as soon as it ends.
struct FollowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow", abstract: "Shows jobs as they end, until it is interrupted.",
        usage: "stickerctl follow [<options>]", aliases: ["log"])

    /// The pause between two queries.
    private static let pauseMicroseconds: UInt32 = 500_000
    private static let page = 1000

    @OptionGroup var shared: SharedOptions

    @Option(help: "Only this category, by id.")
    var category: String?

    @Flag(help: "Only jobs that need attention.")
    var attention = false

    @Option(help: "Begin with jobs that ended since: 90s, 30m, 1h, 2d, or a time; default now.")
    var since: Moment?

    @Option(help: "End after this many jobs.")
    var limit: Int?

    @Flag(help: "Print JSON, a line for every job.")
    var json = false

    func run() throws {
        let store = try shared.openStore(.reader)
        var time = since?.time ?? store.now
        var told: Set<JobID> = []
        var left = limit ?? Int.max
        while left > 0 {
            let jobs = try ended(since: time, in: store.operations)
            for job in jobs where left > 0 && !told.contains(job.id) && isMeant(job) {
                say(json ? try jsonText(job) : job.line)
                left -= 1
            }
            // More jobs may end in the same millisecond, so it is queried again.
            time = jobs.last?.finishedAt ?? time
            told = Set(jobs.filter { $0.finishedAt == time }.map(\.id))
            if left > 0 { usleep(Self.pauseMicroseconds) }
        }
    }

    /// All jobs that ended at `time` or later.
    private func ended(since time: Timestamp, in operations: Operations) throws -> [JobRecord] {
        var jobs: [JobRecord] = []
        var page: [JobRecord]
        repeat {
            page = try operations.jobs(
                endedSince: jobs.last?.finishedAt ?? time, after: jobs.last?.id, limit: Self.page)
            jobs += page
        } while page.count == Self.page
        return jobs
    }

    private func isMeant(_ job: JobRecord) -> Bool {
        (category == nil || job.category.rawValue == category) && (!attention || job.needsAttention)
    }
}
