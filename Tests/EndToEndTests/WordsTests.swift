import Foundation
import Glibc
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// Words of side files about pictures.
    struct WordsTests {
        private let workshop: Workshop

        init() throws {
            var settings = Workshop.Settings()
            settings.publish["deleteGraceSeconds"] = 1
            workshop = try Workshop(settings)
        }

        private func say(_ path: String, _ text: String) throws {
            try workshop.put(Array(text.utf8), path)
        }

        private func attention() throws -> String {
            try String(contentsOfFile: workshop.folder.path("run/attention.json"), encoding: .utf8)
        }

        private func waitUntilTold(_ text: String) async throws {
            let isTold = try await waitUntil { try attention().contains(text) }
            #expect(isTold, "\(text)")
        }

        private var folder: String { "\(workshop.drop)/cats" }

        @Test func wordsAreLiveAndFollowTheirPicture() async throws {
            try workshop.put(try Art.png(1), "cats/wave.png")
            try workshop.put(try Art.png(2), "cats/nap.png")
            let daemon = try await workshop.start()
            try await workshop.published("both") { $0.stickers.count == 2 }

            try say("cats/category.json", #"{"title": "Fluffy", "order": ["wave.png"]}"#)
            try await workshop.published("the order") {
                $0.stickers.map(\.identifier.rawValue) == ["wave", "nap"]
            }
            try say("cats/wave.png.sticker.json", #"{"title": "Hello", "emojis": "👋"}"#)
            try await workshop.published("the title") { $0.stickers.first?.title == "Hello" }

            try check(rename("\(folder)/wave.png", "\(folder)/bye.png"), "rename")
            try await daemon.says("renamed wave")
            try await Task.sleep(for: .seconds(1.5))
            let library = try Library(below: workshop.out)
            #expect(library.stickers.map(\.title) == ["Hello", "nap"])
            try say("cats/bye.png.sticker.json", #"{"title": "Bye"}"#)
            try await workshop.published("the other title") {
                $0.stickers.first?.title == "Bye" && $0.stickers.first?.emojis == ["👋"]
            }

            try workshop.remove("cats/bye.png.sticker.json")
            try await workshop.published("the name") { $0.stickers.first?.title == "bye" }
            // Words cost no picture a job.
            #expect(try await workshop.jobs().filter { $0.file.hasSuffix(".png") }.count <= 3)
        }

        @Test func faultyEntryKeepsItsLastGoodStateAndNeedsAttention() async throws {
            try workshop.put(try Art.png(1), "cats/wave.png")
            try say(
                "cats/category.json",
                #"{"title": "Fluffy", "stickers": {"wave.png": {"title": "Hello"}}}"#)
            let daemon = try await workshop.start()
            try await workshop.published("it") { $0.stickers.count == 1 }

            try say(
                "cats/category.json",
                "{\n\"title\": \"Furry\",\n\"stickers\": {\"wave.png\": {\"title\": 5}}}")
            try await daemon.says("job refused")
            try await waitUntilTold("line 3: stickers.wave.png.title has a wrong value")
            #expect(try attention().contains(#""reason" : "invalid-words""#))
            let status = try await workshop.stickerctl("status")
            #expect(status.exitCode == 3)
            let isPublished = try await waitUntil { try title() == "Furry" }
            #expect(isPublished)
            #expect(try Library(below: workshop.out).stickers.map(\.title) == ["Hello"])

            try say("cats/category.json", "{\n\"title\": \"Furry\",")
            try await waitUntilTold("line 2, column 18")
            #expect(try title() == "Furry")

            try say("cats/category.json", "{\n\"title\": \"Silky\"}")
            try await waitUntilTold(#""needsAttention" : false"#)
            let isMended = try await waitUntil { try title() == "Silky" }
            #expect(isMended)
            daemon.send(SIGTERM)
            #expect(try await daemon.ending().exitCode == 0)
        }

        private func title() throws -> String? {
            try Library.pages("\(workshop.out)/cats/manifest.json").first?.title
        }

        @Test func setWritesASideFileWholeOrNotAtAll() async throws {
            try workshop.put(try Art.png(1), "cats/wave.png")
            #expect(try await workshop.drain().exitCode == 0)
            func set(_ arguments: String...) async throws -> Int32? {
                let options = ["--config", workshop.config]
                return try await Program("stickerctl", ["set"] + options + arguments).ending()
                    .exitCode
            }

            #expect(try await set("wave", "--title", "Hello", "--emoji", "👋🎉", "--pinned") == 0)
            #expect(try await set("wave", "--rating", "x") == 1)
            #expect(try await set("nobody", "--title", "x") == 1)
            #expect(try await set("wave") == 2)
            #expect(try await set("wave", "--order=5", "--clear", "pinned") == 0)
            #expect(try await set("--category", "cats", "--publisher", "Ada") == 0)
            let file = "\(folder)/wave.png.sticker.json"
            let written = try String(contentsOfFile: file, encoding: .utf8)
            #expect(written.contains("Hello") && !written.contains("pinned"))
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            #expect(names == ["category.json", "wave.png", "wave.png.sticker.json"])

            #expect(try await workshop.drain().exitCode == 0)
            let manifest = try #require(
                try Library.pages("\(workshop.out)/cats/manifest.json").first)
            let sticker = try #require(manifest.stickers.first)
            #expect(sticker.title == "Hello" && sticker.emojis == ["👋", "🎉"])
            #expect(sticker.order == 5 && sticker.pinned == nil && manifest.publisher == "Ada")
        }

        /// Words under an earlier name are in the file about the new one.
        @Test func setKeepsWhatWasSaidUnderAnEarlierName() async throws {
            try workshop.put(try Art.png(1), "cats/wave.png")
            try say("cats/wave.png.sticker.json", #"{"title": "Hello"}"#)
            #expect(try await workshop.drain().exitCode == 0)
            try check(rename("\(folder)/wave.png", "\(folder)/bye.png"), "rename")
            #expect(try await workshop.drain().exitCode == 0)

            #expect(
                try await workshop.stickerctl("set", "\(folder)/bye.png", "--emoji", "👋")
                    .exitCode == 0)
            #expect(try await workshop.drain().exitCode == 0)

            let sticker = try #require(try Library(below: workshop.out).stickers.first)
            #expect(sticker.title == "Hello" && sticker.emojis == ["👋"])
        }

        @Test(.needsSchemaValidator) func everythingSaidHasTheShapeOfTheSchema() async throws {
            try workshop.put(try Art.png(1), "cats/wave.png")
            try workshop.put(try Art.png(2), "cats/nap.png")
            let sticker = """
                {"$schema": "urn:stickerd:schema:sticker:1", "title": "A", "emojis": ["👋"],
                 "keywords": ["a", "b"], "accessibilityText": "t", "order": 3, "pinned": true,
                 "rating": "pg-13", "tintMode": "solid", "publisher": "P", "licence": "L",
                 "links": {"website": "https://example.org", "email": "a@example.org",
                   "privacyPolicy": "https://example.org/p", "licence": "http://example.org/l",
                   "appStore": "https://apps.apple.com/a", "playStore": null}}
                """
            let category = """
                {"title": "C", "description": "D", "publisher": "P", "licence": "L",
                 "links": {"website": "HTTPS://example.org"},
                 "packs": {"line": {"title": "T", "description": "d", "publisher": "p"}},
                 "defaults": {"emojis": "👋", "keywords": [], "rating": "g", "tintMode": "none"},
                 "stickers": {"wave.png": {"title": "W"}}, "order": ["nap.png"]}
                """
            try say("cats/wave.png.sticker.json", sticker)
            try say("cats/category.json", category)
            #expect(try await workshop.drain().exitCode == 0)
            try check(rename("\(folder)/wave.png", "\(folder)/bye.png"), "rename")
            #expect(try await workshop.drain().exitCode == 0)

            let manifest = "\(workshop.out)/cats/manifest.json"
            #expect(try Library.pages(manifest)[0].stickers.contains { $0.source.keptWords != nil })
            #expect(try JSONSchema.manifest.complaints(about: [manifest]) == "")
            #expect(
                try JSONSchema.sticker.complaints(about: ["\(folder)/wave.png.sticker.json"]) == "")
            #expect(
                try JSONSchema.category.complaints(about: ["\(folder)/category.json"]) == "")
        }

        /// The schemas refuse what stickerd refuses, as far as they can tell.
        @Test(
            .needsSchemaValidator,
            arguments: [
                (.sticker, #"{"titel": "A"}"#), (.sticker, #"{"title": ""}"#),
                (.sticker, #"{"order": 1000000}"#), (.sticker, #"{"rating": "x"}"#),
                (.sticker, #"{"links": {"website": "ftp://example.org"}}"#),
                (.sticker, #"{"links": {"email": "a@b@c"}}"#), (.sticker, "[]"),
                (.category, #"{"packs": {"nowhere": {}}}"#), (.category, #"{"rating": "g"}"#),
                (.category, #"{"stickers": {"../a.png": {}}}"#),
                (.category, #"{"order": ["a.png", "a.png"]}"#),
                (.category, #"{"defaults": {"title": "A"}}"#),
            ] as [(JSONSchema, String)])
        func schemasRefuseWhatIsRefused(schema: JSONSchema, text: String) throws {
            let file: SideFile = schema == .sticker ? .sticker : .category
            #expect(throws: SideFileError.self) { try file.words(in: Array(text.utf8)) }
            try say("cats/x.json", text)
            #expect(try schema.complaints(about: ["\(folder)/x.json"]) != "")
        }
    }
}
