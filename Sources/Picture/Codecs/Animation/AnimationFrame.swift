/// One composed frame of an animation; the pixels are lent by `AnimationDecoding.withCanvas`.
public struct AnimationFrame: Sendable, Hashable {
    /// Counted from 0.
    public let index: Int
    /// The area in which the canvas may differ from the frame before.
    public let changed: PixelRectangle
    /// How long it is shown; a delay of 10 ms or less in the file counts as 100 ms, as in browsers.
    public let delayMilliseconds: Int
}

extension AnimationFrame {
    package init(index: Int, changed: PixelRectangle, askedMilliseconds: Int) {
        self.init(
            index: index, changed: changed, delayMilliseconds: Self.delay(asked: askedMilliseconds))
    }

    /// How long browsers show a frame with a delay of 10 ms or less.
    static let defaultDelayMilliseconds = 100

    /// How long a frame with a delay of `milliseconds` is shown.
    static func delay(asked milliseconds: Int) -> Int {
        milliseconds > 10 ? milliseconds : defaultDelayMilliseconds
    }
}
