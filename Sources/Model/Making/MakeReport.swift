/// The result for one file.
public struct MakeReport: Sendable {
    /// The sticker, or the reason why there is none.
    public var result: Result<MadeSticker, MakeFailure>
    /// The format according to the bytes; `nil` if it is not one that stickerd reads.
    public var format: ImageFormat?
    /// What was done.
    public var log: StepLog
    /// Oddities that did not stop the work.
    public var warnings: [Warning]
    /// The CPU time that it took, as far as that is known.
    public var cpuTime = Duration.zero

    /// Creates a report.
    public init(
        result: Result<MadeSticker, MakeFailure>, format: ImageFormat?, log: StepLog,
        warnings: [Warning]
    ) {
        self.result = result
        self.format = format
        self.log = log
        self.warnings = warnings
    }

    /// Creates the report of an attempt that yielded nothing but `failure` and its log.
    public init(failure: MakeFailure, log: StepLog = StepLog()) {
        self.init(result: .failure(failure), format: nil, log: log, warnings: [])
    }
}
