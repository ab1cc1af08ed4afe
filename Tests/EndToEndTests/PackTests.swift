import Foundation
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// Categories as packs, from the drop to the platform.
    struct PackTests {
        private let workshop: Workshop

        init() throws { workshop = try Workshop() }

        private func lint(_ category: String) async throws -> Program.Ending {
            try await workshop.stickerctl("lint", category, "--for", "whatsapp")
        }

        @Test func lintNamesWhatIsMissingUntilNothingIs() async throws {
            for number in 1...4 { try workshop.put(try Art.png(number), "cats/cat \(number).png") }
            #expect(try await workshop.drain().exitCode == 0)

            let missing = try await lint("cats")
            #expect(missing.exitCode == 3)
            #expect(missing.output.contains("whatsapp: not ready, 5 faults"))
            #expect(missing.output.contains("stickerctl set cats --category --publisher NAME"))
            // One rule, one remedy, however many stickers break it.
            let lines = missing.output.split(separator: "\n").map(String.init)
            let rule = "  fault V10  the sticker has no emoji (0, allowed 1 to 3)"
            let first = try #require(lines.firstIndex(of: rule), "\(missing)")
            #expect(lines[first + 1] == "    cat 1.png, cat 2.png, cat 3.png, cat 4.png")
            #expect(
                lines[first + 2].hasPrefix("    stickerctl set STICKER --emoji EMOJI; one for all"))
            #expect(lines.count { $0.contains("--emoji") } == 1)

            try workshop.put(
                Array(#"{"publisher": "Ada", "defaults": {"emojis": ["🐱"]}}"#.utf8),
                "cats/category.json")
            #expect(try await workshop.drain().exitCode == 0)

            let ready = try await lint("cats")
            #expect(ready.exitCode == 0)
            #expect(ready.output.hasPrefix("whatsapp: ready, 1 warning\n  cats, 4 stickers\n"))
            #expect(ready.output.contains("warning margin  cats: the art of 4 of 4 stickers"))
            let json = try await workshop.stickerctl("lint", "cats", "--json")
            #expect(json.output.contains(#""identifier" : "cats""#))
        }

        @Test func sheetHasPagesAndNamesFilesThatCannotBeRead() async throws {
            for number in 1...31 { try workshop.put(try Art.png(number), "cats/cat \(number).png") }
            #expect(try await workshop.drain().exitCode == 0)
            let path = workshop.folder.path("look.png")

            let whole = try await workshop.stickerctl("sheet", "cats", "--to", path)
            #expect(whole.exitCode == 0, "\(whole)")
            #expect(whole.output.contains("look.png: 30 stickers"))
            #expect(whole.output.contains("look-2.png: 1 sticker"))
            for page in [path, workshop.folder.path("look-2.png")] {
                #expect(try Data(contentsOf: URL(filePath: page)).starts(with: [0x89, 0x50, 0x4E]))
            }

            let library = try Library(everyManifestBelow: workshop.out)
            let name = try #require(library.stickers.first?.imageURL.split(separator: "/").last)
            let file = "\(workshop.out)/_/\(name.prefix(2))/\(name)"
            let count = try Data(contentsOf: URL(filePath: file)).count
            try Data(repeating: 7, count: count).write(to: URL(filePath: file))
            let damaged = try await workshop.stickerctl("sheet", "cats", "--to", path)
            #expect(damaged.exitCode == 3)
            #expect(damaged.errors.contains(name), "\(damaged)")
            #expect(try await workshop.stickerctl("sheet", "dogs").exitCode == 1)
        }

        @Test func lintOfTooFewStickersSaysSo() async throws {
            for number in 1...2 { try workshop.put(try Art.png(number), "duo/cat \(number).png") }
            #expect(try await workshop.drain().exitCode == 0)
            let few = try await lint("duo")
            #expect(few.exitCode == 3)
            #expect(few.output.contains("2 stills wait until there are enough for a pack"))
        }

        @Test func exportWritesWhatWhatsAppTakesAndTheSameTwice() async throws {
            for number in 1...4 { try workshop.put(try Art.png(number), "cats/cat \(number).png") }
            try workshop.put(
                Array(#"{"publisher": "Ada", "defaults": {"emojis": ["🐱"]}}"#.utf8),
                "cats/category.json")
            #expect(try await workshop.drain().exitCode == 0)

            let (one, two) = (workshop.folder.path("one"), workshop.folder.path("two"))
            for folder in [one, two] {
                let made = try await workshop.stickerctl(
                    "export", "cats", "--for", "whatsapp", "--to", folder)
                #expect(made.exitCode == 0, "\(made)")
            }
            let again = try await workshop.stickerctl(
                "export", "cats", "--for", "whatsapp", "--to", two)
            #expect(again.exitCode == 0)

            let files = FileManager.default
            let paths = try files.subpathsOfDirectory(atPath: one).sorted()
            #expect(try files.subpathsOfDirectory(atPath: two).sorted() == paths)
            #expect(paths.contains("android/cats/tray.png"))
            #expect(paths.contains("wastickers/cats.wastickers"))
            for path in paths {
                #expect(
                    files.contents(atPath: "\(one)/\(path)")
                        == files.contents(atPath: "\(two)/\(path)"))
            }
        }

        @Test func versionOfAPackRisesWhenItChanges() async throws {
            for number in 1...3 { try workshop.put(try Art.png(number), "cats/cat \(number).png") }
            try workshop.put(
                Array(#"{"publisher": "Ada", "defaults": {"emojis": ["🐱"]}}"#.utf8),
                "cats/category.json")
            var versions: [String] = []
            for number in [3, 4, 4] {
                try workshop.put(try Art.png(number), "cats/cat \(number).png")
                #expect(try await workshop.drain().exitCode == 0)
                let folder = workshop.folder.path("packs")
                _ = try await workshop.stickerctl(
                    "export", "cats", "--for", "whatsapp", "--as", "android", "--to", folder)
                let contents = try #require(
                    FileManager.default.contents(atPath: "\(folder)/android/contents.json"))
                let text = String(decoding: contents, as: UTF8.self)
                let match = try #require(text.firstMatch(of: /"image_data_version" : "(\d+)"/))
                versions.append(String(match.1))
            }
            #expect(versions == ["1", "2", "2"])
        }

        @Test func whatThePlatformNeedsAndNobodyMadeIsMadeAndKept() async throws {
            var settings = Workshop.Settings()
            settings.sticker = ["targets": ["discord"], "emojis": ["🐱"]]
            try workshop.configure(settings)
            for number in 1...3 { try workshop.put(try Art.png(number), "cats/cat \(number).png") }
            try workshop.put(Array(#"{"publisher": "Ada"}"#.utf8), "cats/category.json")
            #expect(try await workshop.drain().exitCode == 0)
            #expect(try await lint("cats").exitCode == 3)

            let (one, two) = (workshop.folder.path("one"), workshop.folder.path("two"))
            let export = ["export", "cats", "--for", "whatsapp", "--to"]
            let made = try await run(export + [one])
            #expect(made.exitCode == 0 && made.output.contains("3 pictures were made"), "\(made)")
            let kept = try await run(export + [two])
            #expect(kept.exitCode == 0 && !kept.output.contains("made"), "\(kept)")
            let archive = "wastickers/cats.wastickers"
            let bytes = try #require(FileManager.default.contents(atPath: "\(one)/\(archive)"))
            #expect(FileManager.default.contents(atPath: "\(two)/\(archive)") == bytes)
            #expect(try await lint("cats").exitCode == 0)

            // Once it is configured, nothing is encoded again.
            settings.sticker["packs"] = ["whatsapp"]
            try workshop.configure(settings)
            let drained = try await workshop.drain(logLevel: "debug")
            #expect(drained.exitCode == 0 && !drained.errors.contains("step=fit"))
            let sticker = try #require(try Library(below: workshop.out).stickers.first)
            #expect(sticker.files.contains { $0.target == "whatsapp" })
            #expect(try await lint("cats").exitCode == 0)
        }

        @Test func exportReplacesNothingButAnEarlierOneOfTheSamePacks() async throws {
            for name in ["cats", "dogs"] {
                for number in 1...3 {
                    try workshop.put(try Art.png(number), "\(name)/\(name) \(number).png")
                }
                try workshop.put(Array(#"{"publisher": "Ada"}"#.utf8), "\(name)/category.json")
            }
            var settings = Workshop.Settings()
            settings.sticker = ["emojis": ["🐱"]]
            try workshop.configure(settings)
            #expect(try await workshop.drain().exitCode == 0)
            let place = workshop.folder.path("app")
            try workshop.folder.write(Array("mine".utf8), to: "app/android/build.gradle")
            func export(_ category: String, _ form: String) async throws -> Program.Ending {
                try await run(
                    ["export", category, "--for", "whatsapp", "--as", form, "--to", place])
            }

            let refused = try await export("cats", "android")
            #expect(refused.exitCode == 1 && refused.errors.contains("is not replaced"))
            #expect(FileManager.default.contents(atPath: "\(place)/android/build.gradle") != nil)
            #expect(try await export("cats", "ios").exitCode == 0)
            #expect(try await export("cats", "ios").exitCode == 0)
            let other = try await export("dogs", "ios")
            #expect(other.exitCode == 1 && other.errors.contains("the packs of whatsapp/cats"))
        }

        /// Other addresses, thumbnails, targets and keywords are in no pack.
        @Test func changeOutsideAPackRaisesNoVersion() async throws {
            for number in 1...3 { try workshop.put(try Art.png(number), "cats/cat \(number).png") }
            try workshop.put(
                Array(#"{"publisher": "Ada", "defaults": {"emojis": ["🐱"]}}"#.utf8),
                "cats/category.json")
            #expect(try await workshop.drain().exitCode == 0)
            let export = ["export", "cats", "--for", "whatsapp", "--to"]
            let (one, two) = (workshop.folder.path("one"), workshop.folder.path("two"))
            #expect(try await run(export + [one]).exitCode == 0)
            let before = try Library(everyManifestBelow: workshop.out).stickers

            try changeConfiguration([
                "publish": ["publicBaseURL": "https://example.org/"],
                "sticker": [
                    "targets": ["whatsapp", "discord"],
                    "thumbnails": [["pixels": 200, "format": "png"]],
                ],
            ])
            try workshop.put(Array(#"{"keywords": ["x"]}"#.utf8), "cats/cat 1.png.sticker.json")
            #expect(try await workshop.drain().exitCode == 0)
            #expect(try await run(export + [two]).exitCode == 0)

            #expect(try Library(everyManifestBelow: workshop.out).stickers != before)
            for path in ["android/contents.json", "wastickers/cats.wastickers"] {
                let bytes = try #require(FileManager.default.contents(atPath: "\(one)/\(path)"))
                #expect(FileManager.default.contents(atPath: "\(two)/\(path)") == bytes)
            }
        }

        private func run(_ arguments: [String]) async throws -> Program.Ending {
            try await workshop.stickerctl(arguments)
        }

        private func changeConfiguration(_ changes: [String: Any]) throws {
            let place = URL(filePath: workshop.config)
            let before = try JSONSerialization.jsonObject(with: Data(contentsOf: place))
            let config = try #require(before as? [String: Any]).merging(changes) { $1 }
            try JSONSerialization.data(withJSONObject: config).write(to: place)
        }

        @Test func lintOfNoCategoryAndForNoPlatformIsRefused() async throws {
            #expect(try await workshop.drain().exitCode == 0)
            let unknown = try await lint("dogs")
            #expect(unknown.exitCode == 1)
            #expect(unknown.errors.contains("there is no published category dogs"))
            let platform = try await workshop.stickerctl("lint", "dogs", "--for", "wechat")
            #expect(platform.exitCode == 2)
            #expect(platform.errors.contains("packs can be made for: discord, "))
        }
    }
}
