/// The beginning of a deflated stream (RFC 1951), inflated without a library, as the daemon reads it, too.
struct Inflation {
    /// Codes of one alphabet, shortest first, and in the order of their symbols within a length.
    private struct Codes {
        /// How many codes have each length.
        var counts = [Int](repeating: 0, count: 16)
        var symbols: [Int] = []

        init(_ lengths: [Int]) {
            for length in lengths where length > 0 { counts[length] += 1 }
            symbols = (1...15).flatMap { length in lengths.indices.filter { lengths[$0] == length }
            }
        }
    }

    private let bytes: UnsafeRawBufferPointer
    private let bytesMax: Int
    /// The next bit.
    private var place: Int
    private var output: [UInt8] = []

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int, bytesMax: Int) {
        (self.bytes, self.bytesMax, place) = (bytes, bytesMax, offset * 8)
    }

    /// The first bytes of a zlib stream's content (RFC 1950); fewer if it is damaged or ends earlier.
    static func zlib(_ stream: UnsafeRawBufferPointer, bytesMax: Int) -> [UInt8] {
        guard let first = stream.byte(at: 0), first & 0x0F == 8 else { return [] }
        var inflation = Inflation(stream, at: 2, bytesMax: bytesMax)
        return Array(inflation.run().prefix(bytesMax))
    }

    /// The inflated bytes.
    mutating func run() -> [UInt8] {
        while output.count < bytesMax, let isLast = bits(1), let kind = bits(2) {
            let isWhole =
                switch kind {
                case 0: copyStored()
                case 1: inflate(Self.fixedLiterals, Self.fixedDistances)
                case 2: inflateDynamic()
                default: false
                }
            if isLast == 1 || !isWhole { break }
        }
        return output
    }

    private mutating func bits(_ count: Int) -> Int? {
        guard place + count <= bytes.count * 8 else { return nil }
        var value = 0
        for bit in 0..<count {
            value |= Int(bytes[place >> 3] >> UInt8(place & 7) & 1) << bit
            place += 1
        }
        return value
    }

    private mutating func symbol(_ codes: Codes) -> Int? {
        var (code, first, index) = (0, 0, 0)
        for length in 1...15 {
            guard let bit = bits(1) else { return nil }
            code |= bit
            let count = codes.counts[length]
            if code - count < first {
                let place = index + code - first
                return codes.symbols.indices.contains(place) ? codes.symbols[place] : nil
            }
            index += count
            (first, code) = ((first + count) << 1, code << 1)
        }
        return nil
    }

    private mutating func copyStored() -> Bool {
        place = (place + 7) & ~7
        guard let count = bits(16), let check = bits(16), count ^ check == 0xFFFF else {
            return false
        }
        let start = place >> 3
        output += bytes[start..<min(start + count, bytes.count)].prefix(bytesMax - output.count)
        place += count * 8
        return true
    }

    private mutating func inflate(_ literals: Codes, _ distances: Codes) -> Bool {
        while output.count < bytesMax {
            guard let symbol = symbol(literals), symbol != 256 else { return true }
            guard symbol > 256 else {
                output.append(UInt8(symbol))
                continue
            }
            guard let length = value(symbol - 257, Self.lengths),
                let code = self.symbol(distances), let distance = value(code, Self.distances),
                distance <= output.count
            else { return false }
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
        return true
    }

    /// The smallest value of a symbol, plus its extra bits.
    private mutating func value(_ symbol: Int, _ table: [(base: Int, bits: Int)]) -> Int? {
        guard table.indices.contains(symbol), let more = bits(table[symbol].bits) else {
            return nil
        }
        return table[symbol].base + more
    }

    /// A block that begins with its codes, which are encoded themselves.
    private mutating func inflateDynamic() -> Bool {
        guard let literals = bits(5), let distances = bits(5), let count = bits(4) else {
            return false
        }
        var lengths = [Int](repeating: 0, count: 19)
        for place in Self.lengthOrder.prefix(count + 4) {
            guard let length = bits(3) else { return false }
            lengths[place] = length
        }
        let codes = Codes(lengths)
        let wanted = literals + 257 + distances + 1
        var found: [Int] = []
        while found.count < wanted {
            guard let symbol = symbol(codes) else { return false }
            switch symbol {
            case 16:
                guard let last = found.last, let more = bits(2) else { return false }
                found += [Int](repeating: last, count: 3 + more)
            case 17, 18:
                guard let more = bits(symbol == 17 ? 3 : 7) else { return false }
                found += [Int](repeating: 0, count: (symbol == 17 ? 3 : 11) + more)
            default: found.append(symbol)
            }
        }
        guard found.count == wanted else { return false }
        return inflate(
            Codes(Array(found[..<(literals + 257)])), Codes(Array(found[(literals + 257)...])))
    }

    // MARK: Tables

    private static let lengthOrder = [
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
    ]
    private static let fixedLiterals = Codes(
        (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    private static let fixedDistances = Codes([Int](repeating: 5, count: 30))
    private static let lengths =
        table(from: 3, bits: [0, 0, 0, 0] + (0...5).flatMap { [$0, $0, $0, $0] })
        + [(base: 258, bits: 0)]
    private static let distances = table(
        from: 1, bits: [0, 0] + (0...13).flatMap { [$0, $0] })

    private static func table(from base: Int, bits: [Int]) -> [(base: Int, bits: Int)] {
        var base = base
        return bits.map { bits in
            defer { base += 1 << bits }
            return (base, bits)
        }
    }
}
