import Foundation
import GRDB
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerStore

/// Going back to release 0.4.0: its database is as it was, and knows the ids of what came since.
struct RollbackTests {
    private let library: Library

    init() throws {
        library = try Library()
        library.policy.drops = [Library.oldDrop]
        try library.takeRelease04()
        try library.reopen()
    }

    /// The stickers that files have in the older database, by their keys; what 0.4.0 asks when it sees a file.
    private func owners() throws -> [String: String] {
        let rows = try library.ask(
            """
            SELECT CAST(directory AS TEXT) || '/' || CAST(name AS TEXT), sticker FROM source
            WHERE drop_path = '\(Library.oldDrop)' AND sticker IS NOT NULL
            """)
        let pairs = rows.map { row in
            let parts = row.split(separator: " ")
            return (parts.dropLast().joined(separator: " "), String(parts.last ?? ""))
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private func live() throws -> [String] {
        try library.ask("SELECT id FROM sticker WHERE entry IS NOT NULL ORDER BY id")
    }

    @Test func withoutChangesTheDatabaseIsWhatItWas() throws {
        let rows = "SELECT * FROM source JOIN sticker ON sticker.id = source.sticker ORDER BY 1"
        let copy = library.database + ".before"
        let (before, generations) = (
            try library.ask(rows, of: copy),
            try library.ask("SELECT generation FROM category ORDER BY id")
        )

        let outcome = try #require(try library.goBack())

        #expect(try library.ask(rows) == before)
        #expect(try library.ask("SELECT identifier FROM grdb_migrations") == ["1", "2", "3"])
        #expect(outcome.plan.kept == 4 && outcome.plan.came.isEmpty && outcome.plan.renamed.isEmpty)
        #expect(outcome.plan.replaced.isEmpty && outcome.plan.removed.isEmpty)
        #expect(outcome.plan.categories.isEmpty && outcome.plan.missing.count == 21)
        // Every manifest is written again, as newer than any that readers know.
        let written = try library.ask(
            "SELECT generation FROM category WHERE generation > published_generation ORDER BY id")
        #expect(written.count == 3)
        #expect(zip(written, generations).allSatisfy { Int($0) ?? 0 > Int($1) ?? 0 })
        #expect(try library.ask("SELECT value FROM note WHERE key = 'index.content'").isEmpty)
        #expect(FileManager.default.fileExists(atPath: outcome.newerDatabase))
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test func whatCameSinceKeepsItsID() throws {
        try library.makeThere("cats/new.png", 1)
        try library.makeThere("birds/new.png", 2)
        try library.makeThere("cats/other.webp", 3)

        let plan = try #require(try library.goBack()).plan

        let owners = try owners()
        #expect(owners["cats/new.png"] == "new" && owners["birds/new.png"] == "new_2")
        #expect(owners["cats/other.webp"] == "other")
        let fates = Dictionary(
            uniqueKeysWithValues: plan.came.map { ($0.sticker.rawValue, $0.fate) })
        #expect(fates == ["new": .made, "new_2": .made, "other": .unread])
        #expect(plan.categories.map(\.category.rawValue) == ["birds"])
        #expect(try library.ask("SELECT kind FROM source WHERE sticker = 'other'") == ["foreign"])
        // A file that needs a job: neither published nor a tombstone.
        let made = try library.ask(
            """
            SELECT present, applied, output, deleted_at FROM source
            JOIN sticker ON sticker.id = source.sticker WHERE sticker.id = 'new'
            """)
        #expect(made == ["1 0 - -"])
        #expect(
            try library.ask("SELECT number FROM id_number WHERE base = 'new'") == ["2"])
        #expect(
            try library.ask("SELECT CAST(folder AS TEXT) FROM category WHERE id = 'birds'") == [
                "birds"
            ])
    }

    @Test func renamedFilesAndFoldersKeepTheirIDs() throws {
        try library.change(
            "UPDATE source SET name = CAST('Zoe.jpg' AS BLOB) WHERE sticker = 'zoe'",
            "UPDATE source SET directory = CAST('katzen' AS BLOB) WHERE category = 'cats'")

        let plan = try #require(try library.goBack()).plan

        let owners = try owners()
        #expect(owners["dogs/Zoe.jpg"] == "zoe" && owners["katzen/01 Wave 👋.png"] == "wave")
        #expect(Set(plan.renamed.map(\.sticker.rawValue)) == ["zoe", "wave"])
        #expect(plan.categories.first?.formerFolder == "cats")
        let names = try library.ask(
            """
            SELECT json_extract(CAST(entry AS TEXT), '$.source.name') FROM sticker WHERE id = 'zoe'
            """)
        #expect(names == ["Zoe.jpg"])
        #expect(
            try library.ask("SELECT CAST(folder AS TEXT) FROM category WHERE id = 'cats'")
                == ["katzen"])
        #expect(try live() == ["trending", "two", "wave", "zoe"])
    }

