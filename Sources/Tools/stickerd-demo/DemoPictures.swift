import Glibc
import StickerCodecs
import StickerRaster
import StickerValues

/// Pictures that demonstrate stickerd: soft edges, a photo that must shrink, pixel art, an animation, and half a file.
struct DemoPictures {
    /// A file for the drop folder.
    struct File {
        var name: String
        var bytes: [UInt8]
    }

    var all: [File] {
        get throws {
            let evening = try PNGEncoder.encode(evening())
            return [
                File(name: "01 hello 👋.png", bytes: try PNGEncoder.encode(face())),
                File(name: "02 evening at sea 🌅.png", bytes: evening),
                File(name: "03 little ghost 👻.png", bytes: try PNGEncoder.encode(ghost())),
                File(name: "04 bouncing ball 🏀.gif", bytes: try ball()),
                File(name: "05 half a download.png", bytes: Array(evening.prefix(20_000))),
            ]
        }
    }

    /// A yellow face with soft edges on transparency.
    private func face() -> PixelBuffer {
        drawn(PixelSize(width: 640, height: 640)) { x, y in
            var color = Color.none
            color.cover(with: .rgb(255, 205, 60), distance: hypot(x, y) - 0.92)
            for side in [-1.0, 1] {
                color.cover(
                    with: .rgb(70, 45, 20), distance: hypot(x - 0.32 * side, y + 0.22) - 0.11)
                color.cover(
                    with: .rgb(255, 150, 110), distance: hypot(x - 0.58 * side, y - 0.15) - 0.13)
            }
            let smile = max(abs(hypot(x, y - 0.05) - 0.5) - 0.05, 0.18 - y)
            color.cover(with: .rgb(70, 45, 20), distance: smile)
            return color
        }
    }

    /// Light, waves and grain, as in a photo.
    private func evening() -> PixelBuffer {
        var seed: UInt64 = 7
        return drawn(PixelSize(width: 900, height: 700)) { x, y in
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let grain = Double(seed >> 56) / 255 * 8 - 4
            let color = y < 0.2 ? sky(x - 0.25, y) : sea(x - 0.25, (y - 0.2) / 0.8)
            return .rgb(color.x + grain, color.y + grain, color.z + grain)
        }
    }

    /// The sky at `x` from the sun, whose lower edge touches the sea.
    private func sky(_ x: Double, _ y: Double) -> SIMD3<Double> {
        let height = (0.2 - y) / 1.2
        let sun = hypot(x, y + 0.02) - 0.22
        guard sun > 0 else { return SIMD3(255, 244, 205) }
        let glow = exp(-sun * 4) * 60
        return SIMD3(255 - height * 150 + glow, 150 - height * 90 + glow, 110 + height * 50 + glow)
    }

    /// Waves that get narrower towards the horizon, where `depth` is 0; they glitter below the sun.
    private func sea(_ x: Double, _ depth: Double) -> SIMD3<Double> {
        let wave = sin(26 / (depth + 0.15) + 1.5 * sin(6 * x + 9 * depth) + 4 * x)
        let path = exp(-pow(x / (0.2 + 0.35 * depth), 2))
        let light = pow(max(0, wave), 2) * path
        return SIMD3(
            120 - depth * 90 + light * 190 + wave * 6, 80 - depth * 40 + light * 120 + wave * 8,
            120 - depth * 30 + light * 60 + wave * 10)
    }

    /// 16x16 pixels of pixel art.
    private func ghost() -> PixelBuffer {
        let rows = [
            "................", ".....wwwwww.....", "...wwwwwwwwww...", "..wwwwwwwwwwww..",
            "..wwwwwwwwwwww..", ".wwwbbwwwwbbwww.", ".wwwbbwwwwbbwww.", ".wwwwwwwwwwwwww.",
            ".wwppwwwwwwppww.", ".wwwwwwbbwwwwww.", ".wwwwwwbbwwwwww.", ".wwwwwwwwwwwwww.",
            ".wwwwwwwwwwwwww.", ".wwwwwwwwwwwwww.", ".ww.www..www.ww.", ".w...w....w...w.",
        ]
        let colors: [Character: SIMD4<UInt8>] = [
            "w": SIMD4(180, 165, 255, 255), "b": SIMD4(50, 45, 90, 255),
            "p": SIMD4(255, 170, 190, 255),
        ]
        var picture = PixelBuffer(size: PixelSize(width: 16, height: 16))
        for (y, row) in rows.enumerated() {
            for (x, letter) in row.enumerated() { picture[x, y] = colors[letter] ?? .zero }
        }
        return picture
    }

    /// A ball that jumps for a second, repeatedly.
    private func ball() throws -> [UInt8] {
        let size = PixelSize(width: 600, height: 600)
        let encoder = try GIFEncoder(size: size, matte: SIMD3(255, 255, 255))
        for frame in 0..<20 {
            let height = abs(sin(Double(frame + 3) * .pi / 20))
            try encoder.add(frame: ball(size, height), durationMilliseconds: 50)
        }
        return try encoder.finish() ?? []
    }

    private func ball(_ size: PixelSize, _ height: Double) -> PixelBuffer {
        drawn(size) { x, y in
            var color = Color.none
            color.cover(
                with: .rgb(110, 110, 110),
                distance: hypot(x, (y - 0.88) * 5) - 0.55 + 0.25 * height)
            let (dx, dy) = (x, y - 0.34 + 0.8 * height)
            color.cover(with: .rgb(240, 130, 40), distance: hypot(dx, dy) - 0.52)
            guard hypot(dx, dy) < 0.52 else { return color }
            let curves = min(abs(hypot(dx - 0.72, dy) - 0.56), abs(hypot(dx + 0.72, dy) - 0.56))
            let seams = min(abs(dx), abs(dy), curves, abs(hypot(dx, dy) - 0.52))
            color.cover(with: .rgb(60, 30, 10), distance: seams - 0.015)
            return color
        }
    }

    /// Computes the colour of every pixel; the shorter side ranges from -1 to 1.
    private func drawn(
        _ size: PixelSize, _ color: (_ x: Double, _ y: Double) -> Color
    ) -> PixelBuffer {
        var picture = PixelBuffer(size: size)
        let unit = Double(min(size.width, size.height)) / 2
        for y in 0..<size.height {
            for x in 0..<size.width {
                let pixel = color(
                    (Double(x) + 0.5 - Double(size.width) / 2) / unit,
                    (Double(y) + 0.5 - Double(size.height) / 2) / unit)
                picture[x, y] = pixel.bytes
            }
        }
        return picture
    }
}

/// A colour while it is mixed: straight alpha, 0...255.
private struct Color {
    private var channels: SIMD4<Double>
    /// The softness of shapes, in the unit of the coordinates.
    private static let softness = 0.008

    static let none = Color(channels: .zero)

    static func rgb(_ red: Double, _ green: Double, _ blue: Double) -> Color {
        Color(channels: SIMD4(red, green, blue, 255))
    }

    /// Covers it with a shape whose edge is `distance` away, negative inside.
    mutating func cover(with other: Color, distance: Double) {
        let share = min(1, max(0, 0.5 - distance / Self.softness))
        guard share > 0 else { return }
        let below = channels[3] / 255
        let alpha = share + below * (1 - share)
        let mixed = (other.channels * share + channels * (below * (1 - share))) / alpha
        channels = SIMD4(mixed[0], mixed[1], mixed[2], alpha * 255)
    }

    var bytes: SIMD4<UInt8> { SIMD4(clamping: SIMD4<Int>(channels.rounded(.toNearestOrEven))) }
}
