import Foundation
import StickerKit
import Testing

/// Stickers asked for at a server.
struct StickerClientTests {
    @Test func requestSaysWhatIsWanted() async throws {
        let server = StubServer { _ in StubServer.page([]) }

        _ = try await server.client(key: "K-1").trending(offset: 20, limit: 10)
        _ = try await server.client(.webP).search(query: "a+b & ö/?")
        _ = try await StickerClient(
            baseURL: server.url("/api/stickers"), ratingMax: .fromThirteen, session: server.session
        ).trending(limit: 3)

        #expect(
            server.asked == [
                "/api/stickers/trending?api_key=K-1&offset=20&limit=10",
                "/api/stickers/search?q=a%2Bb%20%26%20%C3%B6/?&offset=0&limit=200&format=webp",
                "/api/stickers/trending?offset=0&limit=3&rating=pg-13",
            ])
    }

    @Test func slashAtTheEndOfTheAddressMakesNoDifference() async throws {
        let server = StubServer { _ in StubServer.page([]) }

        _ = try await StickerClient(
            baseURL: server.url("/api/stickers/"), session: server.session
        ).trending()

        #expect(server.asked == ["/api/stickers/trending?offset=0&limit=200"])
    }

    @Test func everythingThatIsSaidIsRead() async throws {
        let server = StubServer { _ in
            .json(
                """
                {"images": [{"id": "wave", "url": "https://example.org/_/ab/x.gif",
                  "thumbnail": "../../_/cd/y.png", "title": "Wave", "category": "cats",
                  "animated": true, "emojis": ["👋"], "keywords": ["hi"],
                  "accessibilityText": "A cat waves", "tintMode": "solid", "rating": "pg-13",
                  "pinned": true,
                  "addedLater": {"by": [1, null]}}], "has_more": true, "total": 9}
                """)
        }

        let result = try await server.client().search(query: "wave")

        let sticker = try #require(result.stickers.first)
        #expect(result.hasMore)
        #expect(sticker.identifier == "wave")
        #expect(sticker.imageURL.absoluteString == "https://example.org/_/ab/x.gif")
        #expect(sticker.thumbnailURL == server.url("/_/cd/y.png"))
        #expect(sticker.title == "Wave" && sticker.category == "cats" && sticker.isAnimated)
        #expect(sticker.emojis == ["👋"] && sticker.keywords == ["hi"])
        #expect(sticker.label == "A cat waves")
        #expect(sticker.isPinned)
        #expect(sticker.tintMode == .solid && sticker.rating == .fromThirteen)
    }

    @Test func threeMembersAreEnough() async throws {
        let server = StubServer { _ in .json(#"{"images": [\#(StubServer.image("wave"))]}"#) }

        let result = try await server.client().trending()

        #expect(result.stickers.map(\.label) == ["wave"])
        #expect(!result.hasMore)
    }

    @Test func errorHasTheWordsOfTheServer() async throws {
        let server = StubServer { _ in
            StubServer.Answer(
                status: 503,
                body: Data(
                    """
                    {"error": "the library is being read", "remedy": "try again in a second",
                     "status": 503, "request": "r7"}
                    """.utf8), headers: ["Retry-After": "1"])
        }

        let error = await #expect(throws: StickerError.self) {
            try await server.client(key: "SECRET").trending()
        }

        guard case .refused(let url, let refusal)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.status == 503 && refusal.request == "r7" && refusal.retryAfterSeconds == 1)
        #expect(url == server.url("/api/stickers/trending"))
        #expect(error?.localizedDescription.hasSuffix("the library is being read") == true)
        #expect(error?.recoverySuggestion == "try again in a second")
        #expect("\(String(describing: error))".contains("SECRET") == false)
    }

    @Test func errorOfAnotherServerHasItsStatus() async throws {
        let server = StubServer { _ in
            .json("<html><h1>Bad Gateway</h1></html>", status: 502)
        }

        let error = await #expect(throws: StickerError.self) {
            try await server.client().sticker(id: "wave")
        }

        guard case .refused(_, let refusal)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.status == 502 && !refusal.message.isEmpty && refusal.remedy == nil)
    }

    @Test func removedStickerIsToldWithItsTitle() async throws {
        let server = StubServer([
            "/api/stickers/by-id/wave": .json(
                """
                {"error": "the sticker was removed", "remedy": "take another one", "status": 410,
                 "id": "wave", "title": "Wave", "category": "cats",
                 "removedAt": "2026-07-01T09:30:00Z", "request": "r1"}
                """, status: 410)
        ])

        await #expect(
            throws: StickerError.removed(
                RemovedSticker(
                    identifier: "wave", title: "Wave", category: "cats",
                    removedAt: Date(timeIntervalSince1970: 1_782_898_200)))
        ) {
            try await server.client().sticker(id: "wave")
        }
    }

    /// An id that an app stored is never taken for another path.
    @Test func idIsOnePartOfThePath() async throws {
        let server = StubServer { _ in .json(StubServer.image("trending")) }

        let sticker = try await server.client().sticker(id: "trending")
        _ = try await server.client().sticker(id: "../a b?c=d#e")

        #expect(sticker.identifier == "trending")
        #expect(
            server.asked == [
                "/api/stickers/by-id/trending", "/api/stickers/by-id/..%2Fa%20b%3Fc=d%23e",
            ])
    }

    @Test func serverThatIsAwayIsNamed() async throws {
        let server = StubServer { _ in nil }

        await #expect(
            throws: StickerError.unreachable(
                server.url("/api/stickers/trending"), .cannotConnectToHost)
        ) {
            try await server.client().trending()
        }
    }

    @Test(
        arguments: [
            ("{}", "images: is missing"), ("", ""), ("[]", ""),
            (#"{"images": [{"id": 7, "url": "x", "thumbnail": "y"}]}"#, "images.0.id: "),
            (#"{"images": [{"id": "a", "url": "file:///etc/x", "thumbnail": "y"}]}"#, "'file:"),
            (#"{"images": [{"id": "a", "url": "data:,x", "thumbnail": "y"}]}"#, "'data:"),
        ])
    func answerThatIsNoneSaysWhere(body: String, detail: String) async throws {
        let server = StubServer { _ in .json(body) }

        let error = await #expect(throws: StickerError.self) {
            try await server.client().trending()
        }

        guard case .unreadable(_, let text)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(text.hasPrefix(detail), "\(text)")
    }

    @Test func cancelledTaskSaysSo() async throws {
        let server = StubServer { _ in
            // It never answers; the end of the request ends the wait.
            try? await Task.sleep(for: .seconds(3600))
            return nil
        }
        let client = server.client()
        let task = Task { try await client.trending() }
        await server.isAsked()

        task.cancel()

        await #expect(throws: StickerError.cancelled) { try await task.value }
    }

    @Test func editorsGetTheSameThroughTheirProvider() async throws {
        let server = StubServer { url in
            url.path.hasSuffix("search")
                ? StubServer.page(["found"], hasMore: true) : .json("", status: 401)
        }
        let provider: any StickerProvider = server.client()

        let found = await withCheckedContinuation { continuation in
            provider.search(query: "f", offset: 3, limit: 5) { continuation.resume(returning: $0) }
        }
        let refused = await withCheckedContinuation { continuation in
            provider.trending(offset: 0, limit: 5) { continuation.resume(returning: $0) }
        }

        #expect(try found.get().stickers.map(\.identifier) == ["found"])
        #expect(try found.get().hasMore)
        #expect(throws: StickerError.self) { try refused.get() }
        #expect(server.asked.first == "/api/stickers/search?q=f&offset=3&limit=5")
    }
}
