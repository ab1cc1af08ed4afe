import Testing

@testable import StickerValues

/// Whether a file was dropped by a person, by folder and rhythm.
struct RhythmTests {
    private func key(_ path: String, drop: String = "/drop") -> SourceKey {
        let parts = path.split(separator: "/")
        return SourceKey(
            drop: drop, directory: Array(parts.dropLast().joined(separator: "/").utf8),
            name: Array((parts.last ?? "").utf8))
    }

    /// Files that appear in a folder one after the other.
    struct Copy: Sendable, CustomTestStringConvertible {
        var name: String
        var files: Int
        var gap: Int64
        /// How many of them are fresh.
        var fresh: ClosedRange<Int>

        var testDescription: String { name }
    }

    @Test func copyOfOneUserTakesNoRoomOfAnother() {
        var rhythm = Rhythm()
        for number in 0..<500 {
            _ = rhythm.isFresh(key("\(number)/a.png"), of: 1000, at: 1_000)
        }

        let other = rhythm.isFresh(key("mary/a.png"), of: 1001, at: 1_000)
        let same = rhythm.isFresh(key("more/a.png"), of: 1000, at: 1_000)

        #expect(other && !same)
    }

    @Test(arguments: [
        Copy(name: "one file", files: 1, gap: 0, fresh: 1...1),
        Copy(name: "a handful at once", files: 20, gap: 0, fresh: 20...20),
        Copy(name: "thousands at once", files: 5000, gap: 0, fresh: 20...20),
        Copy(name: "a quick copy", files: 5000, gap: 5, fresh: 20...20),
        Copy(name: "a slow copy", files: 5000, gap: 1000, fresh: 20...20),
        Copy(name: "a very slow copy", files: 5000, gap: 3000, fresh: 20...40),
        Copy(name: "a crawling copy", files: 5000, gap: 20_000, fresh: 20...40),
        Copy(name: "a person's day", files: 400, gap: 60_000, fresh: 400...400),
    ])
    func copyIsToldFromAPerson(copy: Copy) {
        var rhythm = Rhythm()

        let fresh = (0..<copy.files).count {
            rhythm.isFresh(key("cats/\($0).png"), at: 1_000_000 + Int64($0) * copy.gap)
        }

        #expect(copy.fresh.contains(fresh), "\(fresh)")
    }

    @Test func folderOfTheirOwnIsNoPartOfACopy() {
        var rhythm = Rhythm()
        for number in 0..<5000 { _ = rhythm.isFresh(key("bulk/\(number).png"), at: 1_000) }

        let other = rhythm.isFresh(key("cats/a.png"), at: 1_000)
        let below = rhythm.isFresh(key("bulk/new/a.png"), at: 1_000)
        let top = rhythm.isFresh(key("a.png"), at: 1_000)

        #expect(other && below && top)
    }

    @Test func fileAfterABatchIsFreshAgain() {
        var rhythm = Rhythm()
        for number in 0..<5000 { _ = rhythm.isFresh(key("cats/\(number).png"), at: Int64(number)) }

        let during = rhythm.isFresh(key("cats/during.png"), at: 5_100)
        let after = (1...5).map { rhythm.isFresh(key("cats/a\($0).png"), at: 5_100 + 3_000 * $0) }

        #expect(!during)
        #expect(after == [true, true, true, true, true])
    }

    @Test func treeOfManySmallFoldersIsOneCopy() {
        var rhythm = Rhythm()
        var fresh = 0
        for folder in 0..<1000 {
            for file in 0..<2 {
                let isFresh = rhythm.isFresh(
                    key("tree/f\(folder)/\(file).png"), at: Int64(folder) * 30)
                if isFresh { fresh += 1 }
            }
        }

        let beside = rhythm.isFresh(key("cats/a.png"), at: 33_000)

        #expect(fresh == Rhythm.treeRoom)
        #expect(beside)
    }

    @Test func manyNewCategoriesAreOneCopy() {
        var rhythm = Rhythm()

        let fresh = (0..<1000).count { rhythm.isFresh(key("f\($0)/a.png"), at: Int64($0) * 30) }

        #expect(fresh == Rhythm.treeRoom)
    }

    @Test func copyIntoManyFoldersLeavesOtherCategoriesAlone() {
        var rhythm = Rhythm()
        for number in 0..<2000 {
            _ = rhythm.isFresh(key("flood\(number % 10)/\(number % 50)/\(number).png"), at: 1_000)
        }

        let singles = (0..<4).map { rhythm.isFresh(key("single\($0)/a.png"), at: 1_500) }

        #expect(singles == [true, true, true, true])
    }

    @Test func dropsDoNotDisturbEachOther() {
        var rhythm = Rhythm()
        for number in 0..<500 { _ = rhythm.isFresh(key("f\(number)/a.png", drop: "/one"), at: 0) }

        let isFresh = rhythm.isFresh(key("cats/a.png", drop: "/two"), at: 0)

        #expect(isFresh)
    }

    @Test func clockThatGoesBackIsNoPause() {
        var rhythm = Rhythm()
        for number in 0..<30 { _ = rhythm.isFresh(key("cats/\(number).png"), at: 100_000) }

        let isFresh = rhythm.isFresh(key("cats/a.png"), at: 5_000)

        #expect(!isFresh)
    }
}
