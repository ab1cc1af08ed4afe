import Foundation
import Glibc
import StickerTestSupport
import StickerValues
import Synchronization
import Testing

extension EndToEnd {
    /// The smart stickers that come with stickerd, and the weather, as an operator switches them on and off.
    struct SmartTests {
        private static let key = "SecretKey123"
        private static let timely: Set = [
            "smart_clock", "smart_date", "smart_time", "smart_weekday",
        ]
        private static let cloudy: Set = ["smart_weather_cloud", "smart_weather_thermostat"]

        private func configure(_ workshop: Workshop, enabled: Bool, port: UInt16) throws {
            let text = """
                { "drops": ["drop"], "watch": { "settleSeconds": 0.2 },
                  "publish": { "freeSpaceReserveBytes": 0, "deleteGraceSeconds": 0 },
                  "smart": { "enabled": \(enabled), "locale": "de", "timeZone": "Europe/Berlin",
                    "weather": { "latitude": 52.5177, "longitude": 13.4, "keyFile": "weather.key",
                      "url": "http://127.0.0.1:\(port)/weather" } } }
                """
            try workshop.folder.write(Array(text.utf8), to: "config.json")
        }

        private func identifiers(_ library: Library) -> Set<String> {
            Set(library.stickers.map(\.identifier.rawValue))
        }

        @Test(.needsFonts, .needsSchemaValidator) func weatherStickersFollowTheProvider()
            async throws
        {
            let workshop = try Workshop()
            let status = Atomic(200)
            let upstream = try FakeUpstream { _ in
                let body = #"{"main":{"temp":281.4},"weather":[{"id":500}]}"#
                return FakeUpstream.answer(status.load(ordering: .relaxed), body)
            }
            try configure(workshop, enabled: true, port: upstream.port)
            try workshop.folder.write(Array("\(Self.key) # mine\n".utf8), to: "weather.key")
            var said = ""
            func ask(_ more: String...) async throws -> Int32? {
                let ending = try await Program(
                    "stickerd-net",
                    ["weather", "--config", workshop.config, "--log-level", "trace"] + more
                ).ending()
                said += ending.output + ending.errors
                return ending.exitCode
            }
            func shown() async throws -> String {
                let ending = try await workshop.stickerctl("status")
                #expect(ending.exitCode == 0)
                said += ending.output
                return ending.output
            }

            let daemon = try await workshop.start(logLevel: "trace")
            try await workshop.published("what the clock says") {
                identifiers($0) == Self.timely
            }
            try await daemon.says("reason=unknown-weather")
            let isWithdrawn = await waitUntil {
                daemon.errors.components(separatedBy: "reason=unknown-weather").count == 3
            }
            #expect(isWithdrawn)
            #expect(
                try await shown().components(separatedBy: "2 stickers are absent: stickerd-weather")
                    .count == 2)

            #expect(try await ask() == 0)
            try await workshop.published("the weather") {
                identifiers($0) == Self.timely.union(Self.cloudy)
            }
            #expect(try await shown().contains("8 °C, rain"))
            #expect(
                upstream.requests
                    == ["GET /weather?lat=52.52&lon=13.40&appid=\(Self.key) HTTP/1.1"])

            // The timer comes again, and later the provider fails.
            #expect(try await ask() == 0)
            #expect(upstream.requests.count == 1)
            status.store(401, ordering: .relaxed)
            #expect(try await ask("--now") == 1)
            let report = workshop.folder.path("run/weather.json")
            #expect(try JSONSchema.weather.complaints(about: [report]) == "")
            try await daemon.says("no newer weather is known")
            #expect(try await shown().contains("8 °C, rain"))
            #expect(try Library(below: workshop.out).stickers.count == 6)
            #expect(try Library(below: workshop.out).complaints() == [])

