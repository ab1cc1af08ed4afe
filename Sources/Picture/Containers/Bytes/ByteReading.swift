/// Reads fixed-size numbers that may lie beyond the end of the bytes; `nil` if they do.
extension UnsafeRawBufferPointer {
    package func byte(at offset: Int) -> UInt8? {
        offset >= 0 && offset < count ? self[offset] : nil
    }

    package func bigEndian16(at offset: Int) -> Int? {
        number(at: offset, as: UInt16.self).map { Int(UInt16(bigEndian: $0)) }
    }

    package func bigEndian32(at offset: Int) -> Int? {
        number(at: offset, as: UInt32.self).map { Int(UInt32(bigEndian: $0)) }
    }

    package func littleEndian16(at offset: Int) -> Int? {
        number(at: offset, as: UInt16.self).map { Int(UInt16(littleEndian: $0)) }
    }

    package func littleEndian32(at offset: Int) -> Int? {
        number(at: offset, as: UInt32.self).map { Int(UInt32(littleEndian: $0)) }
    }

    /// Whether the ASCII `text` is at `offset`.
    package func has(_ text: StaticString, at offset: Int = 0) -> Bool {
        let length = text.utf8CodeUnitCount
        guard offset >= 0, length <= count - offset else { return false }
        return self[offset..<(offset + length)].elementsEqual(
            UnsafeBufferPointer(start: text.utf8Start, count: length))
    }

    /// The bytes of `range`, which lies inside.
    package func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }

    private func number<Number: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as type: Number.Type
    ) -> Number? {
        guard offset >= 0, MemoryLayout<Number>.size <= count - offset else { return nil }
        return loadUnaligned(fromByteOffset: offset, as: type)
    }
}
