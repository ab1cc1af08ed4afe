import Foundation
import Glibc
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// The folder of a category has another name, and its ids are what they were.
    struct RenamedFolderTests {
        private let workshop: Workshop

        init() throws {
            workshop = try Workshop()
            for number in 1...4 { try workshop.put(try Art.png(number), "cats/\(number).png") }
        }

        private func manifest() throws -> (title: String, stickers: [String])? {
            let path = "\(workshop.out)/cats/manifest.json"
            guard let data = FileManager.default.contents(atPath: path) else { return nil }
            let manifest = try JSONDecoder().decode(Manifest.self, from: data)
            return (manifest.title, manifest.stickers.map(\.identifier.rawValue).sorted())
        }

        @Test func folderIsRenamedUnderTheDaemonsEyes() async throws {
            let daemon = try await workshop.start()
            try await workshop.published("all") { $0.names.count == 4 }
            let before = try manifest()?.stickers

            try workshop.move("cats", to: "Cats")

            try await daemon.says("category renamed, its id stays category=cats from=cats to=Cats")
            let isRenamed = try await waitUntil(upTo: .seconds(60)) {
                try manifest()?.title == "Cats"
            }
            #expect(isRenamed)
            #expect(try manifest()?.stickers == before)
            #expect(try await workshop.jobs().count == 4)

            // The old name is free for another category.
            try workshop.put(try Art.png(9), "cats/9.png")
            let library = try await workshop.published("new") { $0.names.count == 5 }
            #expect(library.complaints() == [])
            #expect(try manifest()?.stickers == before)
            daemon.send(SIGTERM)
            #expect(try await daemon.ending().exitCode == 0)
        }

        @Test func folderIsRenamedWhileNobodyLooks() async throws {
            #expect(try await workshop.drain().exitCode == 0)
            let before = try manifest()?.stickers
            try workshop.move("cats", to: "felines")

            #expect(try await workshop.drain().exitCode == 0)

            #expect(try manifest()?.title == "felines")
            #expect(try manifest()?.stickers == before)
            #expect(try await workshop.jobs().count == 4)
        }
    }
}
