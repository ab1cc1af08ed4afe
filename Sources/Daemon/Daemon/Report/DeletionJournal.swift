import Logging
import StickerConfiguration
import StickerProgram
import StickerReports
import StickerStore
import StickerValues

/// Logs removed stickers, and deletions that are suspiciously large.
struct DeletionJournal {
    let logger: Logger
    /// Whether removals can be undone; a user's deletion cannot.
    var hasUndo = true

    /// Logs a sticker that was removed, with the command that undoes it.
    func note(_ removed: Expiry.Removed) {
        var metadata: Logger.Metadata = [
            LogKey.sticker: "\(removed.sticker)", LogKey.category: "\(removed.category)",
            LogKey.file: "\(removed.source.display)",
        ]
        if hasUndo {
            metadata[LogKey.undo] = "\(OperatorCommand("trash restore \(removed.sticker)"))"
        }
        logger.info("sticker removed, its file is gone", metadata: metadata)
    }

    /// Logs a deletion that waits for confirmation.
    func noteHeld(_ hold: DeletionHold) {
        logger.error(
            "deletion held, the stickers stay: \(hold.event)",
            metadata: metadata(of: hold).merging([
                LogKey.remedy: "bring the files back, or: \(hold.confirmation)"
            ]) { $1 })
    }

    /// Logs a deletion that no longer waits.
    func noteLifted(_ hold: DeletionHold) {
        let rest = hold.missing > 0 ? ", the others have the usual grace" : ""
        logger.notice(
            "deletion no longer held, files came back\(rest)", metadata: metadata(of: hold))
    }

    private func metadata(of hold: DeletionHold) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["missing": "\(hold.missing)", "of": "\(hold.stickers)"]
        if let category = hold.category { metadata[LogKey.category] = "\(category)" }
        if let drop = hold.drop { metadata[LogKey.path] = "\(drop)" }
        return metadata
    }
}
