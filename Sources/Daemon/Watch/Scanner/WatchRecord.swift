import StickerSystem
import StickerValues

/// The state of the watcher, readable at any time from any thread.
typealias WatchRecord = QueueConfined<WatcherState>

/// The figures of the watcher, and the folders in the places of its drops.
struct WatcherState: Sendable {
    var status = WatchStatus()
    var roots: [String: FileIdentity] = [:]
    var polledDrops: Set<String> = []
    var hiddenMounts = HiddenMounts()
}
