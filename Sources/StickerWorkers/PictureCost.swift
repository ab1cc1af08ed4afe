import StickerContainers
import StickerModel

/// Whether a picture may need more memory than a worker for ordinary ones has, by what its header says.
struct PictureCost {
    /// An ordinary still: 16-bit, interlaced and with alpha it takes 8 bytes a pixel while it is decoded.
    static let ordinaryPixels = 16_000_000
    /// The bytes of an ordinary file: they are mapped into the worker.
    static let ordinaryBytes = 24 << 20

    let isLarge: Bool

    init(_ source: SourceBytes) {
        let pixels = PictureOutline.read(source)?.size.pixelCount ?? 0
        isLarge = source.count > Self.ordinaryBytes || pixels > Self.ordinaryPixels
    }
}
