import CPango
import StickerModel

/// Finds out what Pango would replace without a word.
struct FontCheck {
    let font: String
    let fonts: FontFolder

    private static let addition = "add a font to the folder (stickerd(8), Fonts)"

    /// Why `description` is not the one of a font of the folder.
    func fault(of description: borrowing FontDescription, _ context: OpaquePointer) -> TextFault? {
        guard !description.hadSize else {
            return TextFault(
                .malformed, "the font \"\(font)\" has a size",
                remedy: "give the size as size, in pixels")
        }
        let names = fonts.families.map(\.name).joined(separator: ", ")
        let asked = description.families
        guard !asked.isEmpty else {
            return TextFault(
                .unknownFamily, "the font \"\(font)\" names no family",
                remedy: "use one of: \(names)")
        }
        for name in asked where fonts.family(named: name) == nil {
            return TextFault(
                .unknownFamily, "there is no font \"\(name)\"",
                remedy: "use one of: \(names); or \(Self.addition)")
        }
        guard !isThere(description, context), let family = fonts.family(named: asked[0]) else {
            return nil
        }
        return TextFault(
            .unknownStyle, "there is no font \"\(font)\"",
            remedy: "use one of: \(family.fonts.joined(separator: ", ")); or \(Self.addition)")
    }

    /// Whether the nearest font is of the same style.
    private func isThere(
        _ description: borrowing FontDescription, _ context: OpaquePointer
    ) -> Bool {
        guard let font = pango_context_load_font(context, description.handle) else { return false }
        defer { g_object_unref(font) }
        let found: OpaquePointer = pango_font_describe(font)
        defer { pango_font_description_free(found) }
        let asked = description.handle
        return pango_font_description_get_weight(found) == pango_font_description_get_weight(asked)
            && pango_font_description_get_style(found) == pango_font_description_get_style(asked)
            && pango_font_description_get_stretch(found)
                == pango_font_description_get_stretch(asked)
    }

    /// PANGO_GLYPH_UNKNOWN_FLAG: the glyph is a box with the number of the character.
    private static let unknownFlag: PangoGlyph = 0x1000_0000

    /// Which characters no font has.
    func fault(ofGlyphsIn layout: OpaquePointer) -> TextFault? {
        guard pango_layout_get_unknown_glyphs_count(layout) > 0 else { return nil }
        var unknown: [Unicode.Scalar] = []
        let runs = pango_layout_get_iter(layout)
        defer { pango_layout_iter_free(runs) }
        repeat {
            // There is none at the end of a line.
            guard let run = pango_layout_iter_get_run_readonly(runs) else { continue }
            let glyphs = run.pointee.glyphs.pointee
            for index in 0..<Int(glyphs.num_glyphs) {
                let glyph = glyphs.glyphs[index].glyph
                guard glyph & Self.unknownFlag != 0,
                    let scalar = Unicode.Scalar(glyph & ~Self.unknownFlag),
                    !unknown.contains(scalar)
                else { continue }
                unknown.append(scalar)
            }
        } while pango_layout_iter_next_run(runs) != 0
        let names = unknown.prefix(8).map(Self.name).joined(separator: ", ")
        let more = unknown.count > 8 ? " and \(unknown.count - 8) more" : ""
        return TextFault(
            .unknownCharacters, "no font has \(names)\(more)",
            remedy: "write it without, or \(Self.addition)")
    }

    /// `世 (U+4E16)`.
    private static func name(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        let isVisible = [Unicode.GeneralCategory.unassigned, .privateUse, .format, .surrogate]
            .contains(scalar.properties.generalCategory)
        return isVisible ? code : "\(scalar) (\(code))"
    }
}
