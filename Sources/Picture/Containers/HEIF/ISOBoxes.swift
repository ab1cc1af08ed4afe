/// The boxes of a file or of a box in order (ISO/IEC 14496-12, 4.2), as far as they lie inside it.
package struct ISOBoxes: Sequence, IteratorProtocol {
    package struct Box {
        /// The place of its four letters.
        package let type: Int
        /// The place of the payload in the file.
        package let data: Range<Int>
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset: Int
    private let end: Int

    /// The boxes in `range`, which must lie inside the file.
    package init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
        self.bytes = bytes
        (offset, end) = (range.lowerBound, range.upperBound)
    }

    package mutating func next() -> Box? {
        guard end - offset >= 8, let short = bytes.bigEndian32(at: offset) else { return nil }
        var (header, size) = (8, short)
        if short == 1 {
            // The size follows in 64 bits; no file has more than 32.
            guard bytes.bigEndian32(at: offset + 8) == 0,
                let long = bytes.bigEndian32(at: offset + 12)
            else { return nil }
            (header, size) = (16, long)
        } else if short == 0 {
            size = end - offset
        }
        guard size >= header, size <= end - offset else { return nil }
        defer { offset += size }
        return Box(type: offset + 4, data: (offset + header)..<(offset + size))
    }

    /// Whether every byte belonged to a box, once `next` has returned `nil`.
    package var isAtEnd: Bool { offset == end }

    /// The first box of this type.
    package func first(_ type: StaticString) -> Box? {
        first { bytes.has(type, at: $0.type) }
    }

    /// The properties of the items of a HEIF file (ISO/IEC 23008-12, 9.3).
    package static func itemProperties(of bytes: UnsafeRawBufferPointer) -> ISOBoxes? {
        // The payload of `meta` begins with four bytes of version and flags.
        guard let meta = ISOBoxes(bytes, in: 0..<bytes.count).first("meta"), meta.data.count >= 4,
            let properties = ISOBoxes(bytes, in: meta.data.dropFirst(4)).first("iprp")
        else { return nil }
        return ISOBoxes(bytes, in: properties.data).first("ipco")
            .map { ISOBoxes(bytes, in: $0.data) }
    }
}
