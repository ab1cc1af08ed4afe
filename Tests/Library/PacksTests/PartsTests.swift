import StickerPacks
import StickerValues
import Testing

/// Which sticker is in which pack, and that it stays there.
struct PartsTests {
    private let rules = PartRules(least: 3, most: 30, dividesMoving: true)

    private func candidates(
        _ numbers: some Sequence<Int>, moving: some Sequence<Int> = []
    ) -> [Parts.Candidate] {
        numbers.map { .init(id($0), moves: false) } + moving.map { .init(id($0), moves: true) }
    }

    private func id(_ number: Int) -> StickerID { StickerID(rawValue: "s\(number)") }

    private func sizes(_ parts: Parts, _ kind: PartKind = .still) -> [Int] {
        parts.parts.filter { $0.kind == kind }.map(\.stickers.count)
    }

    @Test(
        arguments: [
            (2, []), (3, [3]), (30, [30]), (31, [15, 16]), (34, [17, 17]), (61, [20, 20, 21]),
        ] as [(Int, [Int])])
    func firstDivisionIsBalanced(count: Int, expected: [Int]) {
        var parts = Parts()
        parts.divide(candidates(0..<count), by: rules)
        #expect(sizes(parts).sorted() == expected)
        #expect(parts.parts.flatMap(\.stickers) == (expected.isEmpty ? [] : (0..<count).map(id)))
        #expect(parts.waiting[.still] == (expected.isEmpty ? (0..<count).map(id) : nil))
    }

    @Test func stillsAndMovingOnesNeverMix() {
        var parts = Parts()
        parts.divide(candidates(0..<5, moving: 10..<12), by: rules)
        #expect(parts.parts.map(\.kind) == [.still])
        #expect(parts.waiting == [.moving: [id(10), id(11)]])
        parts.divide(candidates(0..<5, moving: 10..<13), by: rules)
        #expect(parts.parts.map(\.kind) == [.still, .moving])
        #expect(parts.waiting.isEmpty)
    }

    @Test func nothingMovesWhenAStickerComesOrGoes() throws {
        var parts = Parts()
        parts.divide(candidates(0..<34), by: rules)
        let before = parts.parts
        parts.divide(candidates([100] + Array(0..<34)), by: rules)
        #expect(parts.parts[0].stickers == [id(100)] + before[0].stickers)
        #expect(parts.parts[1] == before[1])
        parts.divide(candidates([100] + Array(1..<34)), by: rules)
        #expect(parts.parts[0].stickers == [id(100)] + before[0].stickers.dropFirst())
        #expect(parts.parts[1] == before[1])
    }

    @Test func leftOverStickersWaitUntilTheyAreEnough() {
        var parts = Parts()
        parts.divide(candidates(0..<30), by: rules)
        parts.divide(candidates(0..<32), by: rules)
        #expect(sizes(parts) == [30] && parts.waiting == [.still: [id(30), id(31)]])
        parts.divide(candidates(0..<33), by: rules)
        #expect(sizes(parts) == [30, 3] && parts.waiting.isEmpty)
        #expect(parts.parts.map(\.number) == [1, 2])
    }

    @Test func partThatShrankKeepsItsPlaceAndTakesNewOnes() {
        var parts = Parts()
        parts.divide(candidates(0..<3), by: rules)
        parts.divide(candidates(0..<2), by: rules)
        #expect(sizes(parts) == [2])
        parts.divide(candidates([0, 1, 7]), by: rules)
        #expect(parts.parts == [Part(kind: .still, number: 1, stickers: [id(0), id(1), id(7)])])
    }

    @Test func numberOfAPartThatIsGoneIsNotGivenAgain() {
        var parts = Parts()
        parts.divide(candidates(0..<40), by: rules)
        parts.divide(candidates(0..<20), by: rules)
        #expect(parts.parts.map(\.number) == [1])
        parts = Parts(parts.parts, numbers: parts.numbers)
        parts.divide(candidates(Array(0..<20) + Array(50..<80)), by: rules)
        #expect(parts.parts.map(\.number) == [1, 3])
    }

    @Test func orderInAPartIsThatOfTheCategory() {
        var parts = Parts()
        parts.divide(candidates([1, 2, 3]), by: rules)
        parts.divide(candidates([3, 1, 2]), by: rules)
        #expect(parts.parts[0].stickers == [id(3), id(1), id(2)])
    }

    @Test func onePartHoldsEverythingWhereNothingIsDivided() {
        var parts = Parts()
        parts.divide(candidates(0..<100, moving: 200..<201), by: PartRules())
        #expect(sizes(parts, .all) == [101])
        parts.divide([], by: PartRules())
        #expect(parts.parts.isEmpty && parts.waiting.isEmpty)
    }

    @Test func partsGrowByWholeStepsAndGapsAreFilledFirst() {
        let rules = PartRules(least: 4, most: 12, step: 4)
        var parts = Parts()
        parts.divide(candidates(0..<7), by: rules)
        #expect(sizes(parts, .all) == [4] && parts.waiting == [.all: [id(4), id(5), id(6)]])
        parts.divide(candidates(0..<8), by: rules)
        #expect(sizes(parts, .all) == [8] && parts.waiting.isEmpty)
        parts.divide(candidates(2..<9), by: rules)
        #expect(sizes(parts, .all) == [7] && parts.waiting.isEmpty)
        parts.divide(candidates(2..<11), by: rules)
        #expect(sizes(parts, .all) == [8] && parts.waiting == [.all: [id(10)]])
    }

    @Test func partsOfWholeStepsAreBalanced() {
        var parts = Parts()
        parts.divide(candidates(0..<30), by: PartRules(least: 4, most: 12, step: 4))
        #expect(sizes(parts, .all) == [8, 8, 12])
        #expect(parts.waiting == [.all: [id(28), id(29)]])
    }

    @Test func newestStickersLeaveIfOthersNeedThem() {
        var parts = Parts()
        let rules = PartRules(least: 3, most: 30, dividesMoving: true)
        func candidates(_ numbers: ClosedRange<Int>) -> [Parts.Candidate] {
            numbers.map { number in
                .init(
                    StickerID(rawValue: "s\(number)"), moves: false,
                    publishedAt: number == 7 ? "2026-12" : number > 30 ? "2027-01" : "2026-11")
            }
        }
        parts.divide(candidates(1...30), by: rules)
        parts.divide(candidates(1...31), by: rules)
        #expect(parts.parts.map(\.stickers.count) == [30])

        parts.divide(candidates(1...31), by: rules, rebalancing: true)
        #expect(parts.parts.map(\.stickers.count) == [28, 3] && parts.waiting.isEmpty)
        #expect(parts.parts[1].stickers.map(\.rawValue) == ["s7", "s30", "s31"])

        var few = Parts()
        few.divide(candidates(1...4), by: PartRules(least: 3, most: 5))
        few.divide(candidates(1...6), by: PartRules(least: 3, most: 5), rebalancing: true)
        #expect(few.parts.map(\.stickers.count) == [3, 3])
    }
}
