import StickerRaster
import StickerTestSupport
import StickerValues

extension PixelBuffer {
    /// A smooth picture with many colours; `alpha` for all of it.
    static func gradient(_ width: Int, _ height: Int, alpha: UInt8 = 255) -> PixelBuffer {
        drawn(PixelSize(width: width, height: height)) { x, y in
            SIMD4(UInt8(x * 255 / width), UInt8(y * 255 / height), UInt8((x + y) & 0xFF), alpha)
        }
    }
}

/// The markers of a JPEG file around data that means nothing.
struct JPEGSkeleton {
    var marker: UInt8 = 0xC0
    var width: UInt8 = 20
    var height: UInt8 = 30
    var scans = 1

    var bytes: [UInt8] {
        let frame: [UInt8] = [8, 0, height, 0, width, 1, 1, 0x11, 0]
        let scan = Self.segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1, 0xFF, 0, 2, 0xFF, 0xD0, 3]
        let body = Self.segment(marker, frame) + Array(repeating: scan, count: scans).joined()
        return [0xFF, 0xD8] + body + [0xFF, 0xD9]
    }

    private static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
        [0xFF, marker, 0, UInt8(data.count + 2)] + data
    }
}

/// Calls `body` with every beginning of `file` and with copies that have one byte changed.
func forEachDamage(of file: [UInt8], _ body: (_ damaged: [UInt8]) -> Void) {
    for length in 0..<file.count { body(Array(file[..<length])) }
    for offset in file.indices {
        var damaged = file
        damaged[offset] ^= 0x55
        body(damaged)
    }
}

/// Calls `body` with copies of `file` in which runs of bytes were changed, taken out, repeated or filled with the values
/// that break arithmetic, the same ones in every run.
func forEachRuin(of file: [UInt8], count: Int = 2000, _ body: (_ ruined: [UInt8]) -> Void) {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func random(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % max(1, bound)
    }
    for _ in 0..<count {
        var ruined = file
        for _ in 0...random(4) where !ruined.isEmpty {
            let start = random(ruined.count)
            let range = start..<min(ruined.count, start + 1 + random(8))
            switch random(5) {
            case 0: ruined.removeSubrange(range)
            case 1: ruined.insert(contentsOf: Array(ruined[range]), at: start)
            case 2: for index in range { ruined[index] = UInt8(random(256)) }
            case 3: for index in range { ruined[index] = random(2) == 0 ? 0xFF : 0x7F }
            default: for index in range { ruined[index] = 0 }
            }
        }
        body(ruined)
    }
}
