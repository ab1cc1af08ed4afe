import FoundationEssentials

extension Configuration {
    /// Pictures worked on at once.
    public var workerCount: Int {
        workers > 0 ? workers : ProcessInfo.processInfo.activeProcessorCount
    }
}
