import Testing

@testable import StickerDaemon

struct ObstaclesTests {
    private let start = ContinuousClock.now

    @Test func troubleThatShowsInSeveralWaysIsToldOnce() {
        var obstacles = Obstacles()

        #expect(obstacles.set(.intake, "disk full", now: start) == .paused("disk full"))
        #expect(obstacles.set(.intake, "disk full", now: start) == nil)
        #expect(obstacles.set(.store, "full", now: start) == nil)
        #expect(obstacles.set(.upkeep, "full", now: start) == nil)
        #expect(obstacles.look(now: start + .seconds(60)) == nil)
        #expect(obstacles.pause == "full")

        #expect(obstacles.set(.intake, nil, now: start) == nil)
        #expect(obstacles.set(.upkeep, nil, now: start) == nil)
        _ = obstacles.set(.manifests, "full", now: start)
        #expect(
            obstacles.set(.store, nil, now: start + .seconds(60))
                == .resumed(after: .seconds(60)))
        #expect(obstacles.pause == nil)
        #expect(obstacles.look(now: start + .seconds(64)) == nil)
        #expect(obstacles.look(now: start + .seconds(65)) == .failing("full"))
    }

    @Test func causeIsToldAlsoAfterWhatFollowsFromIt() {
        var obstacles = Obstacles()
        _ = obstacles.set(.system, "no such file", now: start)

        let told = obstacles.set(.out, "out is away", now: start + .seconds(2))

        #expect(told == .paused("out is away") && obstacles.pause == "out is away")
        #expect(obstacles.set(.out, nil, now: start + .seconds(9)) == nil)
        #expect(
            obstacles.set(.system, nil, now: start + .seconds(10)) == .resumed(after: .seconds(10)))
    }

    @Test func failureBesideTheWorkIsToldOnceItLasts() {
        var obstacles = Obstacles()

        #expect(obstacles.set(.upkeep, "no rights", now: start) == nil)
        #expect(obstacles.look(now: start + .seconds(4)) == nil)
        #expect(obstacles.look(now: start + .seconds(5)) == .failing("no rights"))
        #expect(obstacles.look(now: start + .seconds(6)) == nil)
        #expect(obstacles.pause == nil)

        #expect(obstacles.set(.upkeep, nil, now: start) == .working)
    }

    @Test func whatFailedForTheSameReasonGetsTimeToFindOutThatItIsOver() {
        var obstacles = Obstacles()
        _ = obstacles.set(.upkeep, "database is locked", now: start)
        _ = obstacles.set(.figures, "database is locked", now: start)
        #expect(obstacles.look(now: start + .seconds(5)) == .failing("database is locked"))

        let end = start + .seconds(30)
        let told = obstacles.set(.upkeep, nil, now: end) ?? obstacles.set(.figures, nil, now: end)

        #expect(told == .working)
        #expect(obstacles.look(now: end) == nil && obstacles.look(now: end + .seconds(4)) == nil)
    }

    @Test func shortFailureBesideTheWorkIsNoNews() {
        var obstacles = Obstacles()

        #expect(obstacles.set(.manifests, "busy", now: start) == nil)
        #expect(obstacles.set(.manifests, nil, now: start) == nil)
        #expect(obstacles.look(now: start + .seconds(60)) == nil)
    }

    @Test func lastingFailureDoesNotHideAPause() {
        var obstacles = Obstacles()
        _ = obstacles.set(.upkeep, "no rights", now: start)
        _ = obstacles.look(now: start + .seconds(5))

        #expect(obstacles.set(.system, "disk full", now: start) == .paused("disk full"))
        #expect(
            obstacles.set(.system, nil, now: start + .seconds(2)) == .resumed(after: .seconds(2)))
    }
}
