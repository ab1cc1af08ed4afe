public import StickerModel

/// The facts about a sticker that need no decoder, besides the file that it was made from.
public struct PublishedFacts: Hashable, Sendable {
    /// Whether it moves.
    public var isAnimated: Bool
    /// The canvas that it was drawn on.
    public var canvas: TargetCanvas
    /// Whether its file says that some pixels may be transparent; `nil` if it is no WebP, or gone.
    public var hasAlphaFlag: Bool?
    /// The keys whose changed default counts for its category.
    public var changedDefaults: Set<String> = []

    /// Creates what is known; see the properties.
    public init(isAnimated: Bool, canvas: TargetCanvas, hasAlphaFlag: Bool?) {
        (self.isAnimated, self.canvas, self.hasAlphaFlag) = (isAnimated, canvas, hasAlphaFlag)
    }

    /// Whether the first bytes of a WebP say that some pixels may be transparent; `nil` if they are none of one.
    public static func alphaFlag(_ head: [UInt8]) -> Bool? {
        head.withUnsafeBytes { bytes in
            guard bytes.has("RIFF"), bytes.has("WEBP", at: 8) else { return nil }
            guard bytes.has("VP8X", at: 12), let flags = bytes.byte(at: 20) else {
                return bytes.has("VP8L", at: 12)
            }
            return flags & WebPBitstream.alphaFlag != 0
        }
    }
}
