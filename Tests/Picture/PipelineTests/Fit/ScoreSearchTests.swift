import StickerRaster
import Testing

@testable import StickerPipeline

struct ScoreSearchTests {
    /// Scores fall with the quantizer index, faster where quality is high.
    private func curve(_ top: Double, slope: Double) -> (Double) -> Double {
        { quality in
            let index = QuantizerIndex.of(quality: quality)
            return top - slope * index + 0.002 * slope * index * index
        }
    }

    @Test(arguments: [94.0, 96, 99], [0.3, 0.6, 0.9])
    func searchEndsJustAboveTheTarget(top: Double, slope: Double) throws {
        let score = curve(top, slope: slope)
        var probes = 0

        let lowest = try #require(
            ScoreSearch(target: 85, qualities: 0...100).lowest { quality in
                probes += 1
                return score(quality)
            })

        #expect(score(lowest) >= 85 && score(lowest) < 86.2)
        #expect(probes <= 7)
    }

    @Test func targetOutOfReachIsGivenUpAtFullQuality() {
        var highest = 0.0

        let lowest = ScoreSearch(target: 90, qualities: 20...100).lowest { quality in
            highest = max(highest, quality)
            return 80
        }

        #expect(lowest == nil && highest == 100)
    }

    @Test func pictureThatIsAlwaysGoodEnoughGetsTheLowestQuality() {
        #expect(ScoreSearch(target: 50, qualities: 20...100).lowest { _ in 99 } == 20)
    }

    @Test func searchEndsWhereGoingOnIsPointless() {
        var probes = 0

        let lowest: Double? = ScoreSearch(target: 90, qualities: 20...100).lowest { _ in
            probes += 1
            return nil
        }

        #expect(lowest == nil && probes == 1)
    }
}
