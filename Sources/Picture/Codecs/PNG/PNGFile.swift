import StickerContainers
import StickerValues

/// A PNG file that is written chunk by chunk (PNG specification, third edition, section 5).
struct PNGFile {
    private(set) var bytes = PNGChunks.signature

    /// Writes everything before the compressed pixels: the header and a perceptual sRGB chunk.
    init(size: PixelSize, form: PNGRows.Form, bitDepth: UInt8 = 8) {
        append(
            "IHDR",
            Self.number(size.width) + Self.number(size.height)
                + [bitDepth, form.colorType, 0, 0, 0])
        append("sRGB", [0])
    }

    /// Adds a palette of `colors` as stored in memory, and their alphas up to the last that is not 255.
    mutating func append(palette colors: [UInt32]) {
        let entries = colors.map { color in
            (0..<4).map { UInt8(truncatingIfNeeded: UInt32(littleEndian: color) >> (8 * $0)) }
        }
        append("PLTE", entries.flatMap { $0[..<3] })
        guard let last = entries.lastIndex(where: { $0[3] < 255 }) else { return }
        append("tRNS", entries[...last].map { $0[3] })
    }

    /// Adds a chunk with its length and checksum.
    mutating func append(_ type: StaticString, _ data: [UInt8]) {
        bytes += Self.number(data.count)
        let start = bytes.count
        bytes += UnsafeBufferPointer(start: type.utf8Start, count: type.utf8CodeUnitCount)
        bytes += data
        let checksum = bytes.withUnsafeBytes { CRC32.checksum($0.part(start..<$0.count)) }
        bytes += Self.number(Int(checksum))
    }

    /// Four bytes, big-endian.
    static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
