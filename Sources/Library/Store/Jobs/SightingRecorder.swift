import GRDB
import StickerValues

/// Records sightings, one after the other, within one transaction.
struct SightingRecorder {
    let transaction: StoreTransaction
    let settle: Duration
    var rhythm: Rhythm
    /// Whether files have left their former names, as far as known.
    let isLeft: [FormerName: Bool]
    /// Names without that knowledge. If there are any, the transaction must not be committed.
    var openQuestions: Set<FormerName> = []
    /// When the files that a scan misses vanished, in boot time; `nil` for files that vanish now.
    var vanishedAt: Int64?
    /// For files that left while no daemon ran: when one last ran, in milliseconds since 1970.
    var unseenSince: Int64?
    /// Published files that vanished.
    var lost: [SourceRow] = []
    /// The categories of folders, which are given as keys without a name.
    private var categories: [SourceKey: CategoryID] = [:]
    var summary = IntakeSummary()

    init(
        _ transaction: StoreTransaction, settle: Duration, rhythm: Rhythm,
        isLeft: [FormerName: Bool] = [:]
    ) {
        self.transaction = transaction
        self.settle = settle
        self.rhythm = rhythm
        self.isLeft = isLeft
    }

    mutating func take(_ sighting: Sighting) throws {
        guard let kind = SourceRow.Kind(sighting.key) ?? sighting.stranger.map({ _ in .foreign })
        else {
            summary.ignored += 1
            return
        }
        let known = try transaction.source(sighting.key)
        if let known { try transaction.refreshName(of: known, sighting) }
        if var source = try followRename(to: sighting, kind, over: known) ?? known {
            try takeAgain(&source, sighting)
        } else {
            let category = try category(of: sighting.key)
            var source = try transaction.addSource(sighting, kind, category)
            try begin(&source, sighting, open: nil)
        }
    }

    private mutating func category(of key: SourceKey) throws -> CategoryID {
        let folder = SourceKey(drop: key.drop, directory: key.categoryFolder ?? [], name: [])
        if let known = categories[folder] { return known }
        let category = try transaction.category(of: key)
        categories[folder] = category
        return category
    }

    /// Records a file that is already known.
    private mutating func takeAgain(_ source: inout SourceRow, _ sighting: Sighting) throws {
        if sighting.owner != nil, source.owner != sighting.ownerColumn {
            source.owner = sighting.ownerColumn
            try transaction.run(
                "UPDATE source SET owner = ? WHERE id = ?", [source.owner, source.id])
        }
        let isSame = source.version == sighting.version
        if source.isPresent, isSame, try !needsJob(source), try !isOtherwise(source, sighting) {
            return try hurry(source, sighting)
        }
        try welcomeBack(&source, sighting)
        let open = try transaction.jobs(
            of: source.id,
            where: "state IN ('available', 'scheduled', 'retryable', 'executing')")
        let isCared = source.isApplied || open.contains { $0.version == sighting.version }
        guard !isSame || !isCared else {
            summary.known += 1
            return
        }
        try begin(&source, sighting, open: open)
    }

    /// Whether a file without a picture's name was refused for another reason than it would be now.
    private func isOtherwise(_ source: SourceRow, _ sighting: Sighting) throws -> Bool {
        guard let refusal = sighting.stranger?.refusal(of: source.key) else { return false }
        return try transaction.jobs(
            of: source.id,
            where: """
                state = 'discarded' AND superseded_by IS NULL
                    AND reason <> '\(refusal.reason.rawValue)'
                """
        ).isEmpty == false
    }

    /// Whether a file has neither a result nor a job; only an operator's intervention can cause that.
    private func needsJob(_ source: SourceRow) throws -> Bool {
        guard !source.isApplied else { return false }
        let caring = try transaction.count(
            "SELECT count(*) FROM job WHERE source = ? AND state NOT IN ('completed', 'cancelled')",
            [source.id])
        return caring == 0
    }

