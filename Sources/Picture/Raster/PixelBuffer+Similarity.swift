import Glibc
import StickerValues

/// The similarity of two pictures of one size.
public struct Similarity: Sendable, Hashable {
    /// Peak signal-to-noise ratio in dB as seen on white; infinite if equal.
    public var onWhite: Double
    /// The same on black.
    public var onBlack: Double

    /// The worse of the two.
    public var worst: Double { min(onWhite, onBlack) }
}

extension PixelBuffer {
    /// Compares with `other`, both composed on white and on black, at the precision that lossy coding
    /// keeps: brightness pixel by pixel, colour by squares of 2x2 pixels (4:2:0). The worse of the two
    /// counts.
    ///
    /// Formula: 10 log10(255² / mean squared error); brightness is 0.299 R + 0.587 G + 0.114 B
    /// (ITU-R BT.601).
    public borrowing func similarity(to other: borrowing PixelBuffer) -> Similarity {
        precondition(size == other.size, "only pictures of one size can be compared")
        var errors = SquaredErrors()
        withUnsafeBytes { own in
            other.withUnsafeBytes { others in
                for y in Swift.stride(from: 0, to: size.height, by: 2) {
                    let rows = y..<min(y + 2, size.height)
                    for x in Swift.stride(from: 0, to: size.width, by: EightPixels.scalarCount) {
                        let count = min(EightPixels.scalarCount, size.width - x)
                        var squares = Difference()
                        for row in rows {
                            let offset = row * stride + x * 4
                            let p = eightPixels(own, at: offset, count)
                            let q = eightPixels(others, at: offset, count)
                            guard p != q else { continue }
                            let difference = Difference(p, q)
                            errors.note(difference)
                            squares += difference
                        }
                        errors.note(squares: squares)
                    }
                    errors.endRows()
                }
            }
        }
        return errors.similarity(pixels: size.pixelCount)
    }

    /// Whether `other` shows the same: equal alpha, and equal colours wherever alpha is not 0.
    public borrowing func showsSame(as other: borrowing PixelBuffer) -> Bool {
        guard size == other.size else { return false }
        return withUnsafeBytes { a in
            other.withUnsafeBytes { b in
                zip(a.bindMemory(to: UInt32.self), b.bindMemory(to: UInt32.self)).allSatisfy {
                    $0 == $1 || (UInt32(littleEndian: $0) | UInt32(littleEndian: $1)) >> 24 == 0
                }
            }
        }
    }
}

/// Pixels of a row as read from memory.
private typealias EightPixels = SIMD8<UInt32>
private typealias Levels = SIMD8<Float>

/// The pixels at `offset`; 0 behind the first `count`.
@inline(__always)
private func eightPixels(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, _ count: Int
) -> EightPixels {
    if count == EightPixels.scalarCount {
        return bytes.loadUnaligned(fromByteOffset: offset, as: EightPixels.self)
    }
    var pixels = EightPixels.zero
    for index in 0..<count {
        pixels[index] = bytes.loadUnaligned(fromByteOffset: offset + 4 * index, as: UInt32.self)
    }
    return pixels
}

/// The differences of eight pixels, or of the two rows of four squares: of the colours times alpha, which is the
/// difference on black, and of alpha, which is less of it on white. In levels of 8 bits.
private struct Difference {
    var red = Levels.zero
    var green = Levels.zero
    var blue = Levels.zero
    var alpha = Levels.zero

    init() {}

    @inline(__always)
    init(_ p: EightPixels, _ q: EightPixels) {
        let (alphaP, alphaQ) = (Self.level(p, 3), Self.level(q, 3))
        let (shareP, shareQ) = (alphaP * (1 / 255), alphaQ * (1 / 255))
        red = Self.level(p, 0) * shareP - Self.level(q, 0) * shareQ
        green = Self.level(p, 1) * shareP - Self.level(q, 1) * shareQ
        blue = Self.level(p, 2) * shareP - Self.level(q, 2) * shareQ
        alpha = alphaP - alphaQ
    }

    @inline(__always)
    static func += (sum: inout Difference, difference: Difference) {
        sum.red += difference.red
        sum.green += difference.green
        sum.blue += difference.blue
        sum.alpha += difference.alpha
    }

    /// A channel of pixels, by its place in memory; a number above 2^23 has its lowest bits in those of its value.
    @inline(__always)
    private static func level(_ pixels: EightPixels, _ place: UInt32) -> Levels {
        let bits = pixels &>> (8 * place) & 0xFF
        return unsafeBitCast(bits | 0x4B00_0000, to: Levels.self) - 0x1p23
    }
}

/// Sums over a picture on both backgrounds.
private struct SquaredErrors {
    private var white = (brightness: 0.0, color: 0.0)
    private var black = (brightness: 0.0, color: 0.0)
    /// Those of the rows in progress.
    private var whiteRows = (brightness: Levels.zero, color: SIMD4<Float>.zero)
    private var blackRows = (brightness: Levels.zero, color: SIMD4<Float>.zero)

    /// Adds the brightness of eight pixels.
    @inline(__always)
    mutating func note(_ difference: Difference) {
        let onBlack =
            difference.red * 0.299 + difference.green * 0.587 + difference.blue * 0.114
        let onWhite = onBlack - difference.alpha
        blackRows.brightness += onBlack * onBlack
        whiteRows.brightness += onWhite * onWhite
    }

    /// Adds the colours of four squares from the sums of their two rows.
    @inline(__always)
    mutating func note(squares: Difference) {
        let alpha = Self.mean(squares.alpha)
        note(square: Self.mean(squares.red), alpha)
        note(square: Self.mean(squares.green), alpha)
        note(square: Self.mean(squares.blue), alpha)
    }

    @inline(__always)
    private mutating func note(square onBlack: SIMD4<Float>, _ alpha: SIMD4<Float>) {
        let onWhite = onBlack - alpha
        blackRows.color += onBlack * onBlack
        whiteRows.color += onWhite * onWhite
    }

    /// Ends two rows: longer sums of 32 bits would lose digits.
    mutating func endRows() {
        Self.add(&blackRows, to: &black)
        Self.add(&whiteRows, to: &white)
    }

    func similarity(pixels: Int) -> Similarity {
        Similarity(onWhite: Self.decibels(white, pixels), onBlack: Self.decibels(black, pixels))
    }

    @inline(__always)
    private static func mean(_ rows: Levels) -> SIMD4<Float> {
        (rows.evenHalf + rows.oddHalf) * 0.25
    }

    private static func add(
        _ rows: inout (brightness: Levels, color: SIMD4<Float>),
        to sums: inout (brightness: Double, color: Double)
    ) {
        sums.brightness += Double(rows.brightness.sum())
        sums.color += Double(rows.color.sum()) * 4 / 3
        rows = (.zero, .zero)
    }

    private static func decibels(
        _ sums: (brightness: Double, color: Double), _ pixels: Int
    ) -> Double {
        let worst = max(sums.brightness, sums.color)
        return worst == 0 ? .infinity : 10 * log10(255 * 255 * Double(pixels) / worst)
    }
}
