import Foundation
import GRDB
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// Commands in messages can be pasted, and do what their sentences promise.
    struct AdviceTests {
        private let origin: Workshop
        private let settings: Workshop.Settings

        init() throws {
            var settings = Workshop.Settings()
            settings.sticker = ["packs": ["whatsapp", "discord", "line", "slack"]]
            settings.publish["deleteGraceSeconds"] = 0
            settings.categories = ["held": ["review": true]]
            self.settings = settings
            origin = try Workshop(settings)
        }

        /// Runs a command as a shell takes it, on one of the libraries.
        private func run(_ words: String, _ workshop: Workshop) async throws -> Program.Ending {
            try await workshop.stickerctl(Self.arguments(Self.filled(words, workshop)))
        }

        /// The words of a command, without their quotes.
        private static func arguments(_ words: String) -> [String] {
            let plain = words.replacing("'\\''", with: "\u{1}")
            var (arguments, isQuoted): ([String], Bool) = ([""], false)
            for character in plain {
                switch character {
                case "'": isQuoted.toggle()
                case " " where !isQuoted: arguments.append("")
                case "\u{1}": arguments[arguments.count - 1].append("'")
                default: arguments[arguments.count - 1].append(character)
                }
            }
            return arguments
        }

        /// Capitals stand for what people fill in.
        private static func filled(_ words: String, _ workshop: Workshop) -> String {
            let values = [
                "CATEGORY": "mice", "DIR": workshop.folder.path("made"), "NAME": "Ada",
                "TEXT": "Short-\(words.utf8.count)", "EMOJI": "🐱", "STICKER": "grinning",
                "WORD": "hello",
            ]
            return values.reduce(words) { $0.replacing($1.key, with: $1.value) }
        }

        // MARK: A library about which there is much to say

        private func fill() async throws -> String {
            let long = String(repeating: "much too long ", count: 7)
            let words = #"{"title": "\#(long)", "licence": "\#(long)"}"#
            for number in 1...3 {
                try origin.put(try Art.png(number), "cats/wave \(number).png")
                try origin.put(try Art.png(20 + number), "dogs/\(number).png")
                try origin.put(try Art.png(30 + number), "mice/\(number).png")
            }
            try origin.put(try Art.png(4), "cats/grinning.png")
            try origin.put(Array(try Art.png(5).dropLast(16)), "cats/it's broken.png")
            try origin.put(Array(try Art.png(6).dropLast(16)), "cats/heavy.png")
            try origin.put(Array("8BPS".utf8), "cats/old.psd")
            let moving = try Art.animation([Int](repeating: 300, count: 60))
            try origin.put(moving, "cats/long.webp")
            for path in ["dogs/category.json", "birds/category.json", "dogs/1.png.sticker.json"] {
                try origin.put(Array(words.utf8), path)
            }
            for number in 1...12 { try origin.put(try Art.png(40 + number), "birds/\(number).png") }
            try origin.put(try Art.png(60), "cats/gone.png")
            try origin.put(try Art.png(61), "held/shy.png")
            var text = try await origin.drain().errors
            try blameMemory(for: "heavy.png")
            try origin.remove("cats/gone.png")
            text += try await origin.drain().errors
            // So many at once are held.
            for number in 1...12 { try origin.remove("birds/\(number).png") }
            return text + (try await origin.drain()).errors
        }

        /// A refusal that another round may end otherwise, which no file brings about on every machine.
        private func blameMemory(for file: String) throws {
            let database = try DatabaseQueue(path: "\(origin.state)/stickerd.sqlite")
            try database.write { database in
                try database.execute(
                    sql: """
                        UPDATE job SET reason = 'out-of-memory',
                            refusal = replace(refusal, '"truncated"', '"out-of-memory"')
                        WHERE source = (SELECT id FROM source WHERE name = ?)
                        """, arguments: [Data(file.utf8)])
                #expect(database.changesCount == 1)
            }
        }

        /// Questions of people, with existing and missing names.
        private static let questions = [
            "status", "jobs", "jobs --attention", "usage", "plan", "check", "trash list",
            "confirm-delete", "lint cats", "lint dogs", "lint dogs --for telegram",
            "lint dogs --for discord", "lint birds --for imgly", "lint birds --for line",
            "lint cats --for telegram",
            "lint cats --for whatsapp", "explain 'it'\\''s broken'", "explain grinning",
            "explain gone", "explain nosuch", "retry 9999", "dismiss nosuch",
            "redo 'cats/it'\\''s broken.png'", "resolve 9 x", "set nosuch --title X",
            "trash restore nosuch", "confirm-delete nosuch", "pause nosuch", "jobs --reason zzz",
            "export cats --for all --to DIR", "export cats --for whatsapp --to DIR", "pause",
            "pause cats", "status",
        ]

        private func answers() async throws -> String {
            var text = ""
            for question in Self.questions {
                let answer = try await run(question, origin)
                text += answer.output + "\n" + answer.errors + "\n"
            }
            for job in try await origin.jobs() where job.needsAttention {
                text += try await origin.stickerctl("show", "\(job.id)").output + "\n"
            }
            return text
        }

        /// Messages that need more than this library, with the names of this library.
        private static let others = [
            "check", "explain grinning", "export CATEGORY --for tuikit --to DIR", "lint dogs",
            "plan", "rebuild", "redo --outdated", "redo --wrong", "redo grinning",
            "redo grinning --too-long=trim", "retry --force --reason unsupported-format",
            "rollback", "set grinning --emoji EMOJI", "status",
            "trash put gone",
        ]

        @Test func everyCommandInAMessageDoesWhatItSays() async throws {
            let all = try AdvisedCommand.all()
            try #require(all.count > 30)
            let met = try AdvisedCommand.met(in: await fill() + answers(), of: all)
            let added = Self.others.map { AdvisedCommand.met(in: "stickerctl \($0)", of: all) }
            for (words, found) in zip(Self.others, added) where found.isEmpty {
                Issue.record("no message advises \(words)")
            }
            let seen = met.union(added.flatMap { $0 })
            let unseen = all.subtracting(seen.map(\.advised)).map(\.template).sorted()
            #expect(unseen.isEmpty, "no test runs these")

            for words in Set(seen.map(\.words)).sorted() {
                let isReading = Self.reading.contains { (words + " ").hasPrefix($0 + " ") }
                try await isReading ? read(words) : change(words)
            }
        }

        /// A reader of the log is in another folder than the daemon, and does not know its options.
        @Test func commandsNameAConfigurationThatIsElsewhere() async throws {
            try origin.put(Array(try Art.png(5).dropLast(16)), "cats/broken.png")
            try origin.put(try Art.png(1), "cats/wave.png")
            let elsewhere = origin.folder.path("the config.json")
            try FileManager.default.moveItem(atPath: origin.config, toPath: elsewhere)
            let drain = try await Program("stickerd", ["--config", elsewhere, "--drain"]).ending()
            let command = try #require(
                drain.errors.firstMatch(of: /see="stickerctl (--config [^"]* jobs --attention)"/)?.1
            )

            let ending = try await Program("stickerctl", Self.arguments(String(command))).ending()

            #expect(ending.output.contains("truncated"), "\(command): \(ending)")
            let manifest = try String(
                contentsOfFile: "\(origin.out)/cats/manifest.json", encoding: .utf8)
            #expect(manifest.contains("stickerctl set wave --emoji EMOJI"))
            #expect(!manifest.contains("--config"))
        }

        private static let reading = [
            "check", "confirm-delete", "explain", "export", "jobs", "lint", "plan", "rollback",
            "show", "status", "trash list", "usage",
        ]

        /// A command that answers: it does, and knows what it is about.
        private func read(_ words: String) async throws {
            guard !words.hasPrefix("confirm-delete ") else { return try await change(words) }
            let ending = try await run(words, origin)
            #expect([0, 3].contains(ending.exitCode), "\(words): \(ending)")
            #expect(!ending.output.isEmpty && ending.errors.isEmpty, "\(words): \(ending)")
        }

        /// A command that changes something, on a copy of the library.
        private func change(_ words: String) async throws {
            let stage = try Workshop(copyOf: origin, settings, stage: UUID().uuidString)
            let objects = Self.arguments(words).dropFirst(words.hasPrefix("trash") ? 2 : 1)
            let isOfOne = !words.contains("--reason ")
            let name = isOfOne ? objects.first { !$0.hasPrefix("--") } ?? "" : ""
            #expect(try await stage.stickerctl("resume").exitCode == 0)
            #expect(try await stage.stickerctl("resume", "cats").exitCode == 0)
            if words.hasPrefix("resume") { _ = try await run("pause\(words.dropFirst(6))", stage) }
            if words.hasPrefix("trash put") { _ = try await run("trash restore \(name)", stage) }

            let ending = try await run(words, stage)

            #expect(ending.exitCode == 0, "\(words): \(ending)")
            try await settle(words, name, on: stage)
        }

        /// The promise of the message holds afterwards.
        private func settle(_ words: String, _ name: String, on stage: Workshop) async throws {
            let verb = words.prefix { $0 != " " }
            let jobs = try await stage.jobs()
            let job =
                jobs.first { "\($0.id)" == name }
                ?? jobs.last { [$0.sticker, $0.file].contains(name) }
            if ["retry", "redo", "dismiss", "publish"].contains(verb), !name.isEmpty {
                try #require(job != nil, "\(words)")
            }
            switch verb {
            case "retry" where job != nil, "redo" where job != nil, "publish":
                #expect(job?.state == "available", "\(words)")
            case "dismiss": #expect(job?.needsAttention == false, "\(words)")
            case "resume":
                let status = try await stage.stickerctl("status").output
                #expect(!status.contains("stickerctl \(words)"), "\(words)")
            default: break
            }
            let verbs = ["retry", "redo", "publish", "set", "new-id", "confirm-delete", "trash"]
            guard verbs.contains(String(verb)) else { return }
            _ = try await stage.drain()
            let library = try Library(below: stage.out)
            switch verb {
            case "retry" where words.contains("--"):
                let ended = try await stage.jobs().first { "\($0.id)" == name }
                #expect(ended?.state == (name.isEmpty ? nil : "completed"), "\(words)")
            case "publish": #expect(library.categories["held"] != nil, "\(words)")
            case "new-id": #expect(!library.stickers.contains { "\($0.identifier)" == name })
            case "confirm-delete": #expect(library.categories["birds"] == nil, "\(words)")
            case "trash":
                let isThere = library.stickers.contains { "\($0.identifier)" == name }
                #expect(isThere == words.hasPrefix("trash restore"), "\(words)")
            // One of several is no longer named, but its command stands for the others.
            case "set" where name != "STICKER":
                let category = ["birds", "dogs"].first { words.contains($0) } ?? "cats"
                let said = try await stage.stickerctl("lint", category, "--for", "all").output
                #expect(!said.contains("stickerctl \(words)"), "\(words)")
            default: break
            }
        }
    }
}
