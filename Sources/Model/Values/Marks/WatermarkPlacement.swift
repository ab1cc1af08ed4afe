/// The place of a mark on a canvas, in whole pixels; parts of it may be outside.
///
/// DeepMedia Camera SDK 0.8.5, https://deepmedia.io/camera/docs/watermarks.
public struct WatermarkPlacement: Hashable, Sendable {
    /// The size of the mark; with 0 in either direction it is invisible.
    public var size: PixelSize
    /// The column of its left edge.
    public var x: Int
    /// The row of its upper edge.
    public var y: Int

    /// Places a mark whose content has `own` pixels on `canvas`; a colour has no size of its own, but both sizes given.
    ///
    /// With one size given, the other follows in the content's shape; with both, they are enforced; without either, the
    /// content has its own pixels. Everything is computed exactly, and rounded half up at the end.
    public init(of mark: Watermark, own: PixelSize?, on canvas: PixelSize) {
        if let place = mark.imgly {
            let frame = place.frame(own: own ?? canvas, on: canvas)
            size = PixelSize(
                width: Self.rounded(frame.width), height: Self.rounded(frame.height))
            (x, y) = (Self.rounded(frame.x), Self.rounded(frame.y))
            return
        }
        let (across, down) = (Double(canvas.width), Double(canvas.height))
        let own = own ?? canvas
        let shape = Double(own.width) / Double(own.height)
        let (width, height): (Double, Double) =
            switch (mark.width, mark.height) {
            case (let width?, let height?): (width * across, height * down)
            case (let width?, nil): (width * across, width * across / shape)
            case (nil, let height?): (height * down * shape, height * down)
            case (nil, nil): (Double(own.width), Double(own.height))
            }
        size = PixelSize(width: Self.rounded(width), height: Self.rounded(height))
        x = Self.rounded(mark.anchor.x * (across - width) + mark.offset.x * across)
        y = Self.rounded(mark.anchor.y * (down - height) + mark.offset.y * down)
    }

    /// Whether it is invisible on any canvas.
    public var isEmpty: Bool { size.width < 1 || size.height < 1 }

    private static func rounded(_ value: Double) -> Int {
        // Beyond that its ends are invisible anyway.
        Int(min(1e6, max(-1e6, (value + 0.5).rounded(.down))))
    }
}
