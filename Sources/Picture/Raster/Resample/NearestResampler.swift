import StickerValues

/// Takes the nearest source pixel, so that pixel art keeps its hard edges and exact colours.
final class NearestResampler: RowResampling {
    private let source: PixelSize
    private let layout: SampleLayout
    private let clearsInvisible: Bool
    private let columns: [Int]
    private let rows: [Int]
    private var result: PixelBuffer
    private var consumed = 0
    private var next = 0

    init(
        from source: PixelSize, to target: PixelSize, layout: SampleLayout,
        clearsInvisible: Bool = false
    ) {
        precondition(!layout.isInk, "the colour stage comes first")
        self.source = source
        self.layout = layout
        self.clearsInvisible = clearsInvisible
        columns = Self.nearest(from: source.width, to: target.width)
        rows = Self.nearest(from: source.height, to: target.height)
        result = PixelBuffer(size: target)
    }

    func consume(_ row: UnsafeRawBufferPointer) {
        precondition(row.count >= source.width * layout.bytesPerPixel, "a row is too short")
        while next < rows.count, rows[next] == consumed {
            for (x, column) in columns.enumerated() {
                let pixel = pixel(row, column)
                if pixel.w > 0 || !clearsInvisible { result[x, next] = pixel }
            }
            next += 1
        }
        consumed += 1
    }

    func finish() -> PixelBuffer {
        precondition(consumed == source.height, "rows are missing")
        return result.copy()
    }

    private func pixel(_ row: UnsafeRawBufferPointer, _ column: Int) -> SIMD4<UInt8> {
        guard layout == .rgba16 else {
            return row.loadUnaligned(fromByteOffset: column * 4, as: SIMD4<UInt8>.self)
        }
        let wide = row.loadUnaligned(fromByteOffset: column * 8, as: SIMD4<UInt16>.self)
        let rounded = (SIMD4<UInt32>(truncatingIfNeeded: wide) &+ 128) / 257
        return SIMD4<UInt8>(truncatingIfNeeded: rounded)
    }

    private static func nearest(from source: Int, to target: Int) -> [Int] {
        (0..<target).map { min(source - 1, ($0 * 2 + 1) * source / (target * 2)) }
    }
}
