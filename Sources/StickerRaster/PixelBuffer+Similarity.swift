import Glibc
import StickerModel

/// How near two pictures of one size are to each other.
public struct Similarity: Sendable, Hashable {
    /// Peak signal-to-noise ratio in dB over the colours as seen on white; infinite when equal.
    public var onWhite: Double
    /// The same on black.
    public var onBlack: Double

    /// The worse of the two.
    public var worst: Double { min(onWhite, onBlack) }
}

extension PixelBuffer {
    /// Compares with `other`, both composed on white and on black.
    ///
    /// Source of the formula: 10 log10(255² / mean squared error) over three channels.
    public borrowing func similarity(to other: borrowing PixelBuffer) -> Similarity {
        precondition(size == other.size, "only pictures of one size can be compared")
        var (white, black) = (0, 0)
        withUnsafeBytes { a in
            other.withUnsafeBytes { b in
                for offset in Swift.stride(from: 0, to: a.count, by: 4) {
                    let p = a.load(fromByteOffset: offset, as: SIMD4<UInt8>.self)
                    let q = b.load(fromByteOffset: offset, as: SIMD4<UInt8>.self)
                    guard p != q else { continue }
                    let (onBlack, onWhite) = squaredErrors(p, q)
                    black += onBlack
                    white += onWhite
                }
            }
        }
        let samples = Double(size.pixelCount * 3)
        return Similarity(onWhite: psnr(white, samples), onBlack: psnr(black, samples))
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

private func squaredErrors(_ p: SIMD4<UInt8>, _ q: SIMD4<UInt8>) -> (black: Int, white: Int) {
    let a = SIMD4<Int32>(truncatingIfNeeded: p)
    let b = SIMD4<Int32>(truncatingIfNeeded: q)
    var black = (a &* a.w &- b &* b.w) / 255
    let coverage = a.w &- b.w
    var white = black &- coverage
    black.w = 0
    white.w = 0
    return (Int((black &* black).wrappedSum()), Int((white &* white).wrappedSum()))
}

private func psnr(_ sum: Int, _ samples: Double) -> Double {
    sum == 0 ? .infinity : 10 * log10(255 * 255 * samples / Double(sum))
}