    /// Two files have each other's names, and two folders.
    @Test func namesThatWereExchangedFollow() throws {
        try library.change(
            "UPDATE source SET name = x'00' WHERE sticker = 'zoe'",
            "UPDATE source SET name = CAST('Zoë.jpg' AS BLOB) WHERE sticker = 'two'",
            "UPDATE source SET name = CAST('renamed.gif' AS BLOB) WHERE sticker = 'zoe'",
            "UPDATE source SET directory = x'00' WHERE category = 'cats'",
            "UPDATE source SET directory = CAST('cats' AS BLOB) WHERE category = 'dogs'",
            "UPDATE source SET directory = CAST('dogs' AS BLOB) WHERE category = 'cats'")

        #expect(try library.goBack() != nil)

        let owners = try owners()
        #expect(owners["cats/Zoë.jpg"] == "two" && owners["cats/renamed.gif"] == "zoe")
        #expect(owners["dogs/01 Wave 👋.png"] == "wave")
        let folders = try library.ask("SELECT id, CAST(folder AS TEXT) FROM category ORDER BY id")
        #expect(folders == ["cats dogs", "dogs cats", "stickers stickers"])
    }

    /// The id of what is gone stays taken, whichever file has its name now.
    @Test func noIDIsGivenToAnotherPicture() throws {
        try library.accept(gone: [
            SourceKey(drop: Library.oldDrop, directory: [], name: Array("trending.png".utf8))
        ])
        library.time.advance(.seconds(100))
        _ = try library.store.catalog.expireMissing()
        try library.makeThere("trending.png", 7)
        try library.makeThere("dogs/short.png", 8)
        try library.change(
            "UPDATE source SET present = 0, output = NULL, sticker = NULL WHERE sticker = 'short'",
            "UPDATE sticker SET entry = NULL, deleted_at = 5 WHERE id = 'short'")

        let plan = try #require(try library.goBack()).plan

        let owner = try #require(try owners()["/trending.png"])
        #expect(owner != "trending")
        #expect(plan.removed.map(\.sticker.rawValue) == ["trending"])
        #expect(plan.came.map(\.sticker.rawValue) == [owner])
        let taken = try library.ask(
            "SELECT id FROM sticker WHERE deleted_at IS NOT NULL ORDER BY id")
        #expect(taken == ["gone", "short", "trending"])
    }

    @Test func newIDAndReplacedFileAreToldAndKept() throws {
        _ = try library.store.operations.giveNewID(to: "zoe")
        try library.change("UPDATE source SET content = 'other' WHERE sticker = 'two'")

        let plan = try #require(try library.goBack()).plan

        #expect(try owners()["dogs/Zoë.jpg"] == "zoe_2")
        #expect(plan.came.map(\.sticker.rawValue) == ["zoe_2"])
        #expect(plan.removed.map(\.sticker.rawValue) == ["zoe"])
        #expect(plan.replaced.map(\.sticker.rawValue) == ["two"])
        #expect(try live() == ["trending", "two", "wave"])
    }

    @Test func listingChangesNothing() throws {
        try library.makeThere("cats/new.png", 1)
        try library.store.close()
        let before = try library.folder.files().map {
            "\($0) \(try library.folder.contents($0).count)"
        }

        let plan = try #require(try library.rollback().plan())

        #expect(plan.to == "0.4.0" && plan.came.map(\.sticker.rawValue) == ["new"])
        #expect(
            try library.folder.files().map { "\($0) \(try library.folder.contents($0).count)" }
                == before)
    }

    @Test func daemonThatRunsIsNotDisturbed() throws {
        let lock = try StateLock.take(state: library.folder.path)
        defer { withExtendedLifetime(lock) {} }

        #expect(throws: FolderError.self) { try library.goBack() }

        #expect(FileManager.default.fileExists(atPath: library.database + ".before"))
    }

    @Test func afterwardsThereIsNothingToGoBackTo() throws {
        #expect(try library.goBack() != nil)
        #expect(throws: StoreError.self) { try library.rollback().run() }  // its tables are older

        // The next upgrade copies again, and the ids are the same.
        try library.reopen()
        #expect(library.store.upgrade?.earlier.record.from == "0.4.0")
        #expect(try live() == ["trending", "two", "wave", "zoe"])
        let second = try #require(try library.goBack())
        #expect(second.newerDatabase.hasSuffix(".after-2"))
    }
}
