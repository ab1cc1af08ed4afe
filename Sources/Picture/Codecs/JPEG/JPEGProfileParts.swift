import StickerContainers

/// Joins the parts of an ICC profile, which APP2 segments carry (ICC.1, annex B.4).
struct JPEGProfileParts {
    private var parts: [Int: Range<Int>] = [:]
    private var count = 0
    /// Whether the parts contradict one another.
    private var isBroken = false
    /// Whether any part was seen.
    private var isThere = false

    /// Adds the APP2 segment at `range`; ignores other segments and repeated parts.
    mutating func add(_ range: Range<Int>, _ bytes: UnsafeRawBufferPointer) {
        let data = bytes.part(range)
        guard data.count >= 14, data.has("ICC_PROFILE\0") else { return }
        isThere = true
        let (number, total) = (Int(data[12]), Int(data[13]))
        guard number >= 1, number <= total, count == 0 || count == total else {
            return isBroken = true
        }
        count = total
        if parts[number] == nil { parts[number] = range.dropFirst(14) }
    }

    /// Joins the parts; `nil` if there are none.
    func joined(_ bytes: UnsafeRawBufferPointer) -> ColorFacts.Profile? {
        guard isThere else { return nil }
        let ranges = (0..<count).compactMap { parts[$0 + 1] }
        guard count > 0, !isBroken, ranges.count == count else {
            return .damaged("a part of it is missing or wrong")
        }
        let total = ranges.reduce(0) { $0 + $1.count }
        guard total <= ICCOutline.bytesMax else {
            return .damaged("it has \(total) bytes, more than \(ICCOutline.bytesMax)")
        }
        return .whole(ranges.flatMap { bytes[$0] })
    }
}
