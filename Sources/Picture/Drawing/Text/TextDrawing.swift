import CPango
public import StickerModel
public import StickerRaster

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

    /// The pixels of a text, and what one pixel of its canvas became.
    public struct Picture: ~Copyable {
        /// Straight alpha, tight around what can be seen.
        public let pixels: PixelBuffer
        /// See `DrawnText.scale`.
        public let scale: Double
        /// See `DrawnText.unknown`.
        public let unknown: UnknownCharacters?

        /// The pixels alone.
        public consuming func takePixels() -> PixelBuffer { pixels }
    }

    /// Draws `text` at `DrawnText.scale`, or smaller if that is beyond the limits of `DrawnText`.
    ///
    /// - Throws: `TextFault`, whatever scale was the last.
    public func draw(_ text: MarkText) throws(TextFault) -> Picture {
        var scale = DrawnText.scale
        while true {
            let layout = try layout(text, scale)
            if let factor = Self.shrinking(layout.size) {
                scale *= factor
                continue
            }
            let pixels = try layout.draw()
            guard let factor = Self.shrinking(pixels.size) else {
                return Picture(pixels: pixels, scale: scale, unknown: layout.unknown)
            }
            scale *= factor
        }
    }

    /// Draws `text`.
    ///
    /// - Parameters:
    ///   - text: its sizes are those of a canvas whose longer side has 512 pixels.
    ///   - scale: pixels on each pixel of that canvas, above 0.
    /// - Returns: straight pixels, tight around what can be seen.
    /// - Throws: `TextFault`.
    public func draw(_ text: MarkText, scale: Double) throws(TextFault) -> PixelBuffer {
        try layout(text, scale).draw()
    }

    private func layout(_ text: MarkText, _ scale: Double) throws(TextFault) -> TextLayout {
        if let fault = text.faults.first {
            throw TextFault(
                .malformed, "\(fault.path) \(fault.message)", remedy: "correct the text mark")
        }
        return try TextLayout(text, scale: scale, fonts, map)
    }

    /// By what a scale is multiplied so that pixels of `size` come within the limits; `nil` if they are.
    private static func shrinking(_ size: PixelSize) -> Double? {
        // What shows nothing becomes no smaller.
        guard size.width > 0, size.height > 0, !DrawnText.allows(size) else { return nil }
        let sides = Double(DrawnText.sideMax) / Double(size.longSide)
        let area = Double(DrawnText.pixelsMax) / Double(size.pixelCount)
        // A little more than that, because sides are rounded.
        return min(sides, area.squareRoot()) * 0.995
    }
}
