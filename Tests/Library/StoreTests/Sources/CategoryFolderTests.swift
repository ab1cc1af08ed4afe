import Foundation
import StickerValues
import Testing

@testable import StickerStore

/// The id of a category is for ever, whatever its folder is called.
struct CategoryFolderTests {
    private let disk: DropsOnDisk

    init() throws {
        disk = try DropsOnDisk()
        try disk.fill("drop/cats")
        try disk.scan("drop")
        try disk.publish()
    }

    private func titles() throws -> [String: String] { try disk.categories().mapValues(\.title) }

    /// Several names, one of them in other case only.
    @Test(arguments: ["felines", "Cats", "a cat"]) func renamedFolderKeepsItsCategory(
        name: String
    ) throws {
        let before = try disk.categories()["cats"]?.stickers
        try disk.rename("drop/cats", to: "drop/\(name)")

        let renamed = try disk.scan("drop")

        #expect(renamed.map(\.category.rawValue) == ["cats"])
        #expect(try titles() == ["cats": name])
        #expect(try disk.categories()["cats"]?.stickers == before)
        #expect(try disk.store.operations.status().waiting == 0)
        #expect(try disk.files("drop", name) == 6)
    }

    @Test func newFolderUnderTheOldNameIsAnotherCategory() throws {
        try disk.rename("drop/cats", to: "drop/felines")
        try disk.scan("drop")
        try disk.fill("drop/cats", 2, sizes: 500)

        try disk.scan("drop")
        try disk.publish()

        #expect(try titles() == ["cats": "felines", "cats_2": "cats"])
        #expect(try disk.categories()["cats_2"]?.stickers.count == 2)
    }

    @Test func foldersMayTakeEachOthersNames() throws {
        try disk.fill("drop/dogs", 4, sizes: 100)
        try disk.scan("drop")
        try disk.publish()
        let before = try disk.categories()
        try disk.rename("drop/cats", to: "drop/other")
        try disk.rename("drop/dogs", to: "drop/cats")
        try disk.rename("drop/other", to: "drop/dogs")

        try disk.scan("drop")

        let after = try disk.categories()
        #expect(try titles() == ["cats": "dogs", "dogs": "cats"])
        #expect(after.mapValues(\.stickers) == before.mapValues(\.stickers))
        #expect(try disk.store.operations.status().waiting == 0)
    }

    @Test func copyIsANewCategory() throws {
        try disk.fill("drop/copy")

        try disk.scan("drop")
        try disk.publish()

        #expect(try titles() == ["cats": "cats", "copy": "copy"])
    }

    @Test func folderThatIsMadeAgainIsTheSameCategory() throws {
        try disk.remove("drop/cats")
        _ = try disk.store.queue.folderGone(drop: disk.path("drop"), directory: Array("cats".utf8))
        disk.library.time.advance(.seconds(100))
        _ = try disk.store.catalog.expireMissing()
        #expect(try disk.categories().isEmpty)

        try disk.fill("drop/cats", 3, sizes: 700)
        try disk.scan("drop")
        try disk.publish()

        #expect(try titles() == ["cats": "cats"])
    }

    /// A worker that began before looks for the file where it was.
    @Test func workOnAFileWhoseFolderIsRenamedIsDoneAgain() throws {
        try disk.fill("drop/dogs", 1, sizes: 50)
        try disk.scan("drop")
        disk.library.time.advance(.seconds(5))
        let job = try #require(try disk.library.claim().first)
        try disk.rename("drop/dogs", to: "drop/hounds")
        try disk.scan("drop")

        try disk.library.finish(job, .cancelled(.vanished))

        #expect(try disk.library.claim().map(\.source.directory) == [Array("hounds".utf8)])
        #expect(try disk.files("drop", "hounds") == 1)
    }

    /// Where inodes change with every mount, the files tell.
    @Test func folderWithOtherInodesIsToldByItsFiles() throws {
        try disk.remove("drop/cats")
        try disk.fill("drop/felines")

        try disk.scan("drop")

        #expect(try titles() == ["cats": "felines"])
    }

