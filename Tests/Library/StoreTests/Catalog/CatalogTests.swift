import Foundation
import StickerStore
import StickerSystem
import StickerValues
import Testing

private let cats = CategoryID(rawValue: "cats")

struct CatalogTests {
    private func index(_ library: Library) throws -> LibraryIndex {
        let data = Data(try library.folder.contents("out/index.json"))
        return try JSONDecoder().decode(LibraryIndex.self, from: data)
    }

    @Test func manifestNamesEverySticker() throws {
        let library = try Library()
        try library.make("cats/10 ten.png", 1)
        try library.make("cats/2 two 😀.png", 2)
        try library.make("cats/zebra.png", 3)

        let published = try #require(try library.publisher().publish(cats))

        let manifest = try library.manifest("cats")
        #expect(manifest.stickers.map(\.identifier.rawValue) == ["two", "ten", "zebra"])
        #expect(manifest.title == "cats" && manifest.generation == 3)
        #expect(manifest.stickers[0].emojis == ["😀"])
        #expect(manifest.stickers[0].source.sha256 == hash(2))
        #expect(manifest.stickers[0].imageURL == "../" + product(2).files[0].path)
        #expect(manifest.trayURL == "../" + product(2).files[3].path)
        #expect(published.stickers == 3 && published.pages == 1)
        #expect(try library.store.catalog.dirtyCategories().isEmpty)
        #expect(try index(library).categories.map(\.manifestURL) == ["cats/manifest.json"])
    }

