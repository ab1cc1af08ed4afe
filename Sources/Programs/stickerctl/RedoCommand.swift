import ArgumentParser
import StickerConfiguration
import StickerStore
import StickerValues

/// `stickerctl redo`: makes published files again.
struct RedoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo", abstract: "Makes published stickers again.",
        usage: "stickerctl redo [<options>] [<files> ...]",
        discussion: """
            Published files stay until the new ones are in place, and ids never change. Changed \
            settings need no redo: the stickers concerned are made again by themselves.
            """)

    @OptionGroup var shared: SharedOptions

    @Argument(help: "Files or stickers.")
    var files: [String] = []

    @Flag(help: "Every sticker that an older release made and this one would make better.")
    var outdated = false

    @Flag(help: "Only stickers that an older release published wrong.")
    var wrong = false

    @Option(
        help: ArgumentHelp(
            "From now on, if they play too long: faster, faster-or-trim, trim, refuse, or default.",
            valueName: "what"))
    var tooLong: TooLongChoice?

    @Flag(help: "Only list the planned changes.")
    var dryRun = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard [outdated, wrong, !files.isEmpty].count(where: \.self) == 1 else {
            throw ValidationError(
                "name the files or stickers to make again, or choose --outdated or --wrong")
        }
        guard !files.isEmpty || tooLong == nil else {
            throw ValidationError("--too-long needs files or stickers")
        }
    }

    func run() throws {
        // The recipe is that of the whole configuration.
        let configuration = try tooLong.map { _ in try shared.load().configuration }
        let store = try shared.openStore(.tool)
        var (summary, jobs) = (RenewalSummary(), [JobRecord]())
        if outdated || wrong {
            summary = try renewOutdated(store.operations)
        } else {
            for given in files.distinct {
                let name = try store.standing(given)
                let part = try store.operations.renew(
                    name, tooLong: tooLong?.rule,
                    recipe: configuration.map { configuration in
                        { configuration.recipeIDs(of: $0, granting: $1) }
                    }, dryRun: dryRun)
                if part.queued.isEmpty && part.skipped.isEmpty { summary.unknown.append(given) }
                if !dryRun {
                    jobs += try newestJobs(of: part.queued, named: name, store.operations)
                }
                summary.queued += part.queued
                summary.skipped += part.skipped
            }
        }
        try tell(summary, jobs)
        for name in summary.unknown { complain("nothing is known of \(FileName.escaped(name))") }
        if !summary.unknown.isEmpty { throw ExitCode(1) }
    }

    /// In batches, so that the daemon need not wait for all of them.
    private func renewOutdated(_ operations: Operations) throws -> RenewalSummary {
        if dryRun {
            return try operations.renewOutdated(limit: .max, onlyWrong: wrong, dryRun: true)
        }
        var summary = RenewalSummary()
        while true {
            let part = try operations.renewOutdated(limit: 500, onlyWrong: wrong)
            summary.skipped = part.skipped
            guard !part.queued.isEmpty else { return summary }
            summary.queued += part.queued
        }
    }

    /// The newest job of each file in each drop, of those with this name.
    private func newestJobs(
        of files: [String], named name: String, _ operations: Operations
    ) throws -> [JobRecord] {
        var filter = JobFilter()
        filter.file = name
        let jobs = files.isEmpty ? [] : try operations.jobs(filter)
        let wanted = Set(files)
        var seen: Set<[String]> = []
        return jobs.filter { wanted.contains($0.file) && seen.insert([$0.drop, $0.file]).inserted }
    }

    private func tell(_ summary: RenewalSummary, _ jobs: [JobRecord]) throws {
        if json { return try printJSON(summary) }
        for job in jobs { print(job.line) }
        if jobs.isEmpty { for file in summary.queued { print(FileName.escaped(file)) } }
        for skipped in summary.skipped {
            print("\(FileName.escaped(skipped.file)): skipped, \(skipped.why)")
        }
        let verb = dryRun ? "would be made again" : "queued to be made again"
        print("\(summary.queued.count.grouped) \(verb), \(summary.skipped.count.grouped) skipped")
    }
}

extension [String] {
    /// Each once, in order.
    fileprivate var distinct: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
