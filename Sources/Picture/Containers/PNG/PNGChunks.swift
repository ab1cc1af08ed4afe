/// The chunks of a PNG file in order (PNG specification, section 5), as far as they lie inside it.
package struct PNGChunks: Sequence, IteratorProtocol {
    package struct Chunk {
        /// The four letters as a big-endian number.
        package let type: Int
        /// The place of the data.
        package let data: Range<Int>
    }

    package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private let bytes: UnsafeRawBufferPointer
    private var offset: Int

    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        offset = bytes.starts(with: Self.signature) ? Self.signature.count : bytes.count
    }

    /// Starts with the chunk at `offset`, which must have been returned before.
    package init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    package mutating func next() -> Chunk? {
        guard let length = bytes.bigEndian32(at: offset),
            let type = bytes.bigEndian32(at: offset + 4),
            length <= bytes.count - offset - 12
        else { return nil }
        let data = (offset + 8)..<(offset + 8 + length)
        offset = data.upperBound + 4
        return Chunk(type: type, data: data)
    }

    /// The offset after the IEND chunk, if there is one.
    package var end: Int? {
        first { $0.type == PNGChunkType.iend }.map { $0.data.upperBound + 4 }
    }

    /// Whether the checksum of `chunk` is right.
    package func isIntact(_ chunk: Chunk) -> Bool {
        let covered = bytes.part((chunk.data.lowerBound - 4)..<chunk.data.upperBound)
        return bytes.bigEndian32(at: chunk.data.upperBound) == Int(CRC32.checksum(covered))
    }
}
