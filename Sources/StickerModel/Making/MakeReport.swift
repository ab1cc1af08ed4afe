/// What came of one file.
public struct MakeReport: Sendable {
    /// The sticker, or the reason why there is none.
    public var result: Result<MadeSticker, MakeFailure>
    /// The format by the bytes; `nil` where it is none that is read.
    public var format: ImageFormat?
    /// What was done.
    public var log: StepLog
    /// Oddities that did not stop the work.
    public var warnings: [Warning]

    /// A report.
    public init(
        result: Result<MadeSticker, MakeFailure>, format: ImageFormat?, log: StepLog,
        warnings: [Warning]
    ) {
        self.result = result
        self.format = format
        self.log = log
        self.warnings = warnings
    }

    /// An attempt that gave nothing but `failure` and its log.
    public init(failure: MakeFailure, log: StepLog = StepLog()) {
        self.init(result: .failure(failure), format: nil, log: log, warnings: [])
    }
}
