import CPango
import StickerValues

/// Finds fonts that Pango would replace silently.
struct FontCheck {
    let font: String
    let fonts: FontFolder

    private static let addition = "add a font to the folder (stickerd(8), Fonts)"

    /// Why `description` matches no font of the folder.
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
}
