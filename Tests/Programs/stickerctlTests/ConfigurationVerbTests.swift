import Foundation
import StickerConfiguration
import StickerStore
import StickerTestSupport
import StickerValues
import Testing

/// Verbs about the configuration: plan and check.
struct ConfigurationVerbTests {
    private let desk: Operator

    init() throws { desk = try Operator() }

    @Test func faultyFileDoesNotHideTheLibrary() throws {
        try desk.made("cats/wave.png")
        try desk.store.operations.setConfigurationRecord(
            ConfigurationRecord(path: nil, loadedAt: 0, settings: ["workers": "0"]))
        try desk.configure(#""workers": 99, "colour": 1"#)

        let answer = try desk.ask("status")

        #expect(answer.text.contains("the file now has 2 faults"))
        try desk.folder.write(
            Array(#"{ "state": "state" "out": "out" }"#.utf8), to: "config.json")
        #expect(try desk.ask("status").text.contains("the file now has 1 fault"))
    }

    @Test func planTellsKeysStickersTimeAndRoom() throws {
        try desk.made("cats/wave.png")
        try desk.store.operations.setConfigurationRecord(
            ConfigurationRecord(path: nil, loadedAt: 0, settings: Configuration().settings))
        try desk.configure(#""sticker": { "marginPixels": 8 }"#)

        let answer = try desk.ask("plan")

        #expect(answer.output.contains("sticker.marginPixels  0 -> 8"))
        #expect(answer.output.contains("(needs a restart)"))
        #expect(
            answer.output.contains(
                "cats: 1 picture, 1 to encode, about 1 s, up to 96.4 KB more for 24 h"))
    }

    @Test func planEndsWithWhatPutsTheFileInForce() throws {
        try desk.store.operations.setConfigurationRecord(
            ConfigurationRecord(path: nil, loadedAt: 0, settings: Configuration().settings))
        let before = try desk.ask("plan").lines.last

        let lock = try StateLock.take(state: desk.folder.path("state"))
        let meanwhile = try desk.ask("plan").lines.last
        withExtendedLifetime(lock) {}

        #expect(before == "put in force: the next start of stickerd does")
        let process = ProcessInfo.processInfo.processIdentifier
        #expect(
            meanwhile == "put in force: stop stickerd with kill \(process), and start it again")
    }

    @Test func planNamesTheKeysOfANewCategoryThatDiffer() throws {
        try desk.store.operations.setConfigurationRecord(
            ConfigurationRecord(path: nil, loadedAt: 0, settings: Configuration().settings))
        try desk.configure(#""categories": { "v1.5 cats": { "marginPixels": 8 } }"#)

        let lines = try desk.ask("plan").lines.filter { $0.contains("categories") }

        #expect(lines == ["  categories.v1.5 cats.marginPixels  0 -> 8"])
    }

    @Test func checkMakesNothingAndTellsWhatIsMissing() throws {
        let bare = try TemporaryFolder()
        try bare.write(Array("{}".utf8), to: "config.json")
        let config = ["--config", bare.path("config.json")]

        let answer = try Operator.run("stickerctl", ["check"] + config)
        let json = try Operator.run("stickerctl", ["check", "--json"] + config).object()

        #expect(answer.code == 0)
        #expect(answer.lines.count { $0.hasSuffix("(missing; stickerd makes it)") } == 3)
        #expect((json["missing"] as? [String])?.count == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: bare.path("")).count == 1)
    }

    @Test func checkTellsOfSettingsThatDoNothing() throws {
        try desk.made("cats/wave.png")
        let objects = try ObjectStore(out: desk.folder.path("out"))
        let publisher = CatalogPublisher(catalog: desk.store.catalog, objects: objects)
        let written = try publisher.write(CategoryID(rawValue: "cats"))
        _ = try publisher.book([#require(written)])
        try desk.configure(
            #""sticker": { "packs": ["imgly"] }, "publish": { "libraryPacks": ["whatsapp"] }, "#
                + #""categories": { "cats": {}, "cast": {} }"#)

        let answer = try desk.ask("check")
        let json = try desk.ask("check", "--json").object()

        #expect(answer.code == 0)
        #expect(answer.lines.first?.hasSuffix("config.json: no faults, 3 notes below") == true)
        #expect(answer.output.contains("imgly makes no packs while pictures have no address"))
        #expect(answer.output.contains("no category has packs for whatsapp; add whatsapp to"))
        #expect(answer.output.contains("categories.cast: nothing is published of a category"))
        #expect((json["remarks"] as? [String])?.count == 3)
    }

    @Test func checkTellsOfSettingsThatOthersHide() throws {
        try desk.made("Big Cats/wave.png")
        let objects = try ObjectStore(out: desk.folder.path("out"))
        let publisher = CatalogPublisher(catalog: desk.store.catalog, objects: objects)
        let written = try publisher.write(CategoryID(rawValue: "big_cats"))
        _ = try publisher.book([#require(written)])
        try desk.configure(#""categories": { "big_cats": {}, "Big Cats": { "marginPixels": 8 } }"#)

        let answer = try desk.ask("check")

        #expect(
            answer.output.contains(
                "categories.Big Cats: categories.big_cats is of the same category, and counts"))
        #expect(!answer.output.contains("nothing is published"))
    }

    @Test func checkNamesFormatsWhoseProgramIsMissing() throws {
        let bare = try TemporaryFolder()
        try bare.write(Array("{}".utf8), to: "config.json")
        let programs = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        for name in ["stickerctl", "stickerd-worker", "stickerd-worker-formats"] {
            try FileManager.default.copyItem(
                atPath: programs.appending(path: name).path, toPath: bare.path(name))
        }
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: bare.path("stickerctl"))
        process.arguments = ["check", "--config", bare.path("config.json")]
        process.standardOutput = output
        try process.run()
        let said = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()

        #expect(process.terminationStatus == 0)
        #expect(said.contains("not read: heic, svg; install all of stickerd"))
        #expect(!said.contains("avif"))
    }

    @Test(arguments: [["check"], ["status"], ["convert", "a.png", "b.webp"]])
    func missingConfigurationIsOneSentence(arguments: [String]) throws {
        let missing = desk.folder.path("missing.json")

        let answer = try Operator.run("stickerctl", arguments + ["--config", missing])

        #expect(answer.code == 1)
        #expect(
            answer.errors
                == "\(missing) cannot be read: No such file or directory; is its name right?\n")
    }

    @Test func checkShowsEveryFault() throws {
        try desk.configure(#""workers": 99, "colour": 1"#)

        let answer = try desk.ask("check")

        #expect(answer.code == 1)
        #expect(answer.errors.split(separator: "\n").count == 2)
        #expect(try (desk.ask("check", "--json").object()["faults"] as? [Any])?.count == 2)
    }

    @Test func faultOfOneKindHidesNoOther() throws {
        try desk.configure(
            """
            "problemsFolder": "drop/problems", "smart": { "enabled": true, "locale": "klingon" },
            "console": { "listen": "0.0.0.0:8513" }, "web": { "keysFile": "nowhere.keys" },
            "personal": { "drop": "drop/users" },
            "sticker": { "watermarks": [{ "id": "logo", "image": "nowhere.png" }] }
            """)

        let faults = try #require(desk.ask("check", "--json").object()["faults"] as? [String])

        for word in ["problems", "klingon", "console", "keysFile", "personal", "nowhere.png"] {
            #expect(faults.contains { $0.contains(word) }, "\(word): \(faults)")
        }
        #expect(Set(faults).count == faults.count)
    }

    @Test func checkSaysWhatTheWebServerWouldSay() throws {
        try desk.configure(#""web": { "listen": "0.0.0.0:8512", "keysFile": "keys" }"#)
        let missing = try desk.ask("check")
        try desk.folder.write(Array("# none yet\n".utf8), to: "keys")
        let open = try desk.ask("check")
        try desk.folder.write(Array("one\n".utf8), to: "keys")
        let wildcard = try desk.ask("check")

        #expect([missing, open, wildcard].map(\.code) == [1, 1, 1])
        #expect(missing.errors.contains("/keys cannot be read: No such file or directory"))
        #expect(open.errors.contains("web.listen: 0.0.0.0:8512 is reachable from other"))
        #expect(open.errors.contains("web.publicURL: is needed"))
        #expect(wildcard.errors.split(separator: "\n").count == 1)
        #expect(wildcard.errors.contains("such as http://stickers.example.org:8512/"))
    }

    @Test func checkSaysWhatTheConsoleWouldSay() throws {
        try desk.configure(#""console": { "listen": "0.0.0.0:8513" }"#)
        let open = try desk.ask("check")
        try desk.configure(#""console": { "tokenFile": "token" }"#)
        try desk.folder.write(Array("short\n".utf8), to: "token")
        let short = try desk.ask("check")
        try desk.folder.write(Array("0123456789abcdef\n".utf8), to: "token")
        let right = try desk.ask("check")

        #expect([open, short, right].map(\.code) == [1, 1, 0])
        #expect(open.errors.contains("console.listen: 0.0.0.0:8513 is reachable from other"))
        #expect(short.errors.contains("has no token of at least 16 characters"))
    }

    @Test func checkSaysWhatIsWrongWithUploads() throws {
        try desk.configure(
            #""personal": { "drop": "uploads", "private": "private", "tokensFile": "tokens" }"#)
        let missing = try desk.ask("check")
        try desk.folder.write(Array("ada token\n".utf8), to: "tokens")
        let wrong = try desk.ask("check")
        let hash = String(repeating: "0", count: 64)
        try desk.folder.write(Array("ada \(hash)\n".utf8), to: "tokens")
        let right = try desk.ask("check")
        let own = try desk.ask("check", "--personal")
        try desk.configure(#""personal": { "drop": "out/uploads", "private": "private" }"#)
        let published = try desk.ask("check")

        #expect([missing, wrong, right, own, published].map(\.code) == [1, 1, 0, 0, 1])
        #expect(missing.errors.contains("/tokens cannot be read: No such file or directory"))
        #expect(wrong.errors.contains("line 1 of") && !wrong.errors.contains("ada token"))
        #expect(right.output.contains("/out") && !right.output.contains("/private"))
        #expect(own.output.contains("/uploads") && own.output.contains("/private"))
        #expect(published.errors.contains("overlap; name another folder"))
    }

    @Test func commandsOfUploadsAreAboutThem() throws {
        try desk.configure(#""personal": { "drop": "uploads", "private": "private" }"#)
        try desk.refused("ada/a.gif")
        symlink("state", desk.folder.path("state-personal"))

        let restored = try desk.ask("trash", "restore", "u1", "--personal")
        let status = try desk.ask("status", "--personal")
        let other = try desk.ask("status")

        #expect(restored.code == 1 && restored.errors.contains("users' deletions are final"))
        #expect(other.output.contains("stickerctl jobs --reason"))
        #expect(status.output.contains("stickerctl --personal jobs --reason"))
        #expect(!status.output.contains(/stickerctl (?!--personal)/))
    }

    @Test(arguments: ["", #"{ "drops": ["dr"#]) func cutConfigurationIsNamed(
        _ text: String
    ) throws {
        try FileManager.default.moveItem(
            atPath: desk.folder.path("state"), toPath: desk.folder.path("elsewhere"))
        try desk.folder.write(Array(text.utf8), to: "config.json")

        let answer = try desk.ask("status")

        #expect(answer.code == 1)
        #expect(answer.errors.contains("no database"))
        #expect(answer.errors.contains(desk.folder.path("config.json") + ": "))
    }

    @Test func checkTellsOfKeysOfOthersThatCannotBeUsed() throws {
        let gifs = #""kind": "giphy", "title": "GIPHY""#
        try desk.configure(#""web": { "upstreams": { "gifs": { \#(gifs), "keyFile": "key" } } }"#)
        let missing = try desk.ask("check")
        try desk.folder.write(Array("Se cret\n".utf8), to: "key")
        let wrong = try desk.ask("check")
        try desk.folder.write(Array("Secret\n".utf8), to: "key")
        let right = try desk.ask("check")
        try desk.configure(#""web": { "upstreams": { "gifs": { \#(gifs) } } }"#)
        let credential = try desk.ask("check")

        #expect([missing, wrong, right, credential].map(\.code) == [1, 1, 0, 0])
        #expect(missing.errors.contains("web.upstreams.gifs.keyFile: "))
        #expect(wrong.errors.contains("is not a key"))
        #expect(!(wrong.errors + wrong.output).contains("Se cret"))
    }

    @Test func checkJudgesNoCredentialThatItCannotSee() throws {
        try desk.configure(#""web": { "keysFile": "/run/credentials/none.service/keys" }"#)

        let answer = try desk.ask("check")

        #expect(answer.code == 0)
        #expect(answer.output.contains("was not checked"))
    }
}
