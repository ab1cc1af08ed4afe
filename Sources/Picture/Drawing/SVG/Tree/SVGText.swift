import StickerCodecs
import StickerContainers
import StickerValues

/// The text of a drawing for parsers: inflated if it is an SVGZ, and in UTF-8 if it was in UTF-16.
enum SVGText {
    /// The text of `source`; the same object if nothing has to change.
    static func of(_ source: SourceBytes, _ limits: DecodeLimits) throws(CodecError) -> SourceBytes
    {
        let text = try source.withUnsafeBytes { bytes throws(CodecError) in
            GzipHead.begins(bytes)
                ? SourceBytes(try GzipText.inflated(bytes, atMost: limits.sourceBytesMax)) : source
        }
        return text.withUnsafeBytes { inUTF8($0).map(SourceBytes.init) } ?? text
    }

    /// `nil` if it is not in UTF-16, and does not claim to be.
    private static func inUTF8(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        if var text = UTF16Text.utf8(bytes) {
            if let name = text.withUnsafeBytes(encodingDeclaration) { blank(name, in: &text) }
            return text
        }
        // Browsers ignore a declaration of UTF-16 that the bytes contradict.
        guard let name = encodingDeclaration(bytes),
            ["utf-16", "utf16", "ucs-2"].contains(where: {
                String(decoding: bytes[name], as: UTF8.self).lowercased().contains($0)
            })
        else { return nil }
        var text = Array(bytes)
        blank(name, in: &text)
        return text
    }

    private static func blank(_ range: Range<Int>, in text: inout [UInt8]) {
        for place in range { text[place] = UInt8(ascii: " ") }
    }

    /// The place of `encoding="..."` in the XML declaration.
    private static func encodingDeclaration(_ bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        let start = bytes.has("\u{FEFF}") ? 3 : 0
        guard bytes.has("<?xml", at: start) else { return nil }
        let head = bytes[start...].prefix(200)
        let declaration = head[..<(head.firstIndex(of: UInt8(ascii: ">")) ?? head.endIndex)]
        guard let name = declaration.indices.first(where: { bytes.has("encoding", at: $0) }),
            let quote = declaration[name...].firstIndex(where: { $0 == 0x22 || $0 == 0x27 }),
            let end = declaration[(quote + 1)...].firstIndex(of: bytes[quote])
        else { return nil }
        return name..<end + 1
    }
}
