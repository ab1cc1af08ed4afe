import Foundation
import StickerTestSupport
import Testing

@testable import StickerStore
@testable import StickerValues

private let cats = CategoryID(rawValue: "cats")

/// Deletions that are too large to be believed wait for a word.
struct DeletionHoldTests {
    private let library: Library
    private var store: LibraryStore { library.store }

    init() throws { library = try Library() }

    /// Makes stickers of files `0.png`, `1.png`... of a folder.
    private func fill(_ folder: String, _ count: Int) throws {
        for number in 0..<count { try library.make("\(folder)/\(number).png", number) }
    }

    private func lose(_ folder: String, _ numbers: Range<Int>, byScan: Bool = false) throws {
        let gone = numbers.map { key("\(folder)/\($0).png") }
        _ = try store.queue.accept([], gone: gone, byScanOf: byScan ? "/drop" : nil)
    }

    private func findAgain(_ folder: String, _ numbers: Range<Int>) throws -> IntakeSummary {
        try store.queue.accept(numbers.map { sighting("\(folder)/\($0).png", Int64($0)) })
    }

    /// Lets the grace of everything that is missing now end.
    @discardableResult
    private func expire() throws -> Expiry {
        var expiry = try store.catalog.expireMissing()
        library.time.advance(.seconds(60))
        let later = try store.catalog.expireMissing()
        expiry.removed += later.removed
        expiry.lifted += later.lifted
        return expiry
    }

    private func stickers() throws -> Int { try store.operations.status().stickers }

    @Test(arguments: [(40, 11, true), (43, 11, true), (44, 11, false), (20, 10, false)])
    func moreThanTenAndAQuarterAreHeld(count: Int, gone: Int, isHeld: Bool) throws {
        try fill("cats", count)
        try lose("cats", 0..<gone)

        let expiry = try expire()

        #expect(expiry.held.isEmpty != isHeld)
        #expect(expiry.removed.count == (isHeld ? 0 : gone))
        #expect(try stickers() == (isHeld ? count : count - gone))
    }

    /// Users delete their uploads themselves.
    @Test func whereDeletionsAreBelievedNothingIsHeld() throws {
        library.policy.believesDeletions = true
        try fill("cats", 20)
        try lose("cats", 0..<20)
        #expect(try store.catalog.holdEmptied(drop: "/drop") == nil)

        let expiry = try expire()

        #expect(expiry.held.isEmpty && expiry.removed.count == 20)
        #expect(try stickers() == 0 && store.catalog.deletionHolds().isEmpty)
    }

    @Test func holdTellsWhatHappened() throws {
        try fill("cats", 20)
        try lose("cats", 0..<18)
        try expire()

        let hold = try #require(try store.catalog.deletionHolds().first)
        #expect(hold.category == cats && hold.drop == nil && !hold.isEmptied)
        #expect(hold.missing == 18 && hold.stickers == 20)
        #expect(hold.heldAt == 1_700_000_000_000 && hold.name == "cats")
    }

    @Test func filesThatVanishOneByOneAreBelieved() throws {
        try fill("cats", 20)

        for number in 0..<20 {
            try lose("cats", number..<(number + 1))
            try expire()
        }

        #expect(try stickers() == 0)
    }

    @Test func slowScanFindsOneDeletion() throws {
        try fill("cats", 20)
        library.policy.deleteGrace = .seconds(600)
        for number in 0..<15 {
            try lose("cats", number..<(number + 1), byScan: true)
            library.time.advance(.seconds(30))
        }

        #expect(try store.catalog.expireMissing().held.map(\.missing) == [15])
    }

    @Test func whatTwoScansMissIsTwoDeletions() throws {
        try fill("cats", 40)
        library.policy.deleteGrace = .seconds(600)
        for start in [0, 10] {
            try lose("cats", start..<(start + 10), byScan: true)
            store.sources.scanEnded(ofDrop: "/drop")
            library.time.advance(.seconds(300))
        }

        #expect(try store.catalog.expireMissing().held.isEmpty)
    }

    @Test func deletionThatGoesOnIsHeldToItsEnd() throws {
        try fill("cats", 60)
        for start in stride(from: 0, to: 60, by: 20) {
            try lose("cats", start..<(start + 20))
            _ = try store.catalog.expireMissing()
            library.time.advance(.seconds(50))
        }

        try expire()

        #expect(try store.catalog.deletionHolds().map(\.missing) == [60])
        #expect(try stickers() == 60)
    }

