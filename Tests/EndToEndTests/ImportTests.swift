import Foundation
import StickerConfiguration
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// Packs of others, from what was handed over to what is published.
    struct ImportTests {
        /// The visible part of a sticker.
        private struct Seen: Hashable {
            let title: String
            let emojis: [String]
            let spoken: String?

            init(_ sticker: ManifestSticker) {
                title = sticker.title
                emojis = sticker.emojis
                spoken = sticker.accessibilityText
            }
        }

        /// A library with a category, and its packs for WhatsApp.
        private func exported() async throws -> (packs: String, workshop: Workshop, seen: [Seen]) {
            let workshop = try Workshop()
            for name in ["02 second 😀", "01 first 👋🎉", "03 third 😴", "04 fourth 🐱"] {
                try workshop.put(try Art.png(name.count), "fluffy/\(name).png")
            }
            let words = """
                {"title": "Fluffy cats", "publisher": "Ada & Söhne", "order": ["03 third 😴.png"],
                 "links": {"website": "https://example.org/", "email": "ada@example.org"},
                 "stickers": {"01 first 👋🎉.png": {"title": "Hello there!"}}}
                """
            try workshop.put(Array(words.utf8), "fluffy/category.json")
            #expect(try await workshop.drain().exitCode == 0)
            let packs = workshop.folder.path("packs")
            let made = try await workshop.stickerctl(
                "export", "fluffy", "--for", "whatsapp", "--to", packs)
            #expect(made.exitCode == 0, "\(made)")
            return (packs, workshop, try Library(below: workshop.out).stickers.map(Seen.init))
        }

        @Test(arguments: ["android", "ios"])
        func exportedPackComesBackAsItWas(form: String) async throws {
            let (packs, origin, seen) = try await exported()
            defer { withExtendedLifetime(origin) {} }
            let workshop = try Workshop()

            let answer = try await workshop.stickerctl("import", "\(packs)/\(form)")
            #expect(answer.exitCode == 0, "\(answer)")
            #expect(try await workshop.drain().exitCode == 0)

            let library = try Library(below: workshop.out)
            #expect(library.stickers.map(Seen.init) == seen)
            let words = library.categories["fluffy_cats"]?.first?.words
            #expect(words?.publisher == "Ada & Söhne")
            #expect(words?.links?.website == "https://example.org/")
            let lint = try await workshop.stickerctl("lint", "fluffy_cats", "--for", "whatsapp")
            #expect(lint.exitCode == 0)
            #expect(lint.output.hasPrefix("whatsapp: ready"))
            #expect(lint.output.contains("\n  Fluffy cats, 4 stickers\n"))
        }

        /// The archive has no room for emoji and titles; all that it has comes back, also when all forms are there.
        @Test func exportedArchiveKeepsTitlePublisherAndOrder() async throws {
            let (packs, origin, _) = try await exported()
            defer { withExtendedLifetime(origin) {} }
            let workshop = try Workshop()
            try workshop.put(Array(#"{"defaults": {"emojis": ["😀"]}}"#.utf8), "x/category.json")

            let answer = try await workshop.stickerctl("import", "\(packs)/wastickers")
            #expect(answer.exitCode == 0, "\(answer)")
            let all = try await workshop.stickerctl("import", packs, "--category", "all forms")
            #expect(all.exitCode == 3 && all.output.contains("same-pack"), "\(all)")
            #expect(try await workshop.drain().exitCode == 0)

            let library = try Library(below: workshop.out)
            let archive = try #require(library.categories["fluffy_cats"]?.first)
            #expect(archive.title == "Fluffy cats" && archive.words.publisher == "Ada & Söhne")
            #expect(archive.stickers.map(\.source.name) == (1...4).map { "0\($0).webp" })
            #expect(library.categories["all_forms"]?.first?.stickers.count == 4)
        }

        /// The output of `import --json`.
        private struct Report: Decodable {
            struct Category: Decodable { var folder: String, stickers: Int }

            var categories: [Category]
        }

        /// A category of eight pictures, exported for every platform.
        private func exportedForAll() async throws -> Workshop {
            var settings = Workshop.Settings()
            settings.publish["publicBaseURL"] = .text("https://example.org/")
            let workshop = try Workshop(settings)
            for number in 1...8 { try workshop.put(try Art.png(number), "cats/cat \(number).png") }
            let words =
                #"{"title": "Fluffy cats", "publisher": "Ada", "defaults": {"emojis": ["🐱"]}}"#
            try workshop.put(Array(words.utf8), "cats/category.json")
            #expect(try await workshop.drain().exitCode == 0)
            for platform in PackPlatform.allCases {
                let made = try await workshop.stickerctl(
                    "export", "cats", "--for", platform.rawValue, "--to",
                    workshop.folder.path("packs/\(platform)"))
                #expect(made.exitCode == 0, "\(made)")
            }
            return workshop
        }

        @Test func everyExportComesBackWithItsStickersAndIsReadyAgain() async throws {
            let origin = try await exportedForAll()
            let workshop = try Workshop()
            let refused = ["imgly/json", "tuikit/lists", "whatsapp/handover"]
            var ready: [(category: String, platform: PackPlatform)] = []
            for (platform, path) in try Self.sources(origin.folder.path("packs")) {
                let category = String(path.map { $0.isLetter ? $0 : "_" })

                let answer = try await workshop.stickerctl(
                    "import", origin.folder.path("packs/\(path)"), "--category", category, "--json")

                if refused.contains(path) {
                    #expect(answer.exitCode == 1 && answer.errors.contains("no-pack"), "\(path)")
                    continue
                }
                #expect(answer.exitCode == 0, "\(path): \(answer)")
                let report = try JSONDecoder().decode(Report.self, from: Data(answer.output.utf8))
                #expect(report.categories.map(\.stickers) == [8], "\(path)")
                ready.append((category, platform))
            }
            #expect(ready.count == 16)
            #expect(try await workshop.drain().exitCode == 0)

            for (category, platform) in ready {
                let again = try await workshop.stickerctl(
                    "export", category, "--for", platform.rawValue, "--to",
                    workshop.folder.path("again/\(category)"))
                // The archive of sticker makers has no room for emoji, and WhatsApp wants some.
                let hasRoom = category != "whatsapp_wastickers"
                #expect(again.exitCode == (hasRoom ? 0 : 3), "\(category): \(again)")
                let faults = again.output.split(separator: "\n").filter { $0.contains(" fault ") }
                #expect(faults.allSatisfy { $0.contains("the sticker has no emoji") })
            }
        }

        @Test func exportComesBackUnderItsOwnTitleAndOnce() async throws {
            let origin = try await exportedForAll()
            let sources = [
                "discord", "discord/folder/cats", "slack", "slack/folder", "zulip/folder",
                // All of them at once.
                "",
            ]
            for source in sources {
                let workshop = try Workshop()

                let answer = try await workshop.stickerctl(
                    "import", origin.folder.path("packs/\(source)"), "--json")

                #expect(answer.exitCode == (source.isEmpty ? 3 : 0), "\(source): \(answer)")
                let report = try JSONDecoder().decode(Report.self, from: Data(answer.output.utf8))
                #expect(report.categories.map(\.folder) == ["Fluffy cats"], "\(source)")
                #expect(report.categories.map(\.stickers) == [8], "\(source)")
            }
        }

        /// The folder of each form, or the archive in it.
        private static func sources(
            _ packs: String
        ) throws -> [(platform: PackPlatform, path: String)] {
            let files = FileManager.default
            return try PackPlatform.allCases.flatMap { platform in
                try files.contentsOfDirectory(atPath: "\(packs)/\(platform)").sorted()
                    .filter { !$0.hasPrefix(".") }
                    .map { form in
                        let folder = "\(platform)/\(form)"
                        let archive = try files.contentsOfDirectory(atPath: "\(packs)/\(folder)")
                            .first { $0.hasSuffix(".zip") || $0.hasSuffix(".gz") }
                        return (platform, archive.map { "\(folder)/\($0)" } ?? folder)
                    }
            }
        }

        @Test func runningDaemonPublishesPicturesWithTheirWords() async throws {
            let (packs, origin, seen) = try await exported()
            defer { withExtendedLifetime(origin) {} }
            let workshop = try Workshop()
            let daemon = try await workshop.start()

            #expect(try await workshop.stickerctl("import", "\(packs)/android").exitCode == 0)

            let isPublished = await waitUntil(upTo: .seconds(60)) {
                (try? Library(below: workshop.out).stickers.count) == 4
            }
            #expect(isPublished)
            #expect(try Library(below: workshop.out).stickers.map(Seen.init) == seen)
            daemon.send(15)
            #expect(try await daemon.ending().exitCode == 0)
        }

        @Test(.enabled(if: Self.samples != nil, "no sample packs beside STICKERD_CORPUS"))
        func sampleAppOfWhatsAppIsReadyAgain() async throws {
            let samples = try #require(Self.samples)
            let workshop = try Workshop()

            let answer = try await workshop.stickerctl("import", "\(samples)/android")
            #expect(answer.exitCode == 0, "\(answer)")
            #expect(try await workshop.drain().exitCode == 0)

            for category in ["cuppy", "together_while_apart"] {
                let lint = try await workshop.stickerctl("lint", category, "--for", "whatsapp")
                #expect(lint.exitCode == 0, "\(lint)")
            }
        }

        private static let samples: String? = Corpus.path.flatMap { root in
            let path = "\(root)/../reference/whatsapp"
            return FileManager.default.fileExists(atPath: path) ? path : nil
        }
    }
}
