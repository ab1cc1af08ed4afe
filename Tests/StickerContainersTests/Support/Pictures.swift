import StickerModel
import StickerRaster
import StickerTestSupport

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
