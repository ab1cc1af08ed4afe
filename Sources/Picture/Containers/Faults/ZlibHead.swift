/// The first few bytes of a zlib stream's content (RFC 1950, RFC 1951), to examine a compressed header.
///
/// It keeps only the requested bytes, and reads only as much as these need.
struct ZlibHead {
    private var bits: Bits
    private var output: [UInt8] = []
    private let countMax: Int

    /// Up to `count` bytes; fewer if the stream is damaged or ends earlier.
    static func bytes(_ count: Int, of stream: UnsafeRawBufferPointer) -> [UInt8] {
        guard let first = stream.byte(at: 0), first & 0x0F == 8 else { return [] }
        var head = ZlibHead(stream, count)
        while head.output.count < count, head.readBlock() {}
        return Array(head.output.prefix(count))
    }

    private init(_ stream: UnsafeRawBufferPointer, _ count: Int) {
        bits = Bits(bytes: stream, offset: 2)
        countMax = count
    }

    /// Whether another block may follow.
    private mutating func readBlock() -> Bool {
        guard let isLast = bits.take(1), let kind = bits.take(2) else { return false }
        let isWhole =
            switch kind {
            case 0: copyStored()
            case 1: unpack(Self.fixed.literals, Self.fixed.distances)
            case 2: readTables().map { unpack($0.literals, $0.distances) } ?? false
            default: false
            }
        return isWhole && isLast == 0
    }

    private mutating func copyStored() -> Bool {
        bits.skipToByte()
        guard let count = bits.take(16), bits.take(16) != nil else { return false }
        for _ in 0..<min(count, countMax - output.count) {
            guard let byte = bits.take(8) else { return false }
            output.append(UInt8(byte))
        }
        return output.count < countMax
    }

    private mutating func unpack(_ literals: Code, _ distances: Code) -> Bool {
        while output.count < countMax {
            guard let symbol = literals.symbol(&bits) else { return false }
            if symbol == 256 { return true }
            if symbol < 256 {
                output.append(UInt8(symbol))
            } else if !repeatBytes(symbol - 257, distances) {
                return false
            }
        }
        return false
    }

    private mutating func repeatBytes(_ symbol: Int, _ distances: Code) -> Bool {
        guard symbol < Self.lengths.count, let more = bits.take(Self.lengths[symbol].bits),
            let code = distances.symbol(&bits), code < Self.distances.count,
            let further = bits.take(Self.distances[code].bits)
        else { return false }
        let distance = Self.distances[code].base + further
        guard distance <= output.count else { return false }
        for _ in 0..<min(Self.lengths[symbol].base + more, countMax - output.count) {
            output.append(output[output.count - distance])
        }
        return true
    }

    private mutating func readTables() -> (literals: Code, distances: Code)? {
        guard let literals = bits.take(5), let distances = bits.take(5), let count = bits.take(4)
        else { return nil }
        var own = [Int](repeating: 0, count: 19)
        for place in Self.order.prefix(count + 4) {
            guard let length = bits.take(3) else { return nil }
            own[place] = length
        }
        let code = Code(own)
        var all: [Int] = []
        let total = literals + 257 + distances + 1
        while all.count < total {
            guard let symbol = code.symbol(&bits) else { return nil }
            guard symbol > 15 else {
                all.append(symbol)
                continue
            }
            let (width, base) = [(2, 3), (3, 3), (7, 11)][symbol - 16]
            guard let more = bits.take(width), symbol > 16 || !all.isEmpty else { return nil }
            let value = symbol == 16 ? all[all.count - 1] : 0
            all += [Int](repeating: value, count: base + more)
        }
        return (Code(Array(all[..<(literals + 257)])), Code(Array(all[(literals + 257)..<total])))
    }

    // MARK: Tables of RFC 1951, 3.2.5 to 3.2.7

    private static let order = [
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
    ]
    private static let lengths: [(base: Int, bits: Int)] = {
        var lengths = bases(from: 3, [8] + [Int](repeating: 4, count: 5))
        lengths.append((258, 0))
        return lengths
    }()
    private static let distances = bases(from: 1, [4] + [Int](repeating: 2, count: 13))
    private static let fixed: (literals: Code, distances: Code) = (
        Code((0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }),
        Code([Int](repeating: 5, count: 30))
    )

    /// `counts` is the number of codes with 0, 1, 2, … extra bits.
    private static func bases(from start: Int, _ counts: [Int]) -> [(base: Int, bits: Int)] {
        var base = start
        return counts.enumerated().flatMap { bits, count in
            (0..<count).map { _ in
                defer { base += 1 << bits }
                return (base, bits)
            }
        }
    }
}

/// Numbers of any width, the lowest bit first.
private struct Bits {
    let bytes: UnsafeRawBufferPointer
    var offset: Int
    private var used = 0

    init(bytes: UnsafeRawBufferPointer, offset: Int) {
        (self.bytes, self.offset) = (bytes, offset)
    }

    mutating func take(_ count: Int) -> Int? {
        var number = 0
        for place in 0..<count {
            guard let byte = bytes.byte(at: offset) else { return nil }
            number |= Int(byte >> UInt8(used) & 1) << place
            used += 1
            if used == 8 { (used, offset) = (0, offset + 1) }
        }
        return number
    }

    mutating func skipToByte() { if used > 0 { (used, offset) = (0, offset + 1) } }
}

/// A canonical Huffman code (RFC 1951, 3.2.2).
private struct Code {
    /// How many codes there are of each length.
    private var counts = [Int](repeating: 0, count: 16)
    private var symbols: [Int] = []

    init(_ lengths: [Int]) {
        for length in lengths where length > 0 { counts[length] += 1 }
        symbols = lengths.indices.filter { lengths[$0] > 0 }
            .sorted { (lengths[$0], $0) < (lengths[$1], $1) }
    }

    func symbol(_ bits: inout Bits) -> Int? {
        var (code, first, index) = (0, 0, 0)
        for length in 1..<16 {
            guard let bit = bits.take(1) else { return nil }
            code |= bit
            let count = counts[length]
            if code - first < count {
                let place = index + code - first
                return symbols.indices.contains(place) ? symbols[place] : nil
            }
            (index, first, code) = (index + count, (first + count) << 1, code << 1)
        }
        return nil
    }
}
