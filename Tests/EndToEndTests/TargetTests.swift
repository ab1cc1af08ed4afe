import Foundation
import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// Stickers for several platforms, and a list of platforms that changes.
    struct TargetTests {
        private func settings(_ targets: String...) -> Workshop.Settings {
            var settings = Workshop.Settings()
            settings.sticker["targets"] = targets
            return settings
        }

        /// A still and an animation.
        private func workshop(_ settings: Workshop.Settings) throws -> Workshop {
            let workshop = try Workshop(settings)
            try workshop.put(try Art.png(1, side: 64), "cats/still.png")
            let frames = (0..<4).map { color in
                var frame = TestGIF.Frame.filled(UInt8(color), 8, 8)
                frame.delay = 10
                return frame
            }
            try workshop.put(
                TestGIF(width: 8, height: 8, frames: frames).bytes, "cats/moving.gif")
            return workshop
        }

        private func files(_ sticker: ManifestSticker?) -> [String: String] {
            let files = sticker?.files.filter { $0.target != nil } ?? []
            return Dictionary(uniqueKeysWithValues: files.map { ($0.target ?? "", $0.url) })
        }

        @Test func everyTargetHasItsFileOrItsReason() async throws {
            let workshop = try workshop(settings("whatsapp", "discord", "telegram"))

            #expect(try await workshop.drain().exitCode == 0)

            let library = try Library(below: workshop.out)
            let (still, moving) = (library.sticker("still.png"), library.sticker("moving.gif"))
            #expect(Set(files(still).keys) == ["whatsapp", "discord", "telegram"])
            #expect(Set(files(moving).keys) == ["whatsapp", "discord"])
            #expect(still?.shortfalls == nil)
            #expect(moving?.shortfalls?.map(\.target) == ["telegram"])
            #expect(moving?.shortfalls?.map(\.reason) == [.notTaken])
            #expect(still?.imageURL == files(still)["whatsapp"])
            let discord = try #require(moving?.files.first { $0.target == "discord" })
            #expect(discord.width == 320 && discord.role == .rendition && discord.frames == 4)
            #expect(discord.bytes <= 512_000 && discord.encoding != nil)
        }

        @Test func targetsThatComeAndGoTouchNoOtherFile() async throws {
            let workshop = try workshop(settings("whatsapp", "discord"))
            _ = try await workshop.drain()
            let before = try Library(below: workshop.out)

            try workshop.configure(settings("whatsapp", "slack"))
            #expect(try await workshop.drain().exitCode == 0)

            let after = try Library(below: workshop.out)
            for name in ["still.png", "moving.gif"] {
                let (old, new) = (files(before.sticker(name)), files(after.sticker(name)))
                #expect(
                    new["whatsapp"] == old["whatsapp"] && Set(new.keys) == ["whatsapp", "slack"])
                #expect(after.sticker(name)?.identifier == before.sticker(name)?.identifier)
            }
            try workshop.configure(settings("whatsapp", "discord"))
            let jobs = try await workshop.jobs().count
            _ = try await workshop.drain()
            // The files for discord are still there: nothing is encoded.
            for job in try await workshop.jobs().dropFirst(jobs) {
                let log = try await workshop.stickerctl("show", "\(job.id)").output
                #expect(log.contains("files shared") && !log.contains("fit "), "\(log)")
            }
            let again = try Library(below: workshop.out)
            #expect(files(again.sticker("still.png")) == files(before.sticker("still.png")))
        }

        @Test func firstTargetDecides() async throws {
            let workshop = try workshop(settings("telegram", "whatsapp"))

            #expect(try await workshop.drain().exitCode == 3)

            let library = try Library(below: workshop.out)
            #expect(library.names == ["still.png"])
            let still = try #require(library.sticker("still.png"))
            #expect(still.files.first?.target == "telegram" && still.files.first?.role == .sticker)
            #expect(still.files.filter { $0.role == .rendition }.map(\.target) == ["whatsapp"])
            let refused = try await workshop.jobs().filter(\.needsAttention)
            #expect(refused.map(\.reason) == ["not-taken"])
        }

        @Test(.needsSchemaValidator) func manifestsFollowTheirSchema() async throws {
            let workshop = try workshop(settings("slack", "whatsapp", "telegram"))

            _ = try await workshop.drain()

            let manifest = "\(workshop.out)/cats/manifest.json"
            #expect(try JSONSchema.manifest.complaints(about: [manifest]) == "")
            let slack = try Library(below: workshop.out).sticker("still.png")
            #expect(slack?.imageURL.hasSuffix(".png") == true)
        }

        @Test func unknownTargetIsAFaultOfTheConfiguration() async throws {
            let workshop = try workshop(settings("whatsapp", "discrod"))

            let drain = try await workshop.drain()

            #expect(drain.exitCode == 78)
            #expect(drain.errors.contains("sticker.targets") && drain.errors.contains("discord"))
        }

        @Test func redoMakesOneStickerAgainAndKeepsItsID() async throws {
            let workshop = try workshop(settings("whatsapp"))
            _ = try await workshop.drain()
            let before = try Library(below: workshop.out)

            let redo = try await workshop.stickerctl("redo", "still")
            _ = try await workshop.drain()

            #expect(redo.exitCode == 0 && redo.output.contains("cats/still.png"))
            let after = try Library(below: workshop.out)
            #expect(after.sticker("still.png") == before.sticker("still.png"))
            let log = try await workshop.stickerctl(
                "show", "\(try #require(try await workshop.jobs().last).id)")
            #expect(log.output.contains("redo") && log.output.contains("fit "))
            #expect(try await workshop.stickerctl("redo", "nobody").exitCode == 1)
            #expect(try await workshop.stickerctl("redo").exitCode == 2)
        }
    }
}
