import Foundation
import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// The effect of the settings on the art: in a whole library, and for one picture.
    struct ArtTests {
        private static let white = SIMD4<UInt8>(255, 255, 255, 255)

        /// A still with a wide border, and an animation.
        private func workshop() throws -> Workshop {
            let workshop = try Workshop()
            let picture = PixelBuffer.drawn(PixelSize(width: 120, height: 120)) { x, y in
                30..<90 ~= x && 30..<90 ~= y ? SIMD4(200, 40, 40, 255) : .zero
            }
            try workshop.put(try PNGEncoder.encode(picture), "cats/still.png")
            let frames = [1, 2].map { color in
                var frame = TestGIF.Frame.filled(UInt8(color), 8, 8)
                frame.delay = 10
                return frame
            }
            try workshop.put(
                TestGIF(width: 8, height: 8, frames: frames).bytes, "cats/moving.gif")
            return workshop
        }

        /// Changes what the configuration says about stickers.
        private func configure(_ workshop: Workshop, _ sticker: String) throws {
            let file = URL(filePath: workshop.config)
            let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
            var settings = try #require(object as? [String: Any])
            settings["sticker"] = try JSONSerialization.jsonObject(with: Data(sticker.utf8))
            try JSONSerialization.data(withJSONObject: settings).write(to: file)
        }

        private func hashes(_ workshop: Workshop) throws -> [String: [String]] {
            let library = try Library(below: workshop.out)
            var hashes: [String: [String]] = [:]
            for name in ["still.png", "moving.gif"] {
                let sticker = try #require(library.sticker(name))
                hashes[name] = sticker.files.map(\.sha256.rawValue)
            }
            return hashes
        }

        @Test func outlineIsTakenBackWithoutAnEncode() async throws {
            let workshop = try workshop()
            #expect(try await workshop.drain().exitCode == 0)
            let plain = try hashes(workshop)

            try configure(workshop, #"{"outline": {"pixels": 8}}"#)
            let plan = try await workshop.stickerctl("plan").output
            #expect(try await workshop.drain().exitCode == 0)
            let outlined = try hashes(workshop)
            try configure(workshop, "{}")
            let back = try await workshop.stickerctl("plan").output
            #expect(try await workshop.drain().exitCode == 0)

            #expect(plan.contains("sticker.outline.pixels  0 -> 8"), "\(plan)")
            #expect(plan.contains("cats: 2 pictures, 2 to encode"), "\(plan)")
            #expect(outlined["still.png"] != plain["still.png"])
            #expect(outlined["moving.gif"] != plain["moving.gif"])
            #expect(back.contains("0 to encode") || !back.contains("to encode"), "\(back)")
            #expect(try hashes(workshop) == plain)
        }

        @Test func markIsTakenBackWithoutAnEncode() async throws {
            let workshop = try workshop()
            try workshop.folder.write(try Art.png(7), to: "logo.png")
            #expect(try await workshop.drain().exitCode == 0)
            let plain = try hashes(workshop)
            let marks = #"{"watermarks": [{"id": "logo", "image": "logo.png", "width": 0.25}]}"#

            try configure(workshop, marks)
            let plan = try await workshop.stickerctl("plan").output
            #expect(try await workshop.drain().exitCode == 0)
            let marked = try hashes(workshop)
            try workshop.folder.write(try Art.png(8), to: "logo.png")
            #expect(try await workshop.drain().exitCode == 0)
            let other = try hashes(workshop)
            try configure(workshop, "{}")
            let back = try await workshop.stickerctl("plan").output
            #expect(try await workshop.drain().exitCode == 0)

            #expect(plan.contains("cats: 2 pictures, 2 to encode"), "\(plan)")
            for name in ["still.png", "moving.gif"] {
                #expect(Set([plain[name], marked[name], other[name]]).count == 3)
            }
            #expect(back.contains("0 to encode") || !back.contains("to encode"), "\(back)")
            #expect(try hashes(workshop) == plain)
        }

        /// Words are drawn by a worker of their own, once for all pictures.
        @Test(.needsFonts) func wordsAreDrawnAndTakenBackWithoutAnEncode() async throws {
            let workshop = try workshop()
            #expect(try await workshop.drain().exitCode == 0)
            let plain = try hashes(workshop)

            try configure(
                workshop,
                ##"""
                {"watermarks": [{"id": "name", "text": {"text": "Ada 🎉", "size": 64,
                "color": "#FFFFFF", "stroke": {"pixels": 4, "color": "#102030"}}}]}
                """##)
            #expect(try await workshop.drain().exitCode == 0)
            let worded = try hashes(workshop)
            let companion = try #require(
                try Library(below: workshop.out).sticker("still.png")?.files
                    .first { $0.role == .companion })
            let hash = companion.sha256.rawValue
            let path = "\(workshop.out)/_/\(hash.prefix(2))/\(hash).png"
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            var corner: Set<SIMD4<UInt8>> = []
            var y = 0
            try PNGDecoder(SourceBytes(bytes), limits: DecodeLimits()).decode(size: .sticker) {
                row in
                for x in 256..<512 where y >= 400 {
                    corner.insert(
                        SIMD4(row[x * 4], row[x * 4 + 1], row[x * 4 + 2], row[x * 4 + 3]))
                }
                y += 1
            }
            try configure(workshop, "{}")
            #expect(try await workshop.drain().exitCode == 0)

            #expect(worded["still.png"] != plain["still.png"])
            #expect(worded["moving.gif"] != plain["moving.gif"])
            #expect(corner.contains(Self.white) && corner.contains(SIMD4(16, 32, 48, 255)))
            // The emoji.
            #expect(corner.contains { $0.w == 255 && $0.x > 180 && $0.z < 90 })
            #expect(try hashes(workshop) == plain)
        }

        @Test(.needsFonts) func wordsThatCannotBeDrawnAreAFaultOfTheConfiguration() async throws {
            let workshop = try workshop()
            let text = #"{"text": "a", "font": "Comic Sans MS"}"#
            try configure(workshop, #"{"watermarks": [{"id": "w", "text": \#(text)}]}"#)

            let run = try await workshop.stickerctl("check")

            #expect(run.exitCode == 1)
            #expect(run.errors.contains("sticker.watermarks.w.text: "), "\(run.errors)")
            #expect(run.errors.contains("Inter"))
        }

        /// The published picture has its outline and its marks already.
        @Test func iconsOfPacksAreNotMarkedTwice() async throws {
            let workshop = try workshop()
            try workshop.put(Array(#"{"publisher": "Ada"}"#.utf8), "cats/category.json")
            try configure(
                workshop,
                ##"""
                {"packs": ["tuikit"], "outline": {"pixels": 8}, "watermarks": [
                {"id": "veil", "color": "#0000FF80", "width": 1, "height": 1}]}
                """##)
            #expect(try await workshop.drain().exitCode == 0)

            let out = URL(filePath: workshop.out)
            let files = FileManager.default.enumerator(at: out, includingPropertiesForKeys: nil)
            let menu = try #require(
                files?.compactMap { $0 as? URL }.first { $0.lastPathComponent == "menu@2x.png" })
            let bytes = [UInt8](try Data(contentsOf: menu))
            let picture = try PNGDecoder(SourceBytes(bytes), limits: DecodeLimits())
            // A corner, where there is nothing but the veil.
            var corner: [UInt8] = []
            try picture.decode(size: picture.header.size) { row in
                if corner.isEmpty { corner = Array(row.prefix(4)) }
            }
            // In few colours; twice it would be 192.
            #expect(112...144 ~= Int(try #require(corner.last)), "\(corner)")
        }

        @Test func watermarkEditsTheConfigurationWholeOrNotAtAll() async throws {
            let workshop = try workshop()
            try workshop.folder.write(try Art.png(7), to: "logo.png")
            let text = "{\n  \"drops\": [\"drop\"],\n  \"sticker\": { \"trim\": true }\n}\n"
            try workshop.folder.write(Array(text.utf8), to: "config.json")
            chmod(workshop.config, 0o600)
            func now() throws -> String {
                try String(contentsOf: URL(filePath: workshop.config), encoding: .utf8)
            }
            let logo = workshop.folder.path("logo.png")

            let added = try await workshop.stickerctl(
                "watermark", "add", "logo", "--image", logo, "--width", "0.25", "--offset",
                "-0.02,-0.5")
            let whole = try now()
            let missing = try await workshop.stickerctl(
                "watermark", "add", "other", "--image", workshop.folder.path("none.png"))
            let wrong = try await workshop.stickerctl(
                "watermark", "add", "other", "--image", workshop.config)
            let unknown = try await workshop.stickerctl(
                "watermark", "add", "other", "--image", logo, "--on", "kakao")
            let listed = try await workshop.stickerctl("watermark")
            let json = try await workshop.stickerctl("watermark", "list", "--json")
            let nothing = try await workshop.stickerctl("watermark", "remove", "other")

            #expect(added.exitCode == 0, "\(added.errors)")
            #expect(
                whole
                    == """
                    {
                      "drops": ["drop"],
                      "sticker": { "trim": true, "watermarks": \
                    [{ "id": "logo", "image": "logo.png", "width": 0.25, "offset": [-0.02, -0.5] }] }
                    }

                    """)
            for run in [missing, wrong, unknown] {
                #expect(run.exitCode == 1 && run.errors.contains("nothing was written"))
            }
            #expect(nothing.exitCode == 0 && nothing.output.contains("no mark other"))
            #expect(try now() == whole)
            #expect(listed.output.contains("logo: picture \(logo), width 0.25, at 1.0,1.0, offset"))
            let lists = try JSONDecoder().decode(
                [String: [Named]].self, from: Data(json.output.utf8))
            #expect(lists == ["sticker.watermarks": [Named(id: "logo")]])
            // Removed also if its file is gone.
            try FileManager.default.removeItem(atPath: logo)
            let removed = try await workshop.stickerctl("watermark", "remove", "logo")
            #expect(removed.exitCode == 0, "\(removed.errors)")
            #expect(
                try now()
                    == text.replacingOccurrences(of: "true }", with: "true, \"watermarks\": [] }"))
            let attributes = try FileManager.default.attributesOfItem(atPath: workshop.config)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }

        private struct Named: Decodable, Equatable { var id: String }

        /// A service may read what is linked elsewhere; files are looked for beside the link.
        @Test func linkedConfigurationStaysALink() async throws {
            let workshop = try workshop()
            try FileManager.default.createDirectory(
                atPath: workshop.folder.path("real"), withIntermediateDirectories: true)
            try FileManager.default.moveItem(
                atPath: workshop.config, toPath: workshop.folder.path("real/config.json"))
            try FileManager.default.createSymbolicLink(
                atPath: workshop.config, withDestinationPath: "real/config.json")
            try workshop.folder.write(try Art.png(7), to: "real/logo.png")

            let added = try await workshop.stickerctl(
                "watermark", "add", "logo", "--image", workshop.folder.path("real/logo.png"))
            let check = try await workshop.stickerctl("check")

            #expect(added.exitCode == 0 && check.exitCode == 0, "\(added.errors) \(check.errors)")
            let link = try FileManager.default.destinationOfSymbolicLink(atPath: workshop.config)
            #expect(link == "real/config.json")
        }

        /// None says that a mark is there which another overwrote.
        @Test func marksThatAreAddedAtOnceAreAllThere() async throws {
            let workshop = try workshop()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        let run = try await workshop.stickerctl(
                            "watermark", "add", "m\(number)", "--color", "#000000", "--width",
                            "0.5", "--height", "-1")
                        #expect(run.exitCode == 0, "\(run.errors)")
                        #expect(run.errors.contains("height: is -1, taken as 0"))
                    }
                }
                try await group.waitForAll()
            }

            let listed = try await workshop.stickerctl("watermark").output
            #expect((0..<6).allSatisfy { listed.contains("m\($0): colour") }, "\(listed)")
        }

        @Test func whatIsProbablyNotMeantIsSaid() async throws {
            let workshop = try workshop()
            try workshop.folder.write(try Art.noise(side: 540), to: "large.png")
            let logo = workshop.folder.path("large.png")

            let large = try await workshop.stickerctl("watermark", "add", "large", "--image", logo)
            let unmade = try await workshop.stickerctl(
                "watermark", "add", "unmade", "--image", logo, "--width", "0.2", "--on", "signal")
            let check = try await workshop.stickerctl("check")

            #expect(large.exitCode == 0 && unmade.exitCode == 0 && check.exitCode == 0)
            #expect(large.errors.contains("large is 540x540 at -28,-28"), "\(large.errors)")
            #expect(unmade.errors.contains("unmade is on signal, for which nothing is made"))
            #expect(check.output.contains("a part of it is cut off"), "\(check.output)")
        }

        @Test func markThatCannotBeUsedIsAFaultOfTheConfiguration() async throws {
            let workshop = try workshop()
            let marks = #"{"watermarks": [{"id": "logo", "image": "logo.png", "opacity": 2}]}"#
            try configure(workshop, marks)

            let missing = try await workshop.drain()
            try workshop.folder.write(Array("no picture".utf8), to: "logo.png")
            let wrong = try await workshop.drain()
            try workshop.folder.write(try Art.png(7), to: "logo.png")
            let right = try await workshop.drain()

            #expect(missing.exitCode == 78 && wrong.exitCode == 78 && right.exitCode == 0)
            #expect(missing.errors.contains("logo.png cannot be read"))
            #expect(wrong.errors.contains("the watermark logo cannot be drawn"))
            #expect(right.errors.contains("watermarks[0].opacity: is 2, taken as 1"))
        }

        /// Also of those for all, if the category of loose files has its own; and under the limits for pictures.
        @Test func everyListOfMarksIsTriedUnderTheLimits() async throws {
            let workshop = try workshop()
            try workshop.folder.write(Array("no picture".utf8), to: "bad.png")
            try workshop.folder.write(try Art.noise(side: 40), to: "logo.png")
            func mark(_ file: String) -> String {
                #"{"watermarks": [{"id": "a", "image": "\#(file)", "width": 0.2}]}"#
            }
            func check(
                _ all: String, _ loose: String, limits: String = "{}"
            ) async throws -> String {
                let json = """
                    {"drops": ["drop"], "defaultCategory": "loose", "limits": \(limits),
                    "sticker": \(mark(all)), "categories": {"loose": \(mark(loose))}}
                    """
                try workshop.folder.write(Array(json.utf8), to: "config.json")
                let ending = try await workshop.stickerctl("check")
                return ending.output + ending.errors
            }

            let fine = try await check("logo.png", "logo.png")
            let all = try await check("bad.png", "logo.png")
            let loose = try await check("logo.png", "bad.png")
            let small = try await check(
                "logo.png", "logo.png", limits: #"{"sidePixelsMax": 16}"#)

            #expect(fine.contains("fine"), "\(fine)")
            #expect(all.contains("sticker.watermarks: the watermark a cannot be drawn"))
            #expect(loose.contains("categories.loose.watermarks: the watermark a"), "\(loose)")
            #expect(small.contains("the watermark a cannot be drawn"), "\(small)")
        }

        @Test func tintConcernsNothingThatMoves() async throws {
            let workshop = try workshop()
            #expect(try await workshop.drain().exitCode == 0)
            let plain = try hashes(workshop)

            try configure(
                workshop, ##"{"tint": {"mode": "solid", "color": "#00FF00"}}"##)
            let plan = try await workshop.stickerctl("plan").output
            #expect(try await workshop.drain().exitCode == 0)

            #expect(plan.contains("cats: 2 pictures, 1 to encode"), "\(plan)")
            let tinted = try hashes(workshop)
            #expect(tinted["moving.gif"] == plain["moving.gif"])
            #expect(tinted["still.png"] != plain["still.png"])
        }

        @Test func convertDoesWhatTheConfigurationWould() async throws {
            let workshop = try workshop()
            let made = workshop.folder.path("made.webp")

            let convert = try await workshop.stickerctl(
                "convert", "--outline", "8", "--trim", "--tint", "colorized", "--tint-color",
                "#0000FF", "\(workshop.drop)/cats/still.png", made)
            try configure(
                workshop,
                ##"""
                {"outline": {"pixels": 8}, "trim": true,
                "tint": {"mode": "colorized", "color": "#0000FF"}}
                """##)
            #expect(try await workshop.drain().exitCode == 0)

            #expect(convert.exitCode == 0)
            let bytes = try #require(FileManager.default.contents(atPath: made))
            #expect(try hashes(workshop)["still.png"]?.first == sha256(bytes))
            for step in ["trim", "tint", "outline"] { #expect(convert.output.contains(step)) }
            let sticker = try WebPDecoder.still(Array(bytes))
            #expect(sticker[256, 4] == Self.white)
        }

        @Test(arguments: [
            ("--outline", "65", "0 to 64 pixels"), ("--tint", "gold", "'--tint"),
            ("--outline-color", "red", "not a colour; write '#RRGGBB'"),
        ])
        func wrongArtIsWrongUsage(
            option: String, value: String, complaint: String
        ) async throws {
            let workshop = try workshop()

            let run = try await workshop.stickerctl(
                "preview", "\(workshop.drop)/cats/still.png", option, value)

            #expect(run.exitCode == 2 && run.errors.contains(complaint), "\(run.errors)")
        }

        @Test(arguments: ["still.png", "moving.gif"])
        func previewShowsTheStickerOnEveryGround(name: String) async throws {
            let workshop = try workshop()
            let output = workshop.folder.path("preview.png")

            let run = try await workshop.stickerctl(
                "preview", "--outline", "8", "--trim", "--to", output,
                "\(workshop.drop)/cats/\(name)")

            #expect(run.exitCode == 0, "\(run.errors)")
            let bytes = try #require(FileManager.default.contents(atPath: output))
            let picture = try PNGDecoder(SourceBytes(Array(bytes)), limits: DecodeLimits())
            // Five grounds, and below what moves ten frames.
            #expect(picture.header.size.width == 5 * 384 + 2 * 24)
            #expect((picture.header.size.height > 500) == (name == "moving.gif"))
            #expect(!FileManager.default.fileExists(atPath: workshop.out))
        }

        @Test(.needsFonts) func previewShowsEveryStyleOfATemplate() async throws {
            let workshop = try Workshop()
            let template = Repository.path("deploy/smart/smart/smart weekday.smart.svg")
            let picture = workshop.folder.path("preview.png")
            func preview(_ arguments: [String]) async throws -> Program.Ending {
                try await Program(
                    "stickerctl",
                    ["--config", workshop.config, "preview", "--to", picture] + arguments
                ).ending()
            }
            func drawn() throws -> Data { try Data(contentsOf: URL(filePath: picture)) }

            let german = try await preview([
                "--template", template, "--at", "2026-12-24T08:00+01:00", "--locale", "de",
            ])
            let first = try drawn()
            let evening = try await preview([
                "--template", template, "--at", "2026-12-24T22:00+01:00", "--locale", "de",
            ])

            #expect(german.exitCode == 0 && evening.exitCode == 0)
            #expect(german.output.contains("shows a sticker of style calendar: 512x512 webp, "))
            #expect(german.output.split(separator: "\n").count == 3)
            #expect(try drawn() == first)
            _ = try await preview([
                "--template", template, "--at", "2026-12-24T23:00Z", "--locale", "fr",
            ])
            #expect(try drawn() != first)
            // As the only argument it is a template, too, and not a drawing with placeholders.
            _ = try await preview([template, "--at", "2026-12-24T08:00+01:00", "--locale", "de"])
            #expect(try drawn() == first)
            for (arguments, said) in [
                (["--template", "sundial"], "no template is called sundial: clock, date"),
                (
                    ["--template", template, "--style", "rococo"],
                    "no style rococo: calendar, badge"
                ),
                (["--template", template, "--at", "noon"], "\"noon\" is not a time"),
                (["--template", template, "--locale", "xx"], "no locale \"xx\""),
                (["--at", "2026-12-24"], "need --template"), ([], "name a picture"),
                (["--template", template, "-o", "x.png"], "leave x.png out"),
            ] {
                let run = try await preview(arguments)
                #expect(run.exitCode == 2 && run.errors.contains(said), "\(run.errors)")
            }
        }

        @Test func previewNeverWritesOverThePicture() async throws {
            let workshop = try workshop()
            let picture = "\(workshop.drop)/cats/still.png"
            let before = FileManager.default.contents(atPath: picture)

            let run = try await workshop.stickerctl("preview", "--to", picture, picture)

            #expect(run.exitCode == 1 && run.errors.contains("is the picture itself"))
            #expect(FileManager.default.contents(atPath: picture) == before)
        }
    }
}
