import FoundationEssentials
public import StickerModel

/// What a worker answers, as JSON in a sealed memory file. The finished files come beside it, each in a
/// memory file of its own, in the same order. Its owner trusts nothing of it: see `ReplyAudit`.
public struct WorkReply: Hashable, Sendable, Codable {
    /// The sticker, its files without their bytes; exactly one of this and `refusal` is there.
    public var sticker: MadeSticker?
    /// Why there is none.
    public var refusal: Refusal?
    /// The format by the bytes.
    public var format: ImageFormat?
    /// What was done.
    public var log: StepLog
    /// Oddities that did not stop the work.
    public var warnings: [Warning]
    /// The layers of the sandbox that the kernel did not give.
    public var missingLayers: [String]

    /// The reply that tells of `report`; its files are sent beside it.
    public init(_ report: MakeReport, missingLayers: [String]) {
        switch report.result {
        case .success(let made): sticker = made
        case .failure(.refused(let refusal)): self.refusal = refusal
        case .failure: preconditionFailure("only the owner of a worker gives up on it")
        }
        format = report.format
        log = report.log
        warnings = report.warnings
        self.missingLayers = missingLayers
    }

    /// Reads a reply.
    ///
    /// - Throws: an error of the decoder where the bytes are no reply.
    init(json: Data) throws { self = try JSONDecoder().decode(WorkReply.self, from: json) }

    /// The reply as its owner reads it.
    public func json() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }
}
