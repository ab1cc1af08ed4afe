import FoundationEssentials
import StickerValues

extension Configuration {
    /// The number of pictures made at once.
    public var workerCount: Int {
        workers > 0 ? workers : ProcessInfo.processInfo.activeProcessorCount
    }
}
