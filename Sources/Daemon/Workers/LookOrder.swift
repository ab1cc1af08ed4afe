public import StickerValues

/// An order to decode finished files and report their looks, instead of making a sticker. The source is the files, one
/// after another.
public struct LookOrder: Hashable, Sendable, WorkerOrder {
    /// The size of each file in bytes.
    public var sizes: [Int]
    /// The limits of each file.
    public var limits: DecodeLimits
}

/// The worker's answer.
struct LookReply: Hashable, Sendable, Codable {
    /// One for each file.
    var looks: [PictureLook]
}
