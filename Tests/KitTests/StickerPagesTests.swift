import Foundation
import StickerKit
import Testing

/// Stickers over all pages of a server.
struct StickerPagesTests {
    @Test func pagesFollowOneAnother() async throws {
        let server = StubServer { url in
            let query = url.query ?? ""
            if query.contains("offset=0&") { return StubServer.page(["a", "b"], hasMore: true) }
            // A new sticker came first meanwhile, and moved the others.
            if query.contains("offset=2&") { return StubServer.page(["b", "c"], hasMore: true) }
            return StubServer.page(["d"])
        }

        var found: [String] = []
        for try await sticker in server.client().stickers(matching: "x", pageSize: 2) {
            found.append(sticker.identifier)
        }

        #expect(found == ["a", "b", "c", "d"])
        #expect(server.asked.last == "/api/stickers/search?q=x&offset=4&limit=2")
    }

    @Test func pagesAreAskedForAsFarAsSomebodyReads() async throws {
        let server = StubServer { _ in StubServer.page(["a", "b"], hasMore: true) }

        for try await _ in server.client().stickers().prefix(2) {}

        #expect(server.asked.count == 1)
    }

    @Test func emptyPageIsTheLastOne() async throws {
        let server = StubServer { _ in StubServer.page([], hasMore: true) }

        for try await _ in server.client().stickers() {}

        #expect(server.asked.count == 1)
    }

    @Test func failureEndsThePages() async throws {
        let server = StubServer { url in
            url.query?.contains("offset=0&") == true
                ? StubServer.page(["a"], hasMore: true) : nil
        }

        var found: [String] = []
        let error = await #expect(throws: StickerError.self) {
            for try await sticker in server.client().stickers() {
                found.append(sticker.identifier)
            }
        }

        #expect(found == ["a"])
        guard case .unreachable? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
