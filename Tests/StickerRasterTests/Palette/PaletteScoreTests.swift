import Glibc
import StickerModel
import StickerTestSupport
import Testing

@testable import StickerRaster

func cpu() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

@Suite(.serialized) struct PaletteScoreTests {
    static let size = PixelSize(width: 512, height: 512)
    static var pictures: [(String, PixelBufferBox)] {
        [
            ("drawing", .init(drawing())), ("gradient", .init(.gradient(size))),
            ("photo", .init(.photo(size))), ("disc", .init(.disc(size))), ("soft", .init(soft())),
            ("noise", .init(.noise(size, opaque: false))),
        ]
    }
    final class PixelBufferBox {
        let p: PixelBuffer; init(_ p: consuming PixelBuffer) { self.p = p }
    }
    static func drawing() -> PixelBuffer {
        .drawn(size) { x, y in
            let (dx, dy) = (Double(x) - 256, Double(y) - 256)
            let d = hypot(dx, dy)
            let a = min(1, max(0, 240 - d + 0.5))
            let inner = min(1, max(0, hypot(dx + 60, dy + 40) - 50 + 0.5))
            let l = min(1, max(0, hypot(dx - 70, dy + 40) - 40 + 0.5)) * inner
            let shade = 1 - 0.2 * min(1, max(0, (dy + 30) / 200))
            let m = abs(dy - 90 - dx * dx / 400) < 8 && abs(dx) < 120 ? 0.0 : 1.0
            let c = SIMD3(250.0, 200, 60) * l * m * shade + SIMD3(40.0, 20, 10) * (1 - l * m)
            return a == 0 ? .zero : SIMD4(UInt8(c.x), UInt8(c.y), UInt8(c.z), UInt8(a * 255))
        }
    }
    static func soft() -> PixelBuffer {
        .drawn(size) { x, y in
            let d = hypot(Double(x) - 256, Double(y) - 256)
            let a = max(0, 1 - d / 250)
            return a * 255 < 1
                ? .zero
                : SIMD4(UInt8(128 + 127 * sin(Double(x) / 40)), UInt8(y / 2), 180, UInt8(a * 255))
        }
    }

    @Test func scores() {
        for (name, box) in Self.pictures {
            let reference = PerceptualReference(box.p)
            for count in [256, 64, 16] {
                var line = "\(name) \(count):"
                for strength in [0, 0.75, 0.85, 1] as [Float] {
                    let start = cpu()
                    let r = box.p.reduced(toColors: count, diffusing: strength)
                    let t = cpu() - start
                    line +=
                        " \(strength): \(Double(Int(reference.score(of: r) * 100)) / 100) (\(Int(t)) ms)"
                }
                print(line)
            }
        }
    }
}
