import Foundation
import Glibc
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// Much that vanishes at once is taken for an accident.
    struct DeletionTests {
        private let workshop: Workshop

        init() throws {
            var settings = Workshop.Settings()
            settings.publish["deleteGraceSeconds"] = 1
            workshop = try Workshop(settings)
            for number in 1...12 { try workshop.put(try Art.png(number), "cats/\(number).png") }
            try workshop.put(try Art.png(20), "dogs/a.png")
        }

        private func attention() throws -> String {
            try String(contentsOfFile: workshop.folder.path("run/attention.json"), encoding: .utf8)
        }

        private func stickers() throws -> Int { try Library(below: workshop.out).stickers.count }

        private func waitForAttention(_ text: String) async throws {
            let isTold = try await waitUntil { try attention().contains(text) }
            #expect(isTold, "\(text)")
        }

        @Test func folderThatIsMovedAwayIsHeldUntilItIsBack() async throws {
            let daemon = try await workshop.start()
            try await workshop.published("all") { $0.stickers.count == 13 }
            try workshop.folder.makeFolder("elsewhere")
            let elsewhere = workshop.folder.path("elsewhere/cats")

            try check(rename("\(workshop.drop)/cats", elsewhere), "rename")
            try await daemon.says("deletion held, the stickers stay: 12 of 12 files vanished")
            try await waitForAttention("stickerctl confirm-delete cats")
            let status = try await workshop.stickerctl("status")
            #expect(status.exitCode == 3 && status.output.contains("HOLD"))
            #expect(try stickers() == 13)

            try check(rename(elsewhere, "\(workshop.drop)/cats"), "rename")
            try await daemon.says("deletion no longer held, files came back")
            try await waitForAttention(#""needsAttention" : false"#)

            #expect(try await workshop.stickerctl("status").exitCode == 0)
            #expect(try stickers() == 13)
            #expect(try await workshop.jobs().count == 13)
        }

        @Test func filesThatVanishWhileNobodyLooksAreHeldUntilSomebodyConfirms() async throws {
            #expect(try await workshop.drain().exitCode == 0)
            for number in 1...12 { try workshop.remove("cats/\(number).png") }

            // Held at once, whether or not the grace is over.
            #expect(try await workshop.drain().exitCode == 3)
            try await Task.sleep(for: .seconds(1.1))
            #expect(try await workshop.drain().exitCode == 3)
            #expect(try stickers() == 13)
            let list = try await workshop.stickerctl("confirm-delete")
            #expect(list.output.contains("cats: 12 of 12 files are gone since"))
            #expect(try await workshop.stickerctl("confirm-delete", "birds").exitCode == 1)
            let confirmation = try await workshop.stickerctl("confirm-delete", "cats")
            #expect(confirmation.output.hasPrefix("12 stickers leave"))
            let drain = try await workshop.drain()

            #expect(drain.exitCode == 0)
            #expect(drain.errors.contains("undo=\"stickerctl trash restore 1\""))
            #expect(try stickers() == 1)
        }

        @Test func removedStickerIsRestoredUnderTheDaemonsEyes() async throws {
            let daemon = try await workshop.start()
            let before = try await workshop.published("all") { $0.stickers.count == 13 }
            let files = try #require(before.sticker("a.png")).files.map(\.sha256)
            try workshop.remove("dogs/a.png")
            try await daemon.says("sticker removed, its file is gone")
            try await workshop.published("without") { $0.stickers.count == 12 }
            #expect(
                try await workshop.stickerctl("trash").output.contains("a  dogs  dogs/a.png"))

            let restoring = try await workshop.stickerctl("trash", "restore", "a")
            let after = try await workshop.published("restored") { $0.stickers.count == 13 }

            #expect(restoring.output == "restored a in dogs\n" && restoring.exitCode == 0)
            let sticker = try #require(after.sticker("a.png"))
            #expect(sticker.identifier.rawValue == "a" && sticker.source.missing == true)
            #expect(sticker.files.map(\.sha256) == files)
            #expect(try await workshop.stickerctl("trash", "restore", "a").exitCode == 1)
            #expect(try await workshop.jobs().count == 13)
        }

        @Test func dropThatBecomesEmptyKeepsItsStickers() async throws {
            var settings = Workshop.Settings()
            settings.publish["deleteGraceSeconds"] = 1
            let small = try Workshop(settings)
            for number in 1...2 { try small.put(try Art.png(number), "\(number).png") }
            let daemon = try await small.start()
            try await small.published("both") { $0.stickers.count == 2 }

            for number in 1...2 { try small.remove("\(number).png") }
            // A busy machine may look between the two.
            try await daemon.says("the drop is empty, ")
            try await Task.sleep(for: .seconds(2))

            let status = try await small.stickerctl("status")
            #expect(status.exitCode == 3 && status.output.contains("HOLD"))
            #expect(try Library(below: small.out).stickers.count == 2)
        }

        @Test func dropThatIsNotListedAnyMoreIsRemovedOnDemand() async throws {
            #expect(try await workshop.drain().exitCode == 0)
            try workshop.folder.makeFolder("other")
            var settings = Workshop.Settings(drops: ["other"])
            settings.publish["deleteGraceSeconds"] = 1
            try workshop.configure(settings)

            let confirmation = try await workshop.stickerctl("confirm-delete", workshop.drop)
            #expect(confirmation.output.hasPrefix("13 stickers leave"))
            #expect(try await workshop.drain().exitCode == 0)

            #expect(try stickers() == 0)
            #expect(!(try await workshop.stickerctl("status").output.contains("unlisted")))
        }
    }
}
