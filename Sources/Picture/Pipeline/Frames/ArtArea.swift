import StickerCodecs
import StickerRaster
import StickerValues

/// The smallest rectangle around everything visible in rows of pixels, in any of several frames.
struct ArtArea {
    /// The least alpha of a visible pixel, of 255. Fainter pixels show on no background, and are often traces of
    /// editing.
    private static let alphaMin = 4

    private let size: PixelSize
    private let layout: SampleLayout
    private var columns = 0..<0
    private var rows = 0..<0

    /// The visible part of the frames; `nil` for the whole frame, or if nothing is visible.
    var part: PixelRectangle? {
        let part = PixelRectangle(
            x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
        return part.isEmpty || part.size == size ? nil : part
    }

    /// Creates an empty area of frames of `size`, in `layout`.
    init(size: PixelSize, layout: SampleLayout) {
        precondition(layout != .cmyk8, "these inks have no alpha")
        (self.size, self.layout) = (size, layout)
    }

    /// Adds row `y` of a frame.
    mutating func note(_ row: UnsafeRawBufferPointer, y: Int) {
        guard let first = (0..<size.width).first(where: { isSeen(row, $0) }),
            let last = (first..<size.width).last(where: { isSeen(row, $0) })
        else { return }
        columns =
            columns.isEmpty
            ? first..<last + 1
            : min(columns.lowerBound, first)..<max(columns.upperBound, last + 1)
        rows =
            rows.isEmpty
            ? y..<y + 1 : min(rows.lowerBound, y)..<max(rows.upperBound, y + 1)
    }

    private func isSeen(_ row: UnsafeRawBufferPointer, _ x: Int) -> Bool {
        switch layout {
        case .rgba16:
            Int(row.loadUnaligned(fromByteOffset: x * 8 + 6, as: UInt16.self)) >= Self.alphaMin
                * 257
        case .rgba8, .cmyk8: Int(row[x * 4 + 3]) >= Self.alphaMin
        case .cmyka8: Int(row[x * 5 + 4]) >= Self.alphaMin
        }
    }
}
