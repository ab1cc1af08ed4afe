import Logging
import StickerConfiguration
import StickerProgram
import StickerStore
import StickerValues

/// Logs one line for every ended job.
struct JobJournal: Sendable {
    let logger: Logger

    /// Logs the results that a turn recorded.
    func note(_ turn: PoolTurn) {
        for file in turn.turn.renamed { note(file) }
        let booked = Dictionary(uniqueKeysWithValues: turn.turn.booked.map { ($0.id, $0) })
        for finished in turn.finished {
            guard let booked = booked[finished.job.id] else { continue }
            note(finished, booked)
            noteSteps(finished)
        }
    }

    /// Logs a file that was refused before any work.
    func note(_ file: RefusedFile) {
        logger.warning(
            file.refusal.reason == .daemonCrashed ? "job held" : "job refused",
            metadata: facts(of: file.refusal).merging([
                LogKey.job: "\(file.job)", LogKey.category: "\(file.category)",
                LogKey.file: "\(file.source.display)",
                LogKey.reason: "\(file.refusal.reason.rawValue)",
                LogKey.see: "\(OperatorCommand("show \(file.job)"))",
            ]) { $1 })
    }

    /// Logs a file that was renamed, or that replaced one of another format.
    func note(_ file: RenamedFile) {
        let (from, to) = (file.from.display, file.to.display)
        logger.info(
            file.isSameFile
                ? "renamed \(file.sticker): \(from) -> \(to), id kept"
                : "replaced \(file.sticker): \(to) took the place of \(from), id kept",
            metadata: [LogKey.sticker: "\(file.sticker)", LogKey.file: "\(file.to.display)"])
    }

    /// Logs a drop whose path changed.
    func note(_ drop: MovedDrop) {
        logger.notice(
            "drop moved, its stickers keep their ids",
            metadata: [
                LogKey.from: "\(drop.from)", LogKey.path: "\(drop.path)",
                LogKey.count: "\(drop.stickers)",
            ])
    }

    /// Logs a drop whose path leads to another folder.
    func noteUnmounted(_ drop: String, stickers: Int) {
        let (shown, stays) = (
            FileName.escaped(drop), stickers.counted("sticker stays", "stickers stay")
        )
        logger.warning(
            "drop \(shown) looks unmounted; its \(stays)",
            metadata: [
                LogKey.path: "\(drop)", LogKey.count: "\(stickers)",
                LogKey.remedy:
                    "mount it again; if it really is another folder: \(OperatorCommand("confirm-delete \(shown.asShellWord)"))",
            ])
    }

    /// Logs a category whose title changed.
    func note(_ category: RenamedCategory) {
        logger.notice(
            "category renamed, its id stays",
            metadata: [
                LogKey.category: "\(category.category)",
                LogKey.from: "\(category.from)", LogKey.to: "\(category.to)",
            ])
    }

    /// Logs a drop that the configuration no longer lists.
    func note(_ drop: UnlistedDrop) {
        logger.warning(
            "a drop is no longer listed, its stickers stay",
            metadata: [
                LogKey.path: "\(drop.path)", LogKey.count: "\(drop.stickers)",
                LogKey.remedy: "list it in drops again, or the folder that it became",
            ])
    }

    private func note(_ finished: FinishedJob, _ booked: Turn.Booked) {
        var metadata = metadata(of: finished)
        if let reason = booked.reason { metadata[LogKey.reason] = "\(reason)" }
        if let sticker = booked.sticker { metadata[LogKey.sticker] = "\(sticker)" }
        switch booked.state {
        case .completed:
            // A redraw because time has passed is logged only at debug level.
            logger.log(
                level: finished.job.origin == .clock ? .debug : .info, "job completed",
                metadata: metadata.merging(facts(of: finished)) { $1 })
        case .discarded:
            let isHeld = booked.reason == Refusal.Reason.needsReview.rawValue
            logger.log(
                level: isHeld ? .notice : .warning, isHeld ? "job held" : "job refused",
                metadata: metadata.merging(facts(of: finished)) { $1 })
        case .cancelled:
            logger.info("job cancelled", metadata: metadata)
        case .retryable:
            metadata[LogKey.seconds] = booked.delay.map { "\(Int($0.inMilliseconds / 1000))" }
            // The first failure is a warning; the last one is logged as a refusal.
            logger.log(
                level: finished.job.attempt > 1 ? .debug : .warning, "job will be tried again",
                metadata: metadata)
        case .available where finished.outcome.isFailureOfWorker:
            logger.warning(
                "worker failed, one more attempt",
                metadata: metadata.merging(facts(of: finished)) { $1 })
        case .scheduled, .available, .executing:
            logger.debug("job waits", metadata: metadata)
        }
    }

