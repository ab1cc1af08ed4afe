package import StickerValues

/// The container of WebP files (RFC 9649): chunks of a four-character tag, a 32-bit little-endian
/// size and a payload padded to an even length.
package enum RIFF {
    /// One chunk of a file.
    package struct Chunk: Hashable {
        package var tag: String
        /// The place of the payload in the file.
        package var payload: Range<Int>
    }

    /// Consecutive chunks, and the reason if the walk ended early.
    package struct Walk {
        package var chunks: [Chunk] = []
        package var fault: String?
    }

    /// The start of the chunks of a WebP file.
    package static let headerBytes = 12
    /// The bytes of a file with one chunk besides its payload.
    package static let stillBytes = 20

    /// The chunks of a WebP file, or `nil` if sizes and padding do not add up exactly.
    package static func chunks(of file: [UInt8]) -> [Chunk]? {
        guard headerFault(of: file) == nil else { return nil }
        let walk = walk(file, in: headerBytes..<file.count)
        return walk.fault == nil ? walk.chunks : nil
    }

    /// The fault of the first twelve bytes, which include the size of the file.
    package static func headerFault(of file: [UInt8]) -> String? {
        guard file.count >= headerBytes, tag(file, 0) == "RIFF", tag(file, 8) == "WEBP" else {
            return "the file does not begin as RIFF WEBP"
        }
        let stated = size(file, 4) + 8
        return stated == file.count
            ? nil : "the RIFF header states \(stated) bytes, the file has \(file.count)"
    }

    /// Walks the chunks in `range`, which must lie inside the file.
    package static func walk(_ file: [UInt8], in range: Range<Int>) -> Walk {
        var walk = Walk()
        var offset = range.lowerBound
        while offset < range.upperBound {
            guard range.upperBound - offset >= 8 else {
                walk.fault = "\(range.upperBound - offset) bytes stand behind the last chunk"
                return walk
            }
            let (tag, bytes, start) = (tag(file, offset), size(file, offset + 4), offset + 8)
            guard bytes + bytes % 2 <= range.upperBound - start else {
                walk.fault = "the \(tag.debugDescription) chunk of \(bytes) bytes is cut off"
                return walk
            }
            walk.chunks.append(Chunk(tag: tag, payload: start..<(start + bytes)))
            offset = start + bytes + bytes % 2
            if bytes % 2 == 1, file[offset - 1] != 0 {
                walk.fault = "the \(tag.debugDescription) chunk is not padded with 0"
                return walk
            }
        }
        return walk
    }

    /// A still file made of a VP8X header, an ALPH chunk and a VP8 chunk.
    package static func extendedStill(size: PixelSize, alpha: [UInt8], color: [UInt8]) -> [UInt8] {
        file {
            append("VP8X", [WebPBitstream.alphaFlag, 0, 0, 0] + sides(size), to: &$0)
            append("ALPH", alpha, to: &$0)
            append("VP8 ", color, to: &$0)
        }
    }

    /// A still file of only a VP8 chunk.
    package static func simpleStill(color: [UInt8]) -> [UInt8] {
        file { append("VP8 ", color, to: &$0) }
    }

    /// The file with the chunks that `write` appends.
    static func file(_ write: (inout [UInt8]) -> Void) -> [UInt8] {
        var body = Array("WEBP".utf8)
        write(&body)
        return Array("RIFF".utf8) + little(body.count, 4) + body
    }

    static func sides(_ size: PixelSize) -> [UInt8] {
        little(size.width - 1, 3) + little(size.height - 1, 3)
    }

    static func append(_ tag: String, _ payload: [UInt8], to body: inout [UInt8]) {
        body += Array(tag.utf8) + little(payload.count, 4) + payload
        if payload.count % 2 == 1 { body.append(0) }
    }

    package static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    package static func size(_ file: [UInt8], _ offset: Int, bytes: Int = 4) -> Int {
        (0..<bytes).reduce(0) { $0 | Int(file[offset + $1]) << (8 * $1) }
    }

    static func tag(_ file: [UInt8], _ offset: Int) -> String {
        String(decoding: file[offset..<(offset + 4)], as: UTF8.self)
    }
}
