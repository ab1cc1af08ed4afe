import Foundation
import StickerTestSupport
import Testing

extension EndToEnd {
    /// What export says it wrote.
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
            try await Program(
                "stickerctl",
                [
                    "--config", workshop.config, "export", "cats", "--for", platform, "--to", place,
                ] + options
            ).ending()
        }

        private func object(_ ending: Program.Ending) throws -> [String: Any] {
            let value = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
            return try #require(value as? [String: Any])
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
    }
}
