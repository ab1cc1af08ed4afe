import ArgumentParser
import StickerConfiguration
import StickerStore
import StickerValues

/// Selects jobs for the commands that act on them, which require an explicit choice.
struct JobChoice: ParsableArguments {
    @Argument(help: "Numbers of jobs, or their files or stickers.")
    var jobs: [String] = []

    @Flag(help: "Every job that needs attention.")
    var all = false

    @Option(help: "Those of this category that need attention, by id.")
    var category: String?

    @Option(help: "Those that were refused for this reason.")
    var reason: String?

    @Flag(help: "Only list the planned changes.")
    var dryRun = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard all || !jobs.isEmpty || category != nil || reason != nil else {
            throw ValidationError("name jobs, or give --category, --reason or --all")
        }
    }

    /// Applies `act` to the chosen jobs and reports the result for each.
    ///
    /// - Parameters:
    ///   - done: the word for a job that was not skipped, for example `requeued`.
    ///   - store: the jobs.
    ///   - act: acts on the jobs that a filter selects.
    /// - Throws: the errors of `act`; exit code 1 if a named job is unknown.
    func carryOut(
        _ done: String, in store: LibraryStore, _ act: (JobFilter) throws -> Outcome
    ) throws {
        var outcome = Outcome(jobs: [], skipped: [])
        for choice in try choices(in: store) {
            let part = try act(choice.filter)
            outcome.jobs += try store.present(part.jobs)
            outcome.skipped += part.skipped
            if let name = choice.name, part.isEmpty { outcome.unknown.append(name) }
        }
        if json {
            try printJSON(Report(done: done, outcome: outcome))
        } else {
            tell(outcome, done)
        }
        for name in outcome.unknown {
            let shown = FileName.escaped(name)
            complain(
                Int64(name) == nil
                    ? "nothing is known of \(shown); parts of names are for: "
                        + "\(stickerctl: "jobs --file \(shown.asShellWord)")"
                    : "there is no job \(shown); see: \(stickerctl: "jobs --attention")")
        }
        if !outcome.unknown.isEmpty { throw ExitCode(1) }
    }

    private func tell(_ outcome: Outcome, _ done: String) {
        for job in outcome.jobs { print(job.line) }
        for skipped in outcome.skipped { print(skipped.line) }
        if outcome.isEmpty && outcome.unknown.isEmpty {
            print("no such job needs attention; see: \(stickerctl: "jobs --attention")")
        }
        let verb = dryRun ? "would be \(done)" : done
        print("\(outcome.jobs.count.grouped) \(verb), \(outcome.skipped.count.grouped) skipped")
    }

    /// The result for the chosen jobs.
    struct Outcome {
        var jobs: [JobRecord]
        var skipped: [RetrySummary.Skipped]
        /// Unknown names.
        var unknown: [String] = []

        fileprivate var isEmpty: Bool { jobs.isEmpty && skipped.isEmpty }
    }

    /// One filter for all jobs, or one for each name.
    private func choices(in store: LibraryStore) throws -> [(name: String?, filter: JobFilter)] {
        try store.checkReason(reason)
        var common = JobFilter()
        common.category = category.map { CategoryID(rawValue: $0) }
        common.reason = reason
        common.needingAttention = jobs.isEmpty
        guard !jobs.isEmpty else { return [(nil, common)] }
        return try jobs.map { name in
            var filter = common
            if let id = Int64(name) {
                filter.ids = [JobID(rawValue: id)]
            } else {
                filter.file = try store.standing(name)
                // A file means its jobs that need attention; without any, its newest job, whose result says why not.
                filter.needingAttention = true
                if try store.operations.count(filter).jobs == 0 {
                    filter.needingAttention = false
                    filter.ids = Set(try store.operations.jobs(filter, limit: 1).map(\.id))
                }
            }
            return (name, filter)
        }
    }
}

extension LibraryStore {
    /// The current state of the same jobs.
    fileprivate func present(_ jobs: [JobRecord]) throws -> [JobRecord] {
        guard !jobs.isEmpty else { return [] }
        var filter = JobFilter()
        filter.ids = Set(jobs.map(\.id))
        return try operations.jobs(filter)
    }
}

/// The output of `retry --json` and its like: the jobs, keyed by the word for the action.
private struct Report: Encodable {
    let done: String
    let outcome: JobChoice.Outcome

    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(outcome.jobs, forKey: Key(stringValue: done))
        try container.encode(outcome.skipped, forKey: Key(stringValue: "skipped"))
        try container.encode(outcome.unknown, forKey: Key(stringValue: "unknown"))
    }
}

extension RetrySummary.Skipped {
    /// At most 80 columns.
    var line: String {
        "\(job.id)".leftPadded(to: 7) + "  "
            + "skipped, \(FileName.escaped(why))".cut(to: 44).padded(to: 44) + " "
            + FileName.escaped(job.file).cutInFront(to: 25)
    }
}
