import Foundation
import GRDB
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// A library of an earlier release is upgraded, changes, goes back, and is upgraded again.
    struct RollbackTests {
        private let releases = ReleaseTests()

        /// The files that a release of that time reads.
        private func ask(_ workshop: Workshop, _ sql: String) throws -> [String] {
            let database = try DatabaseQueue(path: "\(workshop.state)/stickerd.sqlite")
            return try database.read { try String.fetchAll($0, sql: sql) }
        }

        @Test(arguments: ["0.4.0"]) func libraryGoesBackAndForth(release: String) async throws {
            let workshop = try Workshop(.init(publish: ["deleteGraceSeconds": 0]))
            try releases.moveIn(release, to: workshop, .inPlace)
            let (stickers, files) = (try releases.stickers(workshop), try releases.files(workshop))
            let entries =
                "SELECT CAST(entry AS TEXT) FROM sticker WHERE entry IS NOT NULL ORDER BY id DESC"
            let published = try ask(workshop, entries)
            let upgrade = try await workshop.drain()
            #expect(upgrade.errors.contains("copied before its tables were changed"))
            let status = try await workshop.stickerctl("status").output
            #expect(status.contains("to \(release) until"), "\(status)")
            try workshop.put(try Art.png(77), "birds/trending.png")
            try workshop.move("dogs/renamed.gif", to: "cats/moved.gif")
            try workshop.remove("trending.png")
            _ = try await workshop.drain()
            let newer = try releases.stickers(workshop)
            #expect(newer["trending_2"] == "trending.png" && newer["two"] == "moved.gif")

            let listed = try await workshop.stickerctl("rollback").output
            #expect(listed.contains("nothing was changed"), "\(listed)")
            let done = try await workshop.stickerctl("rollback", "--yes")

            #expect(done.exitCode == 0, "\(done)")
            for text in [listed, done.output] {
                #expect(text.contains("came since: trending_2 in birds, birds/trending.png"))
                #expect(
                    text.contains(
                        "renamed since: two in cats, cats/moved.gif, was dogs/renamed.gif"))
                #expect(text.contains("removed since: trending"), "\(text)")
                #expect(!text.contains("missing below out"), "\(text)")
            }
            let migrations = try ask(workshop, "SELECT identifier FROM grdb_migrations")
            #expect(migrations == ["1", "2", "3"])
            #expect(try ask(workshop, entries + " LIMIT 1") == [published[0]])
            let owner = try ask(
                workshop,
                "SELECT sticker FROM source WHERE directory = CAST('birds' AS BLOB)")
            #expect(owner == ["trending_2"])
            // Every file of the upgrade is there, and is the same one.
            let inodes = try files.keys.map { path in
                let file = "\(workshop.out)/_/\(path)"
                return try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber]
                    as? Int
            }
            #expect(inodes == files.keys.map { files[$0] ?? nil })

            _ = try await workshop.drain()

            let after = try releases.stickers(workshop)
            #expect(after == newer, "\(stickers)")
            #expect(Library.litter(below: workshop.out) == [])
        }

        @Test func withoutAnUpgradeThereIsNothingToGoBackTo() async throws {
            let workshop = try Workshop()
            try workshop.put(try Art.png(1), "cats/a.png")
            _ = try await workshop.drain()

            let listed = try await workshop.stickerctl("rollback")
            let done = try await workshop.stickerctl("rollback", "--yes")

            #expect(listed.exitCode == 0 && listed.output.contains("nothing to go back to"))
            #expect(done.exitCode == 1 && done.errors.contains("nothing to go back to"))
        }

        @Test func databaseOfANewerReleaseIsRefusedForGood() async throws {
            let workshop = try Workshop()
            _ = try await workshop.drain()
            let database = try DatabaseQueue(path: "\(workshop.state)/stickerd.sqlite")
            try await database.write {
                try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('999')")
            }
            try database.close()

            let refused = try await workshop.drain()

            #expect(refused.exitCode == 78, "\(refused)")
            #expect(refused.errors.contains("stickerctl rollback"), "\(refused.errors)")
        }
    }
}
