import StickerValues
import Testing

@testable import StickerStore

/// Users and categories take turns.
struct TurnsOfHoldersTests {
    private let library: Library

    init() throws { library = try Library() }

    private func drop(_ paths: String..., by owner: UInt32) throws {
        for path in paths {
            var sighting = sighting(path, 1, .scan)
            sighting.owner = owner
            try library.accept(sighting)
        }
        library.time.advance(.seconds(2))
    }

    private func claim(_ count: Int, _ shares: LaneShares = LaneShares()) throws -> [SourceKey] {
        try library.store.queue.turn(finished: [], claiming: .any(count), shares).claimed.map(
            \.source)
    }

    @Test func categoriesTakeTurns() throws {
        try drop("cats/a.png", "cats/b.png", "cats/c.png", "dogs/a.png", by: 1000)

        #expect(
            try claim(4)
                == ["cats/a.png", "dogs/a.png", "cats/b.png", "cats/c.png"].map { key($0) }
        )
    }

    @Test func usersTakeTurnsHoweverManyFoldersOneHas() throws {
        try drop("a/1.png", "b/1.png", "c/1.png", "d/1.png", by: 1000)
        try drop("z/1.png", "z/2.png", by: 1001)

        #expect(try claim(4) == ["a/1.png", "z/1.png", "b/1.png", "z/2.png"].map { key($0) })
    }

    @Test func whoHasHadLessGoesFirst() throws {
        try drop("cats/a.png", by: 1000)
        try drop("dogs/a.png", by: 1001)
        var shares = LaneShares()
        shares.add(
            .seconds(9), to: .init(owner: 1000, category: CategoryID(rawValue: "cats")))

        #expect(try claim(1, shares) == [key("dogs/a.png")])
    }

    @Test func sideFilesAreClaimedBesidePicturesAndTakeNoPlaceOfThem() throws {
        for number in 0..<9 { try drop("cats\(number)/category.json", by: 1000) }
        try drop("cats/a.png", "cats/b.png", by: 1000)

        let demand = ClaimDemand(words: 1, fresh: 1, ordinary: 2)
        let turn = try library.store.queue.turn(finished: [], claiming: demand)
        let pictures = try library.store.queue.turn(
            finished: [], claiming: ClaimDemand(ordinary: 5))

        #expect(
            turn.claimed.map(\.source)
                == ["cats0/category.json", "cats/a.png", "cats/b.png"].map { key($0) })
        #expect(turn.claimed.map(\.isWords) == [true, false, false])
        #expect(pictures.claimed.isEmpty, "the others wait for their lane")
    }

    @Test func usersTakeTurnsWithSideFiles() throws {
        try drop("a/title.txt", "b/title.txt", "c/title.txt", by: 1000)
        try drop("z/title.txt", by: 1001)
        var shares = LaneShares()
        let held = LaneShares.Holder(owner: 1001, category: CategoryID(rawValue: "z"))
        // Pictures cost no turn here.
        shares.add(.seconds(9), to: held)
        #expect(try claim(2, shares) == ["a/title.txt", "z/title.txt"].map { key($0) })

        try drop("z/author.txt", by: 1001)
        shares.add(words: .seconds(9), to: held)
        #expect(try claim(2, shares) == ["b/title.txt", "c/title.txt"].map { key($0) })
    }

    @Test func sideFileThatIsRetriedStaysOnItsLane() throws {
        try drop("cats/title.txt", by: 1000)
        let job = try #require(try library.claim().first)
        try library.finish(job, .refused(Refusal(.unreadable, "no", remedy: "none"), content: nil))
        _ = try library.store.operations.retry(JobFilter(), isForced: true)
        #expect(try library.claim().map(\.isWords) == [true])
    }

    @Test func freshFilesGoBeforeTheBulkOfAnybody() throws {
        try drop("cats/a.png", by: 1000)
        try library.accept(sighting("dogs/fresh.png"))
        var shares = LaneShares()
        shares.add(
            .seconds(9), to: .init(owner: -1, category: CategoryID(rawValue: "dogs")))

        #expect(try claim(1, shares) == [key("dogs/fresh.png")])
    }

    @Test func pausedCategoryCostsNobodyATurn() throws {
        try drop("cats/a.png", "dogs/a.png", "dogs/b.png", by: 1000)
        _ = try library.store.operations.setPaused(true, category: CategoryID(rawValue: "cats"))

        #expect(try claim(2) == ["dogs/a.png", "dogs/b.png"].map { key($0) })
    }

    @Test func drawingsHaveTheirOwnRoomAmongLargeJobs() throws {
        try drop("cats/a.svg", "cats/b.svg", "dogs/long.png", by: 1000)
        for _ in 1...3 {
            let job = try #require(try library.claim(1).first)
            let isForeseen = job.source.name.suffix(4) == Array(".png".utf8)[...]
            try library.finish(job, .yielded(isForeseen: isForeseen))
        }

        let demand = ClaimDemand(large: 3, drawn: 1)
        let claimed = try library.store.queue.turn(finished: [], claiming: demand).claimed

        #expect(claimed.map(\.source) == ["cats/a.svg", "dogs/long.png"].map { key($0) })
        #expect(claimed.map(\.isDrawn) == [true, false] && claimed.allSatisfy(\.isLarge))
    }

    @Test func guestIsOfAnotherUserOrIfThereIsOneCategoryOfAnother() throws {
        try drop("cats/long.png", by: 1000)
        try drop("dogs/long.png", by: 1001)
        for _ in 1...2 {
            let job = try #require(try library.claim(1).first)
            try library.finish(job, .yielded(isForeseen: true))
        }
        func guests(of others: Set<LaneShares.Holder>) throws -> [SourceKey] {
            var demand = ClaimDemand()
            demand.guestOf = others
            return try library.store.queue.turn(finished: [], claiming: demand).claimed.map(
                \.source)
        }
        let cats = LaneShares.Holder(owner: 1000, category: CategoryID(rawValue: "cats"))
        let birds = LaneShares.Holder(owner: 1001, category: CategoryID(rawValue: "birds"))

        #expect(try guests(of: [cats, birds]).isEmpty)
        #expect(try guests(of: [cats]) == [key("dogs/long.png")])
        #expect(!cats.isApart(from: [cats]) && birds.isApart(from: [cats]))
    }

    @Test func renamedFolderTakesItsTurnsAlong() throws {
        try drop("cats/a.png", by: 1000)
        var moved = sighting("dogs/a.png", 1, .scan)
        moved.version = sighting("cats/a.png", 1, .scan).version
        moved.owner = 1000
        try library.accept(moved, gone: [key("cats/a.png")])

        let category: String? = try library.store.read { transaction in
            try transaction.value("SELECT category FROM job WHERE finished_at IS NULL")
        }

        #expect(category == "dogs")
    }

    @Test func ownerIsLearntOfAFileThatIsKnown() throws {
        try library.accept(sighting("cats/a.png", 1, .scan))
        try drop("cats/a.png", by: 1000)

        let job = try #require(try library.claim(1).first)

        #expect(job.owner == 1000 && job.holder.owner == 1000)
    }

    @Test func pausedCategoryHidesNoOtherJobThatRunsAlone() throws {
        try drop("cats/a.png", "dogs/a.png", by: 1000)
        _ = try library.store.write { try $0.run("UPDATE job SET priority = 5, deaths = 2") }
        _ = try library.store.operations.setPaused(true, category: CategoryID(rawValue: "cats"))

        #expect(try claim(2) == [key("dogs/a.png")])
    }

    @Test func categoriesOfUnknownOwnersAreApart() {
        var shares = LaneShares()
        let (cats, dogs) = (CategoryID(rawValue: "cats"), CategoryID(rawValue: "dogs"))
        shares.add(.seconds(9), to: .init(owner: -1, category: cats), isStrike: true)

        #expect(
            shares.place(of: .init(owner: -1, category: dogs), first: 9)
                < shares.place(of: .init(owner: -1, category: cats), first: 1))
        #expect(shares.place(of: .init(owner: -1, category: dogs), first: 9).user.strikes == 0)
    }
}
