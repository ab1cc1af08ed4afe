import StickerSystem
import StickerValues

/// The state of the watcher, readable at any time from any thread.
typealias WatchRecord = QueueConfined<WatchState>

/// The figures of the watcher, and the folders in the places of its drops.
struct WatchState: Sendable {
    var status = WatchStatus()
    var roots: [String: FileIdentity] = [:]
    var polledDrops: Set<String> = []
    var hiddenMounts = HiddenMounts()
}
