public import StickerValues

/// An order to `stickerd-worker-drawing`: the pixels of texts.
public struct TextOrder: Hashable, Sendable, WorkerOrder {
    /// The texts, at most as many as files fit into a reply.
    public var texts: [MarkText]
}

/// The result of one text in a worker.
public enum TextOutcome: Hashable, Sendable {
    /// Drawn: its pixels and their place as in `DrawnText`, with boxes for `unknown`.
    case drawn(
        size: PixelSize, scale: Double, rise: Int, rows: [UInt8], unknown: UnknownCharacters?)
    /// It cannot be drawn: a sentence with a remedy.
    case faulty(String)
}

/// The worker's answer to `TextOrder`. The pixels of each drawn text follow in a separate memory file each, in the same
/// order.
struct TextReply: Hashable, Sendable, Codable {
    /// One text: either size and scale, or a fault.
    struct Text: Hashable, Sendable, Codable {
        var size: PixelSize?
        var scale: Double?
        var rise: Int?
        /// The characters that no font has.
        var unknown: String?
        var fault: String?
    }

    var texts: [Text]
}
