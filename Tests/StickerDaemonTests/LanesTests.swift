import StickerModel
import Testing

@testable import StickerDaemon

struct LanesTests {
    private let start = ContinuousClock.now
    private let later = ContinuousClock.now + .seconds(10)

    @Test func lanesFillInOrder() {
        var lanes = Lanes(width: 2)
        var ready = [job(1), job(2), job(3)]

        let started = [lanes.start(from: &ready, start), lanes.start(from: &ready, start)]

        #expect(started.map(\.?.id.rawValue) == [1, 2])
        #expect(lanes.start(from: &ready, start) == nil)
        #expect(ready.map(\.id.rawValue) == [3])
    }

    @Test func spareLaneOpensForSmallFilesWhileLongJobsHoldTheOthers() {
        var lanes = Lanes(width: 2)
        var ready = [job(1), job(2), job(3, isLarge: true), job(4), job(5)]
        _ = lanes.start(from: &ready, start)
        _ = lanes.start(from: &ready, start)

        let tooSoon = lanes.start(from: &ready, start)
        let spare = lanes.start(from: &ready, later)
        let further = lanes.start(from: &ready, later)

        #expect(tooSoon == nil)
        #expect(spare?.id.rawValue == 4)
        #expect(further == nil)
    }

    @Test func spareLaneStaysShutWhileOneOfTheOthersMayEndSoon() {
        var lanes = Lanes(width: 2)
        var ready = [job(1)]
        _ = lanes.start(from: &ready, start)
        ready = [job(2), job(3)]
        _ = lanes.start(from: &ready, later)

        #expect(lanes.start(from: &ready, later) == nil)
    }

    @Test func longJobGivesTheSpareLaneBack() {
        var lanes = Lanes(width: 1)
        var ready = [job(1, isLarge: true), job(2)]
        _ = lanes.start(from: &ready, start)
        _ = lanes.start(from: &ready, start)

        #expect(!lanes.mustYield(JobID(rawValue: 2), start))
        #expect(lanes.mustYield(JobID(rawValue: 2), later))
        #expect(!lanes.mustYield(JobID(rawValue: 1), later))
    }

    @Test func oneLaneIsLeftToWhatDoesNotTakeLong() {
        var lanes = Lanes(width: 2)
        var ready = [job(1), job(2)]
        _ = lanes.start(from: &ready, start)
        _ = lanes.start(from: &ready, start)

        let answers = [
            lanes.admitLong(JobID(rawValue: 1), start),
            lanes.admitLong(JobID(rawValue: 2), start),
        ]

        #expect(answers == [true, false])
    }

    @Test func onlyLaneTakesALongJobAndOpensTheSpareOneAtOnce() {
        var lanes = Lanes(width: 1)
        var ready = [job(1), job(2)]
        _ = lanes.start(from: &ready, start)

        let mayFirst = lanes.admitLong(JobID(rawValue: 1), start)
        let spare = lanes.start(from: &ready, start)
        let maySecond = lanes.admitLong(JobID(rawValue: 2), start)

        #expect(mayFirst && !maySecond)
        #expect(spare?.id.rawValue == 2)
    }

    @Test func jobOfTheSpareLaneTakesAFreeOne() {
        var lanes = Lanes(width: 1)
        var ready = [job(1, isLarge: true), job(2)]
        _ = lanes.start(from: &ready, start)
        _ = lanes.start(from: &ready, start)

        lanes.end(JobID(rawValue: 1))
        _ = lanes.start(from: &ready, later)

        #expect(!lanes.mustYield(JobID(rawValue: 2), later))
    }

    @Test func largeJobsAreClaimedForFreeLanesOnly() {
        var lanes = Lanes(width: 2)
        var ready = [job(1)]

        #expect(lanes.demand(besides: [], start) == Lanes.Demand(ordinary: 4, large: 2))
        _ = lanes.start(from: &ready, start)
        #expect(lanes.demand(besides: [], start) == Lanes.Demand(ordinary: 3, large: 1))
        #expect(lanes.demand(besides: [job(2)], start) == Lanes.Demand(ordinary: 2, large: 1))
    }

    @Test func backlogDoesNotStarveLargeJobs() {
        var lanes = Lanes(width: 2)
        var ready = [job(1), job(2), job(3), job(4)]
        _ = lanes.start(from: &ready, start)
        _ = lanes.start(from: &ready, start)

        #expect(lanes.demand(besides: ready, start).large == 1)
        #expect(lanes.demand(besides: [job(5, isLarge: true)], start).large == 0)
    }

    @Test func fewerLanesLetTheOthersRunOut() {
        var lanes = Lanes(width: 3)
        var ready = [job(1), job(2), job(3), job(4)]
        for _ in 0..<3 { _ = lanes.start(from: &ready, start) }

        lanes.width = 1

        #expect(lanes.start(from: &ready, start) == nil)
    }

    @Test func waitingLargeJobsTakeNoPlaceOfSmallOnes() {
        var lanes = Lanes(width: 1)
        var ready = [job(1, isLarge: true)]
        _ = lanes.start(from: &ready, start)

        let demand = lanes.demand(besides: [job(2, isLarge: true), job(3, isLarge: true)], start)

        #expect(demand == Lanes.Demand(ordinary: 3, large: 0))
    }

    private func job(_ number: Int64, isLarge: Bool = false) -> ClaimedJob {
        ClaimedJob(
            id: JobID(rawValue: number),
            source: SourceKey(drop: "/drop", directory: [], name: Array("a.png".utf8)),
            version: FileVersion(inode: 1, size: 1, mtime: 1, ctime: 1), origin: .closed,
            attempt: 1, ageMilliseconds: 0, category: CategoryID(rawValue: "cats"),
            sticker: nil, isLarge: isLarge)
    }
}