    /// Records that the file is there in this state; its grace ends.
    private mutating func welcomeBack(_ source: inout SourceRow, _ sighting: Sighting) throws {
        let isSame = source.version == sighting.version
        let wasMissing = source.missingSince != nil
        if !source.isPresent, source.missingSince == nil {
            try reviveOrRename(&source, sighting)
        }
        source.isApplied = source.isApplied && isSame
        if !source.isPresent, source.isApplied { summary.returned += 1 }
        source.isPresent = true
        source.missingSince = nil
        source.version = sighting.version
        try transaction.run(
            """
            UPDATE source SET present = 1, missing_since = NULL, held = NULL, heir = NULL,
                applied = ?, inode = ?, size = ?, mtime = ?, ctime = ?
            WHERE id = ?
            """, [source.isApplied] + sighting.version.columns + [source.id])
        if wasMissing { try transaction.noteHeir(besides: source.key) }
    }

    /// After the grace, a sticker is a tombstone. The same file gets its id back, a different picture a new one.
    private func reviveOrRename(_ source: inout SourceRow, _ sighting: Sighting) throws {
        guard let sticker = source.sticker, try transaction.isTombstone(sticker) else { return }
        let old = source.version
        let isSame = old.size == sighting.version.size && old.mtime == sighting.version.mtime
        // A newer release may draw the same content differently.
        if try isSame || transaction.isShipped(source) {
            try transaction.run(
                "UPDATE sticker SET deleted_at = NULL WHERE id = ?", [sticker.rawValue])
        } else {
            source.sticker = nil
        }
    }

    /// Records the same state of a file again: if it is now known to be complete, it need not settle.
    private mutating func hurry(_ source: SourceRow, _ sighting: Sighting) throws {
        summary.known += 1
        guard sighting.origin == .closed, !source.isApplied, !source.isLive else { return }
        let waiting = try transaction.jobs(
            of: source.id,
            where: """
                state IN ('scheduled', 'retryable', 'executing') OR (state = 'discarded'
                    AND reason = '\(Refusal.Reason.retriesExhausted.rawValue)')
                """)
        guard var job = waiting.last, job.version == sighting.version else { return }
        let closed: [Assignment] = [("origin", Sighting.Origin.closed.rawValue)]
        switch job.state {
        case .executing:
            try transaction.update(job, closed)
            return
        case .scheduled: try transaction.move(&job, .due, closed)
        default:
            let fresh: [Assignment] = [("finished_at", nil), ("reason", nil), ("refusal", nil)]
            try transaction.move(&job, .retried, closed + fresh)
        }
        summary.startsNow = true
    }
}

// MARK: - Jobs

extension SightingRecorder {
    /// Makes sure that a job covers this state of the file; `open` are its unfinished jobs, `nil` for a file that never
    /// had one.
    private mutating func begin(
        _ source: inout SourceRow, _ sighting: Sighting, open known: [JobRow]?
    ) throws {
        let open = known ?? []
        let executing = open.filter { $0.state == .executing }
        summary.outdated += executing.map { JobID(rawValue: $0.id) }
        let waiting = open.last { $0.state != .executing }
        if let refusal = refusal(of: source, sighting) {
            return try refuse(source, sighting, refusal, waiting)
        }
        if source.kind == .picture, source.sticker == nil {
            try transaction.nameNewcomer(&source)
        }
        let startsNow = sighting.origin == .closed && !source.isLive
        if let waiting {
            try renew(waiting, sighting, startsNow: startsNow)
        } else {
            try add(
                source, sighting, startsNow: startsNow, isFirst: known == nil,
                renewal: open.map(\.renewal).first { $0 != .none } ?? .none)
        }
        summary.startsNow = summary.startsNow || startsNow
    }

    /// Gives a waiting job the newer state; its quiet period starts over, but not endlessly.
    private mutating func renew(_ job: JobRow, _ sighting: Sighting, startsNow: Bool) throws {
        var job = job
        let left =
            job.waitingSince + transaction.policy.arrivingMax.milliseconds
            - transaction.now.boot
        let delay = startsNow ? 0 : max(0, min(settle.milliseconds, left))
        // Touching a slow or harmful file does not change that.
        let isAlike = job.version.size == sighting.version.size
        let isKept = job.priority == .fresh || isAlike && job.priority.isLarge
        let priority = isKept ? job.priority : min(job.priority, priority(of: sighting))
        try transaction.move(
            &job, .sighted(delay: .milliseconds(delay)),
            transaction.seen(sighting.version, sighting.origin)
                + [("priority", priority.rawValue)]
                + (isAlike ? job.blame.assignments : Blame.none.assignments + [("refusal", nil)]))
        if startsNow { try transaction.move(&job, .due) }
        summary.renewed += 1
    }

