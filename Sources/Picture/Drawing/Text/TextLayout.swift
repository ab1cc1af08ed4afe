import CPango
import StickerRaster
import StickerValues

/// A text laid out at one scale. Corresponds to `PangoLayout`.
struct TextLayout: ~Copyable {
    private let text: MarkText
    private let scale: Double
    private let context: OpaquePointer
    private let layout: OpaquePointer
    /// The ink in pixels, according to the fonts.
    private let ink: PangoRectangle
    /// The characters that no font of the folder has.
    let unknown: UnknownCharacters?

    /// Lays `text` out.
    ///
    /// - Throws: `TextFault` if the folder lacks its font.
    init(
        _ text: MarkText, scale: Double, _ fonts: FontFolder,
        _ map: UnsafeMutablePointer<PangoFontMap>
    ) throws(TextFault) {
        self.text = text
        self.scale = scale
        context = Self.context(map)
        layout = pango_layout_new(context)
        let description = FontDescription(text.font, pixels: text.size * scale)
        let fault = FontCheck(font: text.font, fonts: fonts).fault(of: description, context)
        if fault == nil {
            pango_layout_set_font_description(layout, description.handle)
            // Centred; a text has no width of its own to fill.
            pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER)
            pango_layout_set_text(layout, text.text, Int32(text.text.utf8.count))
        }
        unknown = fault == nil ? GlyphCheck.unknown(in: layout) : nil
        var ink = PangoRectangle()
        pango_layout_get_pixel_extents(layout, &ink, nil)
        self.ink = ink
        // Everything is set, and so will be freed.
        if let fault { throw fault }
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(layout))
        g_object_unref(UnsafeMutableRawPointer(context))
    }

    /// Lends a `PangoLayout` of a text with the fonts of librsvg: those of Fontconfig's own configuration.
    static func withDefaultFonts<Result>(
        _ text: String, _ body: (OpaquePointer) -> Result
    ) -> Result {
        let context = context(pango_cairo_font_map_get_default())
        defer { g_object_unref(UnsafeMutableRawPointer(context)) }
        let layout: OpaquePointer = pango_layout_new(context)
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        pango_layout_set_text(layout, text, Int32(text.utf8.count))
        return body(layout)
    }

    /// Neither screens nor users affect the drawing.
    private static func context(_ map: UnsafeMutablePointer<PangoFontMap>) -> OpaquePointer {
        let context: OpaquePointer = pango_font_map_create_context(map)
        let options = cairo_font_options_create()
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
        pango_context_set_round_glyph_positions(context, 0)
        pango_context_set_language(context, pango_language_from_string("en"))
        return context
    }

    /// The approximate size of the pixels.
    var size: PixelSize {
        PixelSize(width: Int(ink.width), height: Int(ink.height)).grown(by: strokeRadius)
    }

    /// The width of the border in pixels.
    private var strokeRadius: Int {
        text.strokePixels > 0 ? max(1, Int((text.strokePixels * scale).rounded())) : 0
    }

    /// Draws the text.
    ///
    /// - Throws: `TextFault` if nothing is visible, or memory is short.
    func draw() throws(TextFault) -> Drawn {
        var pixels = try letters()
        if strokeRadius > 0 {
            pixels = pixels.outlined(
                by: DilationDisc(radius: strokeRadius), color: text.strokeColor)
        }
        pixels = pixels.faded(to: text.color.w)
        let top = pixels.visibleRectangle?.rows.lowerBound ?? 0
        guard let visible = pixels.cropped() else {
            throw TextFault(
                .invisible, "nothing of the text is visible", remedy: "write letters or emoji")
        }
        let baseline = Int(pango_layout_get_baseline(layout)) / Int(PANGO_SCALE)
        return Drawn(
            pixels: visible, rise: margin + strokeRadius - Int(ink.y) + baseline - top)
    }

    /// The pixels, and the rows of them above the baseline of the first line.
    struct Drawn: ~Copyable {
        /// Straight alpha, cropped to the visible ones.
        let pixels: PixelBuffer
        let rise: Int

        consuming func takePixels() -> PixelBuffer { pixels }
    }

    /// The room around the ink: fonts' ink sizes are not exact for bitmaps.
    private var margin: Int { Int((text.size * scale / 4).rounded(.up)) + 2 }

    /// The opaque text with room around it.
    private func letters() throws(TextFault) -> PixelBuffer {
        let size = PixelSize(width: Int(ink.width), height: Int(ink.height)).grown(by: margin)
        let image = CairoImage(size)
        image.draw { cairo in
            let color = SIMD4<Double>(text.color) / 255
            cairo_set_source_rgb(cairo, color.x, color.y, color.z)
            cairo_translate(cairo, Double(margin) - Double(ink.x), Double(margin) - Double(ink.y))
            pango_cairo_show_layout(cairo, layout)
        }
        guard let pixels = image.pixels(near: SIMD3(text.color.x, text.color.y, text.color.z))
        else {
            throw TextFault(
                .outOfMemory, "memory is short for \(size) pixels", remedy: "write a shorter text")
        }
        return pixels
    }
}
