import Foundation
import StickerStore
import StickerTestSupport
import StickerValues
import Testing

/// Verbs about jobs: status, jobs, show, retry, dismiss, pause and follow.
struct JobVerbTests {
    private let desk: Operator

    init() throws { desk = try Operator() }

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

        #expect(lines.contains("  decode           41 ms  CPU    38  scaled to 512x512"))
        #expect(lines.contains { $0.hasSuffix("lossless level 0 210,000 B") })
        #expect(lines.contains { $0.hasSuffix("  lossy q=82.5 96,412 B <- chosen") })
        #expect(try desk.ask("show", "999").code == 1)
    }

    @Test func showFoldsEqualStepsInARow() throws {
        let job = try desk.refused("cats/wave.gif", looks: 12)

        let lines = try desk.ask("show", "\(job)").lines.filter { $0.hasPrefix("  read") }

        #expect(lines == ["  read             12 ms             1,234 B (12 times)"])
    }

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

    /// A program that reads it would wait forever.
    @Test func statusIsWatchedOnATerminalOnly() throws {
        try desk.made("cats/wave.png")

        let watched = try desk.ask("status", "--watch")

        #expect(watched.code == 2 && watched.errors.contains("--watch needs a terminal"))
        #expect(try desk.ask("status", "--watch", "--json").code == 2)
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

    @Test(arguments: ["waiting", "working", "done", "refused", "will-retry", "discarded"])
    func statesAreChosenByTheWordsOfTheLists(word: String) throws {
        try desk.refused("cats/a.gif")

        let answer = try desk.ask("jobs", "--state", word)

        let isRefused = word == "refused" || word == "discarded"
        #expect(answer.code == 0 && answer.output.contains("cats/a.gif") == isRefused)
        #expect(try desk.ask("jobs", "--state", "asleep").code == 2)
    }
}
