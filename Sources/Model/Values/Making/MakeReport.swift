/// The result for one file.
public struct MakeReport: Sendable {
    /// The sticker, or the reason why there is none.
    public var result: Result<MadeSticker, MakeFailure>
    /// The format by the bytes; `nil` if stickerd does not read it.
    public var format: ImageFormat?
    /// The steps.
    public var log: StepLog
    /// Warnings that did not stop the work.
    public var warnings: [Warning]
    /// The CPU time, as far as known.
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

    /// Creates the report of an attempt without any result but `failure` and its log.
    public init(failure: MakeFailure, log: StepLog = StepLog()) {
        self.init(result: .failure(failure), format: nil, log: log, warnings: [])
    }
}
