import Logging
import StickerConfiguration
import StickerProgram
import StickerStore
import StickerValues

/// Logs the start of a batch, every tenth of its progress, and its end.
struct BatchLog: Sendable {
    let logger: Logger

    func note(_ notice: BatchTracker.Notice) {
        switch notice {
        case .started(let found):
            logger.notice("batch started", metadata: ["found": "\(found)"])
        case .reached(let percent, let batch):
            logger.notice("batch at \(percent) %", metadata: [LogKey.detail: "\(batch.shown)"])
        case .finished(let batch, let summary):
            var facts = facts(batch, summary)
            guard batch.waiting > 0 else { return logger.notice("batch finished", metadata: facts) }
            facts["waiting"] = "\(batch.waiting)"
            logger.notice("batch interrupted", metadata: facts)
        }
    }

    private func facts(
        _ batch: LiveFigures.Batch, _ summary: BatchTracker.Summary
    ) -> Logger.Metadata {
        var facts: Logger.Metadata = [
            "done": "\(batch.done)", LogKey.bytes: "\(summary.bytes)",
            LogKey.seconds: "\((summary.seconds * 10).rounded() / 10)",
            "slowest": "\(slowest(summary))",
        ]
        if let cancelled = batch.cancelled { facts["cancelled"] = "\(cancelled)" }
        if batch.needAttention > 0 {
            facts["attention"] = "\(batch.needAttention)"
            facts[LogKey.see] = "\(OperatorCommand("jobs --attention"))"
        }
        return facts
    }

    private func slowest(_ summary: BatchTracker.Summary) -> String {
        summary.slowest.map { "\($0.file) \(Int($0.milliseconds.rounded())) ms" }
            .joined(separator: ", ")
    }
}
