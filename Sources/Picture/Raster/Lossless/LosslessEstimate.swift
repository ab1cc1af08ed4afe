import Glibc
import StickerValues

/// Estimates how many bytes libwebp's lossless coding takes, exact and near-lossless, before anything is encoded.
///
/// As libwebp does, every tile of a row is predicted by the best of some predictors, green is subtracted from red and
/// blue if that pays, and the residuals are rounded to multiples of a step, which is halved until it is smaller than
/// the largest difference to a neighbour, so that smooth areas stay exact. The estimate is the entropy of the residuals
/// in every eighth row, which takes 3 ms for a sticker.
public struct LosslessEstimate: Sendable {
    private static let rowStep = 8

    private let counts: ResidualCounts
    /// The approximate size of the alpha plane, coded by itself without loss.
    public let alphaBytes: Int

    /// Estimates the size of straight RGBA.
    public init(_ canvas: borrowing PixelBuffer) {
        let (size, stride) = (canvas.size, canvas.stride)
        var counts = ResidualCounts(subtractsGreen: SubtractedGreen(canvas).pays)
        if size.width > 2, size.height > 2 {
            var rows = ThreeRows(width: size.width, subtractsGreen: counts.subtractsGreen)
            canvas.withUnsafeBytes { bytes in
                for y in Swift.stride(from: 1, to: size.height - 1, by: Self.rowStep) {
                    rows.read(bytes, from: (y - 1) * stride, stride: stride)
                    rows.forEachResidual { counts.add($0, contrast: $1) }
                }
            }
        }
        self.counts = counts
        alphaBytes = Int(counts.alphaBits / 8) * Self.rowStep
    }

    /// The approximate bytes of an exact file.
    public var bytes: Int { bytes(ResidualSteps(green: 1, others: 1)) }

    /// The approximate bytes of a file with residuals rounded so; without rounding, libwebp's level 1 writes 0.8 to 1.15
    /// times as many for textured stickers. Flat art is foretold badly, and takes much less if parts repeat.
    public func bytes(_ steps: ResidualSteps) -> Int {
        Int(counts.bits(steps) / 8) * Self.rowStep
    }
}

/// A row of pixels with the rows above and below it.
private struct ThreeRows {
    typealias Pixel = SIMD4<Int16>
    private static let tile = 16

    private let width: Int
    /// How often green is subtracted.
    private let green: Int16
    private var above, own, below: [Pixel]
    /// The residuals of a tile's pixels by the best predictor so far, and by the next one.
    private var best = [Pixel](repeating: .zero, count: tile)
    private var next = [Pixel](repeating: .zero, count: tile)

    init(width: Int, subtractsGreen: Bool) {
        self.width = width
        green = subtractsGreen ? 1 : 0
        above = [Pixel](repeating: .zero, count: width)
        (own, below) = (above, above)
    }

    /// Reads three rows of straight RGBA.
    mutating func read(_ bytes: UnsafeRawBufferPointer, from start: Int, stride: Int) {
        func pixel(_ row: Int, _ x: Int) -> Pixel {
            let offset = start + row * stride + 4 * x
            return Pixel(
                truncatingIfNeeded: bytes.loadUnaligned(
                    fromByteOffset: offset, as: SIMD4<UInt8>.self))
        }
        for x in 0..<width {
            (above[x], own[x], below[x]) = (pixel(0, x), pixel(1, x), pixel(2, x))
        }
    }

    /// Calls `body` for every pixel with all neighbours, with its residual and its contrast, which is `nil` if nothing
    /// around it is visible.
    mutating func forEachResidual(_ body: (_ residual: Pixel, _ contrast: Int?) -> Void) {
        for start in Swift.stride(from: 1, to: width - 1, by: Self.tile) {
            let columns = start..<min(width - 1, start + Self.tile)
            predict(columns)
            for x in columns {
                let isHidden = own[x].w | own[x - 1].w | above[x].w == 0
                body(best[x - start], isHidden ? nil : contrast(x))
            }
        }
    }

    /// Fills `best`.
    private mutating func predict(_ columns: Range<Int>) {
        var least = Int32.max
        for predictor in Predictor.allCases {
            var sum = SIMD4<Int16>.zero
            for x in columns {
                let residual =
                    own[x]
                    &- predictor.predict(own[x - 1], above[x], above[x - 1], above[x + 1])
                next[x - columns.lowerBound] = residual
                var coded = residual
                coded.x &-= residual.y &* green
                coded.z &-= residual.y &* green
                sum &+= coded.magnitudes
            }
            let size = SIMD4<Int32>(truncatingIfNeeded: sum).wrappedSum()
            guard size < least else { continue }
            least = size
            swap(&best, &next)
        }
    }

