import StickerTestSupport
import Testing

@testable import StickerConfiguration
@testable import StickerStore
@testable import StickerValues

/// The look of a category in the database, and where it is asked for.
struct LookTests {
    private func library() throws -> Library {
        let library = try Library()
        try library.make("cats/a.png", 1)
        try library.make("dogs/b.png", 2)
        return library
    }

    @Test func lookIsPartOfTheNamesOfItsCategoryAlone() throws {
        let library = try library()

        try library.say("cats/category.json", #"{"look": {"outline": {"pixels": 8}}}"#)

        let catalog = library.store.catalog
        #expect(try catalog.look(of: CategoryID(rawValue: "cats"))?.outlinePixels == 8)
        #expect(try catalog.names(of: CategoryID(rawValue: "cats")).look?.outlinePixels == 8)
        #expect(try catalog.names(of: CategoryID(rawValue: "dogs")).look == nil)
        try library.accept(sighting("cats/c.png"))
        let job = try #require(try library.claim().first)
        #expect(job.categoryNames.look?.outlinePixels == 8)
    }

    @Test func changedLookIsNoticedOnce() throws {
        let library = try library()
        let queue = library.store.queue

        try library.say("cats/category.json", #"{"title": "Cats"}"#)
        #expect(try !queue.takeRestyled())
        try library.say("cats/category.json", #"{"title": "Cats", "look": {"trim": true}}"#)
        #expect(try queue.takeRestyled())
        #expect(try !queue.takeRestyled())
        try library.say("cats/category.json", #"{"title": "Tom", "look": {"trim": true}}"#)
        #expect(try !queue.takeRestyled())
        try library.say("cats/category.json", #"{"title": "Tom"}"#)
        #expect(try queue.takeRestyled())
    }

    @Test func lookAloneLeavesTheManifest() throws {
        let library = try library()
        let publisher = try library.publisher()
        _ = try publisher.publish(CategoryID(rawValue: "cats"))

        try library.say("cats/category.json", #"{"look": {"trim": true}}"#)

        #expect(try !library.store.catalog.dirtyCategories().map(\.rawValue).contains("cats"))
    }

    @Test func removedFileTakesItsLookWithIt() throws {
        let library = try library()
        try library.say("cats/category.json", #"{"look": {"trim": true}}"#)
        _ = try library.store.queue.takeRestyled()

        try library.accept(gone: [key("cats/category.json")])
        library.time.advance(.seconds(100))
        _ = try library.store.catalog.expireMissing()

        #expect(try library.store.catalog.look(of: CategoryID(rawValue: "cats")) == nil)
        #expect(try library.store.queue.takeRestyled())
    }

    @Test func categoryOfARecipeThatIsNotKnownStaysAsItIs() throws {
        let library = try library()

        let added = try library.store.queue.redoStale { names, _ in
            names.folder == Array("cats".utf8) ? nil : RecipeIDs("new")
        }

        #expect(added == 1)
        #expect(try library.claim(5).map(\.category.rawValue) == ["dogs"])
    }

    @Test func onlySideFilesWithMarksAreReadAgain() throws {
        let library = try library()
        try library.say(
            "cats/category.json",
            #"{"look": {"watermarks": [{"id": "l", "image": "logo.png"}]}}"#)
        try library.say("dogs/category.json", #"{"look": {"trim": true}}"#)

        #expect(try library.store.queue.rereadLooks() == 1)
        #expect(try library.store.queue.rereadLooks() == 0)

        #expect(try library.claim(5).map(\.source) == [key("cats/category.json")])
    }

    @Test func earlierDatabaseGetsCategoriesWithoutLooks() throws {
        let library = try library()
        try library.store.catalog.write { transaction in
            try transaction.run("DROP INDEX category_restyled")
            for column in ["look", "is_restyled"] {
                try transaction.run("ALTER TABLE category DROP COLUMN \(column)")
            }
            try transaction.run("DELETE FROM grdb_migrations WHERE identifier = '27'")
        }

        try library.reopen()

        let upgraded = library.store
        #expect(try upgraded.catalog.look(of: CategoryID(rawValue: "cats")) == nil)
        #expect(try !upgraded.queue.takeRestyled())
        #expect(try upgraded.catalog.names(of: CategoryID(rawValue: "cats")).folder != nil)
    }
}
