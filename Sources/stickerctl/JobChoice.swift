import ArgumentParser
import StickerModel
import StickerStore

/// Which jobs are meant, for the verbs that steer jobs: they want it said.
struct JobChoice: ParsableArguments {
    @Argument(help: "Numbers of jobs, or their files or stickers.")
    var jobs: [String] = []

    @Flag(help: "Every job that needs attention.")
    var all = false

    @Option(help: "Those of this category that need attention, by id.")
    var category: String?

    @Option(help: "Those that were refused for this reason.")
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

    /// Does to the jobs what `act` does to those of a filter, and tells what became of each.
    ///
    /// - Parameters:
    ///   - done: the word for a job that was not skipped, `requeued` for example.
    ///   - act: does it.
    /// - Throws: what `act` throws.
    func carryOut(_ done: String, _ act: (JobFilter) throws -> Outcome) throws {
        var outcome = Outcome(jobs: [], skipped: [])
        for filter in filters {
            let part = try act(filter)
            outcome.jobs += part.jobs
            outcome.skipped += part.skipped
        }
        if json { return try printJSON(Report(done: done, outcome: outcome)) }
        for job in outcome.jobs { print(job.line) }
        for skipped in outcome.skipped { print(skipped.line) }
        if outcome.jobs.isEmpty && outcome.skipped.isEmpty {
            print("no such job needs attention; see: stickerctl jobs --attention")
        }
        let verb = dryRun ? "would be \(done)" : done
        print("\(outcome.jobs.count.grouped) \(verb), \(outcome.skipped.count.grouped) skipped")
    }

    /// What became of the jobs.
    struct Outcome {
        var jobs: [JobRecord]
        var skipped: [RetrySummary.Skipped]
    }

    /// One filter for the numbers and one for every name.
    private var filters: [JobFilter] {
        var common = JobFilter()
        common.category = category.map { CategoryID(rawValue: $0) }
        common.reason = reason
        common.needingAttention = jobs.isEmpty
        guard !jobs.isEmpty else { return [common] }
        let ids = jobs.compactMap { Int64($0) }.map { JobID(rawValue: $0) }
        var filters: [JobFilter] = []
        if !ids.isEmpty {
            common.ids = Set(ids)
            filters = [common]
        }
        common.ids = []
        common.needingAttention = true
        for name in jobs where Int64(name) == nil {
            common.file = name
            filters.append(common)
        }
        return filters
    }
}

/// What `retry --json` and `dismiss --json` print: the jobs under the word for what was done.
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
    }
}

extension RetrySummary.Skipped {
    /// At most 80 columns.
    fileprivate var line: String {
        "\(job.id)".leftPadded(to: 7) + "  "
            + "skipped, \(FileName.escaped(why))".cut(to: 44).padded(to: 45)
            + FileName.escaped(job.file).cutInFront(to: 25)
    }
}
