/// The attributes of a tag in order, verbatim.
package struct XMLAttributes: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private var offset: Int
    private let end: Int

    /// Reads those of `tag`, a tag of `bytes`.
    package init(_ bytes: UnsafeRawBufferPointer, of tag: XMLTags.Tag) {
        self.bytes = bytes
        (offset, end) = (tag.attributes.lowerBound, tag.attributes.upperBound)
    }

    /// The next name, without its prefix, and its value.
    package mutating func next() -> (name: Range<Int>, value: Range<Int>)? {
        while offset < end, XMLTags.isSpace(bytes[offset]) { offset += 1 }
        var first = offset
        while offset < end, bytes[offset] != UInt8(ascii: "="), !XMLTags.isSpace(bytes[offset]) {
            if bytes[offset] == UInt8(ascii: ":") { first = offset + 1 }
            offset += 1
        }
        let name = first..<offset
        guard
            let quote = bytes[offset..<end].firstIndex(where: {
                $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'")
            }),
            let close = bytes[(quote + 1)..<end].firstIndex(of: bytes[quote])
        else { return nil }
        offset = close + 1
        return (name, quote + 1..<close)
    }
}
