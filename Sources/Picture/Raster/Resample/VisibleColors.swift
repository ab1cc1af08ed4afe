import StickerValues

/// The darkest and brightest colours of the visible pixels, by cells of the source.
///
/// Lanczos overshoots just inside an edge of transparency: alpha would exceed 1, and colours with it, which would show
/// as a bright rim. Only there, colours are kept near the range of the visible source pixels under the filter, so a
/// flat area keeps its exact colour at the edge.
final class VisibleColors {
    private let source: PixelSize
    private let grid: PixelSize
    private let lowest: UnsafeMutablePointer<SIMD4<UInt8>>
    private let highest: UnsafeMutablePointer<SIMD4<UInt8>>

    /// Creates cells as large as a target pixel, or as a source pixel if that is larger.
    init(source: PixelSize, target: PixelSize) {
        self.source = source
        grid = PixelSize(
            width: min(source.width, target.width), height: min(source.height, target.height))
        lowest = .allocate(capacity: grid.pixelCount)
        highest = .allocate(capacity: grid.pixelCount)
        lowest.initialize(repeating: SIMD4(repeating: 255), count: grid.pixelCount)
        highest.initialize(repeating: .zero, count: grid.pixelCount)
    }

    deinit {
        lowest.deallocate()
        highest.deallocate()
    }

    /// Records row `y`: straight RGBA of `layout`.
    func note(_ row: UnsafeRawBufferPointer, _ layout: SampleLayout, y: Int) {
        if layout == .rgba16 { note(row, y: y, pixel16) } else { note(row, y: y, pixel8) }
    }

    @inline(__always)
    private func note(
        _ row: UnsafeRawBufferPointer, y: Int,
        _ pixel: (UnsafeRawBufferPointer, Int) -> SIMD4<UInt8>
    ) {
        let cells = y * grid.height / source.height * grid.width
        var x = 0
        for column in 0..<grid.width {
            let end = (column + 1) * source.width / grid.width
            var (low, high) = (lowest[cells + column], highest[cells + column])
            while x < end {
                let color = pixel(row, x)
                if color.w != 0 { widen(&low, &high, color, color) }
                x += 1
            }
            (lowest[cells + column], highest[cells + column]) = (low, high)
        }
    }

    /// How many rows must be recorded before `range` knows all of the cells of `rows`.
    func rowsNeeded(for rows: Range<Int>) -> Int {
        let next = cell(rows.upperBound - 1, source.height, grid.height) + 1
        return (next * source.height + grid.height - 1) / grid.height
    }

    /// The range over the source pixels `columns` x `rows`.
    func range(columns: Range<Int>, rows: Range<Int>) -> (SIMD4<Float>, SIMD4<Float>) {
        var (low, high) = (SIMD4<UInt8>(repeating: 255), SIMD4<UInt8>.zero)
        let across =
            cell(
                columns.lowerBound, source.width, grid.width)...cell(
                columns.upperBound - 1, source.width, grid.width)
        let down =
            cell(
                rows.lowerBound, source.height, grid.height)...cell(
                rows.upperBound - 1, source.height, grid.height)
        for row in down {
            for column in across {
                let cell = row * grid.width + column
                widen(&low, &high, lowest[cell], highest[cell])
            }
        }
        return (float(low), float(high))
    }

    /// The cell that holds source position `index`; the inverse of the split in `note`.
    private func cell(_ index: Int, _ source: Int, _ cells: Int) -> Int {
        ((index + 1) * cells - 1) / source
    }
}

/// The library's pointwiseMin works lane by lane.
private func widen(
    _ low: inout SIMD4<UInt8>, _ high: inout SIMD4<UInt8>, _ darkest: SIMD4<UInt8>,
    _ brightest: SIMD4<UInt8>
) {
    low.replace(with: darkest, where: darkest .< low)
    high.replace(with: brightest, where: brightest .> high)
}

private func pixel8(_ row: UnsafeRawBufferPointer, _ x: Int) -> SIMD4<UInt8> {
    row.loadUnaligned(fromByteOffset: x * 4, as: SIMD4<UInt8>.self)
}

private func pixel16(_ row: UnsafeRawBufferPointer, _ x: Int) -> SIMD4<UInt8> {
    let wide = row.loadUnaligned(fromByteOffset: x * 8, as: SIMD4<UInt16>.self)
    var pixel = SIMD4<UInt8>(
        truncatingIfNeeded: (SIMD4<UInt32>(truncatingIfNeeded: wide) &+ 128) / 257)
    if pixel.w == 0, wide.w != 0 { pixel.w = 1 }
    return pixel
}

private func float(_ pixel: SIMD4<UInt8>) -> SIMD4<Float> {
    SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: pixel))
}
