/// The marker segments of a JPEG file in order (ITU T.81 annex B), as far as they lie inside it.
///
/// Entropy-coded data is skipped; it ends at the first marker that is not a restart marker.
package struct JPEGSegments: Sequence, IteratorProtocol {
    package struct Segment {
        /// The byte after 0xFF.
        package let marker: UInt8
        /// The bytes between the end of the previous segment and this one, apart from fill bytes.
        package let junk: Range<Int>
        /// The parameters, without the length.
        package let data: Range<Int>
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset: Int
    private var isInScan = false

    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        offset = bytes.bigEndian16(at: 0) == 0xFFD8 ? 2 : bytes.count
    }

    package mutating func next() -> Segment? {
        if isInScan { skipEntropyCodedData() }
        let start = offset
        guard let marker = takeMarker() else { return nil }
        let junk = start..<marker.start
        guard JPEGMarker.hasLength(marker.code) else {
            return Segment(marker: marker.code, junk: junk, data: offset..<offset)
        }
        guard let length = bytes.bigEndian16(at: offset), length >= 2,
            length <= bytes.count - offset
        else { return nil }
        let data = (offset + 2)..<(offset + length)
        offset = data.upperBound
        isInScan = marker.code == JPEGMarker.sos
        return Segment(marker: marker.code, junk: junk, data: data)
    }

    /// The offset after the EOI marker, if there is one.
    package static func end(_ bytes: UnsafeRawBufferPointer) -> Int? {
        JPEGSegments(bytes).first { $0.marker == JPEGMarker.eoi }?.data.upperBound
    }

    /// Moves past the next marker; any number of 0xFF may precede it.
    private mutating func takeMarker() -> (start: Int, code: UInt8)? {
        while let start = bytes.index(ofFFFrom: offset) {
            offset = start
            while bytes.byte(at: offset) == 0xFF { offset += 1 }
            guard let code = bytes.byte(at: offset) else { return nil }
            offset += 1
            if code != 0 { return (start, code) }
        }
        return nil
    }

    private mutating func skipEntropyCodedData() {
        isInScan = false
        while let position = bytes.index(ofFFFrom: offset) {
            guard let code = bytes.byte(at: position + 1) else { break }
            guard code == 0 || JPEGMarker.isRestart(code) else {
                offset = position
                return
            }
            offset = position + 2
        }
        offset = bytes.count
    }
}

extension UnsafeRawBufferPointer {
    /// The first 0xFF at or after `start`, looking at eight bytes at a time.
    fileprivate func index(ofFFFrom start: Int) -> Int? {
        var offset = start
        while offset + 8 <= count {
            let inverted = ~loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            // A byte of `inverted` that is 0 borrows into its own top bit.
            let zeros = (inverted &- 0x0101_0101_0101_0101) & ~inverted & 0x8080_8080_8080_8080
            if zeros != 0 { break }
            offset += 8
        }
        while offset < count {
            if self[offset] == 0xFF { return offset }
            offset += 1
        }
        return nil
    }
}