    @Test func otherFilesAreAnotherCategory() throws {
        try disk.remove("drop/cats")
        try disk.fill("drop/felines", sizes: 900)

        try disk.scan("drop")
        try disk.publish()

        #expect(try titles()["felines"] == "felines")
        #expect(try titles()["cats"] == "cats")
    }

    /// Artists make a folder, and then find a name for it.
    @Test func emptyFolderHasNoCategoryYet() throws {
        try disk.makeFolder("drop/New Folder")
        try disk.scan("drop")
        try disk.rename("drop/New Folder", to: "drop/dogs")
        try disk.fill("drop/dogs", 2, sizes: 300)

        try disk.scan("drop")
        try disk.publish()

        #expect(try titles() == ["cats": "cats", "dogs": "dogs"])
    }

    // MARK: Several drops

    @Test func equalNamesAreOneCategoryUntilOneIsRenamed() throws {
        try disk.fill("second/cats", 3, sizes: 400)
        try disk.scan("second")
        try disk.publish()
        #expect(try disk.categories()["cats"]?.stickers.count == 9)

        try disk.rename("second/cats", to: "second/felines")
        try disk.scan("second")

        #expect(try titles() == ["cats": "cats", "felines": "felines"])
        #expect(try disk.categories()["cats"]?.stickers.count == 6)
        #expect(try disk.categories()["felines"]?.stickers.count == 3)
        #expect(try disk.store.operations.status().waiting == 0)
    }

    @Test func folderThatMovesToAnotherDropKeepsItsCategory() throws {
        try disk.makeFolder("second")
        try disk.rename("drop/cats", to: "second/felines")

        let renamed = try disk.scan("second")

        #expect(renamed.map(\.category.rawValue) == ["cats"])
        #expect(try titles() == ["cats": "felines"])
    }

    @Test func movedDropTakesItsCategoriesAlong() throws {
        try disk.rename("drop/cats", to: "drop/felines")
        try disk.scan("drop")
        try disk.rename("drop", to: "art")
        let moved = try #require(
            try disk.store.sources.formerDrop(
                of: disk.path("art"), inode: disk.inode("art"), listed: [disk.path("art")]))
        try disk.store.sources.move(moved, inode: disk.inode("art"))

        try disk.scan("art")

        #expect(try titles() == ["cats": "felines"])
        #expect(try disk.store.operations.status().waiting == 0)
    }

    /// Its other folders are forgotten: they held nothing.
    @Test func newFolderDoesNotJoinARenamedCategoryThroughAnEmptyOne() throws {
        try disk.fill("second/cats", 1, sizes: 400)
        try disk.scan("second")
        try disk.remove("second/cats")
        _ = try disk.store.queue.folderGone(
            drop: disk.path("second"), directory: Array("cats".utf8))
        disk.library.time.advance(.seconds(100))
        _ = try disk.store.catalog.expireMissing()
        try disk.rename("drop/cats", to: "drop/felines")
        try disk.scan("drop")

        try disk.fill("drop/cats", 1, sizes: 800)
        try disk.scan("drop")
        try disk.publish()

        #expect(try titles() == ["cats": "felines", "cats_2": "cats"])
    }

    // MARK: Settings

    @Test func settingsFollowTheCategory() throws {
        var policy = disk.library.policy
        policy.categoryEmojis = ["cats": ["😺"]]
        disk.library.policy = policy
        try disk.store.catalog.refreshEntries()
        try disk.rename("drop/cats", to: "drop/felines")

        try disk.scan("drop")

        try disk.store.catalog.refreshEntries()
        while try !disk.store.catalog.settleEntries(of: CategoryID(rawValue: "cats")) {}
        let entry: Data? = try disk.store.read { try $0.value("SELECT entry FROM sticker LIMIT 1") }
        #expect(String(decoding: try #require(entry), as: UTF8.self).contains("😺"))
    }
}
