import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerPipeline

struct StillOutlookTests {
    /// A photo and its estimated lossless size, which the limits of the tests are multiples of.
    private let estimate = LosslessEstimate(.photo(.sticker))

    private func bytes(_ form: LosslessForm) -> Double { Double(estimate.bytes(form.steps)) }

    private func outlook(_ limit: Double, worth: ScoreWorth = .best) -> StillOutlook {
        StillOutlook(
            bytesMax: Int(limit * bytes(.fast)), worth: worth, estimate)
    }

    @Test func whatIsSureToFitIsTriedExactly() {
        #expect(outlook(2).next(over: nil) == .fast)
    }

    @Test func whatCannotFitIsLeftToLossyFiles() {
        #expect(outlook(0.2).next(over: nil) == nil && outlook(0.2).next(over: 85) == nil)
    }

    @Test func formsThatScoreLowerAreTriedOnlyIfTheLossyFileIsWorse() {
        let limit = 0.8 * (0.89 * bytes(.near40) / bytes(.fast)).squareRoot()

        #expect(outlook(limit).next(over: 98) == nil)
        #expect(outlook(limit).next(over: 80) != nil)
    }

    /// No lossy file fits, so there is nothing to lose.
    @Test func anyChanceIsTakenIfThereIsNothingElse() {
        let (exact, coarsest) = (bytes(.fast), bytes(.near40))
        let outlook = outlook(0.85 * 0.66 * (0.89 * exact * coarsest).squareRoot() / exact)

        #expect(outlook.next(over: 90) == nil)
        #expect(outlook.next(over: 0) != nil)
    }

    @Test func afterAMissOnlySmallerFormsCount() {
        var outlook = outlook(0.85)
        outlook.noteMiss(.fast, bytes: Int(bytes(.fast)))
        outlook.noteMiss(.near80, bytes: Int(bytes(.fast) * 0.9))

        let next = outlook.next(over: nil)

        #expect(next == .near70)
    }

    @Test func levelThreeIsPrecededByLevelOne() {
        // Level 1 is a little too large in all likelihood, level 3 fits.
        #expect(outlook(0.8).next(over: nil) == .fast)
    }

    @Test func roomThatIsLeftIsUsed() {
        var outlook = outlook(1)
        outlook.noteFound(.near60, bytes: Int(bytes(.fast) / 2), level: 3)

        let next = outlook.next(over: LosslessForm.near60.score.mean)

        #expect(next != nil && next! < .near60)
    }

    /// Each miss moves what is expected of all coarser forms, not of the next one alone.
    @Test func missesSayHowFarToGo() {
        let (exact, step4) = (bytes(.fast), bytes(.near60))
        let limit = 0.68 * (0.89 * exact * step4).squareRoot() / exact
        var (near, far) = (outlook(limit), outlook(limit))

        near.noteMiss(.near80, bytes: Int(limit * exact * 1.1))
        far.noteMiss(.near80, bytes: Int(limit * exact * 1.4))

        #expect(near.next(over: nil) == .near70)
        #expect(far.next(over: nil) == nil)
        #expect(far.next(over: 0) != nil)
    }

    @Test func paletteThatMissesGetsAsManyColorsAsFit() {
        let outlook = outlook(100_000 / bytes(.fast))

        let (little, much) = (
            outlook.shareOfPalette(bytes: 102_000), outlook.shareOfPalette(bytes: 140_000)
        )

        #expect((0.6..<0.95).contains(little) && (0.1..<0.4).contains(much))
        #expect(UsualScore.palette(of: 92, share: 0.5).mean < 90)
    }

    @Test func paletteOfSmallPicturesIsLikelyToFit() {
        #expect(outlook(1).chanceOfPalette > 0.9 && outlook(0.2).chanceOfPalette < 0.1)
    }

    @Test func nothingIsBetterThanExact() {
        var outlook = outlook(2)
        outlook.noteFound(.fast, bytes: Int(bytes(.fast)), level: 1)

        #expect(outlook.next(over: 100) == nil)
    }

    @Test func gainIsThatOfTheBetterOne() {
        let usual = UsualScore(mean: 90, spread: 2)

        #expect(abs(ScoreWorth.best.gain(of: usual, over: 80) - 10) < 0.01)
        #expect(ScoreWorth.best.gain(of: usual, over: 100) < 0.01)
        // Half of them are better, by 0.8 spreads on average.
        #expect(abs(ScoreWorth.best.gain(of: usual, over: 90) - 0.798) < 0.01)
    }

    @Test func balancedIsContentWithNinetyUnlessNothingIsLost() {
        let (near, exact) = (LosslessForm.near80.score, LosslessForm.thorough.score)
        let (best, balanced) = (ScoreWorth.best, ScoreWorth.balanced)

        #expect(balanced.gain(of: near, over: 90) == 0 && best.gain(of: near, over: 90) > 6)
        // A file whose score is not known yet may be worse.
        #expect(StillOutlook.lossyScoreMin(quality: 100) < balanced.enough)
        for score in [60.0, 89.9] {
            #expect(balanced.gain(of: near, over: score) == best.gain(of: near, over: score))
        }
        for score in [60.0, 93, 98] {
            #expect(balanced.gain(of: exact, over: score) == best.gain(of: exact, over: score))
        }
    }

    /// Above a lossy file that hardly differs from the picture, rounded ones are worth their time only if every point
    /// counts.
    @Test func balancedLeavesNearLosslessFilesToBest() {
        func next(_ worth: ScoreWorth) -> LosslessForm? {
            var outlook = outlook(0.7, worth: worth)
            outlook.noteMiss(.near90, bytes: Int(0.7 * 1.1 * bytes(.fast)))
            return outlook.next(over: 94)
        }

        #expect(next(.best) == .near70)
        #expect(next(.balanced) == nil)
    }

    @Test func levelIsTheFirstThatIsLikelyToFit() {
        #expect(outlook(3).level(of: .near60) == 1)
        #expect(outlook(0.2).level(of: .near60) == 3)
        #expect(outlook(1).level(of: .fast) == 1 && outlook(1).level(of: .thorough) == 2)
        let (outlook, bytesMax) = (outlook(1), bytes(.fast))
        #expect(outlook.level(after: 2, of: .thorough, bytes: Int(bytesMax * 1.03)) == 3)
        #expect(outlook.level(after: 2, of: .thorough, bytes: Int(bytesMax * 1.2)) == nil)
        #expect(outlook.level(after: 3, of: .near60, bytes: Int(bytesMax * 1.01)) == nil)
    }
}
