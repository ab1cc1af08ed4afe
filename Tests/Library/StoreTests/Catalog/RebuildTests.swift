import Foundation
import Glibc
import StickerConfiguration
import StickerStore
import StickerSystem
import StickerTestSupport
import StickerValues
import Testing

private let cats = CategoryID(rawValue: "cats")

struct RebuildTests {
    /// A published library whose database is lost: the new store beside the same output.
    private func rebuilt(
        _ library: Library, files: [String]
    ) throws -> (LibraryStore, Rebuilt) {
        for file in files { try library.folder.write("bytes of \(file)", to: "drop/\(file)") }
        let path = library.folder.file("jobs.sqlite")
        try library.store.close()
        try library.folder.write("no database any more", to: "jobs.sqlite")
        #expect(try Rebuild.setAside(path) == path + ".damaged-1")
        let store = try LibraryStore(path: path, policy: library.policy, clock: library.time.clock)
        let rebuilt = try Rebuild.fill(
            store, out: library.out, drops: [library.folder.file("drop")])
        return (store, rebuilt)
    }

    private func seen(_ path: String, in library: Library) -> Sighting {
        var seen = sighting(path)
        seen.key.drop = library.folder.file("drop")
        return seen
    }

    @Test func idsAndManifestsOutliveTheDatabase() throws {
        let library = try Library()
        library.policy.pageEntriesMax = 10
        for number in 0..<12 { try library.make("cats/\(number) wave.png", number) }
        _ = try library.publisher().publish(cats)
        let before = try library.folder.contents("out/cats/manifest.json")

        let (store, rebuilt) = try rebuilt(library, files: (0..<12).map { "cats/\($0) wave.png" })

        #expect(rebuilt.stickers == 12 && rebuilt.withoutFile == 0 && rebuilt.unreadable.isEmpty)
        #expect(try store.catalog.dirtyCategories().isEmpty)
        #expect(try store.operations.status().outdated == 0)
        _ = try store.queue.accept([seen("cats/3 wave.png", in: library)])
        library.time.advance(.seconds(1))
        let job = try #require(try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
        #expect(job.sticker == StickerID(rawValue: "wave_4"))
        #expect(try library.folder.contents("out/cats/manifest.json") == before)
        let made = FinishedJob(
            job: job, outcome: .made(product(3), content: hash(3)), log: StepLog())
        #expect(try store.queue.turn(finished: [made], claiming: .any(0)).changedCategories.isEmpty)
    }

    @Test func appearanceOutlivesTheDatabase() throws {
        let library = try Library()
        var judged = product(1)
        judged.appearance = Appearance(
            onDarkPercent: 3, onLightPercent: 99, marginPixels: 16, startsEmpty: false)
        try library.accept(sighting("cats/a.png"))
        let job = try #require(try library.claim().first)
        try library.finish(job, .made(judged, content: hash(1)))
        _ = try library.publisher().publish(cats)

        let (store, _) = try rebuilt(library, files: ["cats/a.png"])

        #expect(try library.manifest("cats").stickers[0].appearance == judged.appearance)
        #expect(try store.packs.knownProducts(of: hash(1)).map(\.appearance) == [judged.appearance])
    }

