import StickerTestSupport

/// Animations that try everything the format has, and what they look like.
enum APNGScenes {
    static func random(_ numbers: inout SeededNumbers) -> TestAPNG {
        let (width, height) = (
            Int.random(in: 1...9, using: &numbers), Int.random(in: 1...7, using: &numbers)
        )
        var frames: [TestAPNG.Frame] = []
        for index in 0..<Int.random(in: 1...8, using: &numbers) {
            var frame = TestAPNG.Frame(width: width, height: height, pixels: [])
            if index > 0 {
                frame.x = .random(in: 0..<width, using: &numbers)
                frame.y = .random(in: 0..<height, using: &numbers)
                frame.width = .random(in: 1...(width - frame.x), using: &numbers)
                frame.height = .random(in: 1...(height - frame.y), using: &numbers)
            }
            frame.pixels = (0..<(frame.width * frame.height)).map { _ in pixel(&numbers) }
            frame.disposal = .random(in: 0...2, using: &numbers)
            frame.blend = .random(in: 0...1, using: &numbers)
            frames.append(frame)
        }
        return TestAPNG(width: width, height: height, frames: frames)
    }

    private static func pixel(_ numbers: inout SeededNumbers) -> SIMD4<UInt8> {
        let bits = UInt64.random(in: 0...UInt64.max, using: &numbers)
        let alphas: [UInt8] = [0, 255, UInt8(bits >> 24 & 255)]
        return SIMD4(
            UInt8(bits & 255), UInt8(bits >> 8 & 255), UInt8(bits >> 16 & 255),
            alphas[Int(bits >> 32 % 3)])
    }

    /// The canvas after each frame, in RGBA, by the formulas of the specification in floating point.
    static func composed(_ png: TestAPNG) -> [[UInt8]] {
        var canvas = [SIMD4<UInt8>](repeating: .zero, count: png.width * png.height)
        return png.frames.enumerated().map { index, frame in
            let before = canvas
            var places: [Int] = []
            for y in 0..<frame.height {
                for x in 0..<frame.width {
                    let place = (frame.y + y) * png.width + frame.x + x
                    let pixel = frame.pixels[y * frame.width + x]
                    canvas[place] = frame.blend == 0 ? pixel : over(pixel, canvas[place])
                    places.append(place)
                }
            }
            let shown = canvas.flatMap { [$0.x, $0.y, $0.z, $0.w] }
            if frame.disposal == 1 { for place in places { canvas[place] = .zero } }
            if frame.disposal == 2 { canvas = before }
            return shown
        }
    }

    private static func over(_ pixel: SIMD4<UInt8>, _ ground: SIMD4<UInt8>) -> SIMD4<UInt8> {
        if pixel.w == 0 { return ground }
        let (a, b) = (Double(pixel.w) / 255, Double(ground.w) / 255)
        let alpha = a + b * (1 - a)
        var result = SIMD4<UInt8>.zero
        for channel in 0..<3 {
            let sum = Double(pixel[channel]) * a + Double(ground[channel]) * b * (1 - a)
            // A hair more, because halves are to be rounded up however they were computed.
            result[channel] = UInt8((sum / alpha + 1e-9).rounded())
        }
        result.w = UInt8((alpha * 255).rounded())
        return result
    }
}
