/// The items of a HEIF file that make up its main picture: grids, overlays and other derived ones (ISO/IEC 23008-12,
/// 6.6; references in ISO/IEC 14496-12, 8.11.12).
package struct HEIFItems {
    private var main: Int?
    /// The pixels of each item that has a size.
    private var areas: [Int: Int] = [:]
    /// The items from which each one is derived.
    private var parts: [Int: [Int]] = [:]
    /// The companions of each item, such as its alpha.
    private var companions: [Int: [Int]] = [:]

    /// The deepest derivation; cameras need two levels.
    private static let depthMax = 8
    /// A small item costs the start of a decoder.
    private static let pixelsMin = 1 << 14
    /// More than any limit.
    private static let manyPixels = 1 << 50

    /// Reads the boxes up to the first faulty one.
    package init(_ bytes: UnsafeRawBufferPointer) {
        guard let meta = ISOBoxes(bytes, in: 0..<bytes.count).first("meta"), meta.data.count >= 4
        else { return }
        let boxes = ISOBoxes(bytes, in: meta.data.dropFirst(4))
        main = boxes.first("pitm").flatMap { Fields(bytes, $0.data).idAlone() }
        if let references = boxes.first("iref") { readReferences(references, bytes) }
        if let properties = boxes.first("iprp") { readAreas(properties, bytes) }
    }

    /// The pixels decoded or combined for the main picture, as often as items refer to them; `nil` if items are derived
    /// from themselves, or too deeply.
    package var pixels: Int? {
        guard let main else { return 0 }
        var known: [Int: Int] = [:]
        let all = [main] + (companions[main] ?? [])
        var sum = 0
        for item in all {
            guard let pixels = pixels(of: item, depth: 1, &known) else { return nil }
            sum = min(sum + pixels, Self.manyPixels)
        }
        return sum
    }

    private func pixels(of item: Int, depth: Int, _ known: inout [Int: Int]) -> Int? {
        if let pixels = known[item] { return pixels }
        guard depth <= Self.depthMax else { return nil }
        var sum = max(areas[item] ?? 0, Self.pixelsMin)
        for part in parts[item] ?? [] {
            guard let pixels = pixels(of: part, depth: depth + 1, &known) else { return nil }
            sum = min(sum + pixels, Self.manyPixels)
        }
        known[item] = sum
        return sum
    }

    // MARK: Boxes

    private mutating func readReferences(_ box: ISOBoxes.Box, _ bytes: UnsafeRawBufferPointer) {
        guard let isWide = bytes.byte(at: box.data.lowerBound).map({ $0 > 0 }),
            box.data.count >= 4
        else { return }
        for reference in ISOBoxes(bytes, in: box.data.dropFirst(4)) {
            var fields = Fields(bytes, reference.data, at: 0)
            guard let from = fields.id(isWide: isWide), let count = fields.number(2) else { return }
            for _ in 0..<count {
                guard let to = fields.id(isWide: isWide) else { return }
                if bytes.has("dimg", at: reference.type) { parts[from, default: []].append(to) }
                if bytes.has("auxl", at: reference.type) {
                    companions[to, default: []].append(from)
                }
            }
        }
    }

    private mutating func readAreas(_ box: ISOBoxes.Box, _ bytes: UnsafeRawBufferPointer) {
        let sizes = (ISOBoxes.itemProperties(of: bytes).map(Array.init) ?? []).map { property in
            bytes.has("ispe", at: property.type) && property.data.count >= 12
                ? (bytes.bigEndian32(at: property.data.lowerBound + 4) ?? 0)
                    * (bytes.bigEndian32(at: property.data.lowerBound + 8) ?? 0) : 0
        }
        for box in ISOBoxes(bytes, in: box.data) where bytes.has("ipma", at: box.type) {
            var fields = Fields(bytes, box.data)
            let isWide = fields.version > 0
            for _ in 0..<(fields.number(4) ?? 0) {
                guard let item = fields.id(isWide: isWide), let count = fields.number(1)
                else { break }
                for _ in 0..<count {
                    guard let index = fields.number(fields.flags & 1 == 1 ? 2 : 1) else { break }
                    let place = index & (fields.flags & 1 == 1 ? 0x7FFF : 0x7F)
                    guard sizes.indices.contains(place - 1) else { continue }
                    areas[item] = max(areas[item] ?? 0, sizes[place - 1])
                }
            }
        }
    }
}

/// The numbers of a box in order, mostly behind a version and flags.
private struct Fields {
    private let bytes: UnsafeRawBufferPointer
    private let range: Range<Int>
    private var offset: Int

    init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, at offset: Int = 4) {
        (self.bytes, self.range) = (bytes, range)
        self.offset = range.lowerBound + offset
    }

    var version: Int { range.isEmpty ? 0 : Int(bytes[range.lowerBound]) }
    /// The lowest byte of the flags.
    var flags: Int { range.count < 4 ? 0 : Int(bytes[range.lowerBound + 3]) }

    /// The next number of this many bytes; `nil` at the end.
    mutating func number(_ count: Int) -> Int? {
        guard offset + count <= range.upperBound else { return nil }
        defer { offset += count }
        return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func id(isWide: Bool) -> Int? { number(isWide ? 4 : 2) }

    /// The only number of a box whose version determines the width.
    func idAlone() -> Int? {
        var fields = self
        return fields.id(isWide: version > 0)
    }
}
