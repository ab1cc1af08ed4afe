import Foundation
import Glibc
import StickerCodecs
import StickerConfiguration
import StickerRaster
import StickerStore
import StickerSystem
import StickerTestSupport
import StickerValues
import StickerWatch
import Testing

@testable import StickerDaemon

/// The outcome of one attempt, for every way in which it can end.
struct JobExecutorTests {
    private let workshop: Workshop

    init() throws { workshop = try Workshop() }

    private func outcome(_ job: ClaimedJob, isDraining: Bool = false) -> JobOutcome {
        workshop.executor(isDraining: isDraining).run(job, on: .only).finished.outcome
    }

    // MARK: Words

    @Test(arguments: ["emoji.txt", "title.txt", "category.json", "a.png.sticker.json"])
    func pictureUnderANameForWordsIsCalledThat(name: String) throws {
        try workshop.drop("cats/\(name)", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 1])

        guard case .refused(let refusal, _) = outcome(try workshop.claim()) else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.reason == .invalidWords)
        #expect(refusal.detail == "it is a picture (PNG), where words are needed")
        #expect(refusal.remedy.contains("or rename it to "))
    }

    @Test func absentPicturesOfACategoryAreTold() throws {
        try workshop.drop("cats/deep/a.png", "a cat")
        _ = try workshop.work()
        try workshop.drop(
            "cats/category.json", #"{"order": ["deep/a.png", "b.png"], "stickers": {"c.png": {}}}"#)

        let finished = try workshop.work()

        #expect(finished.warnings.map(\.code) == ["absent-pictures"])
        #expect(finished.warnings[0].detail.hasPrefix("it names b.png, c.png, not there"))
    }

    // MARK: Made

    @Test func pictureIsReadMadeWrittenAndPutInPlace() throws {
        try workshop.drop("cats/a.png", "a cat")

        let finished = try workshop.work()

        #expect(finished.steps == ["read", "fake", "write", "store"])
        #expect(workshop.maker.sources == ["a cat"])
        let file = try #require(finished.product?.files.first)
        #expect(try workshop.published == [file.path])
        #expect(try workshop.store.operations.status().stickers == 1)
    }

    @Test func nothingLiesInItsPlaceBeforeTheGroupIsPlaced() throws {
        try workshop.drop("cats/a.png", "a cat")

        let result = workshop.executor().run(try workshop.claim(), on: .only)

        #expect(result.staged?.count == 1)
        #expect(try workshop.published.allSatisfy { $0.contains("/.") })
    }

    @Test func equalBytesAreMadeOnceWhereverTheyLie() throws {
        try workshop.drop("cats/a.png", "a cat")
        let first = try workshop.work()
        try workshop.folder.makeFolder("other")

        try workshop.drop("dogs/b.png", "a cat", drop: "other")
        let second = try workshop.work()

        #expect(workshop.maker.sources == ["a cat"])
        #expect(second.product == first.product && second.product != nil)
        #expect(try workshop.store.operations.status().stickers == 2)
        #expect(try workshop.published.count == 1)
    }

    @Test func equalBytesUnderAnotherRecipeAreMadeAgain() throws {
        let workshop = try Workshop { $0.categories["dogs"] = .withQuality(50) }
        try workshop.drop("cats/a.png", "a cat")
        try workshop.drop("dogs/a.png", "a cat")

        let made = [try workshop.work(), try workshop.work()]

        #expect(workshop.maker.sources == ["a cat", "a cat"])
        #expect(made[0].product?.recipe != made[1].product?.recipe)
    }

    /// An animated PNG that release 0.4 published as a still, for example.
    @Test func stillOfWhatMovesTodayStaysUntilSomebodyAsksForMore() throws {
        try workshop.drop("cats/a.png", "a cat")
        let still = try workshop.work()
        workshop.maker.moves()

        try workshop.drop("cats/a.png", "a cat")
        let touched = try workshop.work()
        try workshop.drop("cats/copy.png", "a cat")
        let copied = try workshop.work()
        _ = try workshop.store.operations.renew("cats/a.png")
        let renewed = try workshop.work()

        #expect(touched.outcome == .unchanged(content: ContentHash(of: Array("a cat".utf8))))
        #expect(copied.product == still.product)
        #expect(renewed.product?.animated == true)
        #expect(workshop.maker.sources.count == 2)
        let key = workshop.key("cats/a.png")
        #expect(try workshop.store.catalog.liveProduct(of: key)?.product == renewed.product)
        #expect(
            try workshop.store.queue.redoStale(
                recipe: workshop.settings.recipe(of:granting:)) == 0)
    }

    @Test func pictureThatTurnsOutToMoveIsMadeAsAWholeAtOnce() throws {
        workshop.change {
            $0.categories["cats", default: StickerSettings()].targets = ["whatsapp", "discord"]
        }
        try workshop.drop("cats/a.png", "a cat")
        try workshop.work()
        workshop.maker.moves()
        workshop.change { $0.categories["cats", default: StickerSettings()].trayBytesMax = 9000 }

        try workshop.drop("cats/a.png", "a cat")
        let made = try workshop.work()

        #expect(workshop.maker.recipes.map(\.targets.count) == [2, 1, 2])
        #expect(made.product?.animated == true && made.product?.files.count == 2)
        let ids = workshop.settings.current.recipe(of: CategoryNames(folder: Array("cats".utf8)))
            .ids
        #expect(made.product?.recipe == ids.moving.whole)
    }

    @Test func touchedFileIsFoundUnchanged() throws {
        try workshop.drop("cats/a.png", "a cat")
        try workshop.work()

        try workshop.drop("cats/a.png", "a cat")
        let finished = try workshop.work()

        #expect(finished.outcome == .unchanged(content: ContentHash(of: Array("a cat".utf8))))
        #expect(workshop.maker.sources.count == 1)
    }

    @Test func productWhoseFileIsMissingIsMadeAgain() throws {
        try workshop.drop("cats/a.png", "a cat")
        let path = try #require(try workshop.work().product?.files.first?.path)
        try FileManager.default.removeItem(atPath: workshop.folder.path("out/\(path)"))

        try workshop.drop("cats/b.png", "a cat")
        try workshop.work()

        #expect(workshop.maker.sources.count == 2)
        #expect(try workshop.published == [path])
    }

    @Test func nameThatBeliesTheBytesIsAWarning() throws {
        try workshop.drop("cats/a.jpg", "a cat")
        workshop.maker.make {
            .quoting($0, $1, format: .png, warnings: [Warning("trimmed", "10 s are kept")])
        }

        let finished = try workshop.work()

        #expect(finished.warnings.map(\.code) == ["trimmed", "name-mismatch"])
        #expect(finished.warnings.last?.detail == "the name says jpg, the bytes are PNG")
    }

    // MARK: Changed

    @Test func fileThatChangedSinceItWasSeenIsNotMade() throws {
        try workshop.drop("cats/a.png", "a cat")
        try workshop.folder.write(Array("another cat".utf8), to: "drop/cats/a.png")

        let finished = try workshop.work()

        guard case .changed(let newer) = finished.outcome else {
            Issue.record("\(finished.outcome)")
            return
        }
        #expect(newer.size == 11)
        #expect(workshop.maker.sources.isEmpty)
        #expect(try workshop.store.operations.status().waiting == 1)
    }

    @Test func fileThatIsReplacedWhileItIsMadeIsNotPublished() throws {
        try workshop.drop("cats/a.png", "a cat")
        workshop.maker.make { [workshop] source, recipe in
            if source == "a cat" {
                #expect(throws: Never.self) { try workshop.drop("cats/a.png", "a newer cat") }
            }
            return .quoting(source, recipe)
        }

        let old = try workshop.work()

        #expect(try workshop.store.operations.job(old.job.id)?.job.state == .cancelled)
        #expect(try workshop.store.operations.job(old.job.id)?.job.reason == "superseded")
        #expect(try workshop.store.catalog.liveProduct(of: workshop.key("cats/a.png")) == nil)
        let newer = try workshop.work()
        let live = try workshop.store.catalog.liveProduct(of: workshop.key("cats/a.png"))
        #expect(live?.content == ContentHash(of: Array("a newer cat".utf8)))
        #expect(live?.product == newer.product)
    }

    // MARK: Not whole yet

    @Test func fileThatAWriterHasOpenWaits() throws {
        try workshop.drop("cats/a.png", "a cat")
        let job = try workshop.claim()
        let writer = open(workshop.folder.path("drop/cats/a.png"), O_WRONLY)
        defer { close(writer) }

        let outcome = outcome(job)

        #expect(outcome == .arriving(delay: .seconds(1), why: "a writer has it open"))
        #expect(workshop.maker.sources.isEmpty)
    }

    @Test func emptyFileWaitsAndIsThenRefused() throws {
        try workshop.drop("cats/a.png", "")
        var job = try workshop.claim()

        let early = outcome(job)
        job.ageMilliseconds = 60_000
        let late = outcome(job)

        #expect(early == .arriving(delay: .seconds(1), why: "it is empty"))
        #expect(late == .refused(.emptyFile, content: ContentHash(of: [])))
    }

    @Test func pictureWithoutItsEndWaitsLongerAndLongerAndIsThenJudgedAsItIs() throws {
        let whole = try PNGEncoder.encode(.gradient(PixelSize(width: 40, height: 40)))
        try workshop.drop("cats/a.png", Array(whole.dropLast(4)))
        var job = try workshop.claim()

        let outcomes = [0, 20_000, 59_000, 60_000].map { (age: Int64) in
            job.ageMilliseconds = age
            return outcome(job)
        }

        let pauses: [JobOutcome] = [1, 10, 1].map { (seconds: Int) in
            .arriving(delay: .seconds(seconds), why: "its end is missing")
        }
        #expect(Array(outcomes.dropLast()) == pauses)
        #expect(workshop.maker.sources.count == 1)
        if case .made = outcomes[3] {} else { Issue.record("\(outcomes[3])") }
    }

    @Test func pictureWithBytesBehindItsEndIsReadOnceItIsQuiet() throws {
        let whole = try PNGEncoder.encode(.gradient(PixelSize(width: 40, height: 40)))
        try workshop.drop("cats/a.png", whole + Array("<!-- tail -->".utf8))
        var job = try workshop.claim()
        job.ageMilliseconds = 400
        let early = outcome(job)
        job.ageMilliseconds = 1_000

        let why = "bytes follow its end, which may be replaced"
        #expect(early == .arriving(delay: .milliseconds(600), why: why))
        if case .made = outcome(job) {} else { Issue.record("it waits on") }
    }

    @Test func drainDoesNotWaitForFilesToArrive() throws {
        try workshop.drop("cats/a.png", "")
        var job = try workshop.claim()
        job.ageMilliseconds = 1000

        #expect(
            outcome(job, isDraining: true) == .refused(.emptyFile, content: ContentHash(of: [])))
    }

    // MARK: Gone

    /// While the daemon was off, a file was moved by copying it and deleting the first one; its folder is listed
    /// later than that of the copy.
    @Test func copyOfAFileThatIsGoneWaitsUntilThatIsMissed() throws {
        try workshop.drop("cats/a.png", "a cat")
        try workshop.work()
        try FileManager.default.removeItem(atPath: workshop.folder.path("drop/cats/a.png"))
        workshop.lookWillSay(.gone)
        try workshop.drop("dogs/b.png", "a cat")
        var job = try workshop.claim()

        let why = "a file with these bytes has just gone"
        #expect(outcome(job) == .arriving(delay: .milliseconds(100), why: why))
        job.ageMilliseconds = 60_000
        let finished = workshop.executor().run(job, on: .only).finished
        try workshop.book(finished)

        let status = try workshop.store.operations.status()
        #expect(status.stickers == 1 && status.missing == 0)
        #expect(try workshop.store.catalog.liveProduct(of: workshop.key("dogs/b.png")) != nil)
    }

    @Test func fileThatIsGoneIsCancelled() throws {
        try workshop.drop("cats/a.png", "a cat")
        try FileManager.default.removeItem(atPath: workshop.folder.path("drop/cats/a.png"))
        workshop.lookWillSay(.gone)

        let finished = try workshop.work()

        #expect(finished.outcome == .cancelled(.vanished))
        #expect(try workshop.store.operations.status().waiting == 0)
    }

    @Test func fileOfADropThatMayBeAwayWaits() throws {
        try workshop.drop("cats/a.png", "a cat")
        let job = try workshop.claim()
        try FileManager.default.removeItem(atPath: workshop.folder.path("drop/cats/a.png"))

        let why = "its folder is away: another file is there"
        #expect(outcome(job) == .arriving(delay: .seconds(10), why: why))
        #expect(outcome(job, isDraining: true) == .unread(why))
    }

    @Test func fileOfADropThatIsAwayWaits() throws {
        try workshop.drop("cats/a.png", "a cat")
        let job = try workshop.claim()
        workshop.lookWillSay(.gone)
        try FileManager.default.removeItem(atPath: workshop.folder.path("drop"))

        let why = "its folder is away: No such file or directory"
        #expect(outcome(job) == .arriving(delay: .seconds(10), why: why))
    }

    // MARK: Refused

    @Test func linkAndPipeAreRefusedUnread() throws {
        try workshop.folder.write(Array("secret".utf8), to: "secret")
        try workshop.folder.makeFolder("drop/cats")
        symlink(workshop.folder.path("secret"), workshop.folder.path("drop/cats/link.png"))
        mkfifo(workshop.folder.path("drop/cats/pipe.png"), 0o644)

        for path in ["cats/link.png", "cats/pipe.png"] {
            #expect(outcome(workshop.job(path)) == .refused(.notRegularFile, content: nil))
        }
        #expect(workshop.maker.sources.isEmpty)
    }

    @Test func fileThatCannotBeOpenedIsRefusedWithWhatToDo() throws {
        try workshop.folder.makeFolder("drop/cats")
        let name = String(repeating: "a", count: 300)

        guard case .refused(let refusal, nil) = outcome(workshop.job("cats/\(name)")) else {
            Issue.record("it was not refused")
            return
        }

        #expect(refusal.reason == .unreadable)
        #expect(refusal.detail == "it cannot be opened: File name too long")
        #expect(refusal.remedy.hasPrefix("shorten the path"))
    }

    @Test func fileAboveTheLimitIsRefusedUnread() throws {
        let workshop = try Workshop { $0.limits.sourceBytesMax = 4 }
        try workshop.drop("cats/a.png", "a cat")

        let finished = try workshop.work()

        #expect(finished.outcome == .refused(.tooManyBytes(5, 4), content: nil))
        #expect(workshop.maker.sources.isEmpty)
        #expect(try workshop.store.operations.status().needAttention == 1)
    }

    @Test func refusalOfTheMakerIsThatOfTheJob() throws {
        let refusal = Refusal(.corrupt, "a chunk is damaged", remedy: "save it again")
        workshop.maker.fail(.refused(refusal))
        try workshop.drop("cats/a.png", "a cat")

        let finished = try workshop.work()

        let content = ContentHash(of: Array("a cat".utf8))
        #expect(finished.outcome == .refused(refusal, content: content))
        #expect(try workshop.store.operations.job(finished.job.id)?.job.refusal == refusal)
    }

    // MARK: Trouble

    @Test func failedWorkerGetsASecondTryAmongLargeJobsAndThenTheRefusal() throws {
        let refusal = Refusal(.decoderCrashed, "it brings a decoder down", remedy: "save it again")
        workshop.maker.fail(.worker(refusal))
        try workshop.drop("cats/a.png", "a cat")

        let attempts = [try workshop.work(), try workshop.work()]

        let content = ContentHash(of: Array("a cat".utf8))
        #expect(attempts.allSatisfy { $0.outcome == .workerFailed(refusal, content: content) })
        #expect(attempts.map(\.job.isLarge) == [false, true])
        let record = try workshop.store.operations.job(attempts[0].job.id)?.job
        #expect(record?.state == .discarded && record?.refusal == refusal)
    }

    @Test func whatTheSystemLacksIsNoFileBlamedFor() throws {
        workshop.maker.fail(.lacking("no process could be started"))
        try workshop.drop("cats/a.png", "a cat")

        let finished = try workshop.work()

        #expect(finished.outcome == .released("no process could be started"))
        let record = try workshop.store.operations.job(finished.job.id)?.job
        #expect(record?.state == .available && record?.attempt == 0)
    }

    @Test func publishedFolderThatCannotBeWrittenIsNoFileBlamedFor() throws {
        try workshop.drop("cats/a.png", "a cat")
        try FileManager.default.removeItem(atPath: workshop.folder.path("out/_"))
        try workshop.folder.write([0], to: "out/_")

        let finished = try workshop.work()

        guard case .released(let why) = finished.outcome else {
            Issue.record("\(finished.outcome)")
            return
        }
        #expect(why.contains(workshop.folder.path("out")))
        let record = try workshop.store.operations.job(finished.job.id)?.job
        #expect(record?.state == .available && record?.attempt == 0)
    }

    @Test func stickerWhoseFileCannotBeKeptFailsAloneInItsGroup() throws {
        for name in ["a", "b"] { try workshop.drop("cats/\(name).png", name) }
        let executor = workshop.executor()
        let results = [
            executor.run(try workshop.claim(), on: .only),
            executor.run(try workshop.claim(), on: .only),
        ]
        // A folder in its place: rename(2) cannot replace it.
        let path = try #require(results[0].finished.product?.files.first?.path)
        try workshop.folder.write([0], to: "out/\(path)/obstacle")

        let finished = executor.place(results)

        if case .released = finished[0].outcome {} else { Issue.record("\(finished[0].outcome)") }
        #expect(finished[1].outcome == results[1].finished.outcome)
        for job in finished { try workshop.book(job) }
        #expect(try workshop.store.operations.status().stickers == 1)
        #expect(try workshop.store.operations.status().waiting == 1)
    }

    // MARK: Lanes

    @Test func pictureThatTakesLongAsksForALaneBeforeTheWorkBegins() throws {
        // 48 million pixels, interlaced; nobody reads further than its header.
        try workshop.drop(
            "cats/a.png",
            TestPNG.file([TestPNG.header(8000, 6000, interlace: 1), TestPNG.chunk("IEND")]))
        let job = try workshop.claim()
        let lane = WorkLane(isLarge: false, admits: { $0 != .long }, shouldYield: { _ in false })

        let result = workshop.executor().run(job, on: lane)

        #expect(result.finished.outcome == .yielded(isForeseen: true))
        #expect(result.finished.steps == ["read", "wait"])
        #expect(workshop.maker.sources.isEmpty)
        #expect(workshop.executor().run(job, on: .only).finished.product != nil)
    }

    @Test func drawingIsNotCalledSmallBecauseItsFileIs() throws {
        try workshop.drop("cats/a.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
        let job = try workshop.claim()
        let lane = WorkLane(isLarge: false, admits: { $0 == .small }, shouldYield: { _ in false })

        let result = workshop.executor().run(job, on: lane)

        #expect(result.finished.outcome == .yielded(isForeseen: false))
        #expect(workshop.maker.sources.isEmpty)
        try workshop.book(result.finished)
        #expect(try workshop.claim().isDrawn)
    }

    @Test func jobWhoseLaneIsWantedBackYields() throws {
        workshop.maker.fail(.yielded)
        try workshop.drop("cats/a.png", "a cat")

        #expect(try workshop.work().outcome == .yielded(isForeseen: true))
        #expect(try workshop.claim().isLarge)
    }
}

extension StickerSettings {
    fileprivate static func withQuality(_ quality: Int) -> StickerSettings {
        var settings = StickerSettings()
        settings.qualityMin = quality
        return settings
    }
}