    /// The largest difference between a pixel and its four neighbours, in any channel.
    private func contrast(_ x: Int) -> Int {
        var most = (own[x] &- own[x - 1]).magnitudes
        for neighbor in [own[x + 1], above[x], below[x]] {
            let difference = (own[x] &- neighbor).magnitudes
            most.replace(with: difference, where: difference .> most)
        }
        return Int(most.max())
    }
}

/// Some of the predictors of lossless WebP (RFC 9649, section 4.1).
private enum Predictor: CaseIterable {
    case gradient, left, top, leftTop, leftTopRight

    @inline(__always)
    func predict(
        _ left: SIMD4<Int16>, _ top: SIMD4<Int16>, _ topLeft: SIMD4<Int16>,
        _ topRight: SIMD4<Int16>
    ) -> SIMD4<Int16> {
        switch self {
        case .gradient:
            let sum = left &+ top &- topLeft
            return sum.replacing(with: 0, where: sum .< 0).replacing(with: 255, where: sum .> 255)
        case .left: return left
        case .top: return top
        case .leftTop: return (left &+ top) &>> 1
        case .leftTopRight: return (((left &+ topRight) &>> 1) &+ top) &>> 1
        }
    }
}

/// Counts of residuals, rounded to multiples of 1, 2, 4, 8 and 16.
private struct ResidualCounts {
    private static let steps = 5

    let subtractsGreen: Bool
    /// For each step 256 counts for red, green, blue and alpha.
    private var counts = [UInt32](repeating: 0, count: steps * 4 * 256)
    /// Pixels by the first step of green and alpha, and by that of red and blue, at which they are predicted
    /// exactly; the last place is for never.
    private var exact = [UInt32](repeating: 0, count: (steps + 1) * (steps + 1))

    init(subtractsGreen: Bool) { self.subtractsGreen = subtractsGreen }

    @inline(__always)
    mutating func add(_ residual: SIMD4<Int16>, contrast: Int?) {
        guard let contrast else {
            exact[0] += 1
            return
        }
        // The largest power of two below the contrast.
        let largest =
            contrast < 2 ? 0 : (contrast - 1).bitWidth - 1 - (contrast - 1).leadingZeroBitCount
        var (own, others) = (Self.steps, Self.steps)
        let subtracted = subtractsGreen ? Int(residual.y) : 0
        for step in (0..<Self.steps).reversed() {
            let shift = min(step, largest)
            let green = Self.rounded(Int(residual.y), shift)
            let red = Self.rounded(Int(residual.x) - subtracted, shift)
            let blue = Self.rounded(Int(residual.z) - subtracted, shift)
            let alpha = Self.rounded(Int(residual.w), shift)
            if green | alpha == 0 { own = step }
            if red | blue == 0 { others = step }
            let base = step * 4 * 256
            counts[base + (red & 255)] += 1
            counts[base + 256 + (green & 255)] += 1
            counts[base + 512 + (blue & 255)] += 1
            counts[base + 768 + (alpha & 255)] += 1
        }
        exact[own * (Self.steps + 1) + others] += 1
    }

    /// The nearest multiple of `1 << shift`, halves away from 0.
    @inline(__always)
    private static func rounded(_ value: Int, _ shift: Int) -> Int {
        let half = (1 << shift) >> 1
        let size = ((abs(value) + half) >> shift) << shift
        return value < 0 ? -size : size
    }

    /// The entropy of the alpha plane, exact.
    var alphaBits: Double {
        let counts = counts[768..<1024].map { Double($0) }
        let all = counts.reduce(0, +)
        return counts.reduce(0) { $1 > 0 ? $0 - $1 * log2($1 / all) : $0 }
    }

    /// The entropy with some steps.
    func bits(_ steps: ResidualSteps) -> Double {
        let (own, others) = (
            steps.green.trailingZeroBitCount, steps.others.trailingZeroBitCount
        )
        let columns = Self.steps + 1
        let all = exact.reduce(0) { $0 + Double($1) }
        let runs = (0...own).reduce(0) { sum, row in
            exact[row * columns...row * columns + others].reduce(sum) { $0 + Double($1) }
        }
        let coded = all - runs
        guard coded > 0 else { return 0 }
        // Pixels that nobody sees are in no other counts.
        let unseen = all - counts[..<256].reduce(0) { $0 + Double($1) }
        var bits = runs > 0 ? -(coded * log2(coded / all) + runs * log2(runs / all)) : 0
        for (channel, step) in [others, own, others, own].enumerated() {
            let base = (step * 4 + channel) * 256
            for value in 0..<256 {
                let count = Double(counts[base + value]) - (value == 0 ? runs - unseen : 0)
                if count > 0 { bits -= count * log2(count / coded) }
            }
        }
        return bits
    }
}

extension SIMD4<Int16> {
    @inline(__always)
    fileprivate var magnitudes: Self { replacing(with: 0 &- self, where: self .< 0) }
}
