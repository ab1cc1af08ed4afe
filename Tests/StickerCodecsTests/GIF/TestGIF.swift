/// GIF files built block by block; their image data is stored rather than compressed.
struct TestGIF {
    /// One frame; indices beyond the colour table are allowed.
    struct Frame {
        var x = 0
        var y = 0
        var width: Int
        var height: Int
        /// One index, below 128, for each pixel in the order of the file.
        var indices: [UInt8]
        var delay = 0
        var disposal: UInt8 = 0
        var transparent: UInt8?
        var colors: [[UInt8]]?
        var isInterlaced = false

        /// A frame of one colour.
        static func filled(_ index: UInt8, _ width: Int, _ height: Int) -> Frame {
            Frame(
                width: width, height: height,
                indices: Array(repeating: index, count: width * height))
        }
    }

    static let red: [UInt8] = [255, 0, 0]
    static let green: [UInt8] = [0, 255, 0]
    static let blue: [UInt8] = [0, 0, 255]
    static let white: [UInt8] = [255, 255, 255]

    var width: Int
    var height: Int
    var colors: [[UInt8]]? = [red, green, blue, white]
    /// The count in Netscape's extension.
    var repetitions: Int?
    var frames: [Frame]
    var hasTrailer = true

    var bytes: [UInt8] {
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
