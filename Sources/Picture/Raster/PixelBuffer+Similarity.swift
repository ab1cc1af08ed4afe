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
        var (white, black) = (SquaredErrors(), SquaredErrors())
        withUnsafeBytes { own in
            other.withUnsafeBytes { others in
                for y in Swift.stride(from: 0, to: size.height, by: 2) {
                    let rows = y..<min(y + 2, size.height)
                    for x in Swift.stride(from: 0, to: size.width, by: 2) {
                        let columns = x..<min(x + 2, size.width)
                        let (whiteSum, blackSum) = Self.noted(
                            own, others, columns, rows, stride, &white, &black)
                        black.note(square: blackSum)
                        white.note(square: whiteSum)
                    }
                }
            }
        }
        let pixels = Double(size.pixelCount)
        return Similarity(onWhite: white.decibels(pixels), onBlack: black.decibels(pixels))
    }

    /// Records the pixels of one square that differ; returns the sums of their differences on white and
    /// black.
    @inline(__always)
    private static func noted(
        _ own: UnsafeRawBufferPointer, _ others: UnsafeRawBufferPointer, _ columns: Range<Int>,
        _ rows: Range<Int>, _ stride: Int, _ white: inout SquaredErrors,
        _ black: inout SquaredErrors
    ) -> (white: SIMD4<Float>, black: SIMD4<Float>) {
        var sums = (white: SIMD4<Float>.zero, black: SIMD4<Float>.zero)
        for row in rows {
            for column in columns {
                let offset = row * stride + column * 4
                let p = own.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                let q = others.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                guard p != q else { continue }
                let difference =
                    premultiplied(unsafeBitCast(p, to: SIMD4<UInt8>.self))
                    - premultiplied(unsafeBitCast(q, to: SIMD4<UInt8>.self))
                sums.black += black.note(difference)
                sums.white += white.note(difference - difference.w)
            }
        }
        return sums
    }

    /// Whether `other` shows the same: equal alpha, and equal colours wherever alpha is not 0.
    public borrowing func showsSame(as other: borrowing PixelBuffer) -> Bool {
        guard size == other.size else { return false }
        return withUnsafeBytes { a in
            other.withUnsafeBytes { b in
                for offset in Swift.stride(from: 0, to: a.count, by: 4) {
                    let p = a.load(fromByteOffset: offset, as: SIMD4<UInt8>.self)
                    let q = b.load(fromByteOffset: offset, as: SIMD4<UInt8>.self)
                    if p != q, p.w != 0 || q.w != 0 { return false }
                }
                return true
            }
        }
    }
}

/// Sums over a picture on one background.
private struct SquaredErrors {
    private var brightness = 0.0
    private var color = 0.0

    /// Adds the difference of one pixel and returns it for the sum of its square.
    mutating func note(_ difference: SIMD4<Float>) -> SIMD4<Float> {
        let brightness = (difference * SIMD4(0.299, 0.587, 0.114, 0)).sum()
        self.brightness += Double(brightness * brightness)
        return difference
    }

    /// Adds the summed differences of a square of four pixels.
    mutating func note(square: SIMD4<Float>) {
        var mean = square * 0.25
        mean.w = 0
        color += Double((mean * mean).sum()) * 4 / 3
    }

    func decibels(_ pixels: Double) -> Double {
        let worst = max(brightness, color)
        return worst == 0 ? .infinity : 10 * log10(255 * 255 * pixels / worst)
    }
}

/// Colours times alpha, with alpha itself, 0...255.
private func premultiplied(_ pixel: SIMD4<UInt8>) -> SIMD4<Float> {
    let value = SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: pixel))
    var result = value * (value.w / 255)
    result.w = value.w
    return result
}
