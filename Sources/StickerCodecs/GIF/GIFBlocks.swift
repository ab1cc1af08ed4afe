/// The blocks of a GIF file (GIF89a specification, appendix B), stepped over without decoding.
enum GIFBlocks {
    /// The offset behind the trailer, if it is there.
    static func end(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let packed = bytes.byte(at: 10) else { return nil }
        var offset = 13 + colorTableBytes(packed)
        while let introducer = bytes.byte(at: offset) {
            switch introducer {
            case 0x3B: return offset + 1
            case 0x21: offset = subBlocksEnd(bytes, offset + 2)
            case 0x2C:
                guard let packed = bytes.byte(at: offset + 9) else { return nil }
                offset = subBlocksEnd(bytes, offset + 11 + colorTableBytes(packed))
            default: return nil
            }
        }
        return nil
    }

    /// The size of the colour table that a packed field tells of.
    static func colorTableBytes(_ packed: UInt8) -> Int {
        packed & 0x80 == 0 ? 0 : 3 << (Int(packed & 0x07) + 1)
    }

    /// The offset behind the empty block that ends a chain of data sub-blocks.
    static func subBlocksEnd(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
        var offset = start
        while let length = bytes.byte(at: offset), length > 0 { offset += 1 + Int(length) }
        return offset + 1
    }
}
