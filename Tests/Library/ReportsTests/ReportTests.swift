import StickerConfiguration
import StickerReports
import StickerStore
import StickerSystem
import StickerTestSupport
import StickerValues
import Testing

/// Reports for operators, as data and sentences, without a terminal.
struct ReportTests {
    private let folder: TemporaryFolder
    private let store: LibraryStore
    private var configuration = Configuration()

    init() throws {
        folder = try TemporaryFolder()
        store = try LibraryStore(path: folder.path(LibraryStore.fileName))
    }

    /// Publishes a still that was made by `recipe` in 2 s.
    private func publish(
        _ path: String, in drop: String = "/drop", by recipe: Recipe,
        revision: Int = Recipe.currentRevision,
        without target: String? = nil, searched: String = Target.whatsApp, _ bytesMax: Int = 99_000
    ) throws {
        let name = Array(path.split(separator: "/")[1].utf8)
        let key = SourceKey(drop: drop, directory: Array("cats".utf8), name: name)
        let content = ContentHash(of: Array(path.utf8))
        let version = FileVersion(inode: 1, size: 9, mtime: 1, ctime: Int64(bytesMax))
        _ = try store.queue.accept(
            [Sighting(key: key, version: version, isRegularFile: true, origin: .closed)],
            settle: .zero)
        let job = try #require(try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
        let files = recipe.targets.enumerated().map { index, target in
            StickerFile(
                role: index == 0 ? .sticker : .rendition, target: target.name,
                format: target.still?.forms[0].format ?? .webp, size: .sticker, bytes: 12_345,
                sha256: content, encoding: Encoding(mode: .lossy, quality: 80))
        }
        var made = try #require(
            Inventory(of: recipe.ids, among: []).product(
                adding: files.filter { $0.target != target },
                target.map { [Shortfall(target: $0, .emptyFile)] } ?? [], animated: false))
        made.revision = revision
        var log = StepLog()
        var chosen = FitRecord.Attempt(.lossy, quality: 80, bytes: 12_345)
        chosen.isChosen = true
        let fit = FitRecord(target: searched, bytesMax: bytesMax, attempts: [chosen])
        log.append(StepEntry("fit", milliseconds: 2000, "1 encoding", fit: fit))
        let finished = FinishedJob(job: job, outcome: .made(made, content: content), log: log)
        _ = try store.queue.turn(finished: [finished], claiming: .any(0))
    }

    private func recipe(_ targets: String...) -> Recipe {
        Recipe(
            settings: StickerSettings(), targets: targets.compactMap { Target.builtIn[$0] })
    }

    private func sentence(_ configuration: Configuration) throws -> String {
        let plan = try Plan(configuration, store, daemon: nil)
        return plan.sentence(of: try #require(plan.categories.first))
    }

    // MARK: Plan

    @Test func planOfNoChange() throws {
        try publish("cats/a.png", by: recipe("whatsapp"))

        #expect(try sentence(configuration) == "cats: 1 picture, no change")
    }

    /// The stickers that came with stickerd are switched off, and the settings of their category change.
    @Test func planEncodesNoStickerThatLeaves() throws {
        let shipped = DropFolder(path: "/shipped", name: ShippedTemplates.dropName)
        _ = try store.sources.settleNames([shipped])
        try publish("cats/a.png", in: shipped.path, by: recipe("whatsapp"))
        var newer = configuration
        newer.sticker.targets = ["whatsapp", "discord"]

        let plan = try Plan(newer, store, daemon: nil)

        #expect(plan.drops.contains { $0.change == .leaving && $0.stickers == 1 })
        #expect(plan.categories.isEmpty)
        newer.drops.append(shipped)
        #expect(try Plan(newer, store, daemon: nil).categories.map(\.stale) == [1])
    }

    @Test func planTellsWhatIsToBeEncodedAndHowLongThatTakes() throws {
        try publish("cats/a.png", by: recipe("whatsapp"))
        var newer = configuration
        newer.workers = 1
        newer.sticker.targets = ["whatsapp", "discord"]

        #expect(
            try sentence(newer)
                == "cats: 1 picture, 1 to encode, about 2 s, "
                + "at most 512.0 KB of new files")
    }

    @Test func planTellsWhatIsReadAgainForItsInks() throws {
        try publish("cats/a.jpg", by: recipe("whatsapp"))
        try publish("cats/b.png", by: recipe("whatsapp"))
        var newer = configuration
        newer.color.cmykProfile = .read()

        #expect(
            try sentence(newer)
                == "cats: 2 pictures, 1 to read again: those in CMYK are encoded")
    }

    @Test func planTellsWhatIsReplaced() throws {
        try publish("cats/a.png", by: recipe("whatsapp"))
        var newer = configuration
        newer.workers = 2
        newer.sticker.stillBytesMax = 50_000

        #expect(
            try sentence(newer)
                == "cats: 1 picture, 1 to encode, about 1 s, up to 12.3 KB more for 24 h")
    }

    @Test func planTellsApartWhatNeedsNoEncoding() throws {
        try publish("cats/a.png", by: recipe("whatsapp", "discord"))

        #expect(
            try sentence(configuration)
                == "cats: 1 picture, 1 to publish again with existing files")
    }

    @Test func planCountsWhatAnOlderReleaseMade() throws {
        try publish("cats/a.png", by: recipe("whatsapp"), revision: 1)

        #expect(
            try sentence(configuration)
                == "cats: 1 picture, 1 made by an older release (stickerctl redo --outdated), "
                + "1 of an older release not looked at yet")
    }

    // MARK: Explanation

    private func explanation(_ sticker: String = "a") throws -> Explanation {
        Explanation(try #require(try store.operations.story(of: sticker)))
    }

    @Test func explanationNamesTheFurtherTargets() throws {
        try publish("cats/a.png", by: recipe("whatsapp", "slack", "telegram"), without: "telegram")

        let explanation = try explanation()

        #expect(explanation.renditions.map(\.target) == ["slack", "telegram"])
        #expect(explanation.renditions.map(\.isMade) == [true, false])
        #expect(
            explanation.renditions[0].text == "png 512x512, 12,345 B, lossy at quality 80")
        #expect(explanation.renditions[1].text.hasPrefix("empty-file: "))
    }

    @Test func explanationNamesTheKeyOfTheFirstTarget() throws {
        try publish("cats/a.png", by: recipe("whatsapp"))
        try publish("cats/b.png", by: recipe("signal"))

        #expect(try explanation("a").help.contains("a higher sticker.stillBytesMax"))
        #expect(try explanation("b").help.contains("a higher targets.signal.still.bytesMax"))
        #expect(
            try explanation("a").tried
                == "1 encoding for at most 99,000 B: lossy q=80 12,345 B.")
    }

    @Test func explanationTellsOfTheSearchForTheStickerItself() throws {
        try publish("cats/a.png", by: recipe("whatsapp"))
        try publish("cats/a.png", by: recipe("whatsapp", "discord"), searched: "discord", 88_000)

        #expect(try explanation().tried.hasSuffix("for at most 99,000 B: lossy q=80 12,345 B."))
    }

    @Test func explanationTellsHowThePictureWasScaled() throws {
        try publish("cats/a.png", by: recipe("whatsapp"))
        var story = try #require(try store.operations.story(of: "a"))
        #expect(Explanation(story).scaled == nil)

        let detail = "512x512 with lanczos3; no pixel art: it has more than 128 colours"
        story.made?.log.append(StepEntry("scale", milliseconds: 1, detail))

        #expect(Explanation(story).scaled == detail)
    }

    @Test func explanationTellsOfDroppedFrames() throws {
        try publish("cats/a.png", by: recipe("whatsapp"))
        var story = try #require(try store.operations.story(of: "a"))
        var chosen = FitRecord.Attempt(.lossy, quality: 50, frames: 10, bytes: 9000)
        chosen.isChosen = true
        let all = FitRecord.Attempt(.lossy, quality: 50, frames: 20, bytes: 120_000)
        let fit = FitRecord(target: "whatsapp", bytesMax: 99_000, attempts: [all, chosen])
        story.made?.log.append(StepEntry("fit", milliseconds: 1, "2 encodings", fit: fit))
        story.made?.job.warnings = [Warning("frames-dropped", "10 frames were dropped to fit")]

        let explanation = Explanation(story)

        #expect(
            explanation.help
                == "10 frames were dropped to fit; a simpler or shorter animation, or a higher "
                + "sticker.stillBytesMax.")
        #expect(explanation.warnings.map(\.code) == ["frames-dropped"])
    }

    @Test func explanationTellsOfFramesDroppedForAFurtherTarget() throws {
        try publish("cats/a.png", by: recipe("whatsapp", "slack", "telegram"))
        var story = try #require(try store.operations.story(of: "a"))
        var chosen = FitRecord.Attempt(.lossy, quality: 50, frames: 9, bytes: 9000)
        chosen.isChosen = true
        let all = FitRecord.Attempt(.lossy, quality: 50, frames: 41, bytes: 120_000)
        let fit = FitRecord(target: "slack", bytesMax: 99_000, attempts: [all, chosen])
        story.made?.log.append(StepEntry("fit", milliseconds: 1, "2 encodings", fit: fit))

        #expect(
            Explanation(story).renditions.first?.text.hasSuffix("32 frames were dropped to fit")
                == true)
    }

    @Test func explanationOfARefusalPromisesWhatHappens() throws {
        try publish("cats/a.png", by: recipe("whatsapp"))
        var story = try #require(try store.operations.story(of: "a"))
        var job = try #require(story.made)
        (story.product, job.log) = (nil, StepLog())
        job.log.append(StepEntry("retry", milliseconds: 0, "asked for"))
        job.job.refusal = Refusal(.unknownCharacters, "no font has x", remedy: "add one")
        story.refused = job

        #expect(Explanation(story).tried == "no encoding is on record.")
        #expect(
            Explanation(story).help
                == "no font has x; add one; it is drawn again by itself once the fonts or its "
                + "values change.")
        job.job.refusal = Refusal(.outOfMemory, "memory ran out", remedy: "wait")
        story.refused = job
        #expect(Explanation(story).help.hasSuffix("wait; then: stickerctl retry \(job.job.id)."))
    }

    // MARK: Status

    @Test func batchIsShownOnlyWhileThereIsWork() throws {
        var live = LiveFigures(version: "1", startedAt: 0)
        live.batch = LiveFigures.Batch(startedAt: 0)
        live.batch?.working = 5
        try store.operations.setLiveFigures(live)
        func batch() throws -> LiveFigures.Batch? {
            try StatusReport(configuration, faults: [], store, daemon: 1, freeBytes: nil).batch
        }
        #expect(try batch() == nil)

        let key = SourceKey(drop: "/drop", directory: [], name: Array("a.png".utf8))
        let version = FileVersion(inode: 1, size: 9, mtime: 1, ctime: 1)
        _ = try store.queue.accept(
            [Sighting(key: key, version: version, isRegularFile: true, origin: .closed)])
        #expect(try batch()?.working == 5)
    }

    @Test func fileThatIsGoneIsToldInASentence() throws {
        try publish("cats/a.png", by: recipe("whatsapp"))
        let name = Array("a.png".utf8)
        _ = try store.queue.accept(
            [], gone: [SourceKey(drop: "/drop", directory: Array("cats".utf8), name: name)])

        let report = try StatusReport(
            configuration, faults: [], store, daemon: nil, freeBytes: nil)

        #expect(
            report.goneFiles
                == "1 file is gone; its sticker leaves after publish.deleteGraceSeconds, unless it is "
                + "back")
    }

    @Test func statusCountsWhatIsOutdatedWithoutAskingForAttention() throws {
        try publish("cats/a.png", by: recipe("whatsapp"), revision: 1)

        let report = try StatusReport(
            configuration, faults: [], store, daemon: nil, freeBytes: nil)

        #expect(report.status.outdated == 1 && report.status.stickers == 1)
        #expect(!report.needsAttention)
    }

    @Test(arguments: [(1, true), (nil, false)] as [(Int32?, Bool)])
    func unknownLanguageNeedsAttentionWhileTheDaemonRuns(daemon: Int32?, isNeeded: Bool) throws {
        var live = LiveFigures(version: "1", startedAt: 0)
        live.unknownLanguages = ["smart.locale: there is no locale \"xx\""]
        try store.operations.setLiveFigures(live)

        let report = try StatusReport(
            configuration, faults: [], store, daemon: daemon, freeBytes: nil)

        #expect(report.needsAttention == isNeeded)
    }
}
