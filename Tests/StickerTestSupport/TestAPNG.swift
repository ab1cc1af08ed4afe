import StickerContainers

/// APNG files built chunk by chunk; their pixels, RGBA of 8 bits, are stored rather than compressed.
package struct TestAPNG {
    /// One frame.
    package struct Frame {
        package var x = 0
        package var y = 0
        package var width: Int
        package var height: Int
        /// Row by row.
        package var pixels: [SIMD4<UInt8>]
        /// Numerator and denominator of its seconds.
        package var delay = (1, 10)
        /// 0 keeps it, 1 clears its area, 2 puts back what was there.
        package var disposal: UInt8 = 0
        /// 0 replaces what is there, 1 draws over it.
        package var blend: UInt8 = 0

        package init(
            x: Int = 0, y: Int = 0, width: Int, height: Int, pixels: [SIMD4<UInt8>],
            delay: (Int, Int) = (1, 10), disposal: UInt8 = 0, blend: UInt8 = 0
        ) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
            (self.pixels, self.delay) = (pixels, delay)
            (self.disposal, self.blend) = (disposal, blend)
        }

        /// A frame of one colour.
        package static func filled(_ color: SIMD4<UInt8>, _ width: Int, _ height: Int) -> Frame {
            Frame(
                width: width, height: height,
                pixels: Array(repeating: color, count: width * height))
        }
    }

    package static let red = SIMD4<UInt8>(255, 0, 0, 255)
    package static let green = SIMD4<UInt8>(0, 255, 0, 255)
    package static let blue = SIMD4<UInt8>(0, 0, 255, 255)

    package var width: Int
    package var height: Int
    package var plays = 0
    package var frames: [Frame]
    /// The picture for viewers without animation, if it is not the first frame.
    package var hidden: Frame?

    package init(
        width: Int, height: Int, plays: Int = 0, frames: [Frame], hidden: Frame? = nil
    ) {
        (self.width, self.height, self.plays) = (width, height, plays)
        (self.frames, self.hidden) = (frames, hidden)
    }

    package var bytes: [UInt8] { TestPNG.file(chunks) }

    /// The header, acTL, what `hidden` needs, two chunks for each frame, and IEND.
    package var chunks: [[UInt8]] {
        var chunks = [TestPNG.header(width, height), Self.animation(frames.count, plays)]
        if let hidden { chunks.append(TestPNG.chunk("IDAT", Self.data(hidden))) }
        var sequence = 0
        for frame in frames {
            chunks.append(Self.control(frame, sequence))
            sequence += 1
            if chunks.count == 3 {
                chunks.append(TestPNG.chunk("IDAT", Self.data(frame)))
            } else {
                chunks.append(Self.pixels(Self.data(frame), sequence))
                sequence += 1
            }
        }
        return chunks + [TestPNG.chunk("IEND")]
    }

    /// An acTL chunk.
    package static func animation(_ frames: Int, _ plays: Int = 0) -> [UInt8] {
        TestPNG.chunk("acTL", TestPNG.number(frames) + TestPNG.number(plays))
    }

    /// An fcTL chunk.
    package static func control(_ frame: Frame, _ sequence: Int) -> [UInt8] {
        let numbers = [sequence, frame.width, frame.height, frame.x, frame.y]
        let delay = [frame.delay.0, frame.delay.1].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        return TestPNG.chunk(
            "fcTL", numbers.flatMap(TestPNG.number) + delay + [frame.disposal, frame.blend])
    }

    /// An fdAT chunk.
    package static func pixels(_ data: [UInt8], _ sequence: Int) -> [UInt8] {
        TestPNG.chunk("fdAT", TestPNG.number(sequence) + data)
    }

    /// The rows of a frame, without filters, as a zlib stream.
    package static func data(_ frame: Frame) -> [UInt8] {
        stored(
            (0..<frame.height).flatMap { y in
                [0]
                    + frame.pixels[(y * frame.width)..<((y + 1) * frame.width)].flatMap {
                        [$0.x, $0.y, $0.z, $0.w]
                    }
            })
    }

    /// A zlib stream (RFC 1950) of stored blocks (RFC 1951).
    package static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, through: max(0, bytes.count - 1), by: 65535) {
            let end = min(start + 65535, bytes.count)
            let (low, high) = (UInt8((end - start) & 0xFF), UInt8((end - start) >> 8))
            stream += [end == bytes.count ? 1 : 0, low, high, ~low, ~high] + bytes[start..<end]
        }
        var (a, b) = (1, 0)
        for byte in bytes {
            a = (a + Int(byte)) % 65521
            b = (b + a) % 65521
        }
        return stream + TestPNG.number(b << 16 | a)
    }
}
