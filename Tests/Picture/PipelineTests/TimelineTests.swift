import StickerValues
import Testing

@testable import StickerPipeline

/// The order and the times of an animation's frames.
struct TimelineTests {
    /// Frames 0, 1, 2 and so on that are shown for these milliseconds.
    private func timeline(_ milliseconds: Int...) -> Timeline { timeline(milliseconds) }

    private func timeline(_ milliseconds: [Int]) -> Timeline {
        Timeline(
            frames: milliseconds.enumerated().map {
                Timeline.Frame(source: $0.offset, milliseconds: $0.element)
            })
    }

    // MARK: Rotated

    @Test func loopBeginsAtTheFrameThatIsAskedFor() {
        let rotated = timeline(10, 20, 30, 40).rotated(toBeginAt: 2)

        #expect(rotated.sources == [2, 3, 0, 1])
        #expect(rotated.milliseconds == [30, 40, 10, 20])
    }

    @Test func loopThatBeginsAtItsFirstFrameIsAsItWas() {
        let before = timeline(10, 20)

        #expect(before.rotated(toBeginAt: 0) == before)
    }

    // MARK: Scaled

    @Test func everyFrameIsScaledInProportion() {
        let scaled = timeline(6000, 3000, 3000).scaled(toLast: 10_000)

        #expect(scaled.milliseconds == [5000, 2500, 2500])
        #expect(scaled.sources == [0, 1, 2])
    }

    @Test(arguments: [(7, 1714), (97, 113), (331, 37), (12_345, 1)])
    func scaledTotalIsExactHoweverItsFramesAreRounded(milliseconds: Int, count: Int) {
        let frame = Timeline.Frame(source: 0, milliseconds: milliseconds)
        let before = Timeline(frames: Array(repeating: frame, count: count))

        let scaled = before.scaled(toLast: 10_000)

        #expect(scaled.totalMilliseconds == 10_000)
        #expect(scaled.frames.count == count)
    }

    /// Were each frame rounded by itself, a long animation would lag further and further behind.
    @Test func roundingNeverMovesAFrameByAMillisecond() {
        let before = Timeline(
            frames: (0..<1000).map { Timeline.Frame(source: $0, milliseconds: 11 + $0 % 3) })

        let scaled = before.scaled(toLast: 10_000)

        var (was, elapsed, isInPlace) = (0, 0, true)
        for (old, new) in zip(before.frames, scaled.frames) {
            was += old.milliseconds
            elapsed += new.milliseconds
            let ideal = Double(was) * 10_000 / Double(before.totalMilliseconds)
            isInPlace = isInPlace && abs(Double(elapsed) - ideal) < 1
        }
        #expect(isInPlace)
    }

    // MARK: Trimmed

    @Test func frameThatCrossesTheEndIsShortened() {
        let trimmed = timeline(400, 400, 400, 400).trimmed(toLast: 1000)

        #expect(trimmed.milliseconds == [400, 400, 200])
    }

    @Test func nothingIsShownAfterAnEndBetweenTwoFrames() {
        let trimmed = timeline(500, 500, 500).trimmed(toLast: 1000)

        #expect(trimmed.milliseconds == [500, 500])
    }

    @Test func remainderThatIsTooShortIsMergedAndTheTotalStays() {
        let trimmed = timeline(500, 495, 500).trimmed(toLast: 1000).merged(least: 8)

        #expect(trimmed.milliseconds == [500, 500])
        #expect(trimmed.sources == [0, 1])
    }

    @Test func whatIsShorterThanTheTrimIsLeftWhole() {
        #expect(timeline(400, 300).trimmed(toLast: 1000) == timeline(400, 300))
    }

    // MARK: Keeping

    @Test func droppedFrameGivesItsTimeToTheOneBefore() {
        let kept = timeline(10, 20, 30, 40, 50).keeping(every: 2)

        #expect(kept.sources == [0, 2, 4])
        #expect(kept.milliseconds == [30, 70, 50])
    }

    @Test(arguments: 1...6)
    func playingTimeStaysWhicheverFramesAreKept(step: Int) {
        let before = timeline(10, 20, 30, 40, 50)

        let kept = before.keeping(every: step)

        #expect(kept.totalMilliseconds == before.totalMilliseconds)
        #expect(kept.frames.count == (5 + step - 1) / step)
    }

