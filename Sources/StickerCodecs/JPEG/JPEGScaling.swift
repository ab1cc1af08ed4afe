import StickerModel

/// The sizes TurboJPEG decodes to by leaving out high frequencies: eighths of the stored one.
enum JPEGScaling {
    /// The smallest size whose longer side is at least `side`; the stored one if none is.
    static func size(of stored: PixelSize, longSideAtLeast side: Int) -> PixelSize {
        let sizes = (1...8).map { eighths in
            PixelSize(
                width: (stored.width * eighths + 7) / 8, height: (stored.height * eighths + 7) / 8)
        }
        return sizes.first { $0.longSide >= side } ?? stored
    }
}