    @Test func manifestIsBehindUntilItIsWritten() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)
        let publisher = try library.publisher()

        #expect(try publisher.behind().contains(cats))
        _ = try publisher.publish(cats)

        #expect(try !publisher.behind().contains(cats))
    }

    @Test func coverGivesTheTray() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)

        try library.make("cats/cover.png", 2)
        _ = try library.publisher().publish(cats)

        let manifest = try library.manifest("cats")
        #expect(manifest.stickers.count == 1)
        #expect(manifest.trayURL == "../" + product(2).files[3].path)
        #expect(manifest.imageURL == "../" + product(2).files[2].path)
    }

    @Test func goneCoverGivesWayToTheFirstSticker() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)
        try library.make("cats/cover.png", 2)
        try library.accept(gone: [key("cats/cover.png")])
        library.time.advance(.seconds(60))

        let expiry = try library.store.catalog.expireMissing()
        _ = try library.publisher().publish(cats)

        #expect(expiry.changedCategories == [cats] && expiry.removed.isEmpty)
        #expect(try library.manifest("cats").trayURL == "../" + product(1).files[3].path)
    }

    @Test func emptyCategoryKeepsItsManifestAndLeavesTheIndex() throws {
        let library = try Library()
        try library.make("cats/a.png")
        let publisher = try library.publisher()
        _ = try publisher.publish(cats)
        try library.accept(gone: [key("cats/a.png")])
        library.time.advance(.seconds(60))
        _ = try library.store.catalog.expireMissing()

        _ = try publisher.publish(cats)

        #expect(try library.manifest("cats").stickers.isEmpty)
        #expect(try index(library).categories.isEmpty && index(library).generation == 2)
    }

    @Test func indexIsWrittenOnlyWhenItChanges() throws {
        let library = try Library()
        let publisher = try library.publisher()
        for content in 1...3 {
            try library.make("cats/a.png", content)
            _ = try publisher.publish(cats)
        }

        #expect(try index(library).generation == 1)
        #expect(try library.manifest("cats").generation == 3)
    }

    @Test func longManifestIsPagedAndEveryPageIsWhole() throws {
        let library = try Library()
        library.policy.pageEntriesMax = 10
        for number in 0..<25 { try library.make("cats/s\(number).png", number) }

        let published = try #require(try library.publisher().publish(cats))

        var names: [String] = []
        var page = try library.manifest("cats")
        var sizes = [page.stickers.count]
        names += page.stickers.map(\.identifier.rawValue)
        while let next = page.nextURL {
            let bytes = try library.folder.contents("out/cats/\(next)")
            #expect(next == "manifest-\(ContentHash(of: bytes)).json")
            page = try JSONDecoder().decode(Manifest.self, from: Data(bytes))
            sizes.append(page.stickers.count)
            names += page.stickers.map(\.identifier.rawValue)
        }
        #expect(published.pages == 3 && sizes == [10, 10, 5])
        #expect(names == (0..<25).map { "s\($0)" })
    }

    @Test func publicAddressStandsBeforeEveryURL() throws {
        let library = try Library()
        try library.make("cats/a.png")
        try library.store.catalog.refreshEntries()

        library.policy.publicBaseURL = "https://stickers.example/"
        try library.store.catalog.refreshEntries()
        #expect(try library.store.catalog.dirtyCategories() == [cats])
        _ = try library.publisher().publish(cats)

        let manifest = try library.manifest("cats")
        #expect(manifest.stickers[0].imageURL.hasPrefix("https://stickers.example/_/"))
        #expect(manifest.trayURL?.hasPrefix("https://stickers.example/_/") == true)
        #expect(
            try index(library).categories.map(\.manifestURL)
                == ["https://stickers.example/cats/manifest.json"])
        try library.store.catalog.refreshEntries()
        #expect(try library.store.catalog.dirtyCategories().isEmpty)
    }

    @Test func categoryEmojiStandForNamesWithoutAny() throws {
        let library = try Library()
        library.policy.categoryEmojis = ["cats": ["😺"]]
        try library.make("cats/a.png", 1)
        try library.make("cats/b 😀.png", 2)

        _ = try library.publisher().publish(cats)

        #expect(try library.manifest("cats").stickers.map(\.emojis) == [["😺"], ["😀"]])
    }

    @Test func namesThatAreNotTextAreWrittenByPercent() throws {
        let library = try Library()
        let name: [UInt8] = [0x61, 0xFF, 0x2E, 0x70, 0x6E, 0x67]
        let seen = Sighting(
            key: SourceKey(drop: "/drop", directory: Array("cats".utf8), name: name),
            version: sighting("x").version, isRegularFile: true, origin: .closed)
        _ = try library.store.queue.accept([seen])
        let job = try #require(try library.claim().first)
        try library.finish(job, .made(product(1), content: hash(1)))

        _ = try library.publisher().publish(cats)

        let source = try library.manifest("cats").stickers[0].source
        #expect(source.name == "a%FF.png" && source.nameEncoding == "percent")
    }

    @Test func manifestThatIsNotThereIsFoundAtStart() throws {
        let library = try Library()
        try library.make("cats/a.png")
        let publisher = try library.publisher()
        _ = try publisher.publish(cats)
        #expect(try publisher.missingOrDirty().isEmpty)

        try FileManager.default.removeItem(atPath: library.folder.file("out/cats/manifest.json"))

        #expect(try publisher.missingOrDirty() == [cats])
    }

    /// Bytes and rows, not time: each sticker adds the same to the manifest, and a change of one sticker
    /// among many rewrites no other entry.
    @Test func costOfAStickerDoesNotGrowWithTheCategory() throws {
        let library = try Library()
        let publisher = try library.publisher()
        var sizes: [Int] = []
        for count in [1000, 2000] {
            _ = try library.store.queue.accept(
                ((count - 1000)..<count).map { sighting("cats/s\(100_000 + $0).png") })
            let finished = try library.claim(1000).map {
                FinishedJob(job: $0, outcome: .made(product(1), content: hash(1)), log: StepLog())
            }
            _ = try library.store.queue.turn(finished: finished, claiming: .any(0))
            sizes.append(try #require(try publisher.publish(cats)).bytes)
        }

        #expect(sizes[1] < sizes[0] * 2 && sizes[1] > sizes[0] * 2 - 1000)
    }
}
