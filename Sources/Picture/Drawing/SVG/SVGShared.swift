import StickerCodecs
import StickerModel

/// The picture budget, the work and the list of losses that a drawing shares with the drawings embedded in it.
final class SVGShared {
    /// Those of each picture.
    let limits: DecodeLimits
    /// The fonts of texts, for warnings of those that are missing.
    let fonts: FontFolder?
    /// Pixels that embedded pictures may still have in all.
    var pixelsLeft: Int
    private(set) var notes = SVGNotes()
    /// The work of drawing them all.
    var cost = SVGCost()
    /// The characters of texts that are drawn.
    var characters: Set<Character> = []

    /// Pixels of all pictures that are decoded, each four bytes here and up to four more in a PNG.
    private static let picturePixelsMax = 24_000_000

    init(limits: DecodeLimits, fonts: FontFolder? = nil) {
        (self.limits, self.fonts) = (limits, fonts)
        pixelsLeft = min(limits.framePixelsMax, Self.picturePixelsMax)
    }

    /// Tells people about something that is not drawn as it should be.
    func note(_ kind: SVGNotes.Kind, _ what: String) { notes.add(kind, what) }
}
