/// One composed frame of an animation; the pixels are lent by `AnimationDecoding.withCanvas`.
public struct AnimationFrame: Sendable, Hashable {
    /// Counted from 0.
    public let index: Int
    /// Where the canvas may differ from the frame before.
    public let changed: PixelRectangle
    /// How long it is shown; 10 ms and less in the file count as 100, as in browsers.
    public let delayMilliseconds: Int

    /// What browsers show a frame for that asks for 10 ms or less.
    static let defaultDelayMilliseconds = 100

    /// How long a frame is shown that asks for `milliseconds`.
    static func delay(asked milliseconds: Int) -> Int {
        milliseconds > 10 ? milliseconds : defaultDelayMilliseconds
    }
}
