import Glibc
import StickerTestSupport

/// A file that is refused, and why.
struct BadFile: Sendable {
    var path: String
    var reason: String
    /// Whether a number broke a limit.
    var isMeasured = false
    /// Whether its name is that of a picture and it is a file: another version may be better.
    var isPicture = true
    var make: @Sendable (Workshop) throws -> Void

    init(
        _ path: String, _ reason: String, isMeasured: Bool = false,
        bytes: @escaping @Sendable () throws -> [UInt8]
    ) {
        (self.path, self.reason, self.isMeasured) = (path, reason, isMeasured)
        make = { try $0.put(bytes(), path) }
        isPicture = path.hasSuffix(".png")
    }

    init(_ path: String, _ reason: String, special: @escaping @Sendable (String) -> Int32) {
        (self.path, self.reason, isPicture) = (path, reason, false)
        make = { workshop in
            try workshop.folder.makeFolder("drop/cats")
            try check(special("\(workshop.drop)/\(path)"), "special file \(path)")
        }
    }

    static let all = [
        BadFile("cats/empty.png", "empty-file", isMeasured: true) { [] },
        BadFile("cats/truncated.png", "truncated") { Array(try Art.png(2).dropLast(16)) },
        BadFile("cats/headless.png", "unsupported-format") { Array(try Art.png(2).dropFirst(4)) },
        BadFile("cats/corrupt.png", "corrupt") { try Art.noise(side: 20).flipped(at: 200) },
        BadFile("cats/text.png", "unsupported-format") { Array("<html/>".utf8) },
        BadFile("cats/old.psd", "unsupported-format") { Array("8BPS".utf8) },
        BadFile("cats/photo.JXL", "misnamed") { try Art.png(2) },
        BadFile("cats/wide.png", "bad-dimensions", isMeasured: true) {
            try Art.png(2).withSize(1001, 2)
        },
        BadFile("cats/large.png", "too-many-pixels", isMeasured: true) {
            try Art.png(2).withSize(501, 500)
        },
        BadFile("cats/nothing.png", "bad-dimensions") { try Art.png(2).withSize(0, 16) },
        BadFile("cats/heavy.png", "too-many-bytes", isMeasured: true) { try Art.noise(side: 150) },
        BadFile("tight/noise.png", "will-not-fit", isMeasured: true) { try Art.noise(side: 100) },
        BadFile("cats/pipe.png", "not-regular-file") { mkfifo($0, 0o644) },
        BadFile("cats/link.png", "not-regular-file") { symlink("/etc/passwd", $0) },
        BadFile("cats/dangling.png", "not-regular-file") { symlink("nowhere", $0) },
    ]
}

extension [UInt8] {
    fileprivate func flipped(at index: Int) -> [UInt8] {
        var bytes = self
        bytes[index] ^= 0xFF
        return bytes
    }

    /// A PNG whose header says another size; its checksum is right.
    fileprivate func withSize(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        var bytes = self
        bytes.replaceSubrange(16..<24, with: width.bigEndianBytes + height.bigEndianBytes)
        bytes.replaceSubrange(29..<33, with: Self.checksum(bytes[12..<29]).bigEndianBytes)
        return bytes
    }

    /// CRC-32 as PNG uses it (ISO 3309).
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = sum & 1 == 1
                sum >>= 1
                if isOdd { sum ^= 0xEDB8_8320 }
            }
        }
        return ~sum
    }
}

extension UInt32 {
    fileprivate var bigEndianBytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}
