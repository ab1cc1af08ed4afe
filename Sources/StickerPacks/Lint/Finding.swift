public import StickerModel

/// What a platform would refuse about a pack, or what would look bad there.
public struct Finding: Hashable, Sendable, Codable {
    /// How bad it is.
    public enum Severity: String, Hashable, Sendable, Codable {
        /// The pack is not made, or stays as it was.
        case fault
        /// The pack is made.
        case warning
    }

    /// The rule that was broken; its id is what people search for.
    public var rule: String
    /// How bad it is.
    public var severity: Severity
    /// The pack; absent if it is about the whole category.
    public var pack: String?
    /// The sticker; absent if it is about the whole pack.
    public var sticker: StickerID?
    /// The file in the pack.
    public var file: String?
    /// One sentence: what is wrong. Lower case.
    public var detail: String
    /// The value that was found, with its unit.
    public var measured: String?
    /// The value that is allowed.
    public var limit: String?
    /// What to do about it.
    public var remedy: String

    /// Creates a fault or a warning; see the properties.
    public init(
        _ rule: String, _ severity: Severity = .fault, pack: String? = nil,
        sticker: StickerID? = nil, file: String? = nil, _ detail: String, measured: String? = nil,
        limit: String? = nil, remedy: String
    ) {
        self.rule = rule
        self.severity = severity
        self.pack = pack
        self.sticker = sticker
        self.file = file
        self.detail = detail
        self.measured = measured
        self.limit = limit
        self.remedy = remedy
    }
}
