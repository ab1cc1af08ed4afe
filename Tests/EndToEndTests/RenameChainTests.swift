import Foundation
import Glibc
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// Files that took one another's names while nobody looked keep their ids.
    struct RenameChainTests {
        private let workshop: Workshop

        init() async throws {
            workshop = try Workshop()
            try workshop.put(try Art.png(1), "cats/wave.png")
            try workshop.put(try Art.png(2), "birds/party.png")
            try workshop.folder.makeFolder("drop/dogs")
            #expect(try await workshop.drain().exitCode == 0)
        }

        private func identifier(_ name: String) throws -> String? {
            try Library(below: workshop.out).sticker(name)?.identifier.rawValue
        }

        /// Whichever folder the scan lists first.
        @Test(arguments: ["dogs", "aardvarks"])
        func fileUnderTheNameOfOneThatMovedKeepsItsId(folder: String) async throws {
            try workshop.folder.makeFolder("drop/\(folder)")
            try workshop.move("cats/wave.png", to: "\(folder)/zebra.png")
            try workshop.move("birds/party.png", to: "cats/wave.png")

            let drain = try await workshop.drain()

            #expect(drain.exitCode == 0)
            #expect(try identifier("zebra.png") == "wave")
            #expect(try identifier("wave.png") == "party")
            #expect(!drain.errors.contains("mode="), "something was encoded: \(drain.errors)")
        }

        /// The drop that is listed first does not tell where the file went.
        @Test func fileThatWentToAnotherDropKeepsItsId() async throws {
            let workshop = try Workshop(Workshop.Settings(drops: ["drop", "more"]))
            try workshop.folder.write(try Art.png(1), to: "drop/cats/bear.png")
            try workshop.folder.write(try Art.png(2), to: "more/dogs/apple.png")
            #expect(try await workshop.drain().exitCode == 0)
            try workshop.folder.makeFolder("drop/birds")
            let path = { (name: String) in workshop.folder.path(name) }
            try check(rename(path("more/dogs/apple.png"), path("drop/birds/party.png")), "rename")
            try check(rename(path("drop/cats/bear.png"), path("more/dogs/apple.png")), "rename")
            try workshop.folder.write(try Art.png(3), to: "drop/cats/bear.png")

            #expect(try await workshop.drain().exitCode == 0)

            let stickers = try Library(below: workshop.out).stickers
            let ids = stickers.map { "\($0.source.name) \($0.identifier)" }.sorted()
            #expect(ids == ["apple.png bear", "bear.png bear_2", "party.png apple"])
        }

        @Test func newArtUnderTheNameOfAFileThatMovedHasAnIdOfItsOwn() async throws {
            try workshop.move("cats/wave.png", to: "dogs/wave.png")
            try workshop.put(try Art.png(3), "cats/wave.png")

            #expect(try await workshop.drain().exitCode == 0)

            let ids = try Library(below: workshop.out).categories.mapValues { pages in
                pages.flatMap(\.stickers).map(\.identifier.rawValue)
            }
            #expect(ids == ["birds": ["party"], "cats": ["wave_2"], "dogs": ["wave"]])
        }

        @Test func replacedFileStillKeepsItsId() async throws {
            try workshop.replace("cats/wave.png", with: try Art.png(3))
            #expect(try await workshop.drain().exitCode == 0)
            #expect(try identifier("wave.png") == "wave")
            #expect(try await workshop.jobs().count == 3)
        }
    }
}
