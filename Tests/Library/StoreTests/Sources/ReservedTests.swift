import Foundation
import GRDB
import StickerValues
import Testing

@testable import StickerStore

/// Ids that consumers of manifests use themselves, and titles for people.
struct ReservedTests {
    private func id(_ path: String, _ library: Library) throws -> String? {
        try library.accept(sighting(path))
        return try library.claim().first?.sticker?.rawValue
    }

    @Test(arguments: [
        ("trending", "trending_2"), ("Search", "search_2"), ("by id", "by_id_2"),
        ("trending now", "trending_now"), ("smart cat", "sticker_smart_cat"),
        ("IMGLY logo", "sticker_imgly_logo"), ("smart", "smart"), ("smartest", "smartest"),
    ])
    func newStickerHasNoReservedID(name: String, expected: String) throws {
        let library = try Library()

        #expect(try id("cats/\(name).png", library) == expected)
    }

    @Test func longIDWithAReservedBeginningIsCut() throws {
        let library = try Library()
        let name = "smart " + String(repeating: "cat", count: 30)

        let id = try #require(try id("cats/\(name).png", library))

        #expect(id.hasPrefix("sticker_smart_catcat") && id.count == Slug.lengthMax)
    }

    @Test func namesakesAreNumberedOnFromTheReservedWord() throws {
        let library = try Library()

        #expect(try id("cats/trending.png", library) == "trending_2")
        #expect(try id("dogs/trending.png", library) == "trending_3")
    }

    @Test(arguments: [
        ("trending", "trending_2"), ("smart cats", "category_smart_cats"), ("_packs", "packs"),
        ("_removed.json", "removed_json"), ("_", nil),
    ])
    func newCategoryHasNoReservedID(folder: String, expected: String?) throws {
        let library = try Library()
        try library.accept(sighting("\(folder)/a.png"))

        let id = try #require(try library.claim().first).category.rawValue

        #expect(id == expected ?? id)
        #expect(!id.hasPrefix("_") && !id.contains("."))
    }

    /// As a database of an earlier release has them.
    @Test func idsThatExistStay() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)
        try library.store.write { transaction in
            try transaction.run("UPDATE source SET sticker = NULL")
            try transaction.run("UPDATE sticker SET id = 'smart_cat', entry = NULL")
            try transaction.run("UPDATE source SET sticker = 'smart_cat'")
            try transaction.undoMigration()
        }

        try library.reopen()

        let job = try library.make("cats/a.png", 2)
        #expect(job.sticker?.rawValue == "smart_cat")
    }

    // MARK: Titles

    private static let folder = "gr\u{1B}[31meen\ncats \u{202E}olleh"

    @Test func titleOfACategoryShowsOnlyWhatShows() throws {
        let library = try Library()
        try library.make("\(Self.folder)/a.png", 1)
        let category = try #require(try library.store.catalog.dirtyCategories().first)

        _ = try library.publisher().publish(category)

        #expect(try library.manifest(category.rawValue).title == "gr[31meen cats olleh")
    }

    @Test func titlesThatExistAreCleanedAndIDsStay() throws {
        let library = try Library()
        try library.make("\(Self.folder)/a.png", 1)
        let category = try #require(try library.store.catalog.dirtyCategories().first)
        _ = try library.publisher().publish(category)
        try library.store.write { transaction in
            try transaction.run("UPDATE category SET title = ?", [Self.folder])
            try transaction.undoMigration()
        }

        try library.reopen()

        #expect(try library.store.catalog.dirtyCategories() == [category])
        _ = try library.publisher().publish(category)
        #expect(try library.manifest(category.rawValue).title == "gr[31meen cats olleh")
        #expect(try library.make("\(Self.folder)/b.png", 2).category == category)
    }

    @Test func rebuildFindsTheFolderBehindACleanedTitle() throws {
        let library = try Library()
        for (number, path) in ["\(Self.folder)/a.png", "gr[31meen cats olleh/b.png"].enumerated() {
            try library.make(path, number)
            try library.folder.write("bytes", to: "drop/\(path)")
        }
        for category in try library.store.catalog.dirtyCategories() {
            _ = try library.publisher().publish(category)
        }
        let store = try LibraryStore(
            path: library.folder.file("new.sqlite"), clock: library.time.clock)

        let rebuilt = try Rebuild.fill(
            store, out: library.out, drops: [library.folder.file("drop")])

        #expect(rebuilt.stickers == 2 && rebuilt.withoutFile == 0)
        let folders = try store.read { transaction in
            try transaction.rows("SELECT folder FROM category").map {
                String(decoding: $0[0] as Data, as: UTF8.self)
            }
        }
        #expect(Set(folders) == [Self.folder, "gr[31meen cats olleh"])
    }

    // MARK: Folders that are not categories

    @Test func packsAreLeftAlone() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)
        let publisher = try library.publisher()
        _ = try publisher.publish(CategoryID(rawValue: "cats"))
        let files = ["_packs/manifest.json", "_packs/manifest-1.json", "_packs/a/manifest.json"]
        for file in files {
            try library.folder.write("{}", to: "out/\(file)")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -9 * 86400)],
                ofItemAtPath: library.out + "/" + file)
        }
        let housekeeper = try library.housekeeper()

        _ = try housekeeper.sweep()
        _ = try housekeeper.prune()
        _ = housekeeper.removeTemporaries()
        let store = try LibraryStore(
            path: library.folder.file("new.sqlite"), clock: library.time.clock)
        let rebuilt = try Rebuild.fill(store, out: library.out, drops: [])

        let left = try library.folder.files().filter { $0.hasPrefix("out/_packs/") }
        #expect(Set(left) == Set(files.map { "out/\($0)" }))
        #expect(rebuilt.categories == 1 && rebuilt.unreadable.isEmpty)
    }
}
