import FoundationEssentials

extension Configuration {
    /// How many pictures are worked on at once.
    public var workerCount: Int {
        workers > 0 ? workers : ProcessInfo.processInfo.activeProcessorCount
    }
}
