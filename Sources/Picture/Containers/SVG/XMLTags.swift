/// The tags of an XML file in order. Nothing is interpreted: no entity, no namespace, and only character sets that
/// encode markup as in ASCII.
///
/// Each byte is read about once, and nothing is allocated. Ends at the first incomplete markup.
package struct XMLTags: Sequence, IteratorProtocol {
    /// The part between `<` and `>`.
    package struct Tag {
        /// The kinds of tags.
        package enum Kind { case start, end, empty }

        /// Whether an element begins, ends, or does both.
        package var kind: Kind
        /// The name without its prefix.
        package var name: Range<Int>
        /// The part between the name and the end of the tag.
        package var attributes: Range<Int>
    }

    private let bytes: UnsafeRawBufferPointer
    /// The offset after the last returned tag, or after the skipped part before it.
    package private(set) var offset = 0

    /// Begins before the first tag of `bytes`.
    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        // The UTF-8 byte order mark.
        if bytes.has("\u{FEFF}") { offset = 3 }
    }

    /// Whether nothing but white space follows.
    package var isAtEnd: Bool { afterSpace(offset) == bytes.count }

    /// Skips everything allowed before the first element.
    ///
    /// - Returns: the name of that element without its prefix, complete or not; `nil` if there is anything else.
    package mutating func skipProlog() -> Range<Int>? {
        while true {
            offset = afterSpace(offset)
            guard bytes.byte(at: offset) == UInt8(ascii: "<") else { return nil }
            guard let end = skipped(from: offset) else { return name(at: offset + 1) }
            guard end > offset else { return nil }
            offset = end
        }
    }

    package mutating func next() -> Tag? {
        while let start = find(UInt8(ascii: "<"), from: offset) {
            guard let end = skipped(from: start) else { return tag(at: start) }
            guard end > start else { return nil }
            offset = end
        }
        return nil
    }

    /// The end of a part at `start` that is no tag; `start` itself if it is unfinished, `nil` if it is a tag.
    private func skipped(from start: Int) -> Int? {
        if bytes.has("<!--", at: start) { return find("-->", from: start + 4) ?? start }
        if bytes.has("<![CDATA[", at: start) { return find("]]>", from: start + 9) ?? start }
        if bytes.has("<?", at: start) { return find("?>", from: start + 2) ?? start }
        if bytes.has("<!", at: start) { return declarationEnd(from: start + 2) ?? start }
        return nil
    }

    private mutating func tag(at start: Int) -> Tag? {
        let isEnd = bytes.byte(at: start + 1) == UInt8(ascii: "/")
        guard let name = name(at: start + (isEnd ? 2 : 1)),
            let end = tagEnd(from: name.upperBound)
        else { return nil }
        offset = end + 1
        let isEmpty = !isEnd && end > name.upperBound && bytes[end - 1] == UInt8(ascii: "/")
        return Tag(
            kind: isEnd ? .end : isEmpty ? .empty : .start, name: name,
            attributes: name.upperBound..<(isEmpty ? end - 1 : end))
    }

    private func name(at start: Int) -> Range<Int>? {
        var (first, end) = (start, start)
        while let byte = bytes.byte(at: end), !Self.endsName(byte) {
            if byte == UInt8(ascii: ":") { first = end + 1 }
            end += 1
        }
        return first < end ? first..<end : nil
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        isSpace(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
            || byte == UInt8(ascii: "<")
    }

    package static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// The `>` outside of quotes.
    private func tagEnd(from start: Int) -> Int? {
        var at = start
        while let byte = bytes.byte(at: at) {
            switch byte {
            case UInt8(ascii: ">"): return at
            case UInt8(ascii: "<"): return nil
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let quote = find(byte, from: at + 1) else { return nil }
                at = quote + 1
            default: at += 1
            }
        }
        return nil
    }

    /// The offset after a document type declaration, which may contain others in brackets.
    private func declarationEnd(from start: Int) -> Int? {
        var (at, depth) = (start, 0)
        while let byte = bytes.byte(at: at) {
            switch byte {
            case UInt8(ascii: ">") where depth == 0: return at + 1
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth = Swift.max(0, depth - 1)
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let quote = find(byte, from: at + 1) else { return nil }
                at = quote
            case UInt8(ascii: "<") where bytes.has("<!--", at: at):
                guard let end = find("-->", from: at + 4) else { return nil }
                at = end - 1
            default: break
            }
            at += 1
        }
        return nil
    }

    private func afterSpace(_ start: Int) -> Int {
        var at = start
        while let byte = bytes.byte(at: at), Self.isSpace(byte) { at += 1 }
        return at
    }

    private func find(_ byte: UInt8, from start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        return bytes[start...].firstIndex(of: byte)
    }

    /// The offset after the next `text`.
    private func find(_ text: StaticString, from start: Int) -> Int? {
        var at = start
        let first = text.utf8Start[0]
        while let found = find(first, from: at) {
            if bytes.has(text, at: found) { return found + text.utf8CodeUnitCount }
            at = found + 1
        }
        return nil
    }
}
