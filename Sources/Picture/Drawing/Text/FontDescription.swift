import CPango

/// The description of a font. Corresponds to `PangoFontDescription`.
struct FontDescription: ~Copyable {
    let handle: OpaquePointer
    /// Whether the text it was read from had a size.
    let hadSize: Bool

    /// Reads `font`; its em is given `pixels`.
    init(_ font: String, pixels: Double) {
        handle = pango_font_description_from_string(Self.joined(font))
        hadSize =
            pango_font_description_get_set_fields(handle).rawValue & PANGO_FONT_MASK_SIZE.rawValue
            != 0
        pango_font_description_set_absolute_size(handle, pixels * Double(PANGO_SCALE))
    }

    deinit { pango_font_description_free(handle) }

    /// Fonts call themselves `Extra Bold`, which Pango takes for Bold of a family that ends in Extra.
    private static func joined(_ font: String) -> String {
        var words: [String] = []
        for word in font.split(separator: " ") {
            let isSecond = ["bold", "light", "condensed", "expanded"].contains(word.lowercased())
            let first = words.last?.lowercased() ?? ""
            if isSecond, ["semi", "demi", "extra", "ultra"].contains(first) {
                words[words.count - 1] += "-\(word)"
            } else {
                words.append(String(word))
            }
        }
        return words.joined(separator: " ")
    }

    /// The families, in order of preference.
    var families: [String] {
        guard let names = pango_font_description_get_family(handle) else { return [] }
        return String(cString: names).split(separator: ",").map { name in
            name.split(separator: " ").joined(separator: " ")
        }
    }
}
