import Foundation
import StickerKit
import StickerTestSupport
import StickerValues
import Testing

/// A published library, read from a disk and from a server.
struct StickerLibraryTests {
    @Test func indexNamesTheCategories() async throws {
        let shelf = try Shelf()
        let categories = ["cats", "dogs"].map {
            StickerValues.LibraryIndex.Category(
                identifier: CategoryID(rawValue: $0), title: $0.capitalized,
                manifestURL: "\($0)/manifest.json")
        }
        try shelf.write(
            StickerValues.LibraryIndex(generation: 7, categories: categories), "index.json")

        let index = try await shelf.library.index()

        #expect(index.generation == 7)
        #expect(index.categories.map(\.id) == ["cats", "dogs"])
        #expect(index.categories.map(\.title) == ["Cats", "Dogs"])
    }

    @Test func categoryHasAllThatTheManifestSays() async throws {
        let shelf = try Shelf()
        let wave = shelf.sticker("wave") { sticker in
            sticker.keywords = ["hi"]
            sticker.pinned = true
            sticker.rating = .parentalGuidance
            sticker.tintMode = .colorized
        }
        try shelf.publish("cats", pages: [[wave]], generation: 3)

        let category = try await shelf.library.category("cats")

        #expect(category.title == "Cats" && category.generation == 3)
        #expect(category.description == "What it is about" && category.publisher == "Ada")
        #expect(category.links == ["website": "https://example.org/ada"])
        #expect(category.trayURL == shelf.url.appending(path: "_/aa/tray.png"))
        let sticker = try #require(category.stickers.first)
        #expect(sticker.title == "Wave" && sticker.emojis == ["😀"] && sticker.category == "cats")
        #expect(sticker.isPinned && sticker.rating == .parentalGuidance)
        #expect(sticker.tintMode == .colorized)
        #expect(sticker.publishedAt == Date(timeIntervalSince1970: 1_782_898_200))
        let place = shelf.url.appending(path: "_/00/\(String(repeating: "0", count: 64))")
        #expect(sticker.imageURL == place.appendingPathExtension("webp"))
        #expect(sticker.companionURL == place.appendingPathExtension("png"))
        #expect(sticker.files.map(\.role) == [.sticker, .companion, .thumbnail])
        #expect(sticker.files.map(\.width) == [512, 512, 512])
    }

    @Test(arguments: ["", "https://example.org/stickers/"])
    func pagesAreReadWhereTheLibraryIs(base: String) async throws {
        let shelf = try Shelf(base: base)
        let stickers = ["a", "b", "c"].map { [shelf.sticker($0)] }
        try shelf.publish("cats", pages: stickers)

        let category = try await shelf.library.category("cats")

        #expect(category.stickers.map(\.id) == ["a", "b", "c"])
        #expect(category.stickers.allSatisfy { $0.imageURL.isFileURL == base.isEmpty })
    }

    @Test func onePageAfterTheOther() async throws {
        let shelf = try Shelf()
        try shelf.publish("cats", pages: [[shelf.sticker("a")], [shelf.sticker("b")]])

        let first = try await shelf.library.firstPage(of: "cats")
        let second = try #require(try await shelf.library.page(after: first))

        #expect(first.category.stickers.map(\.id) == ["a"])
        #expect(second.category.stickers.map(\.id) == ["b"])
        #expect(try await shelf.library.page(after: second) == nil)
    }