    private func noteSteps(_ finished: FinishedJob) {
        guard logger.logLevel <= .debug else { return }
        for step in finished.log.entries {
            var metadata: Logger.Metadata = [
                LogKey.job: "\(finished.job.id)", LogKey.category: "\(finished.job.category)",
                LogKey.step: "\(step.step)",
                LogKey.detail:
                    "\(([step.detail] + (step.fit?.lines ?? [])).joined(separator: "; "))",
                LogKey.milliseconds: "\(Int(step.milliseconds.rounded()))",
            ]
            if let cpu = step.cpuMilliseconds {
                metadata[LogKey.cpuMilliseconds] = "\(Int(cpu.rounded()))"
            }
            logger.debug("step", metadata: metadata)
        }
    }

    private func metadata(of finished: FinishedJob) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            LogKey.job: "\(finished.job.id)", LogKey.category: "\(finished.job.category)",
            LogKey.file: "\(finished.job.source.display)",
            LogKey.milliseconds: "\(Int(finished.log.milliseconds.rounded()))",
        ]
        if let sticker = finished.job.sticker { metadata[LogKey.sticker] = "\(sticker)" }
        return metadata
    }

    /// The reason, the measured value, the limit and the remedy.
    private func facts(of refusal: Refusal) -> Logger.Metadata {
        var facts: Logger.Metadata = [
            LogKey.detail: "\(refusal.detail)", LogKey.remedy: "\(refusal.remedy)",
        ]
        if let measured = refusal.measured { facts[LogKey.measured] = "\(measured)" }
        if let limit = refusal.limit { facts[LogKey.limit] = "\(limit)" }
        return facts
    }

    private func facts(of refusal: Refusal, _ finished: FinishedJob) -> Logger.Metadata {
        facts(of: refusal).merging([
            LogKey.step: "\(finished.log.entries.last?.step ?? "read")",
            LogKey.see: "\(OperatorCommand("show \(finished.job.id)"))",
        ]) { $1 }
    }

    private func facts(of finished: FinishedJob) -> Logger.Metadata {
        switch finished.outcome {
        case .made(let product, _):
            var facts: Logger.Metadata = [
                LogKey.bytes: "\(product.files.first?.bytes ?? 0)",
                LogKey.mode: "\(product.encoding.mode.rawValue)",
            ]
            if let quality = product.encoding.quality {
                facts[LogKey.quality] = "\((quality * 100).rounded() / 100)"
            }
            let further = product.files.filter { $0.role == .rendition }.compactMap(\.target)
            if !further.isEmpty {
                facts[LogKey.renditions] = "\(further.joined(separator: ","))"
            }
            if !product.shortfalls.isEmpty {
                let short = product.shortfalls.map { "\($0.target):\($0.reason.rawValue)" }
                facts[LogKey.shortfalls] = "\(short.joined(separator: ","))"
            }
            if let score = product.encoding.score { facts[LogKey.score] = "\(score)" }
            return facts
        case .unchanged:
            return [LogKey.detail: "unchanged"]
        case .said(_, let faults?, _):
            return facts(of: faults.refusal, finished)
        case .refused(let refusal, _), .workerFailed(let refusal, _):
            return facts(of: refusal, finished)
        case .failed(let detail):
            return [
                LogKey.detail: "\(detail)",
                LogKey.remedy:
                    "once the cause is gone: \(OperatorCommand("retry \(finished.job.id)"))",
            ]
        case .unread(let detail):
            return [
                LogKey.detail: "\(detail)", "remedy": "none needed: it is retried automatically",
            ]
        default:
            return [:]
        }
    }
}

extension JobOutcome {
    fileprivate var isFailureOfWorker: Bool {
        if case .workerFailed = self { true } else { false }
    }
}

extension StepLog {
    /// The time of all steps.
    var milliseconds: Double { entries.reduce(0) { $0 + $1.milliseconds } }
}