    private mutating func add(
        _ source: SourceRow, _ sighting: Sighting, startsNow: Bool, isFirst: Bool,
        renewal: ClaimedJob.Renewal
    ) throws {
        let blame =
            isFirst
            ? Blame.none : try transaction.blame(of: source.id, size: sighting.version.size)
        try insert(
            source, sighting,
            [
                ("state", (startsNow ? JobState.available : .scheduled).rawValue),
                ("priority", max(priority(of: sighting), blame.priority).rawValue),
                ("due", startsNow ? nil : transaction.now.boot + settle.milliseconds),
                ("renews", renewal.rawValue),
            ] + blame.assignments, isFirst: isFirst)
        summary.accepted += 1
    }

    private mutating func refuse(
        _ source: SourceRow, _ sighting: Sighting, _ refusal: Refusal, _ waiting: JobRow?
    ) throws {
        if var waiting {
            let reason = CancelReason.superseded.rawValue
            try transaction.move(&waiting, .cancelled, [("reason", reason)])
        }
        guard try !standsAlready(refusal, source, sighting) else { return }
        try insert(
            source, sighting,
            [
                ("state", JobState.discarded.rawValue), ("priority", JobPriority.bulk.rawValue),
                ("finished_at", transaction.now.wall), ("reason", refusal.reason.rawValue),
                ("refusal", try StoredJSON.text(refusal)),
            ])
        summary.refused.append(
            RefusedFile(
                job: JobID(rawValue: transaction.database.lastInsertedRowID), source: source.key,
                category: source.category, refusal: refusal))
    }

    /// A refusal of a file during its copying is no news once the copy is complete.
    private mutating func standsAlready(
        _ refusal: Refusal, _ source: SourceRow, _ sighting: Sighting
    ) throws -> Bool {
        let refused = try transaction.jobs(
            of: source.id,
            where: """
                state = 'discarded' AND reason = '\(refusal.reason.rawValue)'
                    AND superseded_by IS NULL
                """)
        guard let job = refused.last else { return false }
        try transaction.update(job, transaction.seen(sighting.version, sighting.origin))
        summary.renewed += 1
        return true
    }

    /// Adds a job; earlier refusals of the file are superseded.
    private func insert(
        _ source: SourceRow, _ sighting: Sighting, _ more: [Assignment], isFirst: Bool = false
    ) throws {
        let assignments: [Assignment] =
            [
                ("source", source.id), ("owner", source.owner),
                ("category", source.category.rawValue), ("waiting_since", transaction.now.boot),
                ("created_at", transaction.now.wall),
            ] + transaction.seen(sighting.version, sighting.origin) + more
        let columns = assignments.map(\.column).joined(separator: ", ")
        let marks = assignments.map { _ in "?" }.joined(separator: ", ")
        try transaction.run(
            "INSERT INTO job (\(columns)) VALUES (\(marks))",
            StatementArguments(assignments.map(\.value)))
        guard !isFirst else { return }
        let id = transaction.database.lastInsertedRowID
        try transaction.run(
            """
            UPDATE job SET superseded_by = ? WHERE source = ? AND id < ?
                AND (state IN ('discarded', 'executing') OR reason = 'dismissed')
                AND superseded_by IS NULL
            """, [id, source.id, id])
    }

    private mutating func priority(of sighting: Sighting) -> JobPriority {
        guard SideFile(sighting.key) == nil else { return .words }
        guard sighting.origin != .scan else { return .bulk }
        return rhythm.isFresh(sighting.key, of: sighting.owner, at: transaction.now.boot)
            ? .fresh : .bulk
    }

    private func refusal(of source: SourceRow, _ sighting: Sighting) -> Refusal? {
        if !sighting.isRegularFile {
            return Refusal(
                .notRegularFile, "it is a link, a pipe or a device, not a file",
                remedy: "remove it, then put the picture itself there")
        }
        if let stranger = sighting.stranger { return stranger.refusal(of: source.key) }
        guard source.kind == .foreign else { return nil }
        return Refusal(
            .unsupportedFormat, "files of this type are not supported",
            measured: FileName.fileExtension(source.key.name),
            limit: FileKind.pictureExtensions.joined(separator: ", "),
            remedy: ImageFormat.remedy)
    }
}
