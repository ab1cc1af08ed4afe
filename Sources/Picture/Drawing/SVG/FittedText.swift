import CPango
import StickerContainers

/// A text of a drawing with the attribute `data-fit`, its largest width in user units: it shrinks until it fits, and
/// its emoji are in colour. librsvg can do neither.
///
/// It is drawn above everything else and follows no transform. Its attributes are those of a `text` element without
/// children: `x`, `y`, `text-anchor`, `font-family`, `font-weight`, `font-style`, `font-size`, `stroke-width`, and
/// `fill` and `stroke` in hexadecimal; librsvg draws those with other colours. A border is drawn behind the letters.
struct FittedText {
    private var (x, y) = (0.0, 0.0)
    private var width = 0.0
    /// The part of its width to the left of `x`.
    private var anchor = 0.0
    private var family = "Inter"
    private var weight = 400
    private var isItalic = false
    private var size = 16.0
    private var color = SIMD3<Double>(repeating: 0)
    private var strokeColor = SIMD3<Double>(repeating: 0)
    private var strokeWidth = 0.0
    /// Whether its colours are understood.
    private var isUnderstood = true
    private let content: String

    /// The most bytes; a sticker cannot show more.
    private static let bytesMax = 400
    /// The most in one drawing.
    private static let countMax = 50
    private static let sizeRange = 1.0...2000.0

    /// Removes such texts from a drawing.
    ///
    /// - Parameter bytes: an SVG.
    /// - Returns: the texts, and the drawing without them; `nil` if there are none.
    static func taken(
        from bytes: UnsafeRawBufferPointer
    ) -> (texts: [FittedText], rest: [UInt8])? {
        var texts: [FittedText] = []
        var rest: [UInt8] = []
        var (tags, start) = (XMLTags(bytes), 0)
        while texts.count < countMax, let tag = tags.next() {
            guard tag.kind == .start, tag.name.count == 4,
                bytes.has("text", at: tag.name.lowerBound)
            else { continue }
            let content = tags.offset
            var ahead = tags
            guard let end = ahead.next(), end.kind == .end,
                let open = bytes[..<tag.name.lowerBound].lastIndex(of: UInt8(ascii: "<")),
                let close = bytes[content..<end.name.lowerBound].lastIndex(of: UInt8(ascii: "<")),
                let text = FittedText(bytes, tag, content: content..<close)
            else { continue }
            rest += bytes[start..<open]
            texts.append(text)
            tags = ahead
            start = tags.offset
        }
        guard !texts.isEmpty else { return nil }
        return (texts, rest + bytes[start...])
    }

    private init?(_ bytes: UnsafeRawBufferPointer, _ tag: XMLTags.Tag, content: Range<Int>) {
        let written = String(decoding: bytes[content], as: UTF8.self)
        // CDATA sections are left to librsvg.
        guard content.count <= Self.bytesMax, !written.contains("<") else { return nil }
        self.content = Self.plain(written).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        for attribute in XMLAttributes(bytes, of: tag) {
            let name = String(decoding: bytes[attribute.name], as: UTF8.self)
            let value = Self.plain(
                String(decoding: bytes[attribute.value.prefix(200)], as: UTF8.self))
            take(name, value)
        }
        guard width > 0, isUnderstood else { return nil }
    }

    private mutating func take(_ name: String, _ value: String) {
        func number(_ range: ClosedRange<Double>, else other: Double) -> Double {
            let digits = value.hasSuffix("px") ? value.dropLast(2) : value[...]
            return Double(digits).flatMap { range.contains($0) ? $0 : nil } ?? other
        }
        switch name {
        case "x": x = number(-1e6...1e6, else: 0)
        case "y": y = number(-1e6...1e6, else: 0)
        case "data-fit": width = number(0...1e6, else: 0)
        case "text-anchor": anchor = ["middle": 0.5, "end": 1][value] ?? 0
        case "font-family": family = value
        case "font-weight":
            weight = ["bold": 700, "normal": 400][value] ?? Int(number(100...1000, else: 400))
        case "font-style": isItalic = value == "italic" || value == "oblique"
        case "font-size": size = number(Self.sizeRange, else: size)
        case "fill": color = understood(value) ?? color
        case "stroke": strokeColor = understood(value) ?? strokeColor
        case "stroke-width": strokeWidth = number(0...200, else: 0)
        default: break
        }
    }

    private mutating func understood(_ code: String) -> SIMD3<Double>? {
        let digits = code.dropFirst()
        let isOpaque = code.hasPrefix("#") && (digits.count == 3 || digits.count == 6)
        let color = isOpaque ? CSSColor(hexadecimal: String(digits))?.channels : nil
        if color == nil { isUnderstood = false }
        return color
    }

    /// The unescaped text.
    private static func plain(_ text: String) -> String {
        text.replacing(/&(#x?[0-9A-Fa-f]{1,6}|lt|gt|quot|apos|amp);/) { match in
            switch match.output.1 {
            case "lt": return "<"
            case "gt": return ">"
            case "quot": return "\""
            case "apos": return "'"
            case "amp": return "&"
            case let number:
                let isHexadecimal = number.hasPrefix("#x")
                let digits = number.dropFirst(isHexadecimal ? 2 : 1)
                let scalar = UInt32(digits, radix: isHexadecimal ? 16 : 10)
                    .flatMap(Unicode.Scalar.init)
                return scalar.map { String(Character($0)) } ?? ""
            }
        }
    }

    /// Draws the text.
    ///
    /// - Parameter cairo: with coordinates in user units.
    func draw(_ cairo: OpaquePointer) {
        TextLayout.withDefaultFonts(content) { draw($0, cairo) }
    }

    private func draw(_ layout: OpaquePointer, _ cairo: OpaquePointer) {
        let wide = set(size, layout)
        if wide > width { _ = set(size * width / wide, layout) }
        var extents = PangoRectangle()
        pango_layout_get_extents(layout, nil, &extents)
        let scale = Double(PANGO_SCALE)
        let left = x - anchor * Double(extents.width) / scale
        let top = y - Double(pango_layout_get_baseline(layout)) / scale
        if strokeWidth > 0 {
            cairo_move_to(cairo, left, top)
            pango_cairo_layout_path(cairo, layout)
            cairo_set_source_rgb(cairo, strokeColor.x, strokeColor.y, strokeColor.z)
            cairo_set_line_width(cairo, strokeWidth)
            cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
            cairo_stroke(cairo)
        }
        cairo_move_to(cairo, left, top)
        cairo_set_source_rgb(cairo, color.x, color.y, color.z)
        pango_cairo_show_layout(cairo, layout)
    }

    /// Lays the text out.
    ///
    /// - Returns: its width.
    private func set(_ pixels: Double, _ layout: OpaquePointer) -> Double {
        let font: OpaquePointer = pango_font_description_new()
        defer { pango_font_description_free(font) }
        pango_font_description_set_family(font, family)
        pango_font_description_set_weight(font, PangoWeight(UInt32(weight)))
        pango_font_description_set_style(font, isItalic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL)
        pango_font_description_set_absolute_size(font, pixels * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
        var extents = PangoRectangle()
        pango_layout_get_extents(layout, nil, &extents)
        return Double(extents.width) / Double(PANGO_SCALE)
    }
}