    @Test func slipAfterAHeldDeletionIsRemoved() throws {
        try fill("cats", 40)
        try lose("cats", 0..<20)
        try expire()
        library.time.advance(.seconds(600))

        try lose("cats", 30..<32)
        let expiry = try expire()

        #expect(expiry.removed.count == 2 && expiry.held.isEmpty)
        #expect(try store.catalog.deletionHolds().map(\.missing) == [20])
    }

    @Test func deletionAcrossCategoriesIsThatOfTheDrop() throws {
        for folder in ["ants", "bees", "cats"] { try fill(folder, 8) }
        for folder in ["ants", "bees"] { try lose(folder, 0..<8) }

        try expire()

        let holds = try store.catalog.deletionHolds()
        #expect(holds.map(\.name) == ["/drop"])
        #expect(holds.map(\.missing) == [16] && holds.map(\.stickers) == [24])
    }

    @Test func filesOfOneCategoryAreNoAffairOfTheDrop() throws {
        try fill("cats", 12)
        try fill("dogs", 12)
        try lose("cats", 0..<12)

        #expect(try expire().held.map(\.name) == ["cats"])
    }

    @Test func dropOfSharedCategoriesIsHeldByItself() throws {
        for number in 0..<60 { try library.make("cats/\(number).png", number) }
        for number in 0..<12 {
            var seen = sighting("cats/other\(number).png", Int64(number))
            seen.key.drop = "/other"
            _ = try store.queue.accept([seen])
            let job = try #require(try library.claim().first)
            try library.finish(job, .made(product(number), content: hash(number)))
        }
        let gone = (0..<12).map { key("cats/other\($0).png", drop: "/other") }
        _ = try store.queue.accept([], gone: gone)

        #expect(try expire().held.map(\.name) == ["/other"])
    }

    @Test func coverOfAHeldCategoryStays() throws {
        try fill("cats", 12)
        try library.make("cats/cover.png", 99)
        try lose("cats", 0..<12)
        try library.accept(gone: [key("cats/cover.png")])

        try expire()

        #expect(try store.catalog.liveProduct(of: key("cats/cover.png")) != nil)
        #expect(try store.catalog.deletionHolds().map(\.missing) == [12])
    }

    @Test func holdOutlivesTheDaemon() throws {
        try fill("cats", 20)
        try lose("cats", 0..<20)
        _ = try store.catalog.expireMissing()

        try library.reopen()
        library.time.restartBoot()
        _ = try store.queue.recover()
        try expire()

        #expect(try store.catalog.deletionHolds().map(\.missing) == [20])
        #expect(try stickers() == 20)
    }

    @Test func holdFollowsItsDrop() throws {
        for folder in ["ants", "bees"] { try fill(folder, 8) }
        for folder in ["ants", "bees"] { try lose(folder, 0..<8) }
        try expire()

        try store.sources.move(MovedDrop(from: "/drop", path: "/moved", stickers: 16), inode: 7)

        #expect(try store.catalog.deletionHolds().map(\.name) == ["/moved"])
    }

    // MARK: - The end of a hold

    @Test func filesThatReturnLiftItWithoutAJob() throws {
        try fill("cats", 20)
        try lose("cats", 0..<20)
        try expire()

        let summary = try findAgain("cats", 0..<20)
        let expiry = try store.catalog.expireMissing()

        #expect(summary.accepted == 0 && summary.returned == 20)
        #expect(expiry.lifted.map(\.name) == ["cats"] && expiry.removed.isEmpty)
        #expect(try store.catalog.deletionHolds().isEmpty && stickers() == 20)
        #expect(try library.claim().isEmpty)
    }

    @Test func fewThatStayAwayHaveTheirGraceAnew() throws {
        try fill("cats", 20)
        try lose("cats", 0..<20)
        try expire()
        _ = try findAgain("cats", 0..<15)

        let first = try store.catalog.expireMissing()
        library.time.advance(.seconds(60))
        let second = try store.catalog.expireMissing()

        #expect(first.lifted.map(\.missing) == [5] && first.removed.isEmpty)
        #expect(second.removed.count == 5)
    }

    @Test func manyThatStayAwayStayHeld() throws {
        try fill("cats", 40)
        try lose("cats", 0..<40)
        try expire()
        _ = try findAgain("cats", 0..<25)

        #expect(try expire().lifted.isEmpty)
        #expect(try store.catalog.deletionHolds().map(\.missing) == [15])
    }

    @Test func confirmedDeletionHappensAtOnce() throws {
        try fill("cats", 20)
        try lose("cats", 0..<20)
        try expire()

        #expect(try store.catalog.confirmDeletions(of: "dogs") == 0)
        #expect(try store.catalog.confirmDeletions(of: "cats") == 20)
        let expiry = try store.catalog.expireMissing()

        #expect(expiry.removed.count == 20 && expiry.held.isEmpty)
        #expect(try stickers() == 0 && store.catalog.deletionHolds().isEmpty)
        #expect(try store.catalog.expireMissing().lifted.isEmpty)
    }

