import Glibc
import StickerValues

/// Estimates the size of a picture coded without loss, in a hundredth of the time that coding takes.
///
/// In every fourth row, each pixel is predicted from its neighbours (left + upper - upper left, clamped),
/// green is subtracted from red and blue, and the entropy of the residuals is added up; exactly predicted
/// pixels count as runs. On textured stickers the fastest lossless preset of libwebp writes 0.85 to 1.2
/// times the estimate; on flat art, which fits anyway, 0.3 to 4 times.
public struct LosslessEstimate: Sendable {
    private static let rowStep = 4
    private static let paletteMax = 256

    /// The approximate size of the whole file.
    public let bytes: Int
    /// The approximate size of the alpha plane, coded by itself.
    public let alphaBytes: Int
    /// Whether there are no more colours than a palette holds.
    public let hasPalette: Bool

    /// Estimates the size of straight RGBA.
    public init(_ canvas: borrowing PixelBuffer) {
        var colors: Set<UInt32> = []
        var residuals = Residuals()
        let (size, stride) = (canvas.size, canvas.stride)
        canvas.withUnsafeBytes { bytes in
            for y in Swift.stride(from: 1, to: size.height, by: Self.rowStep) {
                let row = UnsafeRawBufferPointer(rebasing: bytes[(y * stride)...].prefix(stride))
                let above = UnsafeRawBufferPointer(
                    rebasing: bytes[((y - 1) * stride)...].prefix(stride))
                residuals.add(row, above)
                if colors.count <= Self.paletteMax { Self.note(row, in: &colors) }
            }
            // Few pictures have a palette, so that most need no other row.
            for y in 0..<size.height where y % Self.rowStep != 1 {
                guard colors.count <= Self.paletteMax else { break }
                Self.note(
                    UnsafeRawBufferPointer(rebasing: bytes[(y * stride)...].prefix(stride)),
                    in: &colors)
            }
        }
        bytes = Int(residuals.bits / 8) * Self.rowStep
        alphaBytes = Int(residuals.alphaBits / 8) * Self.rowStep
        hasPalette = colors.count <= Self.paletteMax
    }

    private static func note(_ row: UnsafeRawBufferPointer, in colors: inout Set<UInt32>) {
        var last: UInt32?
        for pixel in row.bindMemory(to: UInt32.self) where pixel != last {
            last = pixel
            // Transparent pixels are all written alike.
            colors.insert(pixel >> 24 == 0 ? 0 : pixel)
            if colors.count > paletteMax { return }
        }
    }
}

/// The residuals of pixels after prediction from their neighbours.
private struct Residuals {
    /// 256 counts for each of alpha, blue, green and red.
    private var counts = [UInt32](repeating: 0, count: 4 * 256)
    private var coded = 0.0
    private var exact = 0.0

    /// Adds a row of straight RGBA, predicted with the help of the one above it.
    mutating func add(_ row: UnsafeRawBufferPointer, _ above: UnsafeRawBufferPointer) {
        for offset in stride(from: 4, to: row.count, by: 4) {
            let own = pixel(row, offset)
            let (left, upper) = (pixel(row, offset - 4), pixel(above, offset))
            if own.w | left.w | upper.w == 0 {
                exact += 1
                continue
            }
            let gradient = left &+ upper &- pixel(above, offset - 4)
            let foretold = gradient.replacing(with: 0, where: gradient .< 0)
                .replacing(with: 255, where: gradient .> 255)
            var residual = own &- foretold
            residual.x &-= residual.y
            residual.z &-= residual.y
            if residual == .zero {
                exact += 1
            } else {
                coded += 1
                for channel in 0..<4 { counts[channel * 256 + Int(residual[channel] & 255)] += 1 }
            }
        }
    }

    @inline(__always)
    private func pixel(_ row: UnsafeRawBufferPointer, _ offset: Int) -> SIMD4<Int16> {
        let bytes = row.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self)
        return SIMD4<Int16>(truncatingIfNeeded: bytes)
    }

    /// The entropy of all channels.
    var bits: Double {
        let all = coded + exact
        guard coded > 0 else { return 0 }
        let runs = exact > 0 ? -(coded * log2(coded / all) + exact * log2(exact / all)) : 0
        return counts.indices.reduce(runs) { $0 + self.bits(of: $1) }
    }

    /// The entropy of the alpha plane.
    var alphaBits: Double { (3 * 256..<4 * 256).reduce(0) { $0 + bits(of: $1) } }

    private func bits(of value: Int) -> Double {
        let count = Double(counts[value])
        return count > 0 ? -count * log2(count / coded) : 0
    }
}
