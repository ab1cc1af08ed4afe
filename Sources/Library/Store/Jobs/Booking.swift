import FoundationEssentials
import GRDB
import StickerConfiguration
import StickerValues

/// Records the results of attempts, one after the other, within one transaction.
struct Booking {
    let transaction: StoreTransaction
    var turn = Turn()
    /// Whether one of the attempts ran alone.
    var hasEndedLone = false
    /// The sticker just published.
    private var published: StickerID?
    /// The log of the attempt, stored with its end.
    private var report: [Assignment] = []
    /// Categories that show something else, each noted once for all attempts.
    private var touched: Set<CategoryID> = []

    init(_ transaction: StoreTransaction) { self.transaction = transaction }

    /// Records one attempt, unless its job is no longer executing.
    mutating func book(_ finished: FinishedJob) throws {
        guard let known = try transaction.execution(finished.job.id) else { return }
        var (job, source) = (known.job, known.source)
        // It is noted already.
        if case .said(let changed, _, _) = finished.outcome {
            turn.changedCategories.formUnion(changed)
        }
        if job.priority == .last { hasEndedLone = true }
        published = nil
        report = try Self.report(of: finished, after: known.log)
        if let newer = known.newer {
            try passOn(finished.outcome, of: job, to: newer)
            try cancel(&job, .superseded)
        } else if !source.isPresent {
            try cancel(&job, .vanished)
        } else {
            try apply(finished, &job, &source)
            try noteRenewal(finished, job, source, known.renewal)
        }
    }

    /// Completes the records of all attempts.
    func end() throws {
        for category in touched { try transaction.touch(category) }
    }

    /// Notes when a template may show something else, or that it is no template any more, or a faulty one.
    private func noteRenewal(
        _ finished: FinishedJob, _ job: JobRow, _ source: SourceRow, _ renewal: Int64?
    ) throws {
        let rest = try noteRest(finished, job, source)
        // Something that it shows changed while it was drawn.
        let hasDrawn = finished.drawing != nil || finished.outcome.hasDrawn
        if renewal == StoreTransaction.renewalAtOnce, hasDrawn {
            if let rest { try transaction.renew(source.id, at: rest) }
            return
        }
        if let drawing = finished.drawing {
            guard let next = drawing.next, !finished.outcome.isRefusalAtAnyTime else {
                return try transaction.renewTomorrow(source.id)
            }
            return try transaction.renew(source.id, at: max(next, rest ?? next))
        }
        guard source.key.isTemplate || job.origin == .clock else { return }
        switch finished.outcome {
        case .withdrawn: try transaction.renewTomorrow(source.id)
        case .made, .unchanged, .refused(_, .some): try transaction.renew(source.id, at: nil)
        default: break
        }
    }

    /// Notes how long the clock does not draw a template again, if that is longer than its picture is valid.
    ///
    /// - Returns: the end of that time.
    private func noteRest(
        _ finished: FinishedJob, _ job: JobRow, _ source: SourceRow
    ) throws -> Int64? {
        guard source.key.isTemplate else { return nil }
        switch finished.outcome {
        case .made, .unchanged: break
        case .withdrawn, .refused, .workerFailed:
            try transaction.rest(source.id, spent: nil, until: nil)
            return nil
        default: return nil
        }
        guard let drawing = finished.drawing else { return nil }
        let spent = Int64(finished.cpuTime.inMilliseconds)
        let end = transaction.now.wall + ClockBudget.rest(after: spent)
        let next = drawing.next ?? transaction.now.wall + ClockBudget.weather
        // Shipped templates are known to be cheap enough, even on slow machines.
        let isSlow =
            try job.origin == .clock && end > next && !transaction.isShipped(source)
        try transaction.rest(source.id, spent: isSlow ? spent : nil, until: isSlow ? end : nil)
        return isSlow ? end : nil
    }

    private mutating func apply(
        _ finished: FinishedJob, _ job: inout JobRow, _ source: inout SourceRow
    ) throws {
        switch finished.outcome {
        case .made(let product, let content):
            try publish(product, content, &source, finished.drawing)
            published = source.sticker
            try transaction.note(isCMYK: finished.isCMYK, content)
            try complete(&job, content, product.recipe, spent: finished.log.millisecondsOfASearch)
        case .unchanged(let content):
            try transaction.note(isCMYK: finished.isCMYK, content)
            try confirm(content, &job, source)
        case .said(_, let faults, let content):
            try transaction.run(
                "UPDATE source SET content = ?, applied = 1 WHERE id = ?",
                [content.rawValue, source.id])
            if let faults {
                try refuse(&job, faults.refusal, content)
            } else {
                try complete(&job, content, nil, spent: nil)
            }
        case .arriving(let delay, let why):
            let isComplete = job.origin == .closed && finished.job.origin != .closed
            try end(&job, .arriving(delay: isComplete ? .zero : delay), why)
        case .changed(let version):
            try waitAgain(&job, source, version)
        case .refused(let refusal, let content):
            try refuse(&job, refusal, content)
        case .workerFailed(let refusal, let content):
            try blame(&job, refusal, content)
        case .failed(let text):
            try fail(
                &job, text, .retriesExhausted,
                "once the cause is gone: \(stickerctl: "retry \(job.id)")")
        case .unread(let text):
            try fail(&job, text, .unreadable, "none needed: it is retried once it can be read")
        case .yielded(let isForeseen):
            let priority = max(job.priority, isForeseen ? .large : .drawn)
            try end(
                &job, .released, "it may take long and waits for a lane of large files",
                more: [("priority", priority.rawValue)])
        case .released(let text):
            try end(&job, .released, text)
        case .withdrawn(let reason):
            if source.isLive { turn.changedCategories.insert(source.category) }
            try transaction.withdraw(source)
            try cancel(&job, reason)
        case .cancelled(let reason):
            try giveUp(&job, source, reason, of: finished.job.source)
        }
    }

