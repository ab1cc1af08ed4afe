import StickerContainers

/// Joins the parts of an ICC profile, which APP2 segments carry (ICC.1, annex B.4).
struct JPEGProfileParts {
    private var parts: [Int: Range<Int>] = [:]
    private var count = 0
    /// Whether a part is wrong, duplicated or missing.
    private var isBroken = false
    /// Whether any part was seen.
    private(set) var isThere = false

    /// Adds the APP2 segment at `range`; segments that are not profile parts are ignored.
    mutating func add(_ range: Range<Int>, _ bytes: UnsafeRawBufferPointer) {
        let data = bytes.part(range)
        guard data.count >= 14, data.has("ICC_PROFILE\0") else { return }
        isThere = true
        let (number, total) = (Int(data[12]), Int(data[13]))
        guard number >= 1, number <= total, count == 0 || count == total, parts[number] == nil
        else { return isBroken = true }
        count = total
        parts[number] = range.dropFirst(14)
    }

    /// Joins the parts; `nil` if there are none, or not the right ones.
    func joined(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        let ranges = (0..<count).compactMap { parts[$0 + 1] }
        let total = ranges.reduce(0) { $0 + $1.count }
        guard count > 0, !isBroken, ranges.count == count, total <= ICCOutline.bytesMax else {
            return nil
        }
        return ranges.flatMap { bytes[$0] }
    }
}