    /// A category that has another title than its folder, and a picture that has another name by now.
    @Test func wordsOutliveTheDatabase() throws {
        let library = try Library()
        for (number, name) in ["a", "b", "c"].enumerated() {
            try library.make("cats/\(name).png", number)
        }
        let texts = [
            "cats/category.json": #"{"title": "Fluffy", "order": ["c.png"], "publisher": "A"}"#,
            "cats/b.png.sticker.json": #"{"title": "Bee", "emojis": []}"#,
        ]
        for (path, text) in texts { try library.say(path, text) }
        var renamed = sighting("cats/d.png", 1)
        renamed.version = sighting("cats/b.png", 1).version
        try library.accept(renamed, gone: [key("cats/b.png")])
        try library.accept(gone: [key("cats/b.png.sticker.json")])
        _ = try library.publisher().publish(cats)
        let before = try library.manifest("cats")
        #expect(before.stickers.map(\.title) == ["c", "a", "Bee"])
        let bytes = try library.folder.contents("out/cats/manifest.json")
        let json = try #require(texts["cats/category.json"])
        try library.folder.write(json, to: "drop/cats/category.json")

        let (store, rebuilt) = try rebuilt(
            library, files: ["cats/a.png", "cats/c.png", "cats/d.png"])
        #expect(rebuilt.stickers == 3 && rebuilt.withoutFile == 0)
        let publisher = try library.publisher(of: store)
        #expect(try publisher.missingOrDirty().isEmpty)
        _ = try publisher.publish(cats)

        #expect(try library.folder.contents("out/cats/manifest.json") == bytes)
        #expect(
            try store.queue.accept([seen("cats/category.json", in: library)]).changedCategories
                .isEmpty)
    }

    /// They would stay when the setting changes.
    @Test func wordsOfTheConfigurationDoNotBecomeThoseOfACategory() throws {
        let library = try Library()
        try library.make("cats/a.png")
        var configuration = Configuration()
        configuration.sticker.words.publisher = "Ada"
        library.policy.defaultWords = DefaultWords(configuration)
        _ = try library.publisher().publish(cats)
        #expect(try library.manifest("cats").publisher == "Ada")

        let (store, _) = try rebuilt(library, files: ["cats/a.png"])
        try store.catalog.refreshEntries()
        store.policy.defaultWords = DefaultWords()
        try store.catalog.refreshEntries()
        let publisher = try library.publisher(of: store)
        _ = try publisher.publish(cats)

        #expect(try library.manifest("cats").publisher == nil)
    }

    /// While a side file had a fault, its last good state was published.
    @Test func wordsOfFaultyFilesOutliveTheDatabase() throws {
        let library = try Library()
        for (number, name) in ["a", "b"].enumerated() {
            try library.make("cats/\(name).png", number)
        }
        try library.say(
            "cats/category.json", #"{"title": "F", "stickers": {"a.png": {"title": "A!"}}}"#)
        try library.say("cats/b.png.sticker.json", #"{"title": "B!", "order": 1}"#)
        _ = try library.publisher().publish(cats)
        let before = try library.manifest("cats")
        try library.folder.write("{", to: "drop/cats/category.json")
        try library.folder.write("{", to: "drop/cats/b.png.sticker.json")
        try library.folder.write("Ada", to: "drop/cats/author.txt")

        let (store, _) = try rebuilt(library, files: ["cats/a.png", "cats/b.png"])
        let publisher = try library.publisher(of: store)
        _ = try publisher.publish(cats)

        let after = try library.manifest("cats")
        #expect(after.title == "F" && after.publisher == "Ada")
        #expect(after.stickers.map(\.title) == ["B!", "A!"])
        #expect(after.stickers.map(\.order) == before.stickers.map(\.order))
    }

    /// A missing file may only be away.
    @Test func wordsOfMissingFilesStay() throws {
        let library = try Library()
        try library.make("cats/a.png")
        try library.say("cats/title.txt", "Fluffy")
        try library.say("cats/a.png.sticker.json", #"{"title": "Ay", "rating": "g"}"#)
        _ = try library.publisher().publish(cats)
        let before = try library.manifest("cats")
        try library.folder.write("bytes", to: "drop/dogs/b.png")

        let (store, _) = try rebuilt(library, files: [])
        let publisher = try library.publisher(of: store)
        library.policy.publicBaseURL = "https://example.org/"
        store.policy = library.policy
        try store.catalog.refreshEntries()
        _ = try publisher.publish(cats)

        let after = try library.manifest("cats")
        #expect(after.title == "Fluffy" && after.stickers.map(\.title) == ["Ay"])
        #expect(after.stickers.first?.rating == before.stickers.first?.rating)
    }

    @Test func filesOfADropItselfStayInTheirCategory() throws {
        let library = try Library()
        try library.make("wave.png", 1)
        let stickers = CategoryID(rawValue: "stickers")
        _ = try library.publisher().publish(stickers)

        let (store, _) = try rebuilt(library, files: ["wave.png"])

        #expect(try store.catalog.moveToDefaultCategory() == 0)
        #expect(try store.queue.accept([seen("new.png", in: library)]).accepted == 1)
        library.time.advance(.seconds(1))
        let jobs = try store.queue.turn(finished: [], claiming: .any(5)).claimed
        #expect(jobs.map(\.category) == [stickers])
    }

    @Test func planForetellsThatARebuiltLibraryIsMadeAgain() throws {
        let library = try Library()
        try library.make("cats/wave.png", 1)
        _ = try library.publisher().publish(cats)

        let (store, _) = try rebuilt(library, files: ["cats/wave.png"])

        #expect(try store.queue.stale { _, _ in RecipeIDs("recipe") }.map(\.stale) == [1])
        #expect(try store.queue.redoStale { _, _ in RecipeIDs("recipe") } == 0)
    }

    /// Which is found first is up to the file system, so the bytes have to tell.
    @Test(arguments: [["cats/a.png", "cats/deep/a.png"], ["cats/deep/a.png", "cats/a.png"]])
    func filesOfOneNameAreToldByTheirBytes(paths: [String]) throws {
        let library = try Library()
        for path in paths {
            let content = ContentHash(of: Array("bytes of \(path)".utf8))
            try library.accept(sighting(path))
            let job = try #require(try library.claim().first)
            try library.finish(job, .made(product(1), content: content))
        }
        _ = try library.publisher().publish(cats)

        let (store, rebuilt) = try rebuilt(library, files: paths)

        #expect(rebuilt.stickers == 2 && rebuilt.withoutFile == 0)
        let ids = try paths.map { path in
            _ = try store.queue.accept([seen(path, in: library)])
            library.time.advance(.seconds(1))
            return try store.queue.turn(finished: [], claiming: .any(1)).claimed.first?.sticker?
                .rawValue
        }
        #expect(ids == ["a", "a_2"])
    }

    @Test func rebuildOfNothingIsRefusedBeforeAnythingIsMade() throws {
        let folder = try TemporaryFolder()

        #expect(throws: FolderError.self) { try Rebuild.demandPublished(folder.file("out")) }
        #expect(throws: FileError.self) { try Rebuild.demandPublished("/dev/null") }
    }

    @Test func newFileDoesNotTakeAPublishedID() throws {
        let library = try Library()
        try library.make("cats/wave.png", 1)
        _ = try library.publisher().publish(cats)

        let (store, _) = try rebuilt(library, files: ["cats/wave.png"])
        _ = try store.queue.accept([seen("dogs/wave.png", in: library)])

        let job = try #require(try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
        #expect(job.sticker == StickerID(rawValue: "wave_2"))
    }

    @Test func stickerWhoseFileIsGoneLeavesAfterTheGrace() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)
        try library.make("cats/deep/a.png", 2)
        try library.make("cats/b.png", 3)
        _ = try library.publisher().publish(cats)

        let (store, rebuilt) = try rebuilt(library, files: ["cats/b.png"])
        library.time.advance(.seconds(60))
        let expiry = try store.catalog.expireMissing()
        let objects = try ObjectStore(out: library.out)
        _ = try CatalogPublisher(catalog: store.catalog, objects: objects).publish(cats)

        #expect(rebuilt.stickers == 3 && rebuilt.withoutFile == 2)
        #expect(expiry.removed.count == 2)
        let manifest = try library.manifest("cats")
        #expect(manifest.stickers.map(\.identifier.rawValue) == ["b"])
        #expect(manifest.generation == 4)
    }

    /// In the folder of the category, or in one below it.
    @Test(arguments: [
        ("cats/wave.png", "cats/wave.webp"), ("cats/deep/wave.png", "cats/deep/wave.gif"),
    ])
    func fileOfAnotherFormatContinuesASticker(from old: String, by new: String) throws {
        let library = try Library()
        try library.make(old, 1)
        try library.make("cats/b.png", 2)
        _ = try library.publisher().publish(cats)

        let (store, rebuilt) = try rebuilt(library, files: ["cats/b.png", new])
        #expect(rebuilt.stickers == 2 && rebuilt.continued == 1 && rebuilt.withoutFile == 0)
        _ = try store.queue.accept([seen(new, in: library)])
        library.time.advance(.seconds(1))
        let job = try #require(try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
        let made = FinishedJob(
            job: job, outcome: .made(product(3), content: hash(3)), log: StepLog())
        let turn = try store.queue.turn(finished: [made], claiming: .any(0))

        #expect(turn.renamed.map(\.sticker.rawValue) == ["wave"])
        _ = try store.catalog.expireMissing()
        let objects = try ObjectStore(out: library.out)
        _ = try CatalogPublisher(catalog: store.catalog, objects: objects).publish(cats)
        #expect(try library.manifest("cats").stickers.map(\.identifier.rawValue) == ["b", "wave"])
    }

    @Test(arguments: [
        (["cats/wave.png", "cats/wave.gif"], ["cats/wave.webp"]),
        (["cats/wave.png"], ["cats/wave.webp", "cats/deep/wave.webp"]),
        (["cats/wave.png"], ["dogs/wave.webp"]), (["cats/wave.png"], ["cats/wave.smart.svg"]),
    ])
    func whatNobodyContinuesIsCountedAsLost(published: [String], there: [String]) throws {
        let library = try Library()
        for (number, path) in published.enumerated() { try library.make(path, number) }
        _ = try library.publisher().publish(cats)

        let (_, rebuilt) = try rebuilt(library, files: there)

        #expect(rebuilt.continued == 0 && rebuilt.withoutFile == published.count)
    }

    @Test func stickerWithoutAFileMakesNoDefaultCategory() throws {
        let library = try Library()
        try library.make("cats/wave.png", 1)
        try library.accept(gone: [key("cats/wave.png")])
        library.time.advance(.seconds(60))
        _ = try library.store.catalog.expireMissing()
        let publisher = try library.publisher()
        _ = try publisher.publish(cats)
        #expect(try library.store.operations.restore(StickerID(rawValue: "wave")) == .done(cats))
        _ = try publisher.publish(cats)
        #expect(try library.manifest("cats").stickers.map(\.source.missing) == [true])

        let (store, rebuilt) = try rebuilt(library, files: ["dogs/b.png"])
        #expect(rebuilt.stickers == 1 && rebuilt.withoutFile == 0)

        #expect(try store.catalog.moveToDefaultCategory() == 0)
        #expect(try store.catalog.dirtyCategories().isEmpty)
    }

    @Test func publishedPicturesAreNotOrphans() throws {
        let library = try Library()
        let objects = try ObjectStore(out: library.out)
        let bytes = Array("picture".utf8)
        let content = try #require(
            try objects.place([NewObject(bytes: bytes, format: .webp)]).first)
        let file = StickerFile(
            role: .sticker, format: .webp, size: .sticker, bytes: bytes.count, sha256: content)
        try library.accept(sighting("cats/a.png"))
        let job = try #require(try library.claim().first)
        let made = StickerProduct(
            recipe: "r", animated: false, encoding: Encoding(mode: .lossless), files: [file])
        try library.finish(job, .made(made, content: hash(1)))
        _ = try library.publisher().publish(cats)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3 * 86400)],
            ofItemAtPath: "\(library.out)/\(file.path)")

        let (store, _) = try rebuilt(library, files: ["cats/a.png"])
        let housekeeper = Housekeeper(catalog: store.catalog, objects: objects, out: library.out)

        #expect(try housekeeper.sweep().objects == 0)
    }

    @Test func storeInUseIsNotFilled() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))
        _ = try library.publisher()

        #expect(throws: StoreError.self) {
            try Rebuild.fill(library.store, out: library.out, drops: [])
        }
    }

    @Test func damagedManifestIsNamed() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)
        _ = try library.publisher().publish(cats)
        try library.folder.write("{", to: "out/cats/manifest.json")

        let (_, rebuilt) = try rebuilt(library, files: ["cats/a.png"])

        #expect(rebuilt.stickers == 0)
        #expect(
            rebuilt.unreadable == [
                "\(library.out)/cats/manifest.json: it is damaged, or not such a list"
            ])
    }

    @Test func folderThatIsTooDeepIsLeftOutAndTheOthersAreTakenOver() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)
        _ = try library.publisher().publish(cats)
        try FileManager.default.createDirectory(
            atPath: library.folder.file("drop"), withIntermediateDirectories: true)
        let name = String(repeating: "d", count: 250)
        let deep = try DeepTree(
            below: library.folder.file("drop"), name: name, levels: 30, file: "b.png")
        defer { withExtendedLifetime(deep) {} }

        let (_, rebuilt) = try rebuilt(library, files: ["cats/a.png"])

        #expect(rebuilt.stickers == 1 && rebuilt.withoutFile == 0)
        #expect(rebuilt.skippedFolders.count == 1)
        #expect(rebuilt.skippedFolders[0].hasSuffix("File name too long"))
    }

    @Test(.enabled(if: geteuid() != 0, "root reads every folder"))
    func folderThatCannotBeReadIsLeftOutAndTheOthersAreTakenOver() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)
        _ = try library.publisher().publish(cats)
        try library.folder.write("x", to: "drop/dogs/deep/b.png")
        let closed = library.folder.file("drop/dogs/deep")
        #expect(chmod(closed, 0) == 0)
        defer { chmod(closed, 0o755) }

        let (_, rebuilt) = try rebuilt(library, files: ["cats/a.png"])

        #expect(rebuilt.stickers == 1 && rebuilt.withoutFile == 0)
        #expect(rebuilt.skippedFolders == ["\(closed): Permission denied"])
    }

    @Test func nothingPublishedMeansThatNoDropIsListed() throws {
        let library = try Library()
        try FileManager.default.createDirectory(
            atPath: library.out, withIntermediateDirectories: true)

        let rebuilt = try Rebuild.fill(library.store, out: library.out, drops: ["/nowhere"])

        #expect(rebuilt.isEmpty)
    }
}
