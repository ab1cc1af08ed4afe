/// The appearance of a finished sticker in a chat, measured on its pixels.
public struct Appearance: Hashable, Sendable, Codable {
    /// The share that stands out on the dark backgrounds of chats, in percent; see `ChatVisibility`. The worst
    /// background counts.
    public var onDarkPercent: Int
    /// The same on light backgrounds.
    public var onLightPercent: Int
    /// The transparent pixels between the art and the nearest edge, on a canvas whose longer side is 512. Of an
    /// animation, the frame nearest to an edge counts.
    public var marginPixels: Int
    /// Whether the first frame is empty or nearly so.
    public var startsEmpty: Bool

    /// Creates an appearance; see the properties.
    public init(
        onDarkPercent: Int, onLightPercent: Int, marginPixels: Int, startsEmpty: Bool
    ) {
        self.onDarkPercent = onDarkPercent
        self.onLightPercent = onLightPercent
        self.marginPixels = marginPixels
        self.startsEmpty = startsEmpty
    }

    /// Whether every value is possible.
    public var isPlausible: Bool {
        0...100 ~= onDarkPercent && 0...100 ~= onLightPercent && 0...512 ~= marginPixels
    }
}
