import StickerDrawing
import StickerTestSupport

extension TestFonts {
    /// The fonts of this build; `nil` if they are not there.
    static func read() throws -> FontFolder? { try path.map { try FontFolder($0) } }
}
