import Foundation
import StickerTestSupport
import Testing

extension EndToEnd {
    /// The report of an export, and all platforms at once.
    struct ExportTests {
        private let workshop: Workshop
        private var place: String { workshop.folder.path("packs") }

        init() throws {
            var settings = Workshop.Settings()
            settings.sticker = ["emojis": ["🐱"]]
            settings.publish["publicBaseURL"] = .text("https://example.org/")
            workshop = try Workshop(settings)
            for number in 1...4 { try workshop.put(try Art.png(number), "cats/cat \(number).png") }
        }

        private func drain(publisher: String?) async throws {
            if let publisher {
                try workshop.put(
                    Array(#"{"publisher": "\#(publisher)"}"#.utf8), "cats/category.json")
            }
            #expect(try await workshop.drain().exitCode == 0)
        }

        private func export(_ platform: String, _ options: String...) async throws -> Program.Ending
        {
            try await workshop.stickerctl(
                ["export", "cats", "--for", platform, "--to", place] + options)
        }

        private func object(_ ending: Program.Ending) throws -> [String: Any] {
            let value = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
            return try #require(value as? [String: Any])
        }

        private var folders: [String] {
            get throws { try FileManager.default.contentsOfDirectory(atPath: place).sorted() }
        }

        @Test func filesThatWereWrittenAreListedWithTheirFolder() async throws {
            try await drain(publisher: "Ada")

            let answer = try object(try await export("whatsapp", "--json"))

            #expect(answer["platform"] as? String == "whatsapp" && answer["ready"] as? Bool == true)
            #expect(answer["packs"] is [Any] && answer["findings"] is [Any])
            #expect(answer["folder"] as? String == place)
            let forms = try #require(answer["forms"] as? [[String: Any]])
            #expect(
                forms.map { $0["name"] as? String } == [
                    "wastickers", "android", "ios", "handover",
                ])
            for form in forms {
                let folder = "\(place)/\(try #require(form["name"] as? String))"
                let files = try #require(form["files"] as? [String])
                let there = try FileManager.default.subpathsOfDirectory(atPath: folder)
                    .filter { !$0.hasSuffix("cats") }
                #expect(files.sorted() == there.sorted())
                let bytes = files.reduce(0) {
                    $0 + (FileManager.default.contents(atPath: "\(folder)/\($1)")?.count ?? 0)
                }
                #expect(form["bytes"] as? Int == bytes)
            }
        }

        @Test func exportEndsWithItsSize() async throws {
            try await drain(publisher: "Ada")
            let lines = try await export("slack").output.split(separator: "\n")
            #expect(lines.dropLast().last == "written to \(place): folder")
            #expect(
                try #require(lines.last).wholeMatch(of: /1 pack, 4 stickers, [0-9.]+ KB/) != nil)
        }

        @Test func faultyPackIsInNoFolderAndTheAnswerSaysSo() async throws {
            try await drain(publisher: nil)

            let ending = try await export("whatsapp", "--json")

            let answer = try object(ending)
            #expect(ending.exitCode == 3 && answer["folder"] == nil)
            #expect((answer["forms"] as? [Any])?.isEmpty == true)
        }

        @Test func faultOfOnePlatformKeepsAllFromBeingWrittenUnlessItIsSkipped() async throws {
            try await drain(publisher: nil)

            let refused = try await export("all")
            #expect(refused.exitCode == 3)
            #expect(refused.output.contains("signal: not ready, 1 fault"))
            #expect(
                refused.output.contains(
                    "faults for signal, whatsapp; --skip-faulty leaves them out"))
            #expect(refused.output.hasSuffix("nothing was written\n"))
            #expect(try folders.isEmpty)

            let skipped = try await export("all", "--skip-faulty")
            #expect(skipped.exitCode == 0, "\(skipped)")
            #expect(
                skipped.output.contains(
                    "left out signal, whatsapp; why: stickerctl lint cats --for PLATFORM"))
            // Four are too few for a set of LINE's, which is no fault of theirs.
            #expect(
                skipped.output.contains("no packs for line; why: stickerctl lint cats --for line"))
            #expect(
                try folders == [
                    "discord", "imessage", "imgly", "mastodon", "matrix", "misskey", "slack",
                    "telegram", "zulip",
                ])
            #expect(
                skipped.output.contains("written to \(place): 9 platforms\n9 packs, 4 sticke"))
            // A number in the library is for ever.
            #expect(
                skipped.output.contains("left out tuikit: gives cats a number for ever; do it with")
            )
            let numbered = try await workshop.stickerctl("resolve", "cats", "wave")
            #expect(numbered.errors.contains("no group cats was exported"))
        }

        @Test func allPlatformsAreWrittenAsEachAlone() async throws {
            try await drain(publisher: "Ada")

            let all = try await export("all", "--json")

            #expect(all.exitCode == 0, "\(all)")
            let reports = try #require(try object(all)["platforms"] as? [[String: Any]])
            #expect(reports.count == 13)
            let written = reports.compactMap { $0["folder"] as? String }
            #expect(written.count == 11 && written.first == "\(place)/discord")
            let alone = try await workshop.stickerctl(
                "export", "cats", "--for", "whatsapp", "--to", workshop.folder.path("alone"))
            #expect(alone.exitCode == 0)
            let files = FileManager.default
            let one = workshop.folder.path("alone")
            for path in try files.subpathsOfDirectory(atPath: one) {
                #expect(
                    files.contents(atPath: "\(one)/\(path)")
                        == files.contents(atPath: "\(place)/whatsapp/\(path)"), "\(path)")
            }
            #expect(try await export("all").exitCode == 0)
        }

        @Test func foreignFolderInTheWayKeepsAllFromBeingWritten() async throws {
            try await drain(publisher: "Ada")
            try workshop.folder.write(Array("mine".utf8), to: "packs/zulip/folder/emoji.json")

            let refused = try await export("all")

            #expect(refused.exitCode == 1)
            #expect(refused.errors.hasPrefix("\(place)/zulip/folder: taken: "))
            #expect(!FileManager.default.fileExists(atPath: "\(place)/discord/folder"))
        }

        /// An app shows what its one manifest lists.
        @Test(arguments: [
            ("whatsapp", ["android", "ios"]), ("imgly", ["catalog"]), ("tuikit", ["bundle"]),
        ]) func packsOfAllCategoriesLieInOneFolder(platform: String, forms: [String]) async throws {
            for (index, category) in ["cats", "dogs"].enumerated() {
                let words = #"{"publisher": "Ada", "defaults": {"emojis": ["🐱"]}}"#
                try workshop.put(Array(words.utf8), "\(category)/category.json")
                for number in 1...3 {
                    let art = try Art.png(10 * index + number)
                    try workshop.put(art, "\(category)/\(category) \(number).png")
                }
            }
            // Too few for a pack, which holds up nobody.
            try workshop.put(try Art.png(50), "birds/bird.png")
            #expect(try await workshop.drain().exitCode == 0)
            let folder = workshop.folder.path("app")

            let export = try await workshop.stickerctl(
                "export", "--all", "--for", platform, "--to", folder)

            #expect(export.output.contains("written to"), "\(export)")
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
            for form in forms {
                #expect(files.contains { $0.hasPrefix(form) && $0.contains(".") })
                let texts = files.filter { $0.hasPrefix(form) && !$0.hasSuffix(".png") }
                    .compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)") }
                    .map { String(decoding: $0, as: UTF8.self) }
                guard form != "bundle" else { continue }
                #expect(texts.contains { $0.contains("\"cats\"") && $0.contains("\"dogs\"") })
            }
            let again = try await workshop.stickerctl(
                "export", "cats", "--for", platform, "--to", folder)
            #expect(platform != "whatsapp" || again.errors.contains("taken"), "\(again)")
            for wrong in [["--all", "cats"], [], ["--all", "--for", "discord"]] {
                let ending = try await Program(
                    "stickerctl",
                    ["--config", workshop.config, "export", "--to", folder, "--for", platform]
                        + wrong
                ).ending()
                #expect(ending.exitCode == 2, "\(ending)")
            }
        }
    }
}
