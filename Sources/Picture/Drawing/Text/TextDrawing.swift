import CPango
public import StickerRaster
public import StickerValues

/// Draws texts with the fonts of one folder: letters by their outlines, emoji in their own colours, lines centred.
///
/// The same text gives the same pixels each time. Pango may start threads.
public final class TextDrawing {
    private let fonts: FontFolder
    /// Corresponds to `PangoFontMap`.
    private let map: UnsafeMutablePointer<PangoFontMap>

    /// Creates a drawing with `fonts`.
    public init(fonts: FontFolder) {
        self.fonts = fonts
        map = pango_cairo_font_map_new()
        pango_fc_font_map_set_config(OpaquePointer(map), fonts.configuration)
    }

    deinit { g_object_unref(map) }

    /// The pixels of a text, and its scale.
    public struct Picture: ~Copyable {
        /// Straight alpha, cropped to the visible pixels.
        public let pixels: PixelBuffer
        /// See `DrawnText.scale`.
        public let scale: Double
        /// See `DrawnText.rise`.
        public let rise: Int
        /// See `DrawnText.unknown`.
        public let unknown: UnknownCharacters?

        /// The pixels alone.
        public consuming func takePixels() -> PixelBuffer { pixels }
    }

    /// Draws `text` at `DrawnText.scale`, or smaller if that exceeds the limits of `DrawnText`.
    ///
    /// - Throws: `TextFault`, at any scale.
    public func draw(_ text: MarkText) throws(TextFault) -> Picture {
        var scale = DrawnText.scale
        while true {
            let layout = try layout(text, scale)
            if let factor = Self.shrinking(layout.size) {
                scale *= factor
                continue
            }
            let drawn = try layout.draw()
            let rise = drawn.rise
            let pixels = drawn.takePixels()
            guard let factor = Self.shrinking(pixels.size) else {
                return Picture(pixels: pixels, scale: scale, rise: rise, unknown: layout.unknown)
            }
            scale *= factor
        }
    }

    func layout(_ text: MarkText, _ scale: Double) throws(TextFault) -> TextLayout {
        if let fault = text.faults.first {
            throw TextFault(
                .malformed, "\(fault.path) \(fault.message)", remedy: "correct the text mark")
        }
        return try TextLayout(text, scale: scale, fonts, map)
    }

    /// The factor for the scale that brings pixels of `size` within the limits; `nil` if they are.
    private static func shrinking(_ size: PixelSize) -> Double? {
        // An invisible text becomes no smaller.
        guard size.width > 0, size.height > 0, !DrawnText.allows(size) else { return nil }
        let sides = Double(DrawnText.sideMax) / Double(size.longSide)
        let area = Double(DrawnText.pixelsMax) / Double(size.pixelCount)
        // A little more, because sides are rounded.
        return min(sides, area.squareRoot()) * 0.995
    }
}
