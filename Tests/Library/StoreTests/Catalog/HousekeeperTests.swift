import Foundation
import StickerSystem
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerStore

private let cats = CategoryID(rawValue: "cats")

struct HousekeeperTests {
    /// A library whose stickers have real files, and the hands that clean it.
    private final class Home {
        let library: Library
        let objects: ObjectStore
        let publisher: CatalogPublisher
        let housekeeper: Housekeeper

        init() throws {
            library = try Library()
            objects = try ObjectStore(out: library.out)
            publisher = CatalogPublisher(catalog: library.store.catalog, objects: objects)
            housekeeper = Housekeeper(
                catalog: library.store.catalog, objects: objects, out: library.out)
        }

        /// Makes a sticker with one file whose content is `text`.
        func make(_ path: String, _ content: Int, _ text: String) throws -> StickerFile {
            let bytes = Array(text.utf8)
            let hash = try #require(
                try objects.place([NewObject(bytes: bytes, format: .webp)]).first)
            let file = StickerFile(
                role: .sticker, format: .webp, size: .sticker, bytes: bytes.count, sha256: hash)
            try library.accept(sighting(path, Int64(content)))
            library.time.advance(.seconds(1))
            let job = try #require(try library.claim().first)
            try library.finish(
                job,
                .made(
                    StickerProduct(
                        recipe: "r", animated: false, encoding: Encoding(mode: .lossless),
                        files: [file]), content: ContentHash(of: Array("\(content)".utf8))))
            return file
        }

