import Foundation
import FoundationNetworking
import StickerKit
import StickerTestSupport
import Testing

extension EndToEnd {
    /// Apps that look for stickers, at a stickerd-web that serves what a stickerd publishes.
    struct ClientTests {
        private static let png = Data([0x89, 0x50, 0x4E, 0x47])

        private let workshop: Workshop
        private let server: URL
        private let programs: [Program]

        init() async throws {
            let address = "127.0.0.1:\(try WebTests.freePort())"
            var settings = Workshop.Settings()
            settings.publish["deleteGraceSeconds"] = 0
            settings.web = ["listen": address]
            workshop = try Workshop(settings)
            server = try #require(URL(string: "http://\(address)/"))
            try workshop.put(try Art.png(1), "cats/happy cat 😀.png")
            try workshop.put(try Art.png(2), "cats/sad cat.png")
            let web = try Program("stickerd-web", ["--config", workshop.config])
            try await web.says("serves")
            programs = [web, try await workshop.start()]
            let client = client
            try await Self.wait("both cats are offered") {
                try await client.trending().stickers.count == 2
            }
        }

        private var client: StickerClient {
            StickerClient(baseURL: server.appending(path: "api/stickers"))
        }

        private var library: StickerLibrary { StickerLibrary(at: server) }

        private static func wait(
            _ what: String, until isMet: @Sendable () async throws -> Bool
        ) async throws {
            let end = ContinuousClock.now + .seconds(60)
            while ContinuousClock.now < end {
                // A server that has only begun may refuse.
                if (try? await isMet()) == true { return }
                try await Task.sleep(for: .milliseconds(50))
            }
            throw Program.Late(description: what)
        }

        private func end() async throws {
            for program in programs {
                program.send(SIGTERM)
                #expect(try await program.ending().exitCode == 0)
            }
        }

        /// The samples of editors are Swift 5, and know nothing of pages, keys and errors of ours.
        @Test func sampleOfAnEditorShowsTheStickers() async throws {
            let base = server.appending(path: "api/stickers").absoluteString

            let all = try await Program("provider-sample", [base]).ending()
            let found = try await Program("provider-sample", [base, "hap"]).ending()
            let none = try await Program("provider-sample", [base + "/none", "hap"]).ending()

            #expect(all.exitCode == 0 && found.exitCode == 0, "\(all) \(found)")
            let lines = all.output.split(separator: "\n").map { $0.split(separator: " ") }
            #expect(Set(lines.compactMap(\.first)) == ["happy_cat", "sad_cat"])
            #expect(found.output.hasPrefix("happy_cat http"))
            for address in lines.flatMap({ $0.dropFirst() }) {
                let url = try #require(URL(string: String(address)))
                #expect(try await URLSession.shared.data(from: url).0.prefix(4) == Self.png)
            }
            #expect(none.exitCode == 1)
            try await end()
        }

        @Test func exampleKeepsPicturesOnTheDiskAlsoTwiceAtOnce() async throws {
            let folder = try TemporaryFolder()
            let programs = try (0..<2).map { _ in
                try Program(
                    "stickerkit-example", [server.absoluteString, "happy"],
                    environment: ["TMPDIR": folder.path])
            }

            for program in programs {
                let ending = try await program.ending()

                #expect(ending.exitCode == 0, "\(ending)")
                let lines = ending.output.split(separator: "\n")
                #expect(lines.first == "cats: 2 stickers")
                #expect(lines.last?.hasPrefix("happy_cat  happy cat 😀  \(folder.path)/") == true)
                let path = lines.last?.split(separator: " ").last.map(String.init) ?? ""
                #expect(try Data(contentsOf: URL(filePath: path)).prefix(4) == Self.png)
            }
            let wrong = try await Program("stickerkit-example", ["http://127.0.0.1:1"]).ending()
            #expect(wrong.exitCode == 1)
            #expect(wrong.output.contains("remedy: check the network"))
            try await end()
        }

        @Test func clientAndLibrarySeeTheSameAndFollowChanges() async throws {
            let category = try await library.category("cats")
            let happy = try #require(category.stickers.first { $0.id == "happy_cat" })
            let offered = try await client.sticker(id: "happy_cat")
            #expect(category.title == "cats")
            #expect(offered.imageURL == happy.companionURL)
            #expect(offered.thumbnailURL == happy.thumbnailURL)
            #expect(offered.title == happy.title && offered.emojis == happy.emojis)
            let folder = try TemporaryFolder()
            let cache = StickerCache(folder: URL(filePath: folder.path))
            for file in happy.files {
                #expect(try await cache.data(for: file.url).count == file.bytes)
            }

            try workshop.put(try Art.png(3), "dogs/new dog.png")
            try workshop.remove("cats/happy cat 😀.png")

            let (client, library) = (client, library)
            try await Self.wait("the library follows") {
                let categories = try await library.index().categories.map(\.id)
                let cats = try await library.category("cats").stickers.map(\.id)
                let removed = try await library.removed().map(\.title)
                return categories == ["cats", "dogs"] && cats == ["sad_cat"]
                    && removed == ["happy cat"]
            }
            try await Self.wait("the search follows") {
                try await client.search(query: "").stickers.map(\.id) == ["new_dog", "sad_cat"]
            }
            let error = await #expect(throws: StickerError.self) {
                try await client.sticker(id: "happy_cat")
            }
            let removed = try await library.removed()
            #expect(error == removed.first.map(StickerError.removed))
            let disk = StickerLibrary(at: URL(filePath: workshop.out))
            #expect(try await disk.index() == library.index())
            #expect(try await disk.category("dogs").stickers.map(\.title) == ["new dog"])
            try await end()
        }
    }
}
