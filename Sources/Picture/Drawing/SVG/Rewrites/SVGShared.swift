import StickerCodecs
import StickerValues

/// The pixel budget, the work and the list of differences that a drawing shares with its embedded drawings.
final class SVGShared {
    /// The limits of each picture.
    let limits: DecodeLimits
    /// The fonts of texts, for warnings of missing ones.
    let fonts: FontFolder?
    /// The remaining pixels for embedded pictures.
    var pixelsLeft: Int
    private(set) var notes = SVGNotes()
    /// The work of drawing them all.
    var cost = SVGCost()
    /// The characters of drawn texts.
    var characters: Set<Character> = []

    /// The most pixels of all decoded pictures, each four bytes here and up to four more in a PNG.
    private static let picturePixelsMax = 24_000_000

    init(limits: DecodeLimits, fonts: FontFolder? = nil) {
        (self.limits, self.fonts) = (limits, fonts)
        pixelsLeft = min(limits.framePixelsMax, Self.picturePixelsMax)
    }

    /// Notes a difference from the drawing's intent.
    func note(_ kind: SVGNotes.Kind, _ what: String) { notes.add(kind, what) }
}
