import Foundation
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// A backup restores the library on a machine that has nothing but the drops.
    struct BackupTests {
        private let workshop: Workshop
        private var backup: String { workshop.folder.path("backup") }

        /// Three stickers and one that was removed.
        init() async throws {
            workshop = try Workshop(.init(publish: ["deleteGraceSeconds": 0]))
            for number in 1...4 { try workshop.put(try Art.png(number), "cats/cat \(number).png") }
            #expect(try await workshop.drain().exitCode == 0)
            try workshop.remove("cats/cat 4.png")
            #expect(try await workshop.drain().exitCode == 0)
        }

        private func library() throws -> Library { try Library(below: workshop.out) }

        /// The stickers without the time of their last change: one that is made again was away for a moment.
        private func unchanging(_ library: Library) -> [ManifestSticker] {
            library.stickers.map { sticker in
                var sticker = sticker
                sticker.changedAt = nil
                return sticker
            }
        }

        /// Takes everything away that a new machine does not have; the drop comes back as a copy.
        private func loseMachine(_ others: String...) throws {
            let files = FileManager.default
            for path in [workshop.out, workshop.state] + others {
                try files.removeItem(atPath: path)
            }
            let copy = workshop.folder.path("copy")
            try files.copyItem(atPath: workshop.drop, toPath: copy)
            try files.removeItem(atPath: workshop.drop)
            try files.moveItem(atPath: copy, toPath: workshop.drop)
        }

        private func restore(_ options: String...) async throws -> Program.Ending {
            try await Program(
                "stickerctl", ["restore", backup, "--config", workshop.config] + options
            ).ending()
        }

        @Test(arguments: [false, true])
        func newMachineContinues(withPictures: Bool) async throws {
            let before = try library()
            let configuration = try Data(contentsOf: URL(filePath: workshop.config))
            let options = withPictures ? ["--out"] : []
            let made = try await Program(
                "stickerctl", ["--config", workshop.config, "backup", backup] + options
            ).ending()
            #expect(made.exitCode == 0, "\(made)")
            #expect(made.output.contains("3 stickers, 1 category, 1 removed sticker"))
            try loseMachine(workshop.config)

            let restored = try await restore()
            #expect(restored.exitCode == 0, "\(restored)")
            #expect(try Data(contentsOf: URL(filePath: workshop.config)) == configuration)
            let drain = try await workshop.drain()
            #expect(drain.exitCode == 0, "\(drain)")

            let after = try library()
            let isSame = unchanging(after) == unchanging(before)
            #expect(isSame, "\(drain.errors)")
            #expect(after.complaints().isEmpty)
            #expect(
                try #require(after.generation("cats")) > #require(before.generation("cats")))
            let unchanged = drain.errors.split(separator: "\n")
                .count { $0.contains("detail=unchanged") }
            #expect(unchanged == (withPictures ? 3 : 0), "\(drain.errors)")
            let removed = try JSONDecoder().decode(
                RemovedStickers.self,
                from: Data(contentsOf: URL(filePath: "\(workshop.out)/_removed.json")))
            #expect(removed.removed.map(\.identifier.rawValue) == ["cat_4"])
        }

        @Test func idOfARemovedStickerStaysTaken() async throws {
            _ = try await workshop.stickerctl("backup", backup)
            try loseMachine()
            #expect(try await restore().exitCode == 0)
            try workshop.put(try Art.png(9), "cats/cat 4.png")

            #expect(try await workshop.drain().exitCode == 0)

            let identifier = try library().sticker("cat 4.png")?.identifier.rawValue
            #expect(identifier == "cat_4_2")
        }

        @Test func stickersStayUntilTheDropIsBack() async throws {
            _ = try await workshop.stickerctl("backup", backup, "--out")
            let names = try library().names
            try loseMachine()
            let away = workshop.folder.path("away")
            try FileManager.default.moveItem(atPath: workshop.drop, toPath: away)
            try FileManager.default.createDirectory(
                atPath: workshop.drop, withIntermediateDirectories: false)
            #expect(try await restore().exitCode == 0)

            #expect(try await workshop.drain().exitCode == 3)
            #expect(try library().names == names)
            #expect(try library().complaints().isEmpty)

            try FileManager.default.removeItem(atPath: workshop.drop)
            try FileManager.default.moveItem(atPath: away, toPath: workshop.drop)
            #expect(try await workshop.drain().exitCode == 0)
            #expect(try library().names == names)
        }

        /// One was restored from the trash, and the file of another is lost with the machine.
        @Test func stickersThatCannotBeMadeAgainAreNamed() async throws {
            let trash = try await workshop.stickerctl("trash", "restore", "cat_4")
            #expect(trash.exitCode == 0, "\(trash)")
            let made = try await workshop.stickerctl("backup", backup)
            #expect(
                made.output.contains(
                    "1 sticker has no file (cat_4) in the drops: only --out saves their pictures"))
            try loseMachine()
            let file = "\(workshop.drop)/cats/cat 2.png"
            let away = workshop.folder.path("away.png")
            try FileManager.default.moveItem(atPath: file, toPath: away)

            let restored = try await restore()

            #expect(restored.exitCode == 0)
            let lost = "2 stickers have no file (cat_2, cat_4) in the drops"
            #expect(
                restored.output.contains(
                    "\(lost) now; a sticker without its file is not made again"))
            #expect(restored.output.contains("put the drops back, or restore a backup with --out"))
            try FileManager.default.moveItem(atPath: away, toPath: file)
            #expect(try await workshop.drain().exitCode == 0)
            #expect(try library().names == ["cat 1.png", "cat 2.png", "cat 3.png"])
        }

        @Test func damagedPictureIsMadeAgain() async throws {
            _ = try await workshop.stickerctl("backup", backup, "--out")
            let before = try library()
            let sticker = try #require(before.sticker("cat 1.png")?.files.first)
            let hash = sticker.sha256.rawValue
            let copy = "\(backup)/out/_/\(hash.prefix(2))/\(hash).webp"
            try Data("no picture".utf8).write(to: URL(filePath: copy))
            try loseMachine()

            let restored = try await restore()

            #expect(restored.output.contains("damaged in the backup, made again: _/"))
            #expect(try await workshop.drain().exitCode == 0)
            #expect(try unchanging(library()) == unchanging(before))
            #expect(try library().complaints().isEmpty)
        }

        @Test func libraryThatIsThereIsLeftAlone() async throws {
            _ = try await workshop.stickerctl("backup", backup)
            let before = try library()

            let present = try await restore()
            try FileManager.default.removeItem(atPath: workshop.state)
            let published = try await restore()

            #expect(present.exitCode == 1)
            #expect(present.errors.contains("there is a library already"))
            #expect(published.exitCode == 1)
            #expect(published.errors.contains(" rebuild makes the database from it"))
            #expect(try library().stickers == before.stickers)
        }

        @Test func runningDaemonIsNotDisturbed() async throws {
            _ = try await workshop.stickerctl("backup", backup)
            try loseMachine()
            try FileManager.default.removeItem(atPath: workshop.drop)
            try FileManager.default.createDirectory(
                atPath: workshop.drop, withIntermediateDirectories: false)
            let daemon = try await workshop.start()

            let restored = try await restore()

            #expect(restored.exitCode == 1)
            #expect(restored.errors.contains("stop it first"))
            daemon.send(SIGTERM)
            #expect(try await daemon.ending().exitCode == 0)
            // Its database holds nothing, and gives way.
            #expect(try await restore().exitCode == 0)
        }

        @Test func brokenBackupIsRefusedBeforeAnythingIsTouched() async throws {
            _ = try await workshop.stickerctl("backup", backup)
            try loseMachine()
            let database = URL(filePath: "\(backup)/stickerd.sqlite")
            var bytes = try Data(contentsOf: database)
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: database)

            let damaged = try await restore()
            try FileManager.default.removeItem(atPath: "\(backup)/backup.json")
            let unfinished = try await restore()

            #expect(damaged.exitCode == 1)
            #expect(damaged.errors.contains("is damaged: it is not the file that was copied"))
            #expect(unfinished.exitCode == 1)
            #expect(unfinished.errors.contains("is not a complete backup: it has no backup.json"))
            #expect(
                !FileManager.default.fileExists(atPath: "\(workshop.state)/stickerd.sqlite"))
        }

        @Test func configurationThatDiffersIsAskedAbout() async throws {
            _ = try await workshop.stickerctl("backup", backup)
            let before = try Data(contentsOf: URL(filePath: workshop.config))
            try loseMachine()
            try workshop.configure(.init(workers: 1))
            let present = try Data(contentsOf: URL(filePath: workshop.config))

            let asked = try await restore()
            let both = try await restore("--keep-config", "--replace-config")
            #expect(asked.exitCode == 1)
            #expect(asked.errors.contains("--replace-config"))
            #expect(both.exitCode == 2)
            #expect(try Data(contentsOf: URL(filePath: workshop.config)) == present)

            #expect(try await restore("--replace-config").exitCode == 0)
            #expect(try Data(contentsOf: URL(filePath: workshop.config)) == before)
            #expect(try Data(contentsOf: URL(filePath: "\(workshop.config).old")) == present)
        }

        @Test func backupTakesAFolderOfItsOwn() async throws {
            #expect(try await workshop.stickerctl("backup", backup).exitCode == 0)
            let again = try await workshop.stickerctl("backup", backup)
            #expect(again.exitCode == 1)
            #expect(again.errors.contains("is not empty; every backup takes a folder of its own"))
        }

        @Test func backupOfAWorkingDaemonIsWhole() async throws {
            let daemon = try await workshop.start()
            for number in 5...60 { try workshop.put(try Art.png(number), "dogs/dog \(number).png") }
            try await workshop.published("some dogs") { $0.names.count > 10 }
            #expect(try await workshop.stickerctl("backup", backup, "--out").exitCode == 0)
            try await workshop.published("all dogs") { $0.names.count == 59 }
            let ids = try library().stickers.map(\.identifier)
            daemon.send(SIGTERM)
            #expect(try await daemon.ending().exitCode == 0)
            try loseMachine()

            #expect(try await restore().exitCode == 0)
            #expect(try await workshop.drain().exitCode == 0)

            #expect(try library().complaints().isEmpty)
            #expect(try library().stickers.map(\.identifier) == ids)
        }

        @Test func failedRestoreLeavesTheConfigurationAsItIs() async throws {
            _ = try await workshop.stickerctl("backup", backup)
            try loseMachine()
            try workshop.configure(.init(workers: 1))
            let present = try Data(contentsOf: URL(filePath: workshop.config))
            let database = URL(filePath: "\(backup)/stickerd.sqlite")
            try Data("nothing".utf8).write(to: database)

            let restored = try await restore("--replace-config")

            #expect(restored.exitCode == 1)
            #expect(try Data(contentsOf: URL(filePath: workshop.config)) == present)
        }

        @Test func interruptedRestoreIsRepeated() async throws {
            _ = try await workshop.stickerctl("backup", backup, "--out")
            let before = try library()
            try loseMachine()
            // Pictures are in place, and a part of the database.
            let files = FileManager.default
            try files.createDirectory(atPath: workshop.out, withIntermediateDirectories: false)
            try files.copyItem(atPath: "\(backup)/out/_", toPath: "\(workshop.out)/_")
            try files.createDirectory(atPath: workshop.state, withIntermediateDirectories: false)
            try Data(repeating: 1, count: 5000).write(
                to: URL(filePath: "\(workshop.state)/stickerd.sqlite.restored"))

            #expect(try await restore().exitCode == 0)
            #expect(try await workshop.drain().exitCode == 0)
            #expect(try library().stickers == before.stickers)
            let left = try files.contentsOfDirectory(atPath: workshop.state)
            #expect(!left.contains { $0.contains("restored") })
        }

        @Test(arguments: ["drop/backup", "out/backup", "state/backup"])
        func backupIsNotPutIntoTheLibrary(folder: String) async throws {
            let place = workshop.folder.path(folder)
            let made = try await workshop.stickerctl("backup", place)
            #expect(made.exitCode == 1)
            #expect(made.errors.contains("overlap; name another folder"))
            #expect(!FileManager.default.fileExists(atPath: place))
        }

        @Test func backupOfANewerReleaseIsNamed() async throws {
            try workshop.folder.write(
                Array(#"{"version": 99, "stickerd": "9.1.0", "something": "else"}"#.utf8),
                to: "backup/backup.json")
            let restored = try await restore()
            #expect(restored.errors.contains("was made by stickerd 9.1.0; install that one"))
        }
    }
}
