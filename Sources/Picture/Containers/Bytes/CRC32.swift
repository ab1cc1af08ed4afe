/// The checksum of PNG chunks (ISO 3309, PNG specification annex D).
package enum CRC32 {
    /// The checksum of `bytes`, eight of them at a time.
    package static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        tables.withUnsafeBufferPointer { tables in
            var crc: UInt32 = ~0
            let whole = bytes.count & ~7
            for start in stride(from: 0, to: whole, by: 8) {
                let eight = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
                let mixed = UInt64(littleEndian: eight) ^ UInt64(crc)
                crc = 0
                for place in 0..<8 {
                    let byte = Int(truncatingIfNeeded: mixed >> (8 * place)) & 0xFF
                    crc ^= tables[(7 - place) << 8 | byte]
                }
            }
            return ~bytes[whole...].reduce(crc) { crc, byte in
                tables[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ (crc >> 8)
            }
        }
    }

    /// Eight tables of 256: the effect of a byte on the checksum, and the same with up to seven zeros behind it.
    private static let tables: [UInt32] = {
        var tables: [UInt32] = (0..<256).map { index in
            var value = UInt32(index)
            for _ in 0..<8 {
                value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
            }
            return value
        }
        for index in 256..<2048 {
            let before = tables[index - 256]
            tables.append(tables[Int(before & 0xFF)] ^ (before >> 8))
        }
        return tables
    }()
}
