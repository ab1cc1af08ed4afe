import StickerContainers
import Testing

struct CRC32Tests {
    @Test func checkValueIsThatOfTheStandard() {
        let digits = Array("123456789".utf8)

        #expect(CRC32.checksum(digits) == 0xCBF4_3926)
        #expect(digits.withUnsafeBytes { CRC32.checksum($0) } == 0xCBF4_3926)
    }

    @Test func eightBytesAtATimeGiveTheSame() {
        let bytes = (0..<100).map { UInt8(truncatingIfNeeded: $0 * $0 * 31 + 7) }

        for count in 0...100 {
            let (start, end) = (100 - count, 100)
            bytes.withUnsafeBytes { all in
                let part = UnsafeRawBufferPointer(rebasing: all[start..<end])
                #expect(CRC32.checksum(part) == CRC32.checksum(bytes[start..<end]))
            }
        }
    }
}
