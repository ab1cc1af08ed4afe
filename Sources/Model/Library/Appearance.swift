/// How a finished sticker looks in a chat, judged by its pixels.
public struct Appearance: Hashable, Sendable, Codable {
    /// How much of it stands out on the dark grounds of chats, in percent; see `ChatVisibility`. The worst ground
    /// counts.
    public var onDarkPercent: Int
    /// The same on light grounds.
    public var onLightPercent: Int
    /// The transparent pixels between the art and the nearest edge, on a canvas whose longer side is 512. Of what
    /// moves, the frame that comes nearest counts.
    public var marginPixels: Int
    /// Whether what is shown before it plays, or all there is of a still, is empty or nearly so.
    public var startsEmpty: Bool

    /// Creates a judgement; see the properties.
    public init(
        onDarkPercent: Int, onLightPercent: Int, marginPixels: Int, startsEmpty: Bool
    ) {
        self.onDarkPercent = onDarkPercent
        self.onLightPercent = onLightPercent
        self.marginPixels = marginPixels
        self.startsEmpty = startsEmpty
    }

    /// Whether every value is one that can be measured.
    public var isPlausible: Bool {
        0...100 ~= onDarkPercent && 0...100 ~= onLightPercent && 0...512 ~= marginPixels
    }
}