    @Test func categoryOfAHeldDropCanBeConfirmed() throws {
        for folder in ["ants", "bees"] { try fill(folder, 8) }
        for folder in ["ants", "bees"] { try lose(folder, 0..<8) }
        try expire()

        #expect(try store.catalog.confirmDeletions(of: "ants") == 8)
        let expiry = try store.catalog.expireMissing()

        #expect(Set(expiry.removed.map(\.category.rawValue)) == ["ants"])
        #expect(try stickers() == 8)
    }

    @Test func allThatIsHeldCanBeConfirmed() throws {
        for folder in ["ants", "bees"] { try fill(folder, 12) }
        try lose("ants", 0..<12)
        try expire()
        library.time.advance(.seconds(100))
        try lose("bees", 0..<12)
        try expire()

        #expect(try store.catalog.deletionHolds().count == 2)
        #expect(try store.catalog.confirmDeletions(of: nil) == 24)
        #expect(try store.catalog.expireMissing().removed.count == 24)
    }

    // MARK: - Drops

    @Test func emptyDropKeepsEvenAFewStickers() throws {
        for number in 0..<3 { try library.make("\(number).png", number) }
        try library.accept(gone: (0..<3).map { key("\($0).png") })

        #expect(try store.catalog.holdEmptied(drop: "/drop")?.missing == 3)
        #expect(try store.catalog.holdEmptied(drop: "/drop") == nil)
        try expire()

        #expect(try stickers() == 3)
        #expect(try store.catalog.deletionHolds().map(\.isEmptied) == [true])
    }

    @Test func oneFileInAnEmptiedDropLiftsNothing() throws {
        for number in 0..<3 { try library.make("\(number).png", number) }
        try library.accept(gone: (0..<3).map { key("\($0).png") })
        _ = try store.catalog.holdEmptied(drop: "/drop")

        try library.make("new.png", 10)
        #expect(try expire().lifted.isEmpty)
        for number in 11...12 { try library.make("new \(number).png", number) }

        #expect(try expire().lifted.map(\.missing) == [3])
    }

    @Test func emptyDropWithoutStickersIsNoNews() throws {
        #expect(try store.catalog.holdEmptied(drop: "/drop") == nil)
        #expect(try store.catalog.deletionHolds().isEmpty)
    }

    @Test func unlistedDropCanBeRemoved() throws {
        try fill("cats", 20)
        try library.accept(gone: [key("cats/3.png")])

        #expect(try store.catalog.removeDrop("/drop") == 20)
        #expect(try store.catalog.expireMissing().removed.count == 20)
        #expect(try store.sources.unlistedDrops([]).isEmpty)
    }

    @Test func otherFolderIsTakenForTheDropOnDemand() throws {
        let disk = try DropsOnDisk(library)
        try disk.fill("art/cats", 12)
        try disk.scan("art")
        try disk.publish()
        let drop = library.folder.file("art")
        #expect(try store.catalog.acceptFolder(ofDrop: drop) == nil)
        let kept = try FileManager.default.contentsOfDirectory(atPath: drop + "/cats").sorted()[0]
        try FileManager.default.moveItem(atPath: drop, toPath: drop + ".old")
        try library.folder.write("another", to: "art/cats/\(kept)")

        #expect(try store.catalog.acceptFolder(ofDrop: drop) == 11)

        #expect(try store.catalog.expireMissing().removed.count == 11)
        #expect(try store.sources.inode(ofDrop: drop) != nil && stickers() == 1)
        #expect(try store.catalog.acceptFolder(ofDrop: library.folder.file("nowhere")) == nil)
    }
}

/// When what vanished is an accident.
struct DeletionGuardTests {
    @Test func windowsWithTooManyAreJoined() {
        let moments = [0, 100] + (0..<12).map { 200_000 + $0 * 1000 } + [500_000]

        let accident = DeletionGuard.accident(in: moments.map(Int64.init), of: 15)

        #expect(accident == 200_000...211_000)
    }

    @Test func minuteIsTheLimit() {
        let within = (0...10).map { Int64($0) * 6000 }
        let beyond = (0...10).map { Int64($0) * 6001 }

        #expect(DeletionGuard.accident(in: within, of: 11) == 0...60_000)
        #expect(DeletionGuard.accident(in: beyond, of: 11) == nil)
        #expect(DeletionGuard.accident(in: [], of: 0) == nil)
    }
}
