import StickerModel

/// The CPU time that one picture may take, so that none holds a worker for ever.
struct WorkBudget {
    private let seconds: Int
    private let start = StepClock.threadCPU.milliseconds

    /// Begins now, for the calling thread.
    init(_ limits: DecodeLimits) { seconds = limits.cpuSecondsMax }

    /// Throws where it is used up.
    func check() throws(Refusal) {
        guard StepClock.threadCPU.milliseconds - start > Double(seconds) * 1000 else { return }
        throw Refusal(
            .tooComplex, "making the sticker takes too much computing",
            measured: "more than \(seconds) s", limit: "\(seconds) s (limits.cpuSecondsMax)",
            remedy: "leave out frames, or make it smaller or less noisy")
    }
}
