import FoundationEssentials
public import StickerValues

/// A worker's answer, as JSON in a sealed memory file. The finished files follow in a separate memory file each, in the
/// same order. The worker's owner trusts none of it: see `ReplyAudit`.
public struct WorkReply: Hashable, Sendable, Codable {
    /// The sticker, with its files but without their bytes; either this or `refusal` is present.
    public var sticker: MadeSticker?
    /// Why there is none.
    public var refusal: Refusal?
    /// The format according to the bytes.
    public var format: ImageFormat?
    /// The steps taken.
    public var log: StepLog
    /// Oddities that did not stop the work.
    public var warnings: [Warning]
    /// The layers of the sandbox that the kernel did not provide.
    public var missingLayers: [String]

    /// Creates the reply for `report`; its files are sent separately.
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
    /// - Throws: a decoding error if the bytes are not a reply.
    init(json: Data) throws { self = try JSONDecoder().decode(WorkReply.self, from: json) }

    /// Encodes the reply for the worker's owner.
    public func json() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }
}
