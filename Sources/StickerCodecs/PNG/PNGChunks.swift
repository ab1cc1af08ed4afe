/// The chunks of a PNG file in order (PNG specification, section 5), as far as they lie inside it.
struct PNGChunks: Sequence, IteratorProtocol {
    struct Chunk {
        /// The four letters as a big-endian number.
        let type: Int
        /// Where the data lies.
        let data: Range<Int>
    }

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private let bytes: UnsafeRawBufferPointer
    private var offset: Int

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        offset = bytes.starts(with: Self.signature) ? Self.signature.count : bytes.count
    }

    mutating func next() -> Chunk? {
        guard let length = bytes.bigEndian32(at: offset),
            let type = bytes.bigEndian32(at: offset + 4),
            length <= bytes.count - offset - 12
        else { return nil }
        let data = (offset + 8)..<(offset + 8 + length)
        offset = data.upperBound + 4
        return Chunk(type: type, data: data)
    }

    /// The offset behind the IEND chunk, if it is there.
    var end: Int? {
        first { $0.type == PNGChunkType.iend }.map { $0.data.upperBound + 4 }
    }

    /// Whether the checksum of `chunk` is right.
    func isIntact(_ chunk: Chunk) -> Bool {
        let covered = bytes[(chunk.data.lowerBound - 4)..<chunk.data.upperBound]
        return bytes.bigEndian32(at: chunk.data.upperBound) == Int(CRC32.checksum(covered))
    }
}

/// The chunk types that are looked at here; libpng knows the others.
enum PNGChunkType {
    static let ihdr = 0x4948_4452
    static let idat = 0x4944_4154
    static let iend = 0x4945_4E44
    static let iccp = 0x6943_4350
    static let srgb = 0x7352_4742
    static let gama = 0x6741_4D41
    static let exif = 0x6558_4966
    static let actl = 0x6163_544C
    static let cgbi = 0x4367_4249
}

/// The checksum of PNG chunks (ISO 3309, PNG specification annex D).
enum CRC32 {
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { crc, byte in
            table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ (crc >> 8)
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
        }
    }
}
