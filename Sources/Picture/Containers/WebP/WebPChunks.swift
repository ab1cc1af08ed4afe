package import StickerValues

/// The chunks of a WebP file, or of one of its frames, in order, as far as they lie inside it (RFC 9649, 2.3).
package struct WebPChunks: Sequence, IteratorProtocol {
    package struct Chunk {
        /// The place of its tag.
        package let start: Int
        /// The place of the payload in the file.
        package let data: Range<Int>
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset: Int
    private let end: Int

    /// The chunks of a whole file; bytes after the stated end are ignored.
    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        offset = RIFF.headerBytes
        end = Swift.min(Self.statedBytes(bytes) ?? 0, bytes.count)
    }

    /// The chunks in `range`, which must lie inside the file.
    package init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
        self.bytes = bytes
        (offset, end) = (range.lowerBound, range.upperBound)
    }

    /// The padding after an odd payload may be missing at the very end of a file, as in libwebp.
    package mutating func next() -> Chunk? {
        guard end - offset >= 8, let size = bytes.littleEndian32(at: offset + 4),
            size <= end - offset - 8
        else { return nil }
        let start = offset
        let data = (start + 8)..<(start + 8 + size)
        offset = Swift.min(end, data.upperBound + size % 2)
        return Chunk(start: start, data: data)
    }

    /// Whether every byte up to the stated end belonged to a chunk, once `next` has returned `nil`.
    package var isAtEnd: Bool { offset == end }

    /// The length in the header; `nil` if the file is no WebP.
    package static func statedBytes(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.has("RIFF"), bytes.has("WEBP", at: 8), let size = bytes.littleEndian32(at: 4)
        else { return nil }
        return size + 8
    }

    /// The offset after the last chunk, if all are complete.
    package static func end(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let stated = statedBytes(bytes), stated <= bytes.count else { return nil }
        var chunks = WebPChunks(bytes)
        while chunks.next() != nil {}
        return chunks.isAtEnd ? stated : nil
    }
}

extension UnsafeRawBufferPointer {
    /// Two sides as in VP8X and ANMF: less 1, in 24 bits each.
    package func webpSides(at offset: Int) -> PixelSize? {
        guard let width = littleEndian24(at: offset), let height = littleEndian24(at: offset + 3)
        else { return nil }
        return PixelSize(width: width + 1, height: height + 1)
    }

    package func littleEndian24(at offset: Int) -> Int? {
        guard let low = littleEndian16(at: offset), let high = byte(at: offset + 2) else {
            return nil
        }
        return low | Int(high) << 16
    }
}
