/// Represents colours by those of a palette: by the nearest, or by a pattern of two around it.
///
/// Which of the two a pixel gets depends only on the colour and the place on the canvas, so a part of the
/// picture that does not change keeps its pattern, and compresses.
final class ColorMixer: GIFPainting {
    /// A colour this near to its own is not worth a pattern; squared levels.
    private static let nearEnough: Int32 = 2
    /// Colours farther apart would show as dots; squared levels.
    private static let patternMax: Int32 = 64 * 64
    private static let slotBits = 16

    /// The palette, as represented by `GIFColor`.
    let colors: [UInt32]
    private let channels: [SIMD4<Int32>]
    private var nearest: NearestColor
    /// The mean squared distance of the pixels that the palette was made for.
    private let ownError: Double
    /// Earlier results, by a hash of the colour; a newer entry replaces an older one.
    private var found: [Mix]

    /// The places of the nearest colour and its partner in the colour table, and the partner's share in 64ths.
    private struct Mix {
        var color: UInt32 = 0
        var first: UInt8 = 0
        var second: UInt8 = 0
        var share: UInt8 = 0
    }

    /// Creates a mixer for a palette of 1 to 255 colours, made for `cells`.
    init(colors: [UInt32], for cells: [ColorCell]) {
        self.colors = colors
        channels = colors.map(GIFColor.channels)
        nearest = NearestColor(colors)
        ownError = Self.error(cells, channels, &nearest)
        found = [Mix](repeating: Mix(), count: 1 << Self.slotBits)
    }

    /// Whether the palette suits other pixels about as well as those it was made for.
    func serves(_ cells: [ColorCell]) -> Bool {
        Self.error(cells, channels, &nearest) <= ownError * 1.3 + 2
    }

    func dot(for color: UInt32, _ x: Int, _ y: Int) -> (place: UInt8, color: UInt32) {
        let slot = Int((color &* 0x9E37_79B1) >> UInt32(32 - Self.slotBits))
        var mix = found[slot]
        if mix.color != color {
            mix = self.mix(for: color)
            found[slot] = mix
        }
        let place = mix.share > Self.threshold(x, y) ? mix.second : mix.first
        return (place, colors[Int(place) - 1])
    }

    private func mix(for color: UInt32) -> Mix {
        let target = GIFColor.channels(color)
        let first = nearest.index(of: target)
        var mix = Mix(color: color, first: UInt8(first + 1), second: UInt8(first + 1))
        let missing = target &- channels[first]
        guard squaredLength(missing) > Self.nearEnough else { return mix }
        // On the other side of the colour, where the partner must be.
        let opposite = (target &+ missing).clamped(
            lowerBound: .zero, upperBound: SIMD4(255, 255, 255, 0))
        let second = nearest.index(of: opposite)
        let step = channels[second] &- channels[first]
        guard 1...Self.patternMax ~= squaredLength(step) else { return mix }
        let share = (missing &* step).wrappedSum() * 64 / squaredLength(step)
        mix.second = UInt8(second + 1)
        mix.share = UInt8(min(max(share, 0), 32))
        return mix
    }

    /// Bayer's matrix of 8x8 thresholds: the bits of x and x ^ y, reversed and interleaved.
    private static func threshold(_ x: Int, _ y: Int) -> UInt8 {
        let (a, b) = (x ^ y, y)
        let bits =
            (a & 1) << 5 | (b & 1) << 4 | (a & 2) << 2 | (b & 2) << 1 | (a & 4) >> 1 | (b & 4) >> 2
        return UInt8(truncatingIfNeeded: bits)
    }

    private static func error(
        _ cells: [ColorCell], _ palette: [SIMD4<Int32>], _ nearest: inout NearestColor
    ) -> Double {
        var (sum, pixels) = (0, 0)
        for cell in cells {
            let mean = cell.mean
            sum += Int(squaredLength(palette[nearest.index(of: mean)] &- mean)) * Int(cell.sum.w)
            pixels += Int(cell.sum.w)
        }
        return Double(sum) / Double(max(1, pixels))
    }
}
