import StickerModel

/// The container of WebP files (RFC 9649): chunks of a four-character tag, a 32-bit little-endian
/// size and a payload padded to an even length.
enum RIFF {
    /// One chunk of a file.
    struct Chunk: Hashable {
        var tag: String
        /// Where the payload lies in the file.
        var payload: Range<Int>
    }

    /// The chunks of a WebP file, or `nil` where sizes and padding do not add up exactly.
    static func chunks(of file: [UInt8]) -> [Chunk]? {
        guard file.count >= 12, tag(file, 0) == "RIFF", tag(file, 8) == "WEBP",
            size(file, 4) == file.count - 8
        else { return nil }
        var chunks: [Chunk] = []
        var offset = 12
        while offset < file.count {
            guard file.count - offset >= 8 else { return nil }
            let bytes = size(file, offset + 4)
            let start = offset + 8
            guard bytes <= file.count - start, bytes + bytes % 2 <= file.count - start else {
                return nil
            }
            chunks.append(Chunk(tag: tag(file, offset), payload: start..<(start + bytes)))
            offset = start + bytes + bytes % 2
        }
        return chunks
    }

    /// A still file of a VP8X header, an ALPH and a VP8 chunk.
    static func extendedStill(size: PixelSize, alpha: [UInt8], color: [UInt8]) -> [UInt8] {
        let alphaFlag: UInt8 = 0x10
        var body: [UInt8] = Array("WEBP".utf8)
        let header: [UInt8] =
            [alphaFlag, 0, 0, 0] + little(size.width - 1, 3) + little(size.height - 1, 3)
        append("VP8X", header, to: &body)
        append("ALPH", alpha, to: &body)
        append("VP8 ", color, to: &body)
        return Array("RIFF".utf8) + little(body.count, 4) + body
    }

    private static func append(_ tag: String, _ payload: [UInt8], to body: inout [UInt8]) {
        body += Array(tag.utf8) + little(payload.count, 4) + payload
        if payload.count % 2 == 1 { body.append(0) }
    }

    static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func size(_ file: [UInt8], _ offset: Int, bytes: Int = 4) -> Int {
        (0..<bytes).reduce(0) { $0 | Int(file[offset + $1]) << (8 * $1) }
    }

    private static func tag(_ file: [UInt8], _ offset: Int) -> String {
        String(decoding: file[offset..<(offset + 4)], as: UTF8.self)
    }
}
