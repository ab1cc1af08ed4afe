import StickerHTTP
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerWeb

/// Answers of the index while it changes.
struct SearchIndexTests {
    private static let ids = (0..<3).map { StickerID(rawValue: "s\($0)") }

    private static let rows = ids.enumerated().map { place, id in
        SearchIndex.Row(
            place: Int64(place), identifier: id, category: CategoryID(rawValue: "cats"),
            words: SearchText.indexed(["cat"]) + " " + SearchText.indexed(.general),
            facts: SearchIndex.Facts(
                url: JSONWriter.string("u"), webp: JSONWriter.string("w"),
                members: Array("\"id\":\"\(id)\"".utf8), files: Array("\"pictures\":[]".utf8)))
    }

    @Test(arguments: [nil, SearchText.query("cat", upTo: .parentalGuidance)])
    func numberAndPageAreOfOneState(query: String?) async throws {
        let folder = try TemporaryFolder()
        let index = try SearchIndex(folder: folder.path, readers: 2)

        async let changes: Void = Self.change(index, times: 2000)
        for _ in 0..<5000 {
            let (page, total) = try index.counted(query, .provider, offset: 0, limit: 10)
            #expect(page.bodies.count == total && (total == 0 || total == 3))
        }
        try await changes
    }

    private static func change(_ index: SearchIndex, times: Int) async throws {
        for number in 0..<times {
            let isEven = number % 2 == 0
            try index.change(removing: isEven ? [] : ids, adding: isEven ? rows : [])
        }
    }

    @Test func partsAreJSONInEveryForm() throws {
        let folder = try TemporaryFolder()
        let index = try SearchIndex(folder: folder.path, readers: 1)
        try index.change(removing: [], adding: Self.rows)

        let bodies = try SearchIndex.Body.allCases.map { form in
            String(decoding: try #require(try index.one(Self.ids[0], form)), as: UTF8.self)
        }

        #expect(
            bodies == [
                #"{"url":"u","id":"s0"}"#, #"{"url":"w","id":"s0"}"#,
                #"{"url":"u","webp":"w","id":"s0","pictures":[]}"#,
            ])
    }

    @Test func numberIsCountedOnceInAState() throws {
        let totals = TotalCache()
        #expect(try totals.total(of: "cat", in: 1) { 3 } == 3)
        #expect(try totals.total(of: "cat", in: 1) { 4 } == 3)
        #expect(try totals.total(of: "cat", in: 2) { 4 } == 4)
        // A reader of an earlier state does not disturb the others.
        #expect(try totals.total(of: "cat", in: 1) { 3 } == 3)
        #expect(try totals.total(of: "cat", in: 2) { 5 } == 4)
    }
}
