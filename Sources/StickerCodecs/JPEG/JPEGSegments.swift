/// The marker segments of a JPEG file in order (ITU T.81 annex B), as far as they lie inside it.
///
/// Entropy-coded data is stepped over; it ends at the first marker that is no restart marker.
struct JPEGSegments: Sequence, IteratorProtocol {
    struct Segment {
        /// The byte behind 0xFF.
        let marker: UInt8
        /// What stands between the end of the previous segment and this one, fill bytes aside.
        let junk: Range<Int>
        /// The parameters, without the length.
        let data: Range<Int>
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset: Int
    private var isInScan = false

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        offset = bytes.bigEndian16(at: 0) == 0xFFD8 ? 2 : bytes.count
    }

    mutating func next() -> Segment? {
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

    /// The offset behind the EOI marker, if it is there.
    static func end(_ bytes: UnsafeRawBufferPointer) -> Int? {
        JPEGSegments(bytes).first { $0.marker == JPEGMarker.eoi }?.data.upperBound
    }

    /// Steps behind the next marker; it may have any number of 0xFF in front.
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

/// The second bytes of the markers that matter here (ITU T.81, table B.1).
enum JPEGMarker {
    static let sof0: UInt8 = 0xC0
    static let sof2: UInt8 = 0xC2
    static let dht: UInt8 = 0xC4
    static let jpg: UInt8 = 0xC8
    static let dac: UInt8 = 0xCC
    static let soi: UInt8 = 0xD8
    static let eoi: UInt8 = 0xD9
    static let sos: UInt8 = 0xDA
    static let app0: UInt8 = 0xE0
    static let app1: UInt8 = 0xE1
    static let app2: UInt8 = 0xE2
    static let app14: UInt8 = 0xEE

    static func isRestart(_ code: UInt8) -> Bool { (0xD0...0xD7).contains(code) }

    static func isFrame(_ code: UInt8) -> Bool {
        (0xC0...0xCF).contains(code) && code != dht && code != jpg && code != dac
    }

    static func hasLength(_ code: UInt8) -> Bool {
        code != 0x01 && !isRestart(code) && code != soi && code != eoi
    }
}

extension UnsafeRawBufferPointer {
    /// The first 0xFF at or behind `start`, looking at eight bytes at a time.
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
