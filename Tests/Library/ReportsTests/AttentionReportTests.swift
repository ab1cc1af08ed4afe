import Foundation
import StickerReports
import StickerSystem
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerStore

/// The contents of `run/attention.json`.
struct AttentionReportTests {
    private let folder: TemporaryFolder
    private let store: LibraryStore

    init() throws {
        folder = try TemporaryFolder()
        store = try LibraryStore(path: folder.path(LibraryStore.fileName))
    }

    private func sighting(_ name: String) -> Sighting {
        Sighting(
            key: SourceKey(drop: "/drop", directory: Array("cats".utf8), name: Array(name.utf8)),
            version: FileVersion(inode: 1, size: 9, mtime: 1, ctime: 1), isRegularFile: true,
            origin: .closed)
    }

    private func refuse(_ name: String) throws {
        _ = try store.queue.accept([sighting(name)])
        let job = try #require(try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
        let refusal = Refusal(
            .tooLong, "it plays too long", measured: "14.2 s", limit: "10 s", remedy: "shorten it")
        let finished = FinishedJob(
            job: job, outcome: .refused(refusal, content: nil), log: StepLog())
        _ = try store.queue.turn(finished: [finished], claiming: .any(0))
    }

    private func report(_ live: LiveFigures? = nil) throws -> AttentionReport {
        try AttentionReport(store, refused: store.operations.status().needAttention, live: live)
    }

    @Test func nothingNeedsAttention() throws {
        let report = try report(LiveFigures(version: "1", startedAt: 0))

        #expect(!report.needsAttention && report.items.isEmpty && report.refused == 0)
    }

    @Test func refusedFileIsToldWithFiguresAndRemedy() throws {
        try refuse("wave.png")

        let report = try report()

        let item = try #require(report.items.first)
        #expect(report.needsAttention && report.refused == 1 && report.items.count == 1)
        #expect(item.kind == .refused && item.reason == "too-long" && item.job?.rawValue == 1)
        #expect(
            item.message == "cats/wave.png: it plays too long (found 14.2 s, allowed 10 s)")
        #expect(item.remedy == "shorten it" && item.category?.rawValue == "cats")
        #expect(item.since.flatMap(Int64.init(date:)) != nil)
    }

    @Test func packsThatAreNotReadyAreToldWithTheFirstFault() throws {
        _ = try store.queue.accept([sighting("wave.png")])
        let fault = Finding(
            "V09", .fault, pack: "cats", "there are too few", measured: "2", limit: "3",
            remedy: "add 1")
        let cats = CategoryID(rawValue: "cats")
        _ = try store.packs.setReadiness(
            [.whatsapp: Readiness(packs: [], findings: [fault])], generation: 1, mark: "", of: cats)

        let item = try #require(try report().items.first)

        #expect(item.kind == .pack && item.category == cats && item.platform == .whatsapp)
        #expect(
            item.message
                == "cats is not ready for whatsapp: cats: there are too few (found 2, allowed 3)")
        #expect(item.remedy == "stickerctl lint cats --for whatsapp")
    }

    @Test func onlySomeRefusedFilesAreListedAndAllAreCounted() throws {
        for number in 0..<103 { try refuse("\(number).png") }

        let report = try report()

        #expect(report.items.count == AttentionReport.refusedMax && report.refused == 103)
    }

    @Test func pausesDropsAndHoldsAreTold() throws {
        for number in 0..<12 {
            _ = try store.queue.accept([sighting("\(number).png")])
            let job = try #require(
                try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
            let content = ContentHash(of: Array("\(number)".utf8))
            let file = StickerFile(
                role: .sticker, format: .webp, size: .sticker, bytes: 1, sha256: content)
            let product = StickerProduct(
                recipe: "r", animated: false, encoding: Encoding(mode: .lossless), files: [file])
            let made = FinishedJob(
                job: job, outcome: .made(product, content: content), log: StepLog())
            _ = try store.queue.turn(finished: [made], claiming: .any(0))
        }
        _ = try store.queue.accept([], gone: (0..<12).map { sighting("\($0).png").key })
        _ = try store.catalog.expireMissing()
        _ = try store.operations.setPaused(true, category: CategoryID(rawValue: "cats"))
        _ = try store.operations.setPaused(true)
        var live = LiveFigures(version: "1", startedAt: 0)
        live.paused = "1 MB free"
        live.awayDrops = ["/drop"]

        let items = try report(live).items

        #expect(items.map(\.kind) == [.paused, .away, .held, .paused, .paused])
        #expect(items[1].message == "drop /drop looks unmounted; its 12 stickers stay")
        #expect(items[2].message == "cats: 12 of 12 files vanished at once")
        #expect(items[2].remedy == "bring the files back, or: stickerctl confirm-delete cats")
        #expect(items.map(\.remedy).suffix(2) == ["stickerctl resume", "stickerctl resume cats"])
    }

    @Test(.needsSchemaValidator) func reportFollowsItsSchema() throws {
        try refuse("wave.png")
        var live = LiveFigures(version: "1", startedAt: 0)
        live.awayDrops = ["/drop"]
        live.unknownLanguages = ["smart.locale: there is no locale \"xx\""]
        let file = try folder.write(
            Array(JSONEncoder().encode(report(live))), to: "attention.json")

        #expect(try JSONSchema.attention.complaints(about: [file]) == "")
    }
}

struct SlowTemplateTests {
    @Test func sentenceHasCostRestAndLimit() {
        let template = SlowTemplate(
            category: CategoryID(rawValue: "cats"), file: "cats/clock.smart.svg", drop: "/drop",
            milliseconds: 50_240,
            restMilliseconds: 5_024_000)

        #expect(
            template.sentence
                == "drawing it takes 50.2 s of CPU time, so that it is drawn every 84 min at most "
                + "(limit: one percent of a core)")
        let fast = SlowTemplate(
            category: template.category, file: template.file, drop: "/drop", milliseconds: 700,
            restMilliseconds: 70_000)
        #expect(
            fast.sentence.contains("takes 0.7 s of CPU time, so that it is drawn every 70 s at"))
    }
}
