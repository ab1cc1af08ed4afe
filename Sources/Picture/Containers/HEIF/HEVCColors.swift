/// The colours that the header of HEVC video states by numbers of ITU-T H.273, for pictures of HEIC without a colour
/// property: libheif uses the matrix, but reports neither primaries nor transfer.
package struct HEVCColors: Hashable {
    /// Red, green, blue and white by number.
    package let primaries: Int
    /// The transfer from samples to light, by number.
    package let transfer: Int
}

extension HEVCColors {
    /// The largest sequence parameter set of a still picture.
    private static let setBytesMax = 4096
    private static let sequenceParameterSet: UInt8 = 33

    /// Reads the colours in the configurations of a HEIC; `nil` if there are none, or they differ.
    package init?(heic bytes: UnsafeRawBufferPointer) {
        guard let properties = ISOBoxes.itemProperties(of: bytes) else { return nil }
        let found = Set(
            properties.filter { bytes.has("hvcC", at: $0.type) }
                .compactMap { Self.read(configuration: bytes.part($0.data)) })
        guard let colors = found.first, found.count == 1 else { return nil }
        self = colors
    }

    /// Looks for the parameter set among the units of a configuration (ISO/IEC 14496-15, 8.3.3.1).
    private static func read(configuration bytes: UnsafeRawBufferPointer) -> HEVCColors? {
        var offset = 23
        for _ in 0..<(bytes.byte(at: 22) ?? 0) {
            guard let kind = bytes.byte(at: offset), let count = bytes.bigEndian16(at: offset + 1)
            else { return nil }
            offset += 3
            for _ in 0..<count {
                guard let length = bytes.bigEndian16(at: offset),
                    length <= bytes.count - offset - 2
                else { return nil }
                let unit = (offset + 2)..<(offset + 2 + length)
                if kind & 0x3F == sequenceParameterSet { return read(set: bytes.part(unit)) }
                offset = unit.upperBound
            }
        }
        return nil
    }

    /// Reads a sequence parameter set up to its colours (ITU-T H.265, 7.3.2.2 and E.2.1).
    private static func read(set unit: UnsafeRawBufferPointer) -> HEVCColors? {
        var bits = HEVCBits(UnsafeRawBufferPointer(rebasing: unit.prefix(setBytesMax)))
        bits.skip(16 + 4)
        let layers = bits.number(3)
        bits.skip(1)
        skipProfile(&bits, layers)
        bits.skipNumbers(1)
        if bits.number() == 3 { bits.skip(1) }
        bits.skipNumbers(2)
        if bits.flag() { bits.skipNumbers(4) }
        bits.skipNumbers(2)
        let orderBits = min(16, bits.number() + 4)
        bits.skipNumbers(bits.flag() ? 3 * (layers + 1) : 3)
        bits.skipNumbers(6)
        if bits.flag(), bits.flag() { skipScaling(&bits) }
        bits.skip(2)
        if bits.flag() {
            bits.skip(8)
            bits.skipNumbers(2)
            bits.skip(1)
        }
        guard skipReferences(&bits) else { return nil }
        if bits.flag() { bits.skip(min(32, bits.number()) * (orderBits + 1)) }
        bits.skip(2)
        return bits.flag() ? colors(&bits) : nil
    }

    private static func colors(_ bits: inout HEVCBits) -> HEVCColors? {
        // The pixel aspect ratio, if it is not a standard one.
        if bits.flag(), bits.number(8) == 255 { bits.skip(32) }
        if bits.flag() { bits.skip(1) }
        guard bits.flag() else { return nil }
        bits.skip(4)
        guard bits.flag() else { return nil }
        let colors = HEVCColors(primaries: bits.number(8), transfer: bits.number(8))
        return bits.isOver ? nil : colors
    }

    private static func skipProfile(_ bits: inout HEVCBits, _ layers: Int) {
        bits.skip(96)
        let stated = (0..<layers).map { _ in (profile: bits.flag(), level: bits.flag()) }
        if layers > 0 { bits.skip(2 * (8 - layers)) }
        for layer in stated { bits.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0)) }
    }

    private static func skipScaling(_ bits: inout HEVCBits) {
        for size in 0..<4 {
            for _ in 0..<(size == 3 ? 2 : 6) {
                let isOwn = bits.flag()
                bits.skipNumbers(isOwn ? min(64, 16 << (2 * size)) + (size > 1 ? 1 : 0) : 1)
            }
        }
    }

    /// Whether that was possible: a still picture has no predicted sets.
    private static func skipReferences(_ bits: inout HEVCBits) -> Bool {
        let sets = bits.number()
        guard sets <= 64 else { return false }
        for index in 0..<sets {
            if index > 0, bits.flag() { return false }
            let pictures = bits.number() + bits.number()
            guard pictures <= 32 else { return false }
            for _ in 0..<pictures {
                bits.skipNumbers(1)
                bits.skip(1)
            }
        }
        return true
    }
}

/// The bits of a HEVC unit, without the bytes that prevent start codes (ITU-T H.265, 7.3.1.1).
///
/// After the end they are 0, and `isOver` is set.
private struct HEVCBits {
    private let bytes: [UInt8]
    private var place = 0
    /// Whether more was read than there is, or a number that is too large.
    private(set) var isOver = false

    init(_ unit: UnsafeRawBufferPointer) {
        var (bytes, zeros) = ([UInt8](), 0)
        for byte in unit {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            bytes.append(byte)
        }
        self.bytes = bytes
    }

    mutating func flag() -> Bool {
        guard place < 8 * bytes.count else {
            isOver = true
            return false
        }
        defer { place += 1 }
        return bytes[place / 8] >> UInt8(7 - place % 8) & 1 == 1
    }

    /// A number of `count` bits, at most 32.
    mutating func number(_ count: Int) -> Int {
        (0..<count).reduce(0) { number, _ in number << 1 | (flag() ? 1 : 0) }
    }

    /// A number with as many bits as zeros precede it (ITU-T H.265, 9.2).
    mutating func number() -> Int {
        var zeros = 0
        while zeros < 32, !isOver, !flag() { zeros += 1 }
        guard zeros < 32 else {
            isOver = true
            return 0
        }
        return (1 << zeros) - 1 + number(zeros)
    }

    mutating func skip(_ count: Int) { place += count }

    mutating func skipNumbers(_ count: Int) { for _ in 0..<count { _ = number() } }
}