    @Test func serverIsReadLikeADisk() async throws {
        let shelf = try Shelf()
        try shelf.publish("cats", pages: [[shelf.sticker("a")], [shelf.sticker("b")]])
        let root = shelf.url
        let server = StubServer { url in
            let path = url.path.dropFirst("/stickers/".count)
            guard let data = try? Data(contentsOf: root.appending(path: path)) else {
                return StubServer.Answer(status: 404)
            }
            return StubServer.Answer(body: data)
        }
        let library = StickerLibrary(at: server.url("/stickers"), session: server.session)

        let category = try await library.category("cats")

        #expect(category.stickers.map(\.id) == ["a", "b"])
        #expect(category.trayURL == server.url("/stickers/_/aa/tray.png"))
        let error = await #expect(throws: StickerError.self) { try await library.index() }
        guard case .refused(_, let refusal)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.status == 404)
    }

    /// The daemon replaces the first page last and keeps old pages for a day; a reader that slept is later still.
    @Test func categoryThatChangedMeanwhileIsReadAgain() async throws {
        let shelf = try Shelf()
        try shelf.publish("cats", pages: [[shelf.sticker("old")], [shelf.sticker("older")]])
        let stale = try Data(contentsOf: shelf.url.appending(path: "cats/manifest.json"))
        try shelf.publish(
            "cats", pages: [[shelf.sticker("new")], [shelf.sticker("newer")]], generation: 2)
        try FileManager.default.removeItem(atPath: shelf.folder.path("cats/manifest-1-1.json"))
        let root = shelf.url
        let asked = WaitableValue(0)
        let server = StubServer { url in
            let path = url.path
            if path == "/cats/manifest.json" {
                asked.update { $0 += 1 }
                if asked.value == 1 { return StubServer.Answer(body: stale) }
            }
            guard let data = try? Data(contentsOf: root.appending(path: path)) else {
                return StubServer.Answer(status: 404)
            }
            return StubServer.Answer(body: data)
        }

        let category = try await StickerLibrary(at: server.url("/"), session: server.session)
            .category("cats")

        #expect(category.stickers.map(\.id) == ["new", "newer"])
        #expect(category.generation == 2)
    }

    @Test func pagesThatLeadInACircleEnd() async throws {
        let page = #"{"version": 1, "removed": [], "nextURL": "_removed.json"}"#
        let shelf = try Shelf()
        try shelf.folder.write(Array(page.utf8), to: "_removed.json")

        let error = await #expect(throws: StickerError.self) { try await shelf.library.removed() }

        guard case .unreadable(_, let detail)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(detail == "its pages lead in a circle")
    }

    @Test func removedStickersAreListedOverAllPages() async throws {
        let shelf = try Shelf()
        func page(_ id: String, next: String?) -> RemovedStickers {
            let sticker = StickerValues.RemovedSticker(
                identifier: StickerID(rawValue: id), title: id.capitalized,
                category: CategoryID(rawValue: "cats"), sha256: nil,
                removedAt: "2026-07-01T09:30:00Z")
            return RemovedStickers(
                generation: next == nil ? nil : 2, removed: [sticker], nextURL: next)
        }
        try shelf.write(page("late", next: "_removed-1.json"), "_removed.json")
        try shelf.write(page("early", next: nil), "_removed-1.json")

        let removed = try await shelf.library.removed()

        #expect(removed.map(\.id) == ["late", "early"])
        #expect(removed.map(\.title) == ["Late", "Early"])
        #expect(removed.first?.removedAt == Date(timeIntervalSince1970: 1_782_898_200))
    }

    // MARK: What is not as expected

    @Test func newerVersionIsNotGuessedAt() async throws {
        let shelf = try Shelf()
        let texts = [
            #"{"version": 2, "generation": 1, "categories": []}"#, #"{"version": 2, "other": 1}"#,
        ]
        for text in texts {
            let path = try shelf.folder.write(Array(text.utf8), to: "index.json")

            await #expect(throws: StickerError.newerVersion(URL(filePath: path), 2)) {
                try await shelf.library.index()
            }
        }
    }

    @Test func wordsOfLaterReleasesAreKept() async throws {
        let shelf = try Shelf()
        try shelf.publish("cats", pages: [[shelf.sticker("wave")]])
        let path = shelf.folder.path("cats/manifest.json")
        let text = try String(contentsOfFile: path, encoding: .utf8)
            .replacing(#""role":"companion""#, with: #""role":"hologram","depth":3"#)
        try Data(text.utf8).write(to: URL(filePath: path))

        let category = try await shelf.library.category("cats")

        #expect(category.stickers.first?.files.map(\.role.rawValue).contains("hologram") == true)
    }

    @Test func entryThatCannotBeReadIsNamed() async throws {
        let shelf = try Shelf()
        try shelf.publish("cats", pages: [[shelf.sticker("a"), shelf.sticker("b")]])
        let path = shelf.folder.path("cats/manifest.json")
        let text = try String(contentsOfFile: path, encoding: .utf8)
            .replacing(#""title":"B""#, with: #""name":"B""#)
        try Data(text.utf8).write(to: URL(filePath: path))

        await #expect(
            throws: StickerError.unreadable(URL(filePath: path), "stickers.1.title: is missing")
        ) {
            try await shelf.library.category("cats")
        }
    }

    @Test(arguments: ["../cats", "a/b", "", ".", ".hidden"])
    func nameThatIsNoIdLeadsNowhere(identifier: String) async throws {
        let shelf = try Shelf()
        try shelf.publish("cats", pages: [[]])

        await #expect(
            throws: StickerError.unreadable(shelf.url, "'\(identifier)' is not a category id")
        ) {
            try await shelf.library.category(identifier)
        }
    }

    @Test func serverCannotNameFilesOfTheDevice() async throws {
        let shelf = try Shelf(base: "file:///etc/")
        try shelf.publish("cats", pages: [[shelf.sticker("a")]])
        let data = try Data(contentsOf: shelf.url.appending(path: "cats/manifest.json"))
        let server = StubServer(["/cats/manifest.json": StubServer.Answer(body: data)])

        let error = await #expect(throws: StickerError.self) {
            try await StickerLibrary(at: server.url(""), session: server.session).category("cats")
        }

        guard case .unreadable(_, let detail)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(detail.contains("'file:///etc/"))
    }
}
