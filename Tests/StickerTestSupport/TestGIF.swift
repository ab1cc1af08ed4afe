/// GIF files built block by block; their image data is stored rather than compressed.
package struct TestGIF {
    /// One frame; indices beyond the colour table are allowed.
    package struct Frame {
        package var x = 0
        package var y = 0
        package var width: Int
        package var height: Int
        /// One index, below 128, for each pixel in the order of the file.
        package var indices: [UInt8]
        package var delay = 0
        package var disposal: UInt8 = 0
        package var transparent: UInt8?
        package var colors: [[UInt8]]?
        package var isInterlaced = false

        package init(
            x: Int = 0, y: Int = 0, width: Int, height: Int, indices: [UInt8], delay: Int = 0,
            disposal: UInt8 = 0, transparent: UInt8? = nil, colors: [[UInt8]]? = nil,
            isInterlaced: Bool = false
        ) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
            (self.indices, self.delay, self.disposal) = (indices, delay, disposal)
            (self.transparent, self.colors, self.isInterlaced) = (transparent, colors, isInterlaced)
        }

        /// A frame of one colour.
        package static func filled(_ index: UInt8, _ width: Int, _ height: Int) -> Frame {
            Frame(
                width: width, height: height,
                indices: Array(repeating: index, count: width * height))
        }
    }

    package static let red: [UInt8] = [255, 0, 0]
    package static let green: [UInt8] = [0, 255, 0]
    package static let blue: [UInt8] = [0, 0, 255]
    package static let white: [UInt8] = [255, 255, 255]

    package var width: Int
    package var height: Int
    package var colors: [[UInt8]]? = [red, green, blue, white]
    /// The count in Netscape's extension.
    package var repetitions: Int?
    package var frames: [Frame]
    package var hasTrailer = true

    package init(
        width: Int, height: Int, colors: [[UInt8]]? = [red, green, blue, white],
        repetitions: Int? = nil, frames: [Frame], hasTrailer: Bool = true
    ) {
        (self.width, self.height, self.colors) = (width, height, colors)
        (self.repetitions, self.frames, self.hasTrailer) = (repetitions, frames, hasTrailer)
    }

    package var bytes: [UInt8] {
        var file = Array("GIF89a".utf8) + Self.short(width) + Self.short(height)
        file += [Self.packed(colors), 0, 0] + Self.table(colors)
        if let repetitions {
            file += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1]
            file += Self.short(repetitions) + [0]
        }
        for frame in frames { file += Self.block(frame) }
        return hasTrailer ? file + [0x3B] : file
    }

    private static func block(_ frame: Frame) -> [UInt8] {
        let flag: UInt8 = frame.transparent == nil ? 0 : 1
        var block: [UInt8] = [0x21, 0xF9, 4, frame.disposal << 2 | flag] + short(frame.delay)
        block += [frame.transparent ?? 0, 0, 0x2C]
        block += short(frame.x) + short(frame.y) + short(frame.width) + short(frame.height)
        block += [packed(frame.colors) | (frame.isInterlaced ? 0x40 : 0)] + table(frame.colors)
        return block + [7] + subBlocks(stored(frame.indices)) + [0]
    }

    /// Codes of 8 bits; a clear code comes before the decoder would go over to 9.
    private static func stored(_ indices: [UInt8]) -> [UInt8] {
        var codes: [UInt8] = []
        for start in stride(from: 0, to: indices.count, by: 100) {
            codes.append(128)
            codes += indices[start..<min(start + 100, indices.count)]
        }
        return codes + [129]
    }

    private static func subBlocks(_ data: [UInt8]) -> [UInt8] {
        stride(from: 0, to: data.count, by: 255).flatMap { start in
            let part = data[start..<min(start + 255, data.count)]
            return [UInt8(part.count)] + part
        }
    }

    private static func packed(_ colors: [[UInt8]]?) -> UInt8 {
        guard let colors else { return 0 }
        return 0x80 | UInt8((1...7).first { 2 << $0 >= colors.count } ?? 7)
    }

    private static func table(_ colors: [[UInt8]]?) -> [UInt8] {
        guard let colors else { return [] }
        let entries = 2 << Int(packed(colors) & 7)
        return colors.flatMap { $0 } + [UInt8](repeating: 0, count: (entries - colors.count) * 3)
    }

    private static func short(_ value: Int) -> [UInt8] {
        [UInt8(value & 0xFF), UInt8(value >> 8)]
    }
}
