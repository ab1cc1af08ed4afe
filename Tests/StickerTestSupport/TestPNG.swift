import StickerContainers

/// PNG files built chunk by chunk.
package enum TestPNG {
    package static func file(_ chunks: [[UInt8]]) -> [UInt8] {
        PNGChunks.signature + chunks.joined()
    }

    package static func chunk(_ type: String, _ data: [UInt8] = []) -> [UInt8] {
        let body = Array(type.utf8) + data
        return number(data.count) + body + number(Int(body.withUnsafeBytes(CRC32.checksum)))
    }

    package static func header(
        _ width: Int, _ height: Int, depth: UInt8 = 8, color: UInt8 = 6, interlace: UInt8 = 0
    ) -> [UInt8] {
        chunk("IHDR", number(width) + number(height) + [depth, color, 0, 0, interlace])
    }

    package static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// An animated `file` that is played so many times.
    package static func playing(_ times: Int, _ file: [UInt8]) -> [UInt8] {
        guard let type = file.firstRange(of: Array("acTL".utf8))?.lowerBound else { return file }
        // The length before the type, two numbers behind it, and the checksum.
        let frames = Array(file[(type + 4)..<(type + 8)])
        return Array(file[..<(type - 4)]) + chunk("acTL", frames + number(times))
            + file[(type + 16)...]
    }

    /// `file` with `chunk` put right behind the header.
    package static func inserting(_ chunk: [UInt8], into file: [UInt8]) -> [UInt8] {
        Array(file[..<33]) + chunk + file[33...]
    }
}
