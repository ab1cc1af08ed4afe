import CPango
import StickerValues

/// Finds the characters that no font has. Pango silently draws boxes for them.
enum GlyphCheck {
    /// PANGO_GLYPH_UNKNOWN_FLAG: the glyph is a box with the number of the character.
    private static let unknownFlag: PangoGlyph = 0x1000_0000
    /// The most different characters that are laid out; Chinese dictionaries have fewer.
    private static let charactersMax = 20_000
    /// The most scalars of one character: families of emoji have 7.
    private static let scalarsMax = 16

    /// The characters of a layout that no font has.
    static func unknown(in layout: OpaquePointer) -> UnknownCharacters? {
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
                guard glyph & unknownFlag != 0,
                    let scalar = Unicode.Scalar(glyph & ~unknownFlag)
                else { continue }
                unknown.append(scalar)
            }
        } while pango_layout_iter_next_run(runs) != 0
        return UnknownCharacters(unknown)
    }

    /// The characters missing from all fonts of librsvg: those of Fontconfig's own configuration.
    static func unknown(among characters: Set<Character>) -> UnknownCharacters? {
        guard !characters.isEmpty else { return nil }
        // In a fixed order, so that a drawing always gives the same message.
        let text = characters.sorted().prefix(charactersMax).map { character in
            String(String.UnicodeScalarView(character.unicodeScalars.prefix(scalarsMax)))
        }.joined(separator: " ")
        return TextLayout.withDefaultFonts(text) { unknown(in: $0) }
    }
}