        /// Makes a file look as if nobody had relied on it for two days.
        func age(_ path: String) throws {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -2 * 86400)],
                ofItemAtPath: library.out + "/" + path)
        }

        func exists(_ path: String) -> Bool {
            FileManager.default.fileExists(atPath: library.out + "/" + path)
        }
    }

    @Test func oldJobsGoWhenAllTakeTooMuchRoom() throws {
        let home = try Home()
        let library = home.library
        _ = try home.make("cats/still.png", 1, "still")
        for content in 2...9 { _ = try home.make("cats/again.png", content, "again \(content)") }
        try library.accept(sighting("cats/waiting.png"))
        let before = try library.store.operations.usage().history
        #expect(before.jobs == 9 && before.bytes > 9 * 300)

        library.policy.historyBytesMax = before.bytes
        #expect(try home.housekeeper.prune().jobs == 0)
        library.policy.historyBytesMax = 1
        #expect(try home.housekeeper.prune().jobs == 7)

        let jobs = try library.store.operations.jobs()
        #expect(jobs.map(\.file) == ["cats/waiting.png", "cats/again.png", "cats/still.png"])
        for name in ["again", "still"] {
            #expect(try library.store.operations.story(of: name)?.made != nil)
        }
        #expect(try library.store.operations.usage().history.jobs == 2)
    }

    /// A job that encoded stays while its picture is published, whatever became of its file.
    @Test func jobThatMadeAPublishedPictureStays() throws {
        let library = try Library()
        var log = StepLog()
        log.append(
            StepEntry(
                "fit", milliseconds: 1, "",
                fit: FitRecord(target: "whatsapp", bytesMax: 99, attempts: [])))
        try library.accept(sighting("cats/a.png", 1))
        let job = try #require(try library.claim().first)
        let made = FinishedJob(job: job, outcome: .made(product(1), content: hash(1)), log: log)
        _ = try library.store.queue.turn(finished: [made], claiming: .any(0))
        try library.make("cats/b.png", 1)
        try library.make("cats/a.png", 2)
        library.policy.historyBytesMax = 1

        #expect(try library.housekeeper().prune().jobs == 0)
        #expect(try library.store.operations.story(of: "b")?.made?.job.id == job.id)
    }

    @Test func replacedPictureStaysForADay() throws {
        let home = try Home()
        let old = try home.make("cats/a.png", 1, "old")
        let new = try home.make("cats/a.png", 2, "new")
        try home.age(old.path)
        _ = try home.publisher.publish(cats)

        home.library.time.advance(.seconds(86400 - 60))
        let early = try home.housekeeper.prune()
        home.library.time.advance(.seconds(60))
        let late = try home.housekeeper.prune()

        #expect(early.objects == 0 && late.objects == 1)
        #expect(!home.exists(old.path) && home.exists(new.path))
    }

    @Test func replacedPictureStaysWhileTheManifestOnTheDiskNamesIt() throws {
        let home = try Home()
        let old = try home.make("cats/a.png", 1, "old")
        _ = try home.publisher.publish(cats)
        _ = try home.make("cats/a.png", 2, "new")
        try home.age(old.path)
        home.library.time.advance(.seconds(3 * 86400))

        #expect(try home.housekeeper.prune().objects == 0)
        #expect(home.exists(old.path))

        _ = try home.publisher.publish(cats)
        #expect(try home.housekeeper.prune().objects == 1)
        #expect(!home.exists(old.path))
    }

    @Test func allFilesThatLeftAreForgottenAtOnce() throws {
        let home = try Home()
        let paths = (0..<1100).map { "cats/\($0).psd" }
        _ = try home.library.store.queue.accept(paths.map { sighting($0) })
        _ = try home.library.store.queue.accept([], gone: paths.map { key($0) })
        home.library.time.advance(.seconds(60))
        while try home.library.store.catalog.expireMissing().nextMilliseconds != nil {}
        home.library.time.advance(.seconds(60 * 86400))

        _ = try home.housekeeper.prune()

        let files = try home.library.store.read { try $0.count("SELECT count(*) FROM source") }
        #expect(files == 0)
    }

    @Test func folderThatIsReplacedIsNoticedOnce() throws {
        let home = try Home()
        #expect(try !home.housekeeper.folderWasReplaced())

        try FileManager.default.removeItem(atPath: "\(home.library.out)/_")

        #expect(try home.housekeeper.folderWasReplaced())
        #expect(try !home.housekeeper.folderWasReplaced())
        #expect(home.exists("_/ff"))
    }

    @Test func deletedPictureStaysInTheTrash() throws {
        let home = try Home()
        let file = try home.make("cats/a.png", 1, "a")
        try home.age(file.path)
        _ = try home.library.store.queue.accept([], gone: [key("cats/a.png")])
        home.library.time.advance(.seconds(60))
        _ = try home.library.store.catalog.expireMissing()
        _ = try home.publisher.publish(cats)

        home.library.time.advance(.seconds(29 * 86400))
        let early = try home.housekeeper.prune()
        home.library.time.advance(.seconds(86400))
        let late = try home.housekeeper.prune()

        #expect(early.objects == 0 && late.objects == 1 && !home.exists(file.path))
    }

    @Test func pictureOfAPackOutlivesItsSticker() throws {
        let home = try Home()
        let file = try home.make("cats/a.png", 1, "a")
        try home.age(file.path)
        var record = PackRecord(
            category: cats, kind: "still", number: 1, content: "{}", pictures: [file.path])
        let store = home.library.store
        #expect(try store.packs.record([record], after: [], of: cats, for: .whatsapp))
        _ = try store.queue.accept([], gone: [key("cats/a.png")])
        home.library.time.advance(.seconds(60))
        _ = try store.catalog.expireMissing()
        _ = try home.publisher.publish(cats)
        home.library.time.advance(.seconds(40 * 86400))

        #expect(try home.housekeeper.prune().objects == 0 && home.exists(file.path))
        #expect(try home.housekeeper.sweep().objects == 0 && home.exists(file.path))

        let known = try store.packs.records(of: cats, for: .whatsapp)
        (record.content, record.pictures) = (#"{"version": 2}"#, [])
        #expect(try store.packs.record([record], after: known, of: cats, for: .whatsapp))
        #expect(try home.housekeeper.sweep().objects == 1 && !home.exists(file.path))
    }

    @Test func sharedFileStaysWhileAnybodyUsesIt() throws {
        let home = try Home()
        let shared = try home.make("cats/a.png", 1, "same pixels")
        _ = try home.make("cats/b.png", 2, "same pixels")
        _ = try home.make("cats/a.png", 3, "other pixels")
        try home.age(shared.path)

        home.library.time.advance(.seconds(2 * 86400))

        #expect(try home.housekeeper.prune().objects == 0)
        #expect(home.exists(shared.path))
    }

    @Test func objectThatWasPlacedAgainJustNowIsNotRemoved() throws {
        let home = try Home()
        let old = try home.make("cats/a.png", 1, "old")
        _ = try home.make("cats/a.png", 2, "new")
        try home.age(old.path)
        home.library.time.advance(.seconds(86400))

        _ = try home.objects.place([NewObject(bytes: Array("old".utf8), format: .webp)])
        let cleaned = try home.housekeeper.prune()

        #expect(cleaned.objects == 0 && home.exists(old.path))
    }

    @Test func productThatWasAskedForStaysLongEnoughToBeUsed() throws {
        let home = try Home()
        let old = try home.make("cats/a.png", 1, "old")
        _ = try home.make("cats/a.png", 2, "new")
        try home.age(old.path)
        home.library.time.advance(.seconds(86400 - 1))

        let products = try home.library.outlook("cats/b.png", ContentHash(of: Array("1".utf8)))
            .products
        home.library.time.advance(.seconds(60))

        #expect(products.map(\.files) == [[old]])
        #expect(try home.housekeeper.prune().objects == 0)
    }

    @Test func oldJobsAreForgottenAndRefusedOnesStay() throws {
        let library = try Library()
        let housekeeper = try library.housekeeper()
        try library.make("cats/a.png")
        try library.accept(sighting("cats/bad.psd"))

        library.time.advance(.seconds(14 * 86400))
        let cleaned = try housekeeper.prune()

        #expect(cleaned.jobs == 1)
        #expect(try library.store.operations.jobs().map(\.file) == ["cats/bad.psd"])
        #expect(try library.store.catalog.liveProduct(StickerID(rawValue: "a")) != nil)
    }

    @Test func idOfAForgottenFileStaysTaken() throws {
        let library = try Library()
        let housekeeper = try library.housekeeper()
        try library.make("cats/a.png", 1)
        try library.accept(gone: [key("cats/a.png")])
        library.time.advance(.seconds(60))
        _ = try library.store.catalog.expireMissing()
        library.time.advance(.seconds(60 * 86400))
        _ = try housekeeper.prune()

        let job = try library.make("cats/a.png", 1)

        #expect(job.sticker == StickerID(rawValue: "a_2"))
    }

    @Test func oldPagesStayForADay() throws {
        let home = try Home()
        home.library.policy.pageEntriesMax = 10
        for number in 0..<11 { _ = try home.make("cats/\(number) s.png", number, "\(number)") }
        _ = try home.publisher.publish(cats)
        let old = try #require(try home.library.manifest("cats").nextURL)
        _ = try home.make("cats/3 s.png", 99, "new")
        _ = try home.publisher.publish(cats)
        let new = try #require(try home.library.manifest("cats").nextURL)

        home.library.time.advance(.seconds(86400 - 1))
        let early = try home.housekeeper.prune()
        home.library.time.advance(.seconds(1))
        let late = try home.housekeeper.prune()

        #expect(early.pages == 0 && late.pages == 1)
        #expect(!home.exists("cats/\(old)") && home.exists("cats/\(new)"))
    }

    @Test func leftoversOfAKilledProcessAreRemoved() throws {
        let home = try Home()
        try home.library.folder.write("half", to: "out/_/ab/.tmp-1-1")
        try home.library.folder.write("half", to: "out/cats/.tmp-1-2")

        #expect(home.housekeeper.removeTemporaries() == 2)
        #expect(try home.library.folder.files().filter { $0.contains(".tmp-") }.isEmpty)
    }

    @Test func orphansAreSweptAfterADay() throws {
        let home = try Home()
        let used = try home.make("cats/a.png", 1, "used")
        let hashes = try home.objects.place([
            NewObject(bytes: Array("young".utf8), format: .webp),
            NewObject(bytes: Array("old".utf8), format: .webp),
        ])
        let paths = hashes.map { "_/\($0.rawValue.prefix(2))/\($0).webp" }
        try home.age(used.path)
        try home.age(paths[1])

        let swept = try home.housekeeper.sweep()

        #expect(swept.objects == 1)
        #expect(home.exists(used.path) && home.exists(paths[0]) && !home.exists(paths[1]))
    }
}
