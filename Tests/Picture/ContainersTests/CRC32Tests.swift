import StickerContainers
import Testing

struct CRC32Tests {
    private func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { CRC32.checksum($0) }
    }

    @Test func checkValueIsThatOfTheStandard() {
        #expect(checksum(Array("123456789".utf8)) == 0xCBF4_3926)
    }

    /// Bit by bit, as the standard defines it.
    @Test func eightBytesAtATimeGiveTheSame() {
        let bytes = (0..<100).map { UInt8(truncatingIfNeeded: $0 * $0 * 31 + 7) }

        for count in 0...100 {
            let plain = bytes.suffix(count).reduce(~0 as UInt32) { crc, byte in
                (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in
                    value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
                }
            }
            #expect(checksum(Array(bytes.suffix(count))) == ~plain)
        }
    }
}
