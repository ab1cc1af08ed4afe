public import FoundationEssentials
public import StickerModel

/// What `stickerd-worker-drawing` is asked for: the pixels of texts.
public struct TextOrder: Hashable, Sendable, Codable {
    /// The texts, at most as many as files fit into a reply.
    public var texts: [MarkText]

    /// Creates an order.
    public init(texts: [MarkText]) { self.texts = texts }

    /// Reads an order.
    ///
    /// - Throws: a decoding error; it is no order for texts of this release.
    public init(json: Data) throws { self = try JSONDecoder().decode(TextOrder.self, from: json) }

    /// Encodes the order for a worker.
    func json() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }
}

/// What became of one text in a worker.
public enum TextOutcome: Hashable, Sendable {
    /// It was drawn: `rows` are its pixels as `DrawnText` has them, with boxes for `unknown`.
    case drawn(size: PixelSize, scale: Double, rows: [UInt8], unknown: UnknownCharacters?)
    /// It cannot be drawn: a sentence with a remedy.
    case faulty(String)
}

/// What a worker answers to `TextOrder`. The pixels of each text that was drawn are sent along with it, each in a memory
/// file of its own, in the same order.
struct TextReply: Hashable, Sendable, Codable {
    /// One text: either size and scale, or a fault.
    struct Text: Hashable, Sendable, Codable {
        var size: PixelSize?
        var scale: Double?
        /// The characters that no font has.
        var unknown: String?
        var fault: String?
    }

    /// In the order of the texts.
    var texts: [Text]
}
