public import StickerValues

/// The contribution of one frame to a sticker's appearance.
public struct FrameAppearance: Sendable {
    /// The part of a frame's largest area below which a frame counts as empty.
    fileprivate static let leastArea: Float = 0.02

    fileprivate let visibility: ChatVisibility
    /// Transparent pixels around the art on a canvas whose longer side is 512; `nil` if there is none.
    fileprivate let marginPixels: Int?

    /// Measures a finished canvas.
    public init(of canvas: borrowing PixelBuffer) {
        guard let art = ArtBounds(of: canvas) else {
            (visibility, marginPixels) = (ChatVisibility(), nil)
            return
        }
        visibility = ChatVisibility(of: CellGrid(of: canvas, art))
        marginPixels = art.margin(on: canvas.size) * 512 / canvas.size.longSide
    }
}

extension Appearance {
    /// Judges a sticker by its frames; a still has one.
    ///
    /// Longer frames count more, as one dark frame hides nothing and one bright frame saves nothing.
    ///
    /// - Parameter frames: in order, with the time of each.
    public init(of frames: [(appearance: FrameAppearance, milliseconds: Int)]) {
        var whole = ChatVisibility()
        for frame in frames {
            whole.add(frame.appearance.visibility, milliseconds: max(1, frame.milliseconds))
        }
        let areas = frames.map(\.appearance.visibility.area)
        let least = (areas.max() ?? 0) * FrameAppearance.leastArea
        self.init(
            onDarkPercent: whole.percent(onDark: true),
            onLightPercent: whole.percent(onDark: false),
            marginPixels: frames.compactMap(\.appearance.marginPixels).min() ?? 256,
            startsEmpty: (areas.first ?? 0) <= least)
    }
}
