import StickerValues
import Testing

@testable import StickerPacks

/// A group keeps its number, whatever comes and goes.
struct TUIKitPlaceTests {
    /// The database's records of a library, by category.
    private struct Books {
        private var remembered: [CategoryID: [RememberedPart]] = [:]

        var packs: [Pack] {
            remembered.values.joined().compactMap(\.pack).sorted { $0.place < $1.place }
        }

        @discardableResult
        mutating func handOver(_ source: PackSource) -> PackPlan {
            let plan = PackPlan(
                source, for: TUIKit(), remembering: remembered[source.category] ?? [],
                place: (packs.last?.place ?? 0) + 1
            ) { "\($0)" }
            remembered[source.category] = plan.remembered
            return plan
        }
    }

    private func category(_ id: String, _ numbers: [Int]) -> PackSource {
        TUIKitLibrary.category(id, numbers.map { TUIKitLibrary.sticker($0) })
    }

    private func groups(_ books: Books) throws -> [String] {
        try TUIKit().files(of: books.packs, as: "lists").list("ios.json").map {
            "\($0["groupIndex"] ?? "") \($0["groupName"] ?? "")"
        }
    }

    @Test func categoriesGetPlacesAsTheyComeAndKeepThem() throws {
        var books = Books()
        for id in ["dogs", "cats", "birds"] { books.handOver(category(id, [1])) }
        #expect(try groups(books) == ["1 Dogs", "2 Cats", "3 Birds"])
        for id in ["birds", "cats", "ants", "dogs"] { books.handOver(category(id, [1, 3])) }
        #expect(try groups(books) == ["1 Dogs", "2 Cats", "3 Birds", "4 Ants"])
    }

    @Test func emptiedCategoryKeepsItsPlaceWithItsLastStickers() throws {
        var books = Books()
        for id in ["dogs", "cats", "birds"] { books.handOver(category(id, [1])) }
        let before = TUIKit().files(of: books.packs, as: "bundle")

        let plan = books.handOver(category("cats", []))

        #expect(plan.findings.map(\.rule) == ["emptied"])
        #expect(TUIKit().files(of: books.packs, as: "bundle") == before)
        books.handOver(category("ants", [5]))
        books.handOver(category("cats", [7]))
        #expect(try groups(books) == ["1 Dogs", "2 Cats", "3 Birds", "4 Ants"])
        #expect(books.packs[1].stickers.map(\.identifier.rawValue) == ["s7"])
    }

    @Test func stickerAtTheEndMovesNothing() throws {
        var books = Books()
        books.handOver(category("cats", [3, 1]))
        let before = TUIKit().files(of: books.packs, as: "bundle").paths
        books.handOver(category("cats", [3, 1, 2]))
        let after = TUIKit().files(of: books.packs, as: "bundle").paths
        #expect(after.starts(with: before) && after.count == before.count + 1)
    }

    @Test func placesHaveNoGaps() {
        var books = Books()
        for round in 0..<3 {
            for number in 0..<7 where (number + round) % 3 != 0 {
                books.handOver(category("c\(number)", number % 2 == round % 2 ? [] : [number]))
            }
        }
        #expect(books.packs.map(\.place) == Array(1...books.packs.count))
        #expect(books.packs.count > 3)
    }
}
