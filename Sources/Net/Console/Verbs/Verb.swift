import StickerStore
import StickerValues

/// The actions of buttons, by the words of `stickerctl`.
enum Verb: String, CaseIterable, Sendable {
    case retry, redo, dismiss, bump, publish, pause, resume, confirm, restore

    /// The right that it takes besides that to its files; `nil` for none.
    var right: Person.Right? {
        switch self {
        case .retry, .redo, .dismiss, .bump: nil
        case .publish: .library
        // Settings and deletions.
        case .pause, .resume, .confirm, .restore: .operation
        }
    }

    /// The action on one file, for its history; `nil` if the library notes it, or it concerns no file.
    var done: String? {
        switch self {
        case .retry: "asked for another attempt"
        case .redo: "had it made again"
        case .dismiss: "dismissed it"
        case .bump: "moved it to the front"
        case .restore: "took it out of the trash"
        case .publish, .pause, .resume, .confirm: nil
        }
    }

    /// The outcome, for the next page.
    struct Outcome: Hashable, Sendable {
        /// The action.
        var verb: Verb
        /// The number of files affected.
        var done: Int
        /// Why the others were skipped; the first reason.
        var skipped: String?

        /// One sentence.
        var sentence: String {
            guard done > 0 else {
                return "nothing was done: " + (skipped ?? "there is nothing to do any more")
            }
            let count = done.counted("file", "files")
            let said =
                switch verb {
                case .retry: "\(count) queued again"
                case .redo: "\(count) queued to be made again"
                case .dismiss: "\(count) taken off the list"
                case .bump: "\(count) moved to the front"
                case .publish: "\(count) queued to be published"
                case .pause: "paused; running jobs finish"
                case .resume: "resumed"
                case .confirm: "\(done.counted("sticker leaves", "stickers leave"))"
                case .restore: "\(done.counted("sticker is", "stickers are")) published again"
                }
            return skipped.map { "\(said); skipped: \($0)" } ?? said
        }
    }

    /// Carries out the action.
    ///
    /// - Parameters:
    ///   - form: the fields of the page: `job`, `jobs`, `sticker`, `category`, `reason`, `hold`, and options.
    ///   - store: the library.
    ///   - person: who does it.
    /// - Returns: the outcome; `nil` if the form names nothing, or affects more by now than the page showed.
    /// - Throws: `StoreError`; nothing was done.
    func carryOut(
        _ form: [String: String], in store: LibraryStore, by person: Person
    ) throws(StoreError) -> Outcome? {
        switch self {
        case .retry:
            guard let filter = try Self.jobs(form, in: store) else { return nil }
            let summary = try store.operations.retry(
                filter, isForced: form["force"] != nil,
                granting: Grant(
                    tooLong: form["tooLong"].flatMap(TooLong.init),
                    acceptsDamage: form["acceptDamaged"] != nil),
                by: person.name)
            return Outcome(
                verb: self, done: summary.requeued.count, skipped: summary.skipped.first?.why)
        case .dismiss:
            guard let filter = try Self.jobs(form, in: store) else { return nil }
            let note = form["note"].flatMap { $0.isEmpty ? nil : $0 }
            let summary = try store.operations.dismiss(filter, note: note, by: person.name)
            return Outcome(
                verb: self, done: summary.dismissed.count, skipped: summary.skipped.first?.why)
        case .bump:
            guard let filter = try Self.jobs(form, in: store) else { return nil }
            let summary = try store.operations.bump(filter)
            return Outcome(
                verb: self, done: summary.bumped.count, skipped: summary.skipped.first?.why)
        case .publish:
            // Only what the page showed: an editor has seen it.
            guard form["reason"] == nil, let filter = try Self.jobs(form, in: store) else {
                return nil
            }
            let summary = try store.operations.publish(filter, by: person.name)
            return Outcome(
                verb: self, done: summary.requeued.count, skipped: summary.skipped.first?.why)
        case .redo:
            guard let sticker = form["sticker"], !sticker.isEmpty else { return nil }
            let summary = try store.operations.renew(sticker)
            return Outcome(
                verb: self, done: summary.queued.count,
                skipped: summary.skipped.first?.why
                    ?? (summary.queued.isEmpty ? "there is no such sticker" : nil))
        case .pause, .resume:
            let category = form["category"].flatMap {
                $0.isEmpty ? nil : CategoryID(rawValue: $0)
            }
            let isKnown = try store.operations.setPaused(self == .pause, category: category)
            let unknown = category.map { "there is no category “\($0.rawValue)”" }
            return Outcome(verb: self, done: isKnown ? 1 : 0, skipped: isKnown ? nil : unknown)
        case .confirm:
            guard let hold = form["hold"],
                let standing = try store.catalog.deletionHolds().first(where: { $0.name == hold }),
                form["count"] == "\(standing.missing)"
            else { return nil }
            return Outcome(verb: self, done: try store.catalog.confirmDeletions(of: hold))
        case .restore:
            guard let sticker = form["sticker"], !sticker.isEmpty else { return nil }
            switch try store.operations.restore(StickerID(rawValue: sticker)) {
            case .done: return Outcome(verb: self, done: 1)
            case .published: return Outcome(verb: self, done: 0, skipped: "it is published")
            case .cleared:
                return Outcome(verb: self, done: 0, skipped: "its pictures are no longer kept")
            case .unknown, .hasFile: return nil
            }
        }
    }

    /// One job, the jobs that a page showed, or all problems with one reason; never all jobs.
    private static func jobs(
        _ form: [String: String], in store: LibraryStore
    ) throws(StoreError) -> JobFilter? {
        var filter = JobFilter()
        if let job = form["job"] {
            guard let number = Int64(job) else { return nil }
            filter.ids = [JobID(rawValue: number)]
        } else if let jobs = form["jobs"] {
            filter.ids = Set(jobs.split(separator: ",").compactMap { Int64($0) }.map(JobID.init))
            guard !filter.ids.isEmpty else { return nil }
        } else if let reason = form["reason"], !reason.isEmpty {
            (filter.reason, filter.needingAttention) = (reason, true)
            guard form["count"] == "\(try store.operations.count(filter).jobs)" else { return nil }
        } else {
            return nil
        }
        return filter
    }
}
