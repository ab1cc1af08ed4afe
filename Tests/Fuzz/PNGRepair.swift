import StickerContainers

/// Gives every chunk of a damaged PNG the checksum that it should have.
enum PNGRepair {
    static func repair(_ file: UnsafeMutableRawBufferPointer) {
        var start = PNGChunks.signature.count
        while let length = UnsafeRawBufferPointer(file).bigEndian32(at: start) {
            let (body, end) = (start + 4, start + 8 + length)
            guard end + 4 <= file.count else { return }
            let checksum = file[body..<end].withUnsafeBytes(CRC32.checksum)
            for index in 0..<4 {
                file[end + index] = UInt8(truncatingIfNeeded: checksum >> (24 - 8 * UInt32(index)))
            }
            start = end + 4
        }
    }
}