    /// Replaces the published product of the file by a finished one.
    private mutating func publish(
        _ product: StickerProduct, _ content: ContentHash, _ source: inout SourceRow,
        _ drawing: TemplateDrawing?
    ) throws {
        var replaced = source.output
        let (output, isChanged) = try transaction.output(product, of: drawing?.content ?? content)
        if source.kind == .picture, replaced == nil {
            let moved = try transaction.settleIdentity(of: &source, content)
            touched.formUnion(moved)
            turn.changedCategories.formUnion(moved)
            if let renamed = try transaction.continueFormer(of: &source) {
                turn.renamed.append(renamed)
                turn.changedCategories.insert(source.category)
            }
            replaced = source.output
        }
        source.output = output
        source.content = content
        try transaction.run(
            "UPDATE source SET output = ?, content = ?, applied = 1 WHERE id = ?",
            [output, content.rawValue, source.id])
        let isNews =
            source.kind == .cover
            ? replaced != output || isChanged
            : try transaction.writeEntry(of: source, showing: product)
        if isChanged { try showAgain(output, besides: source) }
        if let replaced, replaced != output {
            try transaction.release(
                replaced, of: source.category, as: drawing == nil ? .oldRevision : .moment)
        }
        guard isNews else { return }
        touched.insert(source.category)
        turn.changedCategories.insert(source.category)
    }

    /// Updates the entries of other files that share an output.
    private mutating func showAgain(_ output: Int64, besides source: SourceRow) throws {
        for other in try transaction.sources(of: output) where other.id != source.id {
            guard try other.kind == .cover || transaction.writeEntry(of: other) else { continue }
            touched.insert(other.category)
            turn.changedCategories.insert(other.category)
        }
    }

    /// The file's bytes are the published ones; if something else was published meanwhile, the file is queued again.
    private mutating func confirm(
        _ content: ContentHash, _ job: inout JobRow, _ source: SourceRow
    ) throws {
        guard source.isLive, source.content == content else {
            return try end(&job, .released, "something else is published now")
        }
        try transaction.run("UPDATE source SET applied = 1 WHERE id = ?", [source.id])
        try complete(&job, content, nil, spent: nil)
    }

    private mutating func complete(
        _ job: inout JobRow, _ content: ContentHash, _ recipe: RecipeID?, spent: Double?
    ) throws {
        try end(
            &job, .published,
            more: [
                ("content", content.rawValue), ("recipe", recipe?.rawValue), ("refusal", nil),
                ("spent", spent), ("renews", false),
            ] + Blame.none.assignments)
    }

    /// The file was written to meanwhile: the job takes the newer state.
    private mutating func waitAgain(
        _ job: inout JobRow, _ source: SourceRow, _ version: FileVersion
    ) throws {
        try transaction.run(
            "UPDATE source SET applied = 0, inode = ?, size = ?, mtime = ?, ctime = ? WHERE id = ?",
            version.columns + [source.id])
        let isAlike = version.size == job.version.size
        try end(
            &job, .arriving(delay: transaction.policy.settle), "it was written to while being read",
            more: transaction.seen(version, .changed)
                + (isAlike ? [] : Blame.none.assignments + [("refusal", nil)])
                + (!isAlike && job.priority.isLarge
                    ? [("priority", JobPriority.bulk.rawValue)] : []))
    }

    private mutating func refuse(
        _ job: inout JobRow, _ refusal: Refusal, _ content: ContentHash?, _ blame: Blame = .none
    ) throws {
        try end(
            &job, .refused, refusal.reason.rawValue,
            more: [
                ("refusal", try StoredJSON.text(refusal)), ("content", content?.rawValue),
            ] + blame.assignments)
    }

