import StickerValues
import Testing

@testable import StickerDaemon
@testable import StickerStore

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

    @Test func smallLaneOpensForSmallFilesWhileLongJobsHoldTheOthers() {
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

    @Test func smallLaneStaysShutWhileOneOfTheOthersMayEndSoon() {
        var lanes = Lanes(width: 2)
        var ready = [job(1)]
        _ = lanes.start(from: &ready, start)
        ready = [job(2), job(3)]
        _ = lanes.start(from: &ready, later)

        #expect(lanes.start(from: &ready, later) == nil)
    }

    @Test func longJobGivesTheSmallLaneUpAndAnotherIsOpenedBesideIt() {
        var lanes = Lanes(width: 1)
        var ready = [job(1, isLarge: true), job(2), job(3), job(4)]
        let started = [
            lanes.start(from: &ready, start), lanes.start(from: &ready, start),
            lanes.start(from: &ready, later),
        ]

        let isTooSoon = lanes.mustYield(JobID(rawValue: 2), start, .seconds(10))
        let mustSecond = lanes.mustYield(JobID(rawValue: 2), later, .seconds(10))
        let third = lanes.start(from: &ready, later)
        let evenLater = later + .seconds(10)
        let mustThird = lanes.mustYield(JobID(rawValue: 3), evenLater, .seconds(10))
        let mustFirst = lanes.mustYield(JobID(rawValue: 1), evenLater, .seconds(10))

        #expect(started.map(\.?.id.rawValue) == [1, 2, nil])
        #expect(!isTooSoon && !mustSecond && third?.id.rawValue == 3)
        #expect(mustThird, "one lane and half as many again are two")
        #expect(!mustFirst)
    }

    @Test func jobThatGetsNoProcessorIsNotStopped() {
        var lanes = Lanes(width: 1)
        var ready = [job(1, isLarge: true), job(2), job(3)]
        _ = lanes.start(from: &ready, start)
        _ = lanes.start(from: &ready, start)
        _ = lanes.mustYield(JobID(rawValue: 2), later, .milliseconds(50))
        _ = lanes.start(from: &ready, later)

        let mustYield = lanes.mustYield(
            JobID(rawValue: 3), later + .seconds(10), .milliseconds(50))

        #expect(!mustYield)
    }

    @Test func smallLaneIsOpenedAgainUpToABound() {
        var lanes = Lanes(width: 4)
        var ready = (1...8).map { job($0, isLarge: $0 <= 4) }
        var now = start
        var yielding: [Int64] = []

        while let job = lanes.start(from: &ready, now) {
            guard job.id.rawValue > 4 else { continue }
            now += .seconds(10)
            if lanes.mustYield(job.id, now, .seconds(10)) { yielding.append(job.id.rawValue) }
        }

        #expect(yielding == [7], "four lanes and half as many again are six")
        #expect(ready.map(\.id.rawValue) == [8])
    }

    // MARK: Drawings

    @Test func drawingsThatTakeLongHoldHalfOfTheLanes() {
        var lanes = Lanes(width: 4)
        var ready = (1...4).map { job($0) }
        for number in 1...4 {
            _ = lanes.start(from: &ready, start + .milliseconds(number))
            _ = lanes.admits(JobID(rawValue: Int64(number)), .unknown, start)
        }

        let stopped = [Int64](1...4).reversed().filter {
            let must = lanes.mustYield(JobID(rawValue: $0), later, .seconds(10))
            if must { lanes.end(JobID(rawValue: $0), later) }
            return must
        }

        #expect(stopped == [4, 3])
        ready = [job(5)]
        _ = lanes.start(from: &ready, later)
        let isAdmitted = lanes.admits(JobID(rawValue: 5), .unknown, later)
        #expect(!isAdmitted)
        #expect(lanes.demand(besides: [], later).drawn == 1, "one of those that take long is due")
        #expect(lanes.demand(besides: [job(6, isLarge: true, isDrawn: true)], later).drawn == 0)
    }

    @Test func drawingIsNotLetOntoTheSmallLane() {
        var lanes = Lanes(width: 1)
        var ready = [job(1, isLarge: true), job(2)]
        _ = lanes.start(from: &ready, start)
        _ = lanes.start(from: &ready, start)

        let answers = [ForetoldCost.unknown, .long, .ordinary, .small].map {
            lanes.admits(JobID(rawValue: 2), $0, start)
        }

        #expect(answers == [false, false, false, true])
    }

    // MARK: Second attempts

    @Test func secondAttemptMakesRoomForALargeJob() {
        var lanes = Lanes(width: 1)
        var again = job(1, isLarge: true)
        again.isAgain = true
        var ready = [again]
        _ = lanes.start(from: &ready, start)
        let isAlone = !lanes.mustYield(JobID(rawValue: 1), later, .seconds(10))
        let demand = lanes.demand(besides: [], later)
        ready = [job(2, isLarge: true)]
        _ = lanes.start(from: &ready, later)
        let mustYield = lanes.mustYield(JobID(rawValue: 1), later, .seconds(10))

        #expect(isAlone && demand.large == 1 && !demand.again)
        #expect(mustYield)
    }

    // MARK: Order

    @Test func freshFilesAreClaimedAndStartedBeforeTheBulk() {
        var lanes = Lanes(width: 1)
        var bulk = [job(1), job(2), job(3)]
        for index in bulk.indices { bulk[index].isBulk = true }
        _ = lanes.start(from: &bulk, start)

        let demand = lanes.demand(besides: bulk, start)
        Lanes.merge([job(4), job(5, isLarge: true)], into: &bulk)

        #expect(demand.fresh == 2 && demand.ordinary == 0)
        #expect(bulk.map(\.id.rawValue) == [5, 4, 2, 3])
    }

    @Test func userWhoHoldsNoLaneIsAGuestBesideLongJobs() {
        var lanes = Lanes(width: 2)
        var ready = [job(1), job(2)]
        for index in ready.indices { ready[index].owner = 1000 }
        _ = lanes.start(from: &ready, start)
        _ = lanes.start(from: &ready, start)
        let early = lanes.demand(besides: [], start)
        let demand = lanes.demand(besides: [], later)
        var (same, guest) = (job(3, isLarge: true), job(4, isLarge: true))
        (same.owner, guest.owner) = (1000, 1001)
        ready = [same, guest]

        let started = [lanes.start(from: &ready, later), lanes.start(from: &ready, later)]

        #expect(early.guestOf.isEmpty && demand.guestOf.map(\.owner) == [1000])
        #expect(started.map(\.?.id.rawValue) == [4, nil])
        #expect(lanes.demand(besides: ready, later).guestOf.isEmpty, "there is one at most")
    }

    @Test func whatIsRefusedAtOnceIsNoStrike() {
        var lanes = Lanes(width: 1, at: start)
        var (ready, other) = ([job(1), job(2)], job(3))
        other.owner = 7
        let (holder, guest) = (ready[0].holder, other.holder)
        _ = lanes.start(from: &ready, start)
        lanes.end(JobID(rawValue: 1), start + .milliseconds(10), isStrike: true)
        ready.append(other)
        _ = lanes.start(from: &ready, start)
        let cheap = lanes.shares(later).place(of: holder, first: 1)
        lanes.end(JobID(rawValue: 2), later, isStrike: true)
        let shares = lanes.shares(later)

        #expect(cheap.user.strikes == 0)
        #expect(shares.place(of: guest, first: 2) < shares.place(of: holder, first: 1))
        #expect(shares.place(of: holder, first: 1).user.strikes == 1)
    }

    @Test func timeOfAJobCountsWhileItRuns() {
        var lanes = Lanes(width: 1, at: start)
        var ready = [job(1)]
        let holder = ready[0].holder
        _ = lanes.start(from: &ready, start)
        let other = LaneShares.Holder(owner: 1, category: CategoryID(rawValue: "dogs"))

        let shares = lanes.shares(later)

        #expect(shares.place(of: other, first: 9) < shares.place(of: holder, first: 1))
    }

    @Test func oneLaneIsLeftToWhatDoesNotTakeLong() {
        var lanes = Lanes(width: 2)
        var ready = [job(1), job(2)]
        _ = lanes.start(from: &ready, start)
        _ = lanes.start(from: &ready, start)

        let answers = [
            lanes.admits(JobID(rawValue: 1), .long, start),
            lanes.admits(JobID(rawValue: 2), .long, start),
        ]

        #expect(answers == [true, false])
    }

    @Test func onlyLaneTakesALongJobAndOpensTheSpareOneAtOnce() {
        var lanes = Lanes(width: 1)
        var ready = [job(1), job(2)]
        _ = lanes.start(from: &ready, start)

        let mayFirst = lanes.admits(JobID(rawValue: 1), .long, start)
        let spare = lanes.start(from: &ready, start)
        let maySecond = lanes.admits(JobID(rawValue: 2), .long, start)

        #expect(mayFirst && !maySecond)
        #expect(spare?.id.rawValue == 2)
    }

    @Test func jobOfTheSmallLaneTakesAFreeOne() {
        var lanes = Lanes(width: 1)
        var ready = [job(1, isLarge: true), job(2)]
        _ = lanes.start(from: &ready, start)
        _ = lanes.start(from: &ready, start)

        lanes.end(JobID(rawValue: 1), later)
        _ = lanes.start(from: &ready, later)
        let mustYield = lanes.mustYield(JobID(rawValue: 2), later, .seconds(10))

        #expect(!mustYield)
    }

    @Test func largeJobsAreClaimedForFreeLanesOnly() {
        var lanes = Lanes(width: 2)
        var ready = [job(1)]

        #expect(
            lanes.demand(besides: [], start)
                == ClaimDemand(
                    words: 2, fresh: 4, ordinary: 4, large: 2, drawn: 1, again: true))
        _ = lanes.start(from: &ready, start)
        #expect(
            lanes.demand(besides: [], start)
                == ClaimDemand(
                    words: 2, fresh: 3, ordinary: 3, large: 1, drawn: 1, again: true))
        #expect(
            lanes.demand(besides: [job(2)], start)
                == ClaimDemand(words: 2, fresh: 2, ordinary: 2, large: 1, drawn: 1))
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

        var expected = ClaimDemand(words: 2, fresh: 3, ordinary: 3)
        expected.guestOf = [job(1).holder]
        #expect(demand == expected)
    }

    // MARK: Side files

    @Test func sideFilesAreReadOneByOneAndHoldNoLaneOfPictures() {
        var lanes = Lanes(width: 1)
        var ready = [words(1), words(2), job(3), job(4)]
        let started = (0..<4).map { _ in lanes.start(from: &ready, start)?.id.rawValue }

        #expect(started == [1, 3, nil, nil], "a lane for each, and one at a time")
        #expect(!lanes.isEmpty && lanes.demand(besides: ready, start).words == 0)
        lanes.end(JobID(rawValue: 1), start)
        #expect(lanes.start(from: &ready, start)?.id.rawValue == 2)
        lanes.end(JobID(rawValue: 3), start)
        #expect(lanes.isEmpty, "no picture is made")
        #expect(lanes.start(from: &ready, start)?.id.rawValue == 4)
    }

    @Test func longJobsThatHoldAllLanesHoldUpNoSideFile() {
        var lanes = Lanes(width: 1)
        var ready = [job(1, isLarge: true), job(2, isLarge: true), words(3)]

        let started = (0..<3).map { _ in lanes.start(from: &ready, start)?.id.rawValue }

        #expect(started == [3, 1, nil] && ready.map(\.id.rawValue) == [2])
    }

    /// Readiness of pictures neither counts as that of side files nor the other way round.
    @Test func sideFilesTakeNoPlaceOfPictures() {
        let lanes = Lanes(width: 2)

        let demand = lanes.demand(besides: [words(1), words(2)], start)

        #expect(demand.words == 0 && demand.fresh == 4 && demand.large == 2 && demand.again)
        #expect(lanes.demand(besides: [job(3), job(4)], start).words == 2)
    }

    @Test func sideFilesCostTheirOwnerNoTimeForPictures() {
        var lanes = Lanes(width: 1, at: start)
        var ready = [words(1)]
        _ = lanes.start(from: &ready, start)
        let held = words(1).holder
        let during = lanes.shares(later)
        lanes.end(JobID(rawValue: 1), later)
        let after = lanes.shares(later)

        for shares in [during, after] {
            #expect(shares.place(of: held, .words, first: 1).user.seconds > 9)
            #expect(shares.place(of: held, .fresh, first: 1).user.seconds == 0)
        }
    }

    private func words(_ number: Int64) -> ClaimedJob {
        var words = job(number)
        words.isWords = true
        return words
    }

    private func job(
        _ number: Int64, isLarge: Bool = false, isDrawn: Bool = false
    ) -> ClaimedJob {
        var job = ClaimedJob(
            id: JobID(rawValue: number),
            source: SourceKey(drop: "/drop", directory: [], name: Array("a.png".utf8)),
            version: FileVersion(inode: 1, size: 1, mtime: 1, ctime: 1), origin: .closed,
            attempt: 1, ageMilliseconds: 0, category: CategoryID(rawValue: "cats"),
            sticker: nil, isLarge: isLarge)
        job.isDrawn = isDrawn
        return job
    }
}
