/// Undoes the filters of rows of RGB or RGBA (PNG specification, third edition, section 9), a pixel at a time.
struct PNGRestoredRows {
    private typealias Pixel = SIMD4<UInt8>

    private let pixelBytes: Int
    private var newest: [Pixel]
    private var above: [Pixel]

    /// Begins above the first row; `pixelBytes` is 3 or 4.
    init(width: Int, pixelBytes: Int) {
        self.pixelBytes = pixelBytes
        newest = [Pixel](repeating: .zero, count: width)
        above = newest
    }

    /// Restores the next row; a byte behind its end must be readable.
    mutating func restore(_ row: UnsafeRawBufferPointer, _ filter: PNGFilter) {
        precondition(row.count >= newest.count * pixelBytes + (4 - pixelBytes))
        swap(&newest, &above)
        // The compiler makes a loop for each.
        if pixelBytes == 3 {
            restore(row, filter, pixelBytes: 3)
        } else {
            restore(row, filter, pixelBytes: 4)
        }
    }

    /// Lends the last row, RGBA.
    func withNewest<Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try newest.withUnsafeBufferPointer { row throws(Failure) in
            try body(UnsafeRawBufferPointer(row))
        }
    }

    @inline(__always)
    private mutating func restore(
        _ row: UnsafeRawBufferPointer, _ filter: PNGFilter, pixelBytes: Int
    ) {
        switch filter {
        case .none: restore(row, pixelBytes) { _, _, _ in .zero }
        case .sub: restore(row, pixelBytes) { left, _, _ in left }
        case .up: restore(row, pixelBytes) { _, up, _ in up }
        case .average:
            restore(row, pixelBytes) { left, up, _ in (left & up) &+ ((left ^ up) &>> 1) }
        case .paeth: restore(row, pixelBytes, Self.nearest)
        }
    }

    @inline(__always)
    private mutating func restore(
        _ row: UnsafeRawBufferPointer, _ pixelBytes: Int,
        _ foretold: (_ left: Pixel, _ up: Pixel, _ upLeft: Pixel) -> Pixel
    ) {
        guard let start = row.baseAddress else { return }
        let count = newest.count
        above.withUnsafeBufferPointer { above in
            newest.withUnsafeMutableBufferPointer { newest in
                var (left, upLeft) = (Pixel.zero, Pixel.zero)
                for x in 0..<count {
                    let up = above[x]
                    let stored = start.loadUnaligned(
                        fromByteOffset: x &* pixelBytes, as: Pixel.self)
                    var pixel = stored &+ foretold(left, up, upLeft)
                    if pixelBytes == 3 { pixel.w = 255 }
                    newest[x] = pixel
                    (left, upLeft) = (pixel, up)
                }
            }
        }
    }

    /// The neighbour nearest to left + up - upLeft; in a tie left, then up.
    @inline(__always)
    private static func nearest(_ left: Pixel, _ up: Pixel, _ upLeft: Pixel) -> Pixel {
        let (a, b, c) = (wide(left), wide(up), wide(upLeft))
        let (toLeft, toUp) = (distance(b &- c), distance(a &- c))
        let toUpLeft = distance(a &+ b &- c &- c)
        let isLeft = toLeft .<= toUp
        let nearer = b.replacing(with: a, where: isLeft)
        let least = toUp.replacing(with: toLeft, where: isLeft)
        return Pixel(truncatingIfNeeded: c.replacing(with: nearer, where: least .<= toUpLeft))
    }

    @inline(__always)
    private static func wide(_ pixel: Pixel) -> SIMD4<Int16> { SIMD4(truncatingIfNeeded: pixel) }

    @inline(__always)
    private static func distance(_ difference: SIMD4<Int16>) -> SIMD4<Int16> {
        difference.replacing(with: 0 &- difference, where: difference .< 0)
    }
}
