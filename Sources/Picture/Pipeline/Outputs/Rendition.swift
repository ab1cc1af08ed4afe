import StickerRaster
import StickerValues

/// A file for a target, decoded again and compared.
struct Rendition {
    var format: ImageFormat
    var size: PixelSize
    var bytes: [UInt8]
    var encoding: Encoding
    /// Its timeline; `nil` for a still.
    var timeline: Timeline?
    /// The number of frames in the file, which may merge neighbours that became equal.
    var frames: Int?

    var isMoving: Bool { timeline != nil }

    /// The file in its final form.
    func file(_ role: StickerFile.Role, for target: Target) -> MadeFile {
        MadeFile(
            role: role, target: target.name, format: format, size: size, bytes: bytes,
            frames: frames, durationMilliseconds: timeline?.totalMilliseconds,
            encoding: encoding)
    }
}

/// The parameters of a rendition of one picture.
struct RenditionKey: Hashable {
    private var rules: Target
    private var marks: [Watermark]

    init(_ recipe: Recipe, _ target: Target) {
        (rules, marks) = (target.rules, recipe.marks(of: target))
    }
}
