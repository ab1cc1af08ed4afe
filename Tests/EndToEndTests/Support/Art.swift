import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Synchronization

/// Tiny pictures, each number another one.
enum Art {
    /// A PNG of one colour, which is quickly made into a sticker.
    static func png(_ number: Int, side: Int = 16) throws -> [UInt8] {
        let color = SIMD4(UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF), 128, 255)
        let size = PixelSize(width: side, height: side)
        return try PNGEncoder.encode(PixelBuffer.drawn(size) { _, _ in color })
    }

    /// A PNG that no encoder makes small.
    static func noise(side: Int) throws -> [UInt8] {
        try PNGEncoder.encode(PixelBuffer.noise(PixelSize(width: side, height: side)))
    }

    /// A WebP of a disc that changes its colour; each number is another one.
    static func animation(_ milliseconds: [Int], _ number: Int = 0) throws -> [UInt8] {
        let encoder = try WebPAnimationEncoder(size: .sticker, loopCount: 0, level: 0)
        for (index, time) in milliseconds.enumerated() {
            let green = UInt8((number * 16 + index * 40) % 256)
            try encoder.add(.disc(.sticker, green: green), milliseconds: time)
        }
        return try encoder.finish()
    }

    // MARK: Numbered pictures

    private struct Numbered {
        var pictures: [Int: (bytes: [UInt8], hash: String)] = [:]
        var numbers: [String: Int] = [:]
    }

    private static let numbered = Mutex(Numbered())

    /// A PNG of one colour. Each number has another colour and also another size in bytes, as different pictures
    /// of people nearly always have.
    static func numbered(_ number: Int) throws -> [UInt8] {
        if let known = numbered.withLock({ $0.pictures[number] }) { return known.bytes }
        let comment = Array("Comment\0".utf8) + Array(repeating: UInt8(ascii: "."), count: number)
        let bytes = TestPNG.inserting(TestPNG.chunk("tEXt", comment), into: try png(number))
        let hash = sha256(bytes)
        numbered.withLock {
            $0.pictures[number] = (bytes, hash)
            $0.numbers[hash] = number
        }
        return bytes
    }

    /// The SHA-256 of a numbered picture that was made before.
    static func hash(_ number: Int) -> String? {
        numbered.withLock { $0.pictures[number]?.hash }
    }

    /// The number of a picture that was made before.
    static func number(_ hash: String) -> Int? { numbered.withLock { $0.numbers[hash] } }
}
