import StickerValues
import Testing

@testable import StickerStore

struct LaneSharesTests {
    private let start = ContinuousClock.now
    private let ada = holder(1000, "cats")
    private let bob = holder(1001, "dogs")

    private static func holder(_ owner: Int64, _ category: String) -> LaneShares.Holder {
        LaneShares.Holder(owner: owner, category: CategoryID(rawValue: category))
    }

    /// The next of those who have waited for the same time.
    private func next(_ shares: LaneShares, _ holders: LaneShares.Holder...) -> LaneShares.Holder? {
        holders.min { shares.place(of: $0, first: 1) < shares.place(of: $1, first: 1) }
    }

    @Test func whoHasHadLessIsNext() {
        var shares = LaneShares(at: start)
        shares.add(.seconds(5), to: ada)
        shares.add(.seconds(3), to: bob)

        #expect(next(shares, ada, bob) == bob)
    }

    @Test func whoHasHadNothingIsServedByTheLongestWait() {
        let shares = LaneShares(at: start)

        #expect(shares.place(of: bob, first: 2) < shares.place(of: ada, first: 3))
    }

    @Test func userCountsBeforeTheCategory() {
        var shares = LaneShares(at: start)
        let other = Self.holder(1000, "new")
        shares.add(.seconds(5), to: ada)
        shares.add(.seconds(3), to: bob)

        #expect(next(shares, other, bob) == bob, "a new folder gives its user no further turn")
        #expect(next(shares, ada, other) == other)
    }

    @Test func longFilmDoesNotHoldUpASmallPicture() {
        var shares = LaneShares(at: start)
        shares.add(.seconds(1), large: .seconds(20), to: ada)
        shares.add(.seconds(2), large: .seconds(1), to: bob)

        #expect(next(shares, ada, bob) == ada)
        #expect(
            shares.place(of: bob, .large, first: 1)
                < shares.place(of: ada, .large, first: 1))
    }

    @Test func timeIsForgottenByHalves() {
        var shares = LaneShares(at: start)
        shares.add(.seconds(10), to: ada)
        shares.pass(until: start + LaneShares.halfLife)
        shares.add(.seconds(6), to: bob)

        #expect(next(shares, ada, bob) == ada)
        #expect(abs(shares.place(of: ada, first: 1).user.seconds - 5) < 1e-6)
    }

    @Test func whoseAttemptEndedAtALimitGoesBehind() {
        var shares = LaneShares(at: start)
        shares.add(.seconds(3), to: ada, isStrike: true)
        shares.add(.seconds(500), to: bob, isStrike: false)

        let first = next(shares, ada, bob)
        shares.add(.seconds(1), to: ada, isStrike: false)

        #expect(first == bob)
        #expect(next(shares, ada, bob) == ada, "a good attempt makes up for a bad one")
    }

    @Test func fewGoodAttemptsMakeUpForAnyNumberOfBadOnes() {
        var shares = LaneShares(at: start)
        for _ in 0..<50 { shares.add(.seconds(3), to: ada, isStrike: true) }
        for _ in 0..<LaneShares.strikesMax { shares.add(.seconds(1), to: ada, isStrike: false) }

        #expect(shares.place(of: ada, first: 1).user.strikes == 0)
    }

    @Test func whoRestsLongIsForgotten() {
        var shares = LaneShares(at: start)
        shares.add(.seconds(3), to: ada, isStrike: true)
        shares.pass(until: start + .seconds(86400))

        #expect(shares.place(of: ada, first: 1).user == LaneShares.Account())
    }
}
