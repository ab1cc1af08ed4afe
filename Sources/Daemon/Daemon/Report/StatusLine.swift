import StickerStore
import StickerValues
import StickerWatch

/// The overall state in one line, as shown by `systemctl status`.
struct StatusLine {
    var store: StoreStatus
    var watch: WatchStatus
    /// How many drops are configured.
    var drops: Int
    /// Drops whose folder is missing or replaced by another one, with the number of their stickers.
    var away: [String: Int] = [:]
    /// Whether the contents of the drops at startup have been recorded.
    var isReady = true
    /// Why no jobs are started.
    var pause: String?
    /// The sandbox layers that workers lack because the kernel does not have them.
    var missingLayers: [String] = []
    /// Unknown languages of the configuration.
    var unknownLanguages: [String] = []

    var text: String {
        if let pause {
            let waiting = store.waiting.counted("job", "jobs")
            return "PAUSED: \(FileName.escaped(pause)) · \(waiting) waiting, goes on by itself"
        }
        guard isReady else { return "starting, \(store.waiting.grouped) waiting" }
        guard watch.folders > dropsPresent || store.categories > 0 || store.waiting > 0 else {
            return
                "watching 0 folders, nothing to do. Make a folder in a drop to create a category."
        }
        let parts =
            [
                "watching \(store.categories.counted("category", "categories"))",
                store.stickers.counted("sticker", "stickers"), "\(store.waiting.grouped) waiting",
                store.needAttention.needingAttention,
            ] + troubles
        return parts.joined(separator: " · ")
    }

    /// Problems for the operator, one sentence each.
    var troubles: [String] {
        var lines = away.sorted { $0.key < $1.key }.map { drop, stickers in
            "drop \(FileName.escaped(drop)) looks unmounted; its "
                + stickers.counted("sticker stays", "stickers stay") + ". Mount it again."
        }
        if watch.foldersUnreadable > 0 {
            let others = watch.foldersUnreadable - 1
            let more = others > 0 ? " and \(others.counted("more folder", "more folders"))" : ""
            lines.append("\(watch.unreadableExample ?? "a folder")\(more) cannot be read")
        }
        if watch.foldersTooDeep > 0 {
            let folders = watch.foldersTooDeep.counted("folder", "folders")
            lines.append("\(folders) with folders too deep to open, shorten their paths")
        }
        if watch.foldersDegraded > 0 {
            lines.append(
                "\(watch.foldersDegraded.counted("folder", "folders")) polled, raise fs.inotify.max_user_watches"
            )
        }
        if !missingLayers.isEmpty {
            let layers = missingLayers.joined(separator: ", ")
            lines.append("workers are not confined by \(layers) (worker.unsandboxed)")
        }
        lines += unknownLanguages.map { "smart stickers are in English: \($0)" }
        return lines
    }

    /// The watcher counts the drops as folders, but they are not categories.
    private var dropsPresent: Int { max(0, drops - watch.lostDrops.count) }
}
