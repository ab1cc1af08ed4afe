import StickerValues

/// Lanczos3 on premultiplied alpha, in 32-bit floating point, so that edges get no halos.
///
/// Each row is premultiplied, scaled across and added to every target row it belongs to; a target row is finished after
/// the last of its source rows. Memory: the target and, in floating point, one source row and the target rows in
/// progress, which stay in the cache. Works on sRGB samples without linearising them, as every tool in the field does.
final class LanczosResampler: RowResampling {
    private let source: PixelSize
    private let target: PixelSize
    private let layout: SampleLayout
    private let across: FilterWeights
    private let down: FilterWeights
    private let quads: FilterQuads
    private let targets: [Range<Int>]
    /// How many source rows must be consumed before a target row is finished.
    private let ends: [Int]
    private let row: UnsafeMutablePointer<SIMD4<Float>>
    private let scaledRow: UnsafeMutablePointer<SIMD4<Float>>
    /// Target rows in progress, each at its index modulo `rowsUnderWork`; zero otherwise.
    private let sums: UnsafeMutablePointer<SIMD4<Float>>
    private let rowsUnderWork: Int
    /// `nil` if every pixel is opaque.
    private let colors: VisibleColors?
    private var consumed = 0
    private var finished = 0
    private var result: PixelBuffer?

    init(
        from source: PixelSize, extent: PixelExtent, to target: PixelSize, layout: SampleLayout,
        hasAlpha: Bool = true
    ) {
        precondition(!layout.isInk, "the colour stage comes first")
        self.source = source
        self.target = target
        self.layout = layout
        across = FilterWeights(from: source.width, extent: extent.width, to: target.width)
        let isSquare =
            source.width == source.height && target.width == target.height
            && extent.width == extent.height
        down =
            isSquare
            ? across
            : FilterWeights(from: source.height, extent: extent.height, to: target.height)
        quads = FilterQuads(across, source: source.width)
        targets = down.targets(sources: source.height)
        colors = hasAlpha ? VisibleColors(source: source, target: target) : nil
        row = .allocate(capacity: quads.sourceCount)
        scaledRow = .allocate(capacity: quads.targetCount)
        let (down, colors) = (down, colors)
        ends = (0..<target.height).map { y in
            let rows = down.window(y)
            return colors?.rowsNeeded(for: rows) ?? rows.upperBound
        }
        rowsUnderWork = Self.rowsUnderWork(starts: down.starts, ends: ends)
        sums = .allocate(capacity: rowsUnderWork * target.width)
        result = PixelBuffer(size: target)
        row.initialize(repeating: .zero, count: quads.sourceCount)
        scaledRow.initialize(repeating: .zero, count: quads.targetCount)
        sums.initialize(repeating: .zero, count: rowsUnderWork * target.width)
    }

    /// The most target rows that are ever in progress at once.
    private static func rowsUnderWork(starts: [Int], ends: [Int]) -> Int {
        var most = 1
        var begun = 0
        for finished in ends.indices {
            while begun < starts.count, starts[begun] < ends[finished] { begun += 1 }
            most = max(most, begun - finished)
        }
        return most
    }

    deinit {
        row.deallocate()
        scaledRow.deallocate()
        sums.deallocate()
    }