    /// A worker failed with the file: another one gets it once the queue is otherwise empty.
    private mutating func blame(
        _ job: inout JobRow, _ refusal: Refusal, _ content: ContentHash?
    ) throws {
        var blame = job.blame
        blame.addWorkerFailure(content)
        guard blame.workerFailures <= Blame.workerFailuresMax else {
            return try refuse(&job, refusal, content, blame)
        }
        try end(
            &job, .workerFailed, "its worker failed: \(refusal.detail)",
            more: [
                ("refusal", try StoredJSON.text(refusal)),
                ("priority", max(job.priority, .again).rawValue),
            ] + blame.assignments)
    }

    /// A worker failed with an earlier state of the file: the newer job takes the blame if the bytes may be the same.
    private func passOn(_ outcome: JobOutcome, of job: JobRow, to newer: Int64) throws {
        guard case .workerFailed(_, let content) = outcome,
            let heir = try transaction.job(newer)
        else { return }
        var blame = job.blame
        blame.addWorkerFailure(content)
        try transaction.inherit(blame, of: job, heir)
    }

    /// A transient error leads to another attempt, up to a limit.
    private mutating func fail(
        _ job: inout JobRow, _ text: String, _ reason: Refusal.Reason, _ remedy: String
    ) throws {
        let refusal = Refusal(
            reason, text, measured: "\(job.attempt) attempts",
            limit: "\(transaction.policy.retryDelays.count + 1) attempts (queue.retrySeconds)",
            remedy: remedy)
        let isLast = job.attempt > transaction.policy.retryDelays.count
        guard isLast else { return try end(&job, .failed, text) }
        try end(
            &job, .failed, refusal.reason.rawValue,
            more: [("refusal", try StoredJSON.text(refusal))])
    }

    /// The worker stopped by itself: the file is gone, or the worker was notified that its work is out of date. If the
    /// database knows no newer state, the job is still wanted.
    private mutating func giveUp(
        _ job: inout JobRow, _ source: SourceRow, _ reason: CancelReason, of key: SourceKey
    ) throws {
        // A file that is gone under the old name may have moved with its folder.
        guard reason == .vanished, source.key == key else {
            return try end(&job, .released, "nothing newer is known")
        }
        try transaction.markMissing(source.id)
        try transaction.noteHeir(of: source, vanishedAt: transaction.now.wall)
        try cancel(&job, .vanished)
    }

    private mutating func cancel(_ job: inout JobRow, _ reason: CancelReason) throws {
        try end(&job, .cancelled, reason.rawValue)
    }

    private mutating func end(
        _ job: inout JobRow, _ event: JobLifecycle.Event, _ reason: String? = nil,
        more: [Assignment] = []
    ) throws {
        let change = try transaction.move(&job, event, [("reason", reason)] + more + report)
        if change.state == .scheduled, change.delay == .zero { try transaction.move(&job, .due) }
        turn.booked.append(
            Turn.Booked(
                id: JobID(rawValue: job.id), state: job.state, delay: change.delay, reason: reason,
                sticker: published))
    }

    /// The log of the attempt, appended to those of earlier attempts.
    private static func report(
        of finished: FinishedJob, after earlier: String?
    ) throws -> [Assignment] {
        var log = try earlier.map { try StoredJSON.decode(StepLog.self, from: $0) } ?? StepLog()
        log.append(contentsOf: finished.log)
        let warnings = finished.warnings.isEmpty ? nil : try StoredJSON.text(finished.warnings)
        return [("log", try StoredJSON.text(log)), ("warnings", warnings)]
    }
}

/// A job that is executing, with all that its end may change.
private struct Execution {
    var job: JobRow
    var source: SourceRow
    var log: String?
    /// The next job of the file.
    var newer: Int64?
    /// When a template may show something else.
    var renewal: Int64?
}

extension StoreTransaction {
    fileprivate func execution(_ id: JobID) throws -> Execution? {
        try row(
            """
            SELECT \(JobRow.columns), \(SourceRow.columns), job.log, job.superseded_by,
                source.renew_at
            FROM job JOIN source ON source.id = job.source
            WHERE job.id = ? AND job.state = 'executing'
            """, [id.rawValue]
        ).map { row in
            let rest = JobRow.width + SourceRow.width
            return Execution(
                job: try JobRow(row), source: try SourceRow(row, from: JobRow.width),
                log: row[rest], newer: row[rest + 1], renewal: row[rest + 2])
        }
    }
}

extension JobOutcome {
    /// Whether a template was filled in, or could not be for the moment.
    fileprivate var hasDrawn: Bool {
        switch self {
        case .made, .unchanged, .withdrawn: true
        default: false
        }
    }

    /// Whether a template is refused whatever it shows: the clock need not repeat the attempt.
    fileprivate var isRefusalAtAnyTime: Bool {
        switch self {
        case .refused(let refusal, _): refusal.reason != .unknownCharacters
        case .workerFailed: true
        default: false
        }
    }
}

extension StepLog {
    /// The time of all steps; `nil` without a search for an encoding.
    fileprivate var millisecondsOfASearch: Double? {
        guard entries.contains(where: { $0.fit != nil }) else { return nil }
        return entries.reduce(0) { $0 + $1.milliseconds }
    }
}
