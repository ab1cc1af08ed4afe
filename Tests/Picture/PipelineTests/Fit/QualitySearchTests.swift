import Glibc
import StickerRaster
import Testing

@testable import StickerPipeline

struct QualitySearchTests {
    /// A size curve like libwebp's: straight in log(size) over the quantizer index.
    private func curve(_ top: Double, slope: Double = -0.06) -> (Double) -> Int {
        { Int(top * exp(slope * QuantizerIndex.of(quality: $0))) }
    }

    @Test func pictureThatFitsAtFullQualityCostsOneEncode() {
        var encodes = 0

        let best = QualitySearch(target: 99_000, qualities: 20...100).best { quality in
            encodes += 1
            return curve(90_000)(quality)
        }

        #expect(best == 100 && encodes == 1)
    }

    @Test(arguments: [120_000.0, 150_000, 300_000, 700_000], [-0.035, -0.06, -0.085])
    func searchEndsJustUnderTheTarget(top: Double, slope: Double) throws {
        var encodes = 0
        let size = curve(top, slope: slope)
        try #require(size(20) < 99_000)

        let best = try #require(
            QualitySearch(target: 99_000, qualities: 20...100).best { quality in
                encodes += 1
                return size(quality)
            })

        #expect(size(best) <= 99_000 && Double(size(best)) >= 0.94 * 99_000)
        #expect(encodes <= 7)
    }

    @Test func twoFilesThatAreTooLargeTellTheCourse() throws {
        var encodes = 0
        // Falls at less than half the pace that is expected.
        let size = curve(150_000, slope: -0.02)

        let best = try #require(
            QualitySearch(target: 99_000, qualities: 20...100).best { quality in
                encodes += 1
                return size(quality)
            })

        #expect((94_000...99_000).contains(size(best)) && encodes == 3)
    }

    @Test func pictureThatFitsAtTheFloorOnlyIsFound() {
        let best = QualitySearch(target: 99_000, qualities: 20...100).best {
            $0 <= 20 ? 98_000 : 200_000
        }

        #expect(best == 20)
    }

    @Test func pictureThatNeverFitsIsGivenUp() {
        var lowest = 100.0

        let best = QualitySearch(target: 99_000, qualities: 20...100).best { quality in
            lowest = min(lowest, quality)
            return 200_000
        }

        #expect(best == nil && lowest == 20)
    }

    @Test(arguments: Array(stride(from: 0.0, through: 100, by: 2.5)))
    func quantizerIndexAndQualityAreInverse(quality: Double) {
        let back = QuantizerIndex.quality(of: QuantizerIndex.of(quality: quality))

        #expect(abs(back - quality) < 1e-6)
    }
}