            // Yesterday's answer is no weather.
            var old = try #require(
                WeatherReport(json: [UInt8](try Data(contentsOf: URL(filePath: report)))))
            old.reading?.askedAt.milliseconds -= 25 * 3_600_000
            try workshop.folder.write(try old.json(), to: "run/weather.tmp")
            #expect(rename(workshop.folder.path("run/weather.tmp"), report) == 0)
            try await workshop.published("no weather") { identifiers($0) == Self.timely }
            let removed = "\(workshop.out)/_removed.json"
            let isTold = try await waitUntil {
                try String(contentsOfFile: removed, encoding: .utf8).contains("smart_weather_cloud")
            }
            #expect(isTold)
            #expect(try JSONSchema.removed.complaints(about: [removed]) == "")
            status.store(200, ordering: .relaxed)
            #expect(try await ask("--now") == 0)
            try await workshop.published("the weather again") {
                identifiers($0) == Self.timely.union(Self.cloudy)
            }

            daemon.send(SIGTERM)
            said +=
                try await daemon.ending().errors + String(contentsOfFile: report, encoding: .utf8)
            #expect(!said.contains(Self.key))
        }

        @Test(.needsFonts) func smartStickersComeAndLeaveWithTheirSwitch() async throws {
            let workshop = try Workshop()
            try workshop.put(try Art.png(1), "cats/tom.png")
            try configure(workshop, enabled: true, port: 1)
            #expect(try await workshop.drain().exitCode == 0)
            #expect(identifiers(try Library(below: workshop.out)) == Self.timely.union(["tom"]))

            try configure(workshop, enabled: false, port: 1)
            let plan = try await workshop.stickerctl("plan").output
            #expect(plan.contains("smart.enabled is off, its 4 stickers leave"))
            #expect(try await workshop.drain().exitCode == 0)
            #expect(identifiers(try Library(below: workshop.out)) == ["tom"])
            let status = try await workshop.stickerctl("status")
            #expect(status.exitCode == 0 && !status.output.contains("unlisted"))

            try configure(workshop, enabled: true, port: 1)
            #expect(try await workshop.drain().exitCode == 0)
            #expect(identifiers(try Library(below: workshop.out)) == Self.timely.union(["tom"]))
        }

        /// Copies in a folder of the same name, with the same bytes.
        @Test(.needsFonts) func idsStayWhenTheBooksAreLost() async throws {
            let workshop = try Workshop()
            let name = "smart clock.smart.svg"
            let template = Repository.path("deploy/smart/smart/\(name)")
            try workshop.put(
                [UInt8](try Data(contentsOf: URL(filePath: template))), "smart/\(name)")
            try configure(workshop, enabled: true, port: 1)
            let all = Self.timely.union(["sticker_smart_clock"])
            #expect(try await workshop.drain().exitCode == 0)
            #expect(identifiers(try Library(below: workshop.out)) == all)

            try FileManager.default.removeItem(atPath: workshop.state)
            #expect(try await workshop.drain().exitCode == 0)
            #expect(identifiers(try Library(below: workshop.out)) == all)
            try workshop.remove("smart/\(name)")
            #expect(try await workshop.drain().exitCode == 0)
            #expect(identifiers(try Library(below: workshop.out)) == Self.timely)

            // Switched off, nothing is left of which books could be made: they are not made twice.
            try configure(workshop, enabled: false, port: 1)
            #expect(try await workshop.drain().exitCode == 0)
            try FileManager.default.removeItem(atPath: workshop.state)
            #expect(try await workshop.drain().exitCode == 0)
            #expect(try await workshop.drain().exitCode == 0)
            try configure(workshop, enabled: true, port: 1)
            #expect(try await workshop.drain().exitCode == 0)
            #expect(identifiers(try Library(below: workshop.out)) == Self.timely)
        }

        @Test(.needsFonts) func previewIsInTheLanguageOfTheConfiguration() async throws {
            let workshop = try Workshop()
            try configure(workshop, enabled: false, port: 1)
            func drawn(_ options: String...) async throws -> Data {
                let file = workshop.folder.path("preview.png")
                let ending = try await Program(
                    "stickerctl",
                    [
                        "--config", workshop.config, "preview", "--to", file, "--at",
                        "2026-11-25T10:00", "--style",
                    ] + options
                ).ending()
                #expect(ending.exitCode == 0, "\(ending.errors)")
                return try Data(contentsOf: URL(filePath: file))
            }

            let plain = try await drawn("plain", "--template", "weekday")
            #expect(try await drawn("plain", "--template", "weekday", "--locale", "de") == plain)
            #expect(try await drawn("plain", "--template", "weekday", "--locale", "fr") != plain)
            let frost = try await drawn(
                "card", "--template", "weather-thermostat", "--temperature", "-7.6")
            #expect(
                try await drawn("card", "--template", "weather-thermostat", "--temperature", "7.6")
                    != frost)
        }

        @Test(.needsFonts) func operatorIsToldWhatIsStickerds() async throws {
            let workshop = try Workshop()
            try configure(workshop, enabled: true, port: 1)
            #expect(try await workshop.drain().exitCode == 0)

            let set = try await workshop.stickerctl("set", "smart_clock", "--title", "Uhr")
            #expect(set.exitCode == 1 && set.errors.contains("a newer release replaces it"))
            let new = try await workshop.stickerctl("new-id", "smart_clock")
            #expect(new.exitCode == 1 && new.errors.contains("keep their ids"))
            let cloud = try await workshop.stickerctl("explain", "smart_weather_cloud")
            #expect(cloud.output.contains("it shows the weather, which is not known"))
            // It describes the one of three styles that is the sticker.
            let clock = try await workshop.stickerctl("explain", "smart_clock").output
            let still = try #require(clock.firstMatch(of: /a still of ([0-9,]+ B)/)).1
            #expect(
                clock.components(separatedBy: "tried").last?.contains(still) == true, "\(clock)")
            let lint = try await workshop.stickerctl("lint", "smart", "--for", "line")
            #expect(lint.exitCode == 0)
            #expect(lint.output == "line: no packs, as smart stickers are in none\n")
            let redo = try await workshop.stickerctl("redo", "smart_weather_cloud")
            #expect((redo.output + redo.errors).contains("it shows weather that is unknown"))
            #expect(identifiers(try Library(below: workshop.out)) == Self.timely)
        }

        /// A character for private use, which no font has.
        @Test(.needsFonts) func boxesAreNotPublished() async throws {
            let workshop = try Workshop()
            try configure(workshop, enabled: false, port: 1)
            func drop(_ text: String) throws {
                let svg =
                    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 90 90'>"
                    + "<text y='50'>\(text)</text></svg>"
                try workshop.put(Array(svg.utf8), "cats/day.smart.svg")
            }
            func explained() async throws -> String {
                let ending = try await workshop.stickerctl("explain", "day.smart.svg")
                return (ending.output + ending.errors).split(whereSeparator: \.isWhitespace)
                    .joined(separator: " ")
            }

            try drop("{{weekday}}&#x10FFFD;")
            #expect(try await workshop.drain().exitCode == 3)
            #expect(identifiers(try Library(below: workshop.out)) == [])
            #expect(try await explained().contains("no font has U+10FFFD; no package is known"))
            let attention = try String(
                contentsOfFile: workshop.folder.path("run/attention.json"), encoding: .utf8)
            #expect(attention.contains("unknown-characters"), "\(attention)")
            let preview = try await workshop.stickerctl(
                "preview", "--template", workshop.folder.path("drop/cats/day.smart.svg"), "--to",
                workshop.folder.path("p.png"))
            #expect(preview.output.contains("warning unknown-characters: no font has U+10FFFD"))

            try drop("{{weekday}}")
            #expect(try await workshop.drain().exitCode == 0)
            try drop("&#x10FFFD;")
            #expect(try await workshop.drain().exitCode == 3)
            #expect(try Library(below: workshop.out).stickers.count == 1)
            let kept = try await explained()
            #expect(kept.contains("an older version because the new one was refused"))
            #expect(kept.contains("no font has U+10FFFD"))
        }

        @Test(.needsFonts) func checkNamesWhatMarksLack() async throws {
            let workshop = try Workshop()
            let text = """
                { "drops": ["drop"], "sticker": { "watermarks": [
                  { "id": "words", "text": { "text": "hi \u{10FFFD}" } }] } }
                """
            try workshop.folder.write(Array(text.utf8), to: "config.json")

            let check = try await workshop.stickerctl("check")

            #expect(check.exitCode == 0, "\(check.errors)")
            #expect(check.output.contains("the watermark words: no font has U+10FFFD"))
        }

        /// As the service has it: its file lies elsewhere, and the daemon's is a link.
        @Test func linkToTheFileOfTheServiceStays() async throws {
            let upstream = try FakeUpstream { _ in
                FakeUpstream.answer(200, #"{"main":{"temp":281.4},"weather":[{"id":500}]}"#)
            }
            let workshop = try Workshop()
            try configure(workshop, enabled: false, port: upstream.port)
            try workshop.folder.write(Array(Self.key.utf8), to: "weather.key")
            try workshop.folder.makeFolder("service")
            let run = try workshop.folder.makeFolder("run")
            #expect(symlink("../service/weather.json", "\(run)/weather.json") == 0)

            let ending = try await Program(
                "stickerd-net", ["weather", "--config", workshop.config]
            ).ending()

            #expect(ending.exitCode == 0, "\(ending.errors)")
            let target = try FileManager.default.destinationOfSymbolicLink(
                atPath: "\(run)/weather.json")
            #expect(target == "../service/weather.json")
            let data = try Data(contentsOf: URL(filePath: "\(run)/weather.json"))
            #expect(WeatherReport(json: [UInt8](data))?.reading != nil)
        }

        @Test func keyThatIsNoneIsNotShown() async throws {
            let workshop = try Workshop()
            try configure(workshop, enabled: false, port: 1)
            try workshop.folder.write(Array("Secret Key!\n".utf8), to: "weather.key")

            let ending = try await Program(
                "stickerd-net", ["weather", "--config", workshop.config]
            ).ending()

            #expect(ending.exitCode == 78)
            #expect(ending.errors.contains("line 1 of \(workshop.folder.path("weather.key"))"))
            #expect(!ending.errors.contains("Secret"))
            #expect(try await workshop.drain().exitCode == 0)
            let status = try await workshop.stickerctl("status")
            #expect(status.output.contains("weather.key is not a key"), "\(status.output)")
        }

        /// The package links it to the program that does its work.
        @Test func formerNameIsTheSameCommand() async throws {
            let workshop = try Workshop()
            let link = workshop.folder.path("stickerd-weather")
            let program = try Program.folder().appending(path: "stickerd-net").path
            #expect(symlink(program, link) == 0)

            let ending = try await Program(link, ["--config", workshop.config, "--now"]).ending()
            let wrong = try await Program(link, ["weather"]).ending()

            #expect(ending.exitCode == 0 && ending.errors.contains("no latitude and longitude"))
            #expect(wrong.exitCode == 2 && wrong.errors.contains("Usage: stickerd-weather ["))
        }

        @Test func nobodyIsAskedWithoutAPlaceOrAKey() async throws {
            let workshop = try Workshop()
            let first = try await Program(
                "stickerd-net", ["weather", "--config", workshop.config]
            ).ending()
            #expect(first.exitCode == 0 && first.errors.contains("no latitude and longitude"))

            let text = #"{ "smart": { "weather": { "latitude": 1, "longitude": 2 } } }"#
            try workshop.folder.write(Array(text.utf8), to: "config.json")
            let second = try await Program(
                "stickerd-net", ["weather", "--config", workshop.config]
            ).ending()
            #expect(second.exitCode == 0 && second.errors.contains("names no file with a key"))
        }
    }
}
