public import StickerValues

/// The facts about a sticker that need no decoder, besides its source file.
public struct PublishedFacts: Hashable, Sendable {
    /// Whether it moves.
    public var isAnimated: Bool
    /// Its canvas.
    public var canvas: TargetCanvas
    /// Whether its file declares transparency; `nil` if it is no WebP, or gone.
    public var hasAlphaFlag: Bool?
    /// The keys whose changed defaults apply to its category.
    public var changedDefaults: Set<String> = []

    /// Creates the facts; see the properties.
    public init(isAnimated: Bool, canvas: TargetCanvas, hasAlphaFlag: Bool?) {
        (self.isAnimated, self.canvas, self.hasAlphaFlag) = (isAnimated, canvas, hasAlphaFlag)
    }

    /// Whether the first bytes of a WebP declare transparency; `nil` for other files.
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
