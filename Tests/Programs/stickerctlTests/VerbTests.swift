import Foundation
import StickerConfiguration
import StickerStore
import StickerTestSupport
import StickerValues
import Testing

struct VerbTests {
    private let desk: Operator

    init() throws { desk = try Operator() }

    // MARK: Status and jobs

    @Test func quietLibraryEndsWithZero() throws {
        try desk.made("cats/wave.png")

        let answer = try desk.ask("status")

        #expect(answer.code == 0)
        #expect(answer.output.contains("1 sticker in"))
        #expect(answer.output.contains("0 waiting for the daemon · 0 need attention"))
    }

    @Test func attentionEndsWithThreeAndACommand() throws {
        try desk.refused("cats/wave.gif")

        let answer = try desk.ask("status")

        #expect(answer.code == 3)
        #expect(answer.output.contains("too-long: stickerctl jobs --reason too-long"))
    }

    @Test func packsThatAreNotReadyEndWithThreeAndACommand() throws {
        let fault = Finding("V09", .fault, "there are too few", remedy: "add 1")
        let lacking: [PackPlatform: Readiness] = [
            .whatsapp: Readiness(packs: [], findings: [fault])
        ]
        func lack(_ category: String) throws {
            try desk.made("\(category)/wave.png")
            _ = try desk.store.packs.setReadiness(
                lacking, generation: 1, mark: "", of: CategoryID(rawValue: category))
        }
        try lack("cats")
        let one = try desk.ask("status")
        try lack("dogs")
        let two = try desk.ask("status")

        #expect(one.code == 3 && two.code == 3)
        #expect(one.output.contains("packs     not ready for whatsapp: stickerctl lint cats"))
        #expect(
            two.output.contains(
                "2 categories are not ready, one is cats: stickerctl lint cats --for whatsapp"))
    }

    /// They need no attention, but their packs are not where somebody may look for them.
    @Test func categoriesShortOfStickersAreNamed() throws {
        let few = Finding(
            "too-few", .fault, "1 still waits", measured: "1", remedy: "add 2 still pictures")
        func short(_ category: String) throws {
            try desk.made("\(category)/wave.png")
            _ = try desk.store.packs.setReadiness(
                [.whatsapp: Readiness(packs: [], findings: [few])], generation: 1, mark: "",
                of: CategoryID(rawValue: category))
        }
        try short("cats")
        let one = try desk.ask("status")
        try short("dogs")
        let two = try desk.ask("status")

        #expect(one.code == 0 && two.code == 0)
        #expect(
            one.output.contains("packs     short of stickers for whatsapp: stickerctl lint cats"))
        #expect(
            two.text.contains(
                "2 categories are short of stickers, one is cats: "
                    + "stickerctl lint cats --for whatsapp"))
    }

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

    @Test func listEndsWithCommandsToPaste() throws {
        let job = try desk.refused("cats/wave.gif")
        try desk.refused("cats/nap.gif", .outOfMemory)
        try desk.made("cats/ok.png")

        let answer = try desk.ask("jobs")

        #expect(answer.lines.count == 5)
        #expect(answer.lines[3] == "2 need attention: 1 out-of-memory · 1 too-long")
        #expect(answer.lines[4].contains("stickerctl retry \(job.rawValue + 1)"))
    }

    @Test(arguments: Refusal.Reason.allCases)
    func reasonAndFileAreWordsOfTheirOwn(reason: Refusal.Reason) throws {
        try desk.refused("cats/wave.gif", reason)

        let answer = try desk.ask("jobs")

        #expect(answer.lines[0].hasSuffix(" cats/wave.gif"))
    }

    @Test func countsGoBeyondWhatIsShown() throws {
        for number in 1...5 { try desk.refused("cats/\(number).gif", .corrupt) }
        try desk.refused("dogs/nap.gif")

        let all = try desk.ask("jobs", "--limit", "2")
        let some = try desk.ask("jobs", "--limit", "2", "--category", "cats")

        #expect(all.lines[2] == "2 of 6 shown; more: --limit 6")
        #expect(all.lines[3] == "6 need attention: 5 corrupt · 1 too-long")
        #expect(some.lines[3] == "5 need attention: 5 corrupt")
    }

    @Test func attentionThatIsNotShownIsTold() throws {
        try desk.refused("cats/nap.gif")
        try desk.made("cats/ok.png")

        let answer = try desk.ask("jobs", "--limit", "1")

        #expect(answer.lines.last == "which: stickerctl jobs --attention")
    }

    @Test(arguments: [Refusal.Reason.unsupportedFormat, .notRegularFile, .corrupt, .tooLong])
    func whatIsRefusedEachTimeIsToBeDismissed(reason: Refusal.Reason) throws {
        let job = try desk.refused("cats/old.png", reason)

        for verb in [["jobs"], ["show", "\(job)"], ["explain", "cats/old.png"]] {
            let output = try desk.ask(verb).output
            #expect(output.contains("stickerctl dismiss \(job)"))
            #expect(!output.contains("stickerctl retry \(job)\n"))
        }
    }

    @Test(
        arguments: [
            (Refusal.Reason.corrupt, "--accept-damaged"), (.truncated, "--accept-damaged"),
            (.tooLong, "--too-long=trim"), (.badDimensions, nil),
        ] as [(Refusal.Reason, String?)])
    func whatCanBeGrantedIsShown(reason: Refusal.Reason, option: String?) throws {
        let job = try desk.refused("cats/old.png", reason)
        let output = try desk.ask("show", "\(job)").output
        #expect(output.contains("stickerctl retry") == (option != nil))
        if let option { #expect(output.contains("stickerctl retry \(job) \(option)")) }
    }

    @Test(arguments: [
        (["--state", "completed"], 1), (["--reason", "corrupt"], 1), (["--category", "dogs"], 1),
        (["--file", "wave.gif"], 1), (["--attention"], 2), (["--since", "1h"], 3),
        (["--since", "2099-01-01"], 0), (["--limit", "2"], 2),
    ])
    func jobsAreFiltered(options: [String], count: Int) throws {
        try desk.refused("cats/wave.gif")
        try desk.refused("dogs/nap.gif", .corrupt)
        try desk.made("cats/ok.png")

        let answer = try desk.ask(["jobs", "--json"] + options)

        let jobs = try #require(try answer.object()["jobs"] as? [Any])
        #expect(jobs.count == count)
    }

    @Test func showTellsWhatWhyAndWhatToDo() throws {
        let job = try desk.refused("cats/wave.gif", .tooComplex)

        let answer = try desk.ask("show", "\(job)")

        for text in [
            "cats/wave.gif: it plays for 14.2 s", "too-complex; found 14.2 s; allowed 10 s",
            "shorten it", "stickerctl retry \(job)", "stickerctl dismiss \(job)",
        ] { #expect(answer.output.contains(text)) }
    }

    @Test func showListsEveryAttemptOfTheSearch() throws {
        let job = try desk.made("cats/wave.png")

        let lines = try desk.ask("show", "\(job)").lines

        #expect(lines.contains { $0.hasSuffix("lossless level 0 210,000 B") })
        #expect(lines.contains { $0.hasSuffix("  lossy q=82.5 96,412 B <- chosen") })
        #expect(try desk.ask("show", "999").code == 1)
    }

    @Test func showFoldsEqualStepsInARow() throws {
        let job = try desk.refused("cats/wave.gif", looks: 12)

        let lines = try desk.ask("show", "\(job)").lines.filter { $0.hasPrefix("  read") }

        #expect(lines == ["  read             12 ms  1,234 B (12 times)"])
    }

    // MARK: Explain

    @Test func explainSaysWhatWasChosenTriedAndWouldHelp() throws {
        try desk.made("cats/wave.png")

        let lines = try desk.ask("explain", "wave").lines

        #expect(lines[1] == "  chosen    a still of 96,412 B, lossy at quality 82.5.")
        #expect(lines[2].hasPrefix("  tried     2 encodings for at most 99,000 B: lossless"))
        #expect(lines.contains { $0.hasPrefix("  better    a simpler picture") })
        #expect(lines.last == "  log       stickerctl show 1")
    }

    @Test(arguments: [
        (Encoding(mode: .lossless), "nothing: no visible pixel"),
        (Encoding(mode: .nearLossless, quality: 60), "hardly anything: transparency and"),
    ])
    func explainPromisesNoMoreThanTheEncodingKeeps(encoding: Encoding, help: String) throws {
        try desk.made("cats/wave.png", encoding: encoding)

        #expect(try desk.ask("explain", "wave").text.contains("better \(help)"))
    }

    @Test func explainOfARefusedFileEndsWithItsRemedy() throws {
        let job = try desk.refused("cats/wave.gif", .tooComplex)

        let output = try desk.ask("explain", "cats/wave.gif").output

        #expect(output.contains("nothing is published"))
        #expect(output.contains("shorten it; then: stickerctl retry \(job)"))
    }

    @Test func explainOfAFileThatWaitsSaysSo() throws {
        try desk.waiting("cats/wave.png")

        let text = try desk.ask("explain", "cats/wave.png").text

        #expect(text.contains("tried nothing yet. better it is on its way, see: stickerctl show"))
    }

    @Test func explainOfAFileThatIsGoneSaysWhatKeepsTheSticker() throws {
        try desk.made("cats/wave.png")
        try desk.gone("cats/wave.png")

        let text = try desk.ask("explain", "wave").text

        #expect(text.contains("chosen a still of 96,412 B"))
        #expect(text.contains("better its file is gone and it leaves after"))
    }

    @Test(arguments: ["cats/wave.png", "wave.png"])
    func explainOfAFormerNameSaysWhatItIsNow(name: String) throws {
        try desk.made("cats/wave.png")
        try desk.gone("cats/wave.png")
        try desk.made("cats/wave.webp", content: 2)

        let answer = try desk.ask("explain", name)

        #expect(answer.lines.first == "cats/wave.png is now cats/wave.webp, sticker wave.")
        #expect(answer.code == 0 && answer.lines.dropFirst().first == "wave (cats/wave.webp)")
    }

    /// As a shell completes it.
    @Test(arguments: [
        ("", "drop/cats/wave.gif"), ("", "./drop/cats/wave.gif"), ("drop/cats", "wave.gif"),
        ("out", "../drop/cats/wave.gif"), ("", "drop/loose.gif"), ("drop", "loose.gif"),
    ])
    func fileIsNamedFromTheFolderOfTheOperator(folder: String, path: String) throws {
        try desk.folder.makeFolder("drop/cats")
        try desk.refused("cats/wave.gif")
        try desk.refused("loose.gif")
        // The same names elsewhere are others.
        try desk.refused("dogs/wave.gif")
        try desk.refused("dogs/loose.gif")

        for verb in [["explain"], ["dismiss", "--dry-run"], ["jobs", "--file"]] {
            let answer = try desk.ask(verb + [path], folder: desk.folder.path(folder))
            #expect(answer.code == 0, "\(verb): \(answer.errors)")
            let name = (path as NSString).lastPathComponent
            #expect(answer.output.contains(name), "\(verb): \(answer.output)")
            #expect(!answer.output.contains("dogs/"), "\(verb): \(answer.output)")
        }
    }

    @Test func explainOfAStrangerFailsWithAHint() throws {
        let answer = try desk.ask("explain", "nobody")

        #expect(answer.code == 1 && answer.errors.contains("nothing is known of nobody"))
    }

    // MARK: Steering

    @Test func retryByNameCountsAndSkips() throws {
        let job = try desk.refused("cats/wave.gif")
        try desk.made("cats/ok.png")

        #expect(try desk.ask("retry", "cats/wave.gif", "--dry-run").output.contains("1 would be"))
        #expect(try desk.ask("retry", "wave.gif").output.contains("1 requeued, 0 skipped"))
        #expect(
            try desk.ask("retry", "\(job)").output.contains("skipped, it is waiting already"))
        #expect(try desk.ask("retry", "ok.png").output.contains("skipped, it is done"))
    }

    @Test func everythingThatWasNamedIsTold() throws {
        let job = try desk.refused("cats/wave.gif")

        let answer = try desk.ask("retry", "\(job)", "999", "nobody.png", "--dry-run")
        let json = try desk.ask("dismiss", "\(job)", "nobody.png", "--json", "--dry-run")

        #expect(answer.code == 1 && answer.output.contains("1 would be requeued, 0 skipped"))
        #expect(answer.errors.contains("there is no job 999; see:"))
        #expect(answer.errors.contains("nothing is known of nobody.png; parts of names are for:"))
        #expect(try json.object()["unknown"] as? [String] == ["nobody.png"])
    }

    @Test func retryNeedsAChoice() throws {
        #expect(try desk.ask("retry").code == 2)
        #expect(try desk.ask("dismiss").code == 2)
        #expect(try desk.ask("retry", "--all").code == 0)
    }

    @Test func dismissedJobIsOffTheList() throws {
        let job = try desk.refused("cats/wave.gif")

        let answer = try desk.ask("dismiss", "\(job)", "--note", "artist informed")

        #expect(answer.output.contains("1 dismissed, 0 skipped"))
        #expect(try desk.ask("status").code == 0)
        #expect(try desk.ask("show", "\(job)").output.contains("artist informed"))
    }

    @Test func pauseIsShownUntilItEnds() throws {
        try desk.waiting("cats/wave.png")

        #expect(
            try desk.ask("pause", "cats").output
                == "  paused    cats; go on: stickerctl resume cats\n"
        )
        let status = try desk.ask("status")
        #expect(status.code == 3 && status.output.contains("go on: stickerctl resume cats"))
        #expect(
            try desk.ask("resume").output
                == "that was not paused; these are:\n  paused    cats; go on: stickerctl resume cats\n"
        )
        #expect(try desk.ask("pause").code == 0)
        #expect(
            try desk.ask("resume").output
                == "resumed; still paused:\n  paused    cats; go on: stickerctl resume cats\n")
        #expect(
            try desk.ask("resume", "cats").output == "resumed; nothing is paused any more\n")
        #expect(try desk.ask("resume", "cats").output == "that was not paused; nothing is\n")
        #expect(try desk.ask("pause", "nobody").code == 1)
    }

    @Test func followTellsWhatEnded() throws {
        try desk.made("cats/wave.png")
        try desk.refused("cats/nap.gif")

        let all = try desk.ask("follow", "--since", "1h", "--limit", "2")
        let some = try desk.ask(
            "follow", "--since", "1h", "--limit", "1", "--attention", "--json")

        #expect(all.lines.count == 2 && all.lines[0].hasSuffix("cats/wave.png"))
        #expect(try some.object()["file"] as? String == "cats/nap.gif")
    }

    // MARK: Configuration and room

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

    @Test func missingPictureIsOneSentence() throws {
        let answer = try desk.ask("convert", "missing.png", desk.folder.path("out.webp"))

        #expect(answer.code == 1)
        #expect(
            answer.errors
                == "missing.png cannot be read: No such file or directory; is its name right?\n")
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

    @Test func namesAreNoCommands() throws {
        try desk.configure(#""personal": { "drop": "uploads", "private": "private" }"#)
        try desk.refused("ada/stickerctl show.gif")
        symlink("state", desk.folder.path("state-personal"))

        let jobs = try desk.ask("jobs", "--personal")
        let json = try desk.ask("jobs", "--json", "--personal")

        #expect(jobs.output.contains("ada/stickerctl show.gif"))
        #expect(jobs.output.contains("let go: stickerctl --personal dismiss 1"))
        #expect(try json.output == desk.ask("jobs", "--json").output)
    }

    @Test func libraryOfUploadsSaysNothingOfTheWeather() throws {
        try desk.configure(
            #""personal": { "drop": "uploads", "private": "private" }, "#
                + #""smart": { "weather": { "latitude": 52.5, "longitude": 13.4 } }"#)
        try desk.made("ada/a.png")
        symlink("state", desk.folder.path("state-personal"))

        #expect(try desk.ask("status").output.contains("weather"))
        #expect(try !desk.ask("status", "--personal").output.contains("weather"))
    }

    // MARK: What is not known

    @Test(arguments: [
        (["statsu"], "there is no verb statsu; did you mean: stickerctl status\n"),
        (["--personal", "dissmiss", "3"], "did you mean: stickerctl --personal dismiss\n"),
        (
            ["trash", "resotre", "wave"],
            "there is no verb trash resotre; did you mean: stickerctl trash restore\n"
        ),
        (["qqqqqqqq"], "there is no verb qqqqqqqq; see: stickerctl --help\n"),
        (["redo"], "name the files or stickers to make again, or choose --outdated or --wrong"),
    ]) func wrongVerbsAreNamed(_ arguments: [String], _ sentence: String) throws {
        let answer = try Operator.run("stickerctl", arguments)

        #expect(answer.code == 2 && answer.errors.contains(sentence), "\(answer)")
    }

    @Test func unknownReasonsAreNamed() throws {
        try desk.refused("cats/wave.gif")

        let near = try desk.ask("jobs", "--reason", "to-long")
        let far = try desk.ask("retry", "--reason", "foo")
        let absent = try desk.ask("jobs", "--reason", "corrupt")

        #expect([near, far, absent].map(\.code) == [2, 2, 0])
        #expect(near.errors == "there is no reason to-long; did you mean too-long?\n")
        #expect(
            far.errors == "there is no reason foo; stickerctl status lists those that there are\n")
    }

    @Test func importOfNothingSaysSo() throws {
        let answer = try desk.ask("import", "/nosuch")

        #expect(answer.code == 1 && answer.errors == "there is no /nosuch\n")
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

    // MARK: Names

    @Test func jobIsShownByAnyName() throws {
        let wave = try desk.refused("cats/big wave.gif")
        try desk.made("cats/ok.png")
        try desk.made("dogs/ok too.png", content: 2)
        for name in ["\(wave)", "big_wave", "cats/big wave.gif", "big wave.gif", "ig wav"] {
            let answer = try desk.ask("show", name)
            #expect(answer.output.hasPrefix("job \(wave)  "), "\(name): \(answer)")
        }
        let several = try desk.ask("show", "ok")
        let exact = try desk.ask("show", "ok.png")
        let none = try desk.ask("show", "tiger")

        #expect([several, exact, none].map(\.code) == [0, 0, 1])
        #expect(try desk.ask("show", "o").errors.contains("2 files have that in their names"))
        #expect(none.errors.contains("there is no job tiger"))
    }

    @Test func listIsOfPartsOfNames() throws {
        try desk.made("cats/king of cats.png")
        try desk.made("cats/queen.png", content: 2)

        let answer = try desk.ask("jobs", "--file", "KING")

        #expect(answer.lines.count == 1 && answer.output.contains("king of cats.png"))
    }

    @Test func verbsPrintTheStateAfter() throws {
        let job = try desk.refused("cats/wave.gif", .outOfMemory)
        try desk.made("cats/ok.png")

        let dismissed = try desk.ask("dismiss", "\(job)")
        let retried = try desk.ask("retry", "\(job)")
        let redone = try desk.ask("redo", "ok")
        let tried = try desk.ask("redo", "ok", "--dry-run")

        #expect(dismissed.lines.first?.contains("cancelled: dismissed") == true)
        #expect(retried.lines.first?.contains("waiting") == true)
        #expect(redone.lines.first?.contains("waiting") == true)
        #expect(redone.lines.first?.hasSuffix("cats/ok.png") == true)
        #expect(tried.lines.first == "cats/ok.png")
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

    @Test func usageIsATable() throws {
        try desk.made("cats/wave.png")

        let lines = try desk.ask("usage").lines

        #expect(lines[0].hasPrefix("category"))
        #expect(lines[1].hasPrefix("cats") && lines[1].contains("96.4 KB"))
    }

    // MARK: Form

    @Test(arguments: [
        ["status"], ["jobs"], ["show", "1"], ["show", "2"], ["explain", "1"], ["usage"], ["plan"],
        ["retry", "--all", "--dry-run"], ["dismiss", "1"], ["pause"], ["check"],
        ["follow", "--since", "1h", "--limit", "2"],
    ])
    func textFitsEightyColumnsAndControlsNoTerminal(arguments: [String]) throws {
        let name = String(repeating: "長い名前🐈", count: 12) + "\u{1B}[2J\n"
        try desk.made("cats/\(name)a.png")
        try desk.refused("cats/\(name)b.gif")

        let lines = try Operator.runOnTerminal(
            arguments + ["--config", desk.folder.path("config.json")])

        #expect(!lines.isEmpty && !lines.joined().contains("\u{1B}"))
        for line in lines where !line.contains(desk.folder.path) && line.contains(" ") {
            #expect(width(of: line) <= 80, "\(line)")
        }
    }

    @Test func pipeReceivesWholeLines() throws {
        let name = String(repeating: "long name ", count: 12) + ".gif"
        try desk.refused("cats/\(name)")

        let lines = try desk.ask("jobs").lines

        #expect(lines[0].hasSuffix("cats/\(name)") && !lines[0].contains("…"))
    }

    @Test(arguments: ["waiting", "working", "done", "refused", "will-retry", "discarded"])
    func statesAreChosenByTheWordsOfTheLists(word: String) throws {
        try desk.refused("cats/a.gif")

        let answer = try desk.ask("jobs", "--state", word)

        let isRefused = word == "refused" || word == "discarded"
        #expect(answer.code == 0 && answer.output.contains("cats/a.gif") == isRefused)
        #expect(try desk.ask("jobs", "--state", "asleep").code == 2)
    }

    /// Columns, counted generously for what the names above hold.
    private func width(of line: String) -> Int {
        line.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x2E80 ? 2 : 1) }
    }
}