    func consume(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count >= source.width * layout.bytesPerPixel, "a row is too short")
        precondition(consumed < source.height, "a row too many")
        if layout == .rgba16 {
            premultiply16(bytes, into: row, count: source.width)
        } else {
            premultiply8(bytes, into: row, count: source.width)
        }
        colors?.note(bytes, layout, y: consumed)
        quads.scale(row, into: scaledRow)
        addDown()
        consumed += 1
        while finished < target.height, ends[finished] <= consumed { finishRow() }
    }

    func finish() -> PixelBuffer {
        precondition(consumed == source.height, "rows are missing")
        guard let whole = result.take() else { preconditionFailure("finished twice") }
        return whole
    }

    private func finishRow() {
        let (y, row) = (finished, sums(ofRow: finished))
        result?.withUnsafeMutableBytes { bytes in
            for x in 0..<target.width {
                let pixel = unpremultiplied(row[x], x, y)
                bytes.storeBytes(
                    of: pixel, toByteOffset: (y * target.width + x) * 4, as: SIMD4<UInt8>.self)
            }
        }
        row.update(repeating: .zero, count: target.width)
        finished += 1
    }

    private func sums(ofRow y: Int) -> UnsafeMutablePointer<SIMD4<Float>> {
        sums + y % rowsUnderWork * target.width
    }

    /// The straight pixel for a sum; transparent black if invisible.
    private func unpremultiplied(_ sum: SIMD4<Float>, _ x: Int, _ y: Int) -> SIMD4<UInt8> {
        guard sum.w >= 0.5 else { return .zero }
        var value = sum
        if sum.w < 255 {
            value *= 255 / sum.w
        } else if let colors, sum.w > 255.5 {
            let (low, high) = colors.range(columns: across.window(x), rows: down.window(y))
            // As much ringing as at any other edge of this contrast.
            let slack = (high - low) * 2
            value = held(value, low - slack, high + slack)
        }
        value.w = sum.w
        return rounded(held(value, .zero, SIMD4(repeating: 255)))
    }

    /// Adds the scaled row to every target row whose window contains it.
    private func addDown() {
        for index in targets[consumed] {
            let tap = consumed - down.starts[index]
            let weight = down.weight(index, tap: tap)
            guard weight != 0 else { continue }
            add(scaledRow, times: weight, to: sums(ofRow: index), count: target.width)
        }
    }
}

// The library's clamped, pointwiseMin and conversions to integers work lane by lane.

private func held(
    _ value: SIMD4<Float>, _ low: SIMD4<Float>, _ high: SIMD4<Float>
) -> SIMD4<Float> {
    value.replacing(with: low, where: value .< low).replacing(with: high, where: value .> high)
}

/// Rounds 0...255 to the nearest whole number: adding 2^23 leaves it in the lowest bits.
private func rounded(_ value: SIMD4<Float>) -> SIMD4<UInt8> {
    SIMD4<UInt8>(truncatingIfNeeded: unsafeBitCast(value + 0x1p23, to: SIMD4<UInt32>.self))
}

/// Whole numbers below 2^23: beside the exponent of 2^23, they are what is added to it.
@inline(__always)
private func float(_ value: SIMD4<UInt32>) -> SIMD4<Float> {
    unsafeBitCast(value | 0x4B00_0000, to: SIMD4<Float>.self) - 0x1p23
}

private func premultiply8(
    _ bytes: UnsafeRawBufferPointer, into row: UnsafeMutablePointer<SIMD4<Float>>, count: Int
) {
    guard let base = bytes.baseAddress else { return }
    for x in 0..<count {
        let pixel = base.loadUnaligned(fromByteOffset: x * 4, as: SIMD4<UInt8>.self)
        let value = float(SIMD4<UInt32>(truncatingIfNeeded: pixel))
        let alpha = value.w
        var premultiplied = value * (alpha * (1 / 255))
        premultiplied.w = alpha
        row[x] = premultiplied
    }
}

private func premultiply16(
    _ bytes: UnsafeRawBufferPointer, into row: UnsafeMutablePointer<SIMD4<Float>>, count: Int
) {
    guard let base = bytes.baseAddress else { return }
    for x in 0..<count {
        let pixel = base.loadUnaligned(fromByteOffset: x * 8, as: SIMD4<UInt16>.self)
        let value = float(SIMD4<UInt32>(truncatingIfNeeded: pixel)) * (255 / 65535)
        let alpha = value.w
        var premultiplied = value * (alpha * (1 / 255))
        premultiplied.w = alpha
        row[x] = premultiplied
    }
}

private func add(
    _ row: UnsafeMutablePointer<SIMD4<Float>>, times weight: Float,
    to sums: UnsafeMutablePointer<SIMD4<Float>>, count: Int
) {
    for x in 0..<count { sums[x] += row[x] * weight }
}
