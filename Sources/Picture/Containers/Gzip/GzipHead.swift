/// The beginning of a gzip file's content (RFC 1952), to recognise it. A worker inflates the whole file.
package enum GzipHead {
    /// The most bytes inflated, and read for that.
    private static let bytesMax = 64 * 1024

    /// Whether `bytes` begin as a gzip file whose content is deflated.
    package static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.bigEndian16(at: 0) == 0x1F8B && bytes.byte(at: 2) == 8
            && bytes.byte(at: 3).map { $0 & 0xE0 == 0 } ?? false
    }

    /// The first bytes of the content, up to damage or the end of `bytes`; `nil` if it is no gzip file.
    package static func content(of bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard begins(bytes), let start = contentStart(bytes) else { return nil }
        let head = bytes.part(0..<min(bytes.count, start + bytesMax))
        var inflation = Inflation(head, at: start, bytesMax: bytesMax)
        return inflation.run()
    }

    /// The offset after the header and its optional parts: extra fields, a name, a comment, a checksum.
    private static func contentStart(_ bytes: UnsafeRawBufferPointer) -> Int? {
        let flags = bytes[3]
        var start = 10
        if flags & 4 != 0 {
            guard let count = bytes.littleEndian16(at: start) else { return nil }
            start += 2 + count
        }
        for flag in [8, 16] as [UInt8] where flags & flag != 0 {
            guard start < bytes.count, let end = bytes[start...].firstIndex(of: 0) else {
                return nil
            }
            start = end + 1
        }
        if flags & 2 != 0 { start += 2 }
        return start < bytes.count ? start : nil
    }
}