    // MARK: Merged

    @Test func framesThatAreTooShortAreMergedWithTheNextUntilTheyLast() {
        let merged = timeline(3, 3, 3, 100).merged(least: 8)

        #expect(merged.milliseconds == [9, 100])
        // The picture at the end of what was merged is the one that the next frame follows.
        #expect(merged.sources == [2, 3])
    }

    @Test func shortLastFrameIsGivenToTheOneBefore() {
        let merged = timeline(100, 100, 7).merged(least: 8)

        #expect(merged.milliseconds == [100, 107])
        #expect(merged.sources == [0, 1])
    }

    @Test func frameOfJustTheShortestTimeIsKept() {
        #expect(timeline(8, 8, 8).merged(least: 8) == timeline(8, 8, 8))
    }

    @Test func loneFrameIsNeverMergedAway() {
        #expect(timeline(1).merged(least: 8) == timeline(1))
    }

    @Test(arguments: [[1, 1, 1, 1], [7, 9, 7, 9, 7], [0, 0, 0], [2, 5, 100, 3]])
    func mergingKeepsThePlayingTimeAndLeavesNoShortFrame(milliseconds: [Int]) {
        let before = Timeline(
            frames: milliseconds.map { Timeline.Frame(source: 0, milliseconds: $0) })

        let merged = before.merged(least: 8)

        #expect(merged.totalMilliseconds == before.totalMilliseconds)
        #expect(
            merged.frames.count == 1
                || merged.milliseconds.allSatisfy { $0 >= 8 })
    }

    // MARK: Limited

    @Test(arguments: TooLong.allCases)
    func tenSecondsAreNotTooLong(rule: TooLong) throws {
        let (limited, warnings) = try timeline(5000, 4998, 2).limited(rule)

        #expect(limited.milliseconds == [5000, 5000])
        #expect(warnings == [])
    }

    @Test func animationOfUpToFifteenSecondsIsPlayedFaster() throws {
        let (limited, warnings) = try timeline(7500, 7500).limited(.faster)

        #expect(limited.milliseconds == [5000, 5000])
        #expect(warnings == [Warning("played-faster", "15 s are played in 10 s")])
    }

    /// Frames of 10 ms are long enough until they are played faster.
    @Test func framesThatGetTooShortByPlayingFasterAreMerged() throws {
        let before = Timeline(
            frames: (0..<1500).map { Timeline.Frame(source: $0, milliseconds: 10) })

        let (limited, _) = try before.limited(.faster)

        #expect(limited.totalMilliseconds == 10_000)
        #expect(limited.milliseconds.allSatisfy { $0 >= 8 })
    }

    @Test func muchTooLongIsNotPlayedFaster() {
        let refusal = #expect(throws: Refusal.self) {
            try timeline([Int](repeating: 100, count: 151)).limited(.faster)
        }

        #expect(refusal?.reason == .tooLong)
        #expect(refusal?.measured == "15.1 s")
        #expect(refusal?.limit == "10 s, or 15 s played faster (sticker.tooLong)")
    }

    // MARK: Holds

    @Test(arguments: [0, 2, 4])
    func longHoldIsShortenedWhereverItIs(place: Int) throws {
        var milliseconds = [500, 500, 500, 500]
        milliseconds.insert(20_000, at: place)

        let (limited, warnings) = try timeline(milliseconds).limited(.faster)

        milliseconds[place] = 8000
        #expect(limited.milliseconds == milliseconds)
        #expect(
            warnings == [
                Warning("holds-shortened", "1 long hold was shortened, so that 22 s became 10 s")
            ])
    }

    @Test func longestHoldsAreShortenedFirst() throws {
        let (limited, warnings) = try timeline(9000, 1500, 7000, 500).limited(.faster)

        #expect(limited.milliseconds == [4000, 1500, 4000, 500])
        #expect(warnings.map(\.detail) == ["2 long holds were shortened, so that 18 s became 10 s"])
    }

    @Test func noHoldBecomesShorterThanASecond() throws {
        let before = timeline([Int](repeating: 1600, count: 12) + [500])

        let (limited, warnings) = try before.limited(.faster)

        // 12.5 s are left, which are played faster.
        #expect(limited.totalMilliseconds == 10_000)
        #expect(limited.milliseconds.dropLast().allSatisfy { $0 == 800 })
        #expect(warnings.map(\.code) == ["holds-shortened", "played-faster"])
    }

    @Test func whatIsTooLongWithShortHoldsIsRefused() {
        let refusal = #expect(throws: Refusal.self) {
            try timeline([Int](repeating: 1500, count: 16)).limited(.faster)
        }

        #expect(refusal?.measured == "24 s, 16 s with no frame shown longer than 1 s")
    }

    @Test(arguments: [
        [3001, 3001, 3001, 9000], [10_001, 1, 1, 5000], [1, 99_999], [4000, 4000, 4000, 4000],
    ])
    func shortenedHoldsEndWithinAFrameOfTheLimit(milliseconds: [Int]) {
        let held = timeline(milliseconds).shorteningHolds(toLast: 10_000)

        #expect(10_000 - milliseconds.count < held.totalMilliseconds)
        #expect(held.totalMilliseconds <= 10_000)
    }

    /// Ten seconds of motion and a hold of 20 s, which is shown for a second in the end, although all is played faster.
    @Test func holdIsASecondAlsoWhenTheRestIsPlayedFaster() throws {
        let (limited, warnings) = try timeline([Int](repeating: 100, count: 90) + [20_000, 1000])
            .limited(.faster)

        #expect(limited.totalMilliseconds == 10_000)
        #expect((1000...1001).contains(limited.milliseconds[90]))
        #expect(
            warnings.map(\.detail) == [
                "1 long hold was shortened, so that 30 s became 11.11 s",
                "11.11 s are played in 10 s",
            ])
    }

    @Test func whatWouldBeRefusedHasItsHoldsShortenedFirst() throws {
        let (limited, warnings) = try timeline(2000, 20_000).limited(.refuse)

        #expect(limited.milliseconds == [2000, 8000])
        #expect(warnings.map(\.code) == ["holds-shortened"])
    }

    /// Nothing is played faster under that rule.
    @Test func whatIsTooLongWithShortHoldsIsLeftToSomebody() {
        let refusal = #expect(throws: Refusal.self) {
            try timeline([Int](repeating: 1200, count: 11)).limited(.refuse)
        }

        #expect(refusal?.measured == "13.2 s, 11 s with no frame shown longer than 1 s")
    }

    @Test(arguments: [TooLong.trim, .fasterOrTrim])
    func holdsStayWhereNothingIsRefused(rule: TooLong) throws {
        let limited = try timeline(2000, 20_000).limited(rule)

        #expect(!limited.warnings.contains { $0.code == "holds-shortened" })
    }

    @Test func onlyTheBeginningOfATrimmedAnimationIsKept() throws {
        let (limited, warnings) = try timeline(6000, 6000, 6000).limited(.trim)

        #expect(limited.milliseconds == [6000, 4000])
        #expect(warnings == [Warning("trimmed", "only the first 10 s of 18 s are kept")])
    }

    @Test func whatPlaysTooLongIsHeldForSomebodyToDecide() {
        let refusal = #expect(throws: Refusal.self) {
            try timeline([Int](repeating: 100, count: 101)).limited(.refuse)
        }

        #expect(refusal?.reason == .tooLong)
        #expect(refusal?.limit == "10 s (sticker.tooLong is refuse)")
        #expect(refusal?.remedy.contains("tooLong") == true)
    }
}

extension Timeline {
    /// Within WhatsApp's rules, with `tooLong` for what plays for more than 10 s.
    fileprivate func limited(
        _ tooLong: TooLong
    ) throws(Refusal) -> (timeline: Timeline, warnings: [Warning]) {
        var settings = StickerSettings()
        settings.tooLong = tooLong
        let target = Recipe(settings: settings).targets[0]
        return try limited(by: target.moving ?? MovingRules(), of: target)
    }

    fileprivate var sources: [Int] { frames.map(\.source) }
    fileprivate var milliseconds: [Int] { frames.map(\.milliseconds) }
}
