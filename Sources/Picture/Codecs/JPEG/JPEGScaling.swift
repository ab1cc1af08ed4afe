import StickerRaster
import StickerValues

/// The sizes that TurboJPEG can decode to by leaving out high frequencies: eighths of the stored size.
///
/// Only those for which libjpeg-turbo has vector code; 5/8 takes longer than the whole.
enum JPEGScaling {
    private static let eighths = [1, 2, 4, 8]

    /// The smallest size whose longer side is at least `side`; the stored size if there is none.
    static func size(of stored: PixelSize, longSideAtLeast side: Int) -> PixelSize {
        eighths.map { size(of: stored, eighths: $0) }.first { $0.longSide >= side } ?? stored
    }

    /// How many pixels of `decoded` the picture really covers: half of a stored width of 2725 is 1362.5, delivered as
    /// 1363. Ignoring this would shift the far edge by up to a pixel.
    static func extent(of stored: PixelSize, decodedTo decoded: PixelSize) -> PixelExtent {
        let eighths = eighths.last { size(of: stored, eighths: $0) == decoded } ?? 8
        return PixelExtent(
            width: Double(stored.width * eighths) / 8, height: Double(stored.height * eighths) / 8)
    }

    private static func size(of stored: PixelSize, eighths: Int) -> PixelSize {
        PixelSize(
            width: (stored.width * eighths + 7) / 8, height: (stored.height * eighths + 7) / 8)
    }
}
