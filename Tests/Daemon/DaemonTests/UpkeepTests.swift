import Foundation
import Glibc
import StickerConfiguration
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerDaemon
@testable import StickerStore

/// Recurring tasks. When each chore is due is the business of `ChoreTests`.
struct UpkeepTests {
    @Test func verbOfAnOperatorIsNoticed() async throws {
        let stage = try UpkeepStage()
        stage.workshop.maker.fail(.refused(Refusal(.corrupt, "it is damaged", remedy: "none")))
        try stage.workshop.drop("cats/a.png", "a cat")
        try stage.workshop.work()
        stage.workshop.maker.make { .quoting($0, $1) }
        stage.start()
        #expect(try await stage.round())
        let tool = try LibraryStore(
            path: stage.workshop.folder.path("state/\(LibraryStore.fileName)"), access: .tool)

        var filter = JobFilter()
        filter.needingAttention = true
        let summary = try tool.operations.retry(filter)

        #expect(summary.requeued.count == 1)
        #expect(try await stage.status { $0.stickers == 2 && $0.needAttention == 0 })
    }

    /// Nobody asks for that: it is what the first look after the start scan is for.
    @Test func settingsThatChangedBeforeTheStartAreAppliedAfterTheScan() async throws {
        let stage = try UpkeepStage()
        let recipe = stage.workshop.change("rounds", quality: 30)
        stage.start()

        stage.progress.startScanFinished()

        let key = stage.workshop.key("rounds/a.png")
        #expect(
            try await waitUntil {
                try stage.workshop.store.catalog.liveProduct(of: key)?.product.recipe
                    == recipe.still.whole
            })
    }

    // MARK: Graces

    @Test func stickerOfAMissingFileGoesAfterTheStartScanAndNotBefore() async throws {
        let stage = try UpkeepStage { $0.publish.deleteGraceSeconds = 0 }
        try stage.workshop.drop("cats/a.png", "a cat")
        try stage.workshop.work()
        _ = try stage.workshop.store.queue.accept([], gone: [stage.workshop.key("cats/a.png")])

        stage.start()
        #expect(try await stage.round())
        let before = try stage.workshop.store.operations.status()
        stage.progress.startScanFinished()

        #expect(before.stickers == 2 && before.missing == 1)
        #expect(try await stage.status { $0.stickers == 1 && $0.missing == 0 })
        #expect(await stage.log.has("sticker removed, its file is gone"))
    }

    @Test func stickerOfAMissingFileStaysForItsGrace() async throws {
        let stage = try UpkeepStage { $0.publish.deleteGraceSeconds = 3600 }
        try stage.workshop.drop("cats/a.png", "a cat")
        try stage.workshop.work()
        _ = try stage.workshop.store.queue.accept([], gone: [stage.workshop.key("cats/a.png")])
        stage.progress.startScanFinished()

        stage.start()

        #expect(try await stage.round())
        let status = try stage.workshop.store.operations.status()
        #expect(status.stickers == 2 && status.missing == 1)
    }

    // MARK: Space

    @Test func belowTheReserveNoJobStartsUntilThereIsRoomAgain() async throws {
        let stage = try UpkeepStage { $0.publish.freeSpaceReserveBytes = 1 << 60 }
        let before = stage.workshop.maker.sources
        stage.start()
        #expect(await stage.log.has("paused, goes on by itself"))
        let answered = WaitableValue(false)

        try stage.workshop.drop("cats/a.png", "a cat")
        stage.pool.wake()
        stage.pool.ping { answered.update { $0 = true } }
        #expect(await answered.wait { $0 } != nil)
        #expect(stage.workshop.maker.sources == before)
        #expect(try stage.workshop.store.operations.status().waiting == 1)
        stage.workshop.change { $0.publish.freeSpaceReserveBytes = 0 }

        #expect(try await stage.status { $0.stickers == 2 })
        #expect(await stage.log.has("resumed"))
        #expect(!stage.ending.isDecided)
    }

    @Test func drainBelowTheReserveGivesUp() async throws {
        let stage = try UpkeepStage { $0.publish.freeSpaceReserveBytes = 1 << 60 }

        stage.start(isDraining: true)

        #expect(await waitUntil { stage.ending.isDecided })
        if case .stuck = stage.ending.wait() {} else { Issue.record("it ended otherwise") }
    }

    @Test func drainGivesUpWhatCannotBeQueued() async throws {
        let stage = try UpkeepStage()
        _ = try stage.workshop.store.write {
            try $0.run(
                "CREATE TRIGGER full BEFORE INSERT ON job BEGIN SELECT RAISE(ABORT, 'full'); END")
        }
        stage.workshop.change("rounds", quality: 50)
        stage.redo.demand()

        stage.start(isDraining: true)

        #expect(await waitUntil { stage.ending.isDecided })
        #expect(stage.ending.wait() == .stuck)
    }

    // MARK: Files

    @Test func unreadableFileIsMadeOnceItCanBeRead() async throws {
        let stage = try UpkeepStage()
        for name in ["a", "b"] {
            try stage.workshop.drop("cats/\(name).png", name)
            try stage.workshop.book(
                FinishedJob(
                    job: try stage.workshop.claim(),
                    outcome: .refused(.unreadable(EACCES), content: nil), log: StepLog()))
        }
        try FileManager.default.removeItem(atPath: stage.workshop.folder.path("drop/cats/b.png"))

        stage.start()

        #expect(await stage.log.has("files can be read now"))
        #expect(try await stage.status { $0.stickers == 2 && $0.needAttention == 1 })
    }

    @Test func removedPicturesAreMissedAndMadeAgain() async throws {
        let stage = try UpkeepStage()
        stage.start()
        #expect(try await stage.round())
        let live = try stage.workshop.store.catalog.liveProduct(
            of: stage.workshop.key("rounds/a.png"))
        let path = try #require(live?.product.files.first?.path)

        // Renamed, as a removal fails while the daemon puts files into the folder.
        try FileManager.default.moveItem(
            atPath: stage.workshop.folder.path("out/_"), toPath: stage.workshop.folder.path("lost"))

        #expect(await stage.log.has("published files are missing from out"))
        #expect(try await waitUntil { try stage.workshop.published.contains(path) })
    }

    @Test func outThatIsAwayPausesEverythingUntilItIsBack() async throws {
        let stage = try UpkeepStage()
        stage.start()
        #expect(try await stage.round())
        let published = try stage.workshop.published
        let (out, elsewhere) = (
            stage.workshop.folder.path("out"), stage.workshop.folder.path("elsewhere")
        )

        try FileManager.default.moveItem(atPath: out, toPath: elsewhere)
        try stage.workshop.drop("rounds/b.png", "comes meanwhile")

        #expect(await stage.log.has("\(out) is away: put it back"))
        #expect(!FileManager.default.fileExists(atPath: out))
        try FileManager.default.moveItem(atPath: elsewhere, toPath: out)
        #expect(await stage.log.has("resumed"))
        #expect(try await stage.status { $0.stickers == 2 })
        #expect(stage.log.holding("published files are missing").isEmpty)
        #expect(Set(try stage.workshop.published).isSuperset(of: published))
    }

    @Test func emptyFolderInPlaceOfOutIsFilledAgain() async throws {
        let stage = try UpkeepStage()
        stage.start()
        #expect(try await stage.round())
        let live = try stage.workshop.store.catalog.liveProduct(
            of: stage.workshop.key("rounds/a.png"))
        let path = try #require(live?.product.files.first?.path)
        let out = stage.workshop.folder.path("out")
        try FileManager.default.moveItem(
            atPath: out, toPath: stage.workshop.folder.path("elsewhere"))
        #expect(await stage.log.has("is away"))

        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: false)

        #expect(await stage.log.has("published files are missing from out"))
        #expect(try await waitUntil { try stage.workshop.published.contains(path) })
    }

    @Test func whatNobodyKnowsIsRemovedAfterADay() async throws {
        let stage = try UpkeepStage()
        let name = String(repeating: "ab", count: 32)
        let (old, fresh) = ("out/_/ab/\(name).webp", "out/_/cd/cd\(name.dropFirst(2)).webp")
        for path in [old, fresh] { try stage.workshop.folder.write([1], to: path) }
        let dayBefore = Date(timeIntervalSinceNow: -86_500)
        try FileManager.default.setAttributes(
            [.modificationDate: dayBefore], ofItemAtPath: stage.workshop.folder.path(old))

        stage.start()
        #expect(try await stage.round())
        let before = Set(try stage.workshop.published.map { "out/\($0)" })
        stage.progress.startScanFinished()

        #expect(await stage.log.has("cleaned up"))
        let after = Set(try stage.workshop.published.map { "out/\($0)" })
        #expect(before.isSuperset(of: [old, fresh]), "nothing is removed during the scan")
        #expect(after == before.subtracting([old]))
    }

    @Test(arguments: [false, true])
    func endedJobsAreForgottenAndRefusedOnesStay(inADrain isDraining: Bool) async throws {
        let stage = try UpkeepStage { $0.queue.historyDays = 0 }
        stage.workshop.maker.fail(.refused(Refusal(.corrupt, "it is damaged", remedy: "none")))
        try stage.workshop.drop("cats/a.png", "a cat")
        let refused = try stage.workshop.work()
        #expect(try stage.workshop.store.operations.jobs(JobFilter()).count == 2)

        stage.start(isDraining: isDraining)
        if !isDraining { stage.progress.startScanFinished() }

        #expect(await stage.log.has("cleaned up"))
        #expect(try stage.workshop.store.operations.jobs(JobFilter()).map(\.id) == [refused.job.id])
    }

    @Test func logOfAnUpgradeIsWrittenBackAfterTheStartScanAndNotBefore() async throws {
        let stage = try UpkeepStage()
        let store = stage.workshop.store
        // As an upgrade leaves it.
        let _: Int? = try store.write { try $0.value("PRAGMA wal_autocheckpoint = 0") }
        @Sendable func limit() throws -> Int? {
            try store.write { try $0.value("PRAGMA wal_autocheckpoint") }
        }

        stage.start()
        #expect(try await stage.round())
        let before = try limit()
        stage.progress.startScanFinished()

        #expect(before == 0)
        #expect(try await waitUntil { try limit() == 1000 })
    }

    // MARK: Trouble

    @Test func choreThatFailsIsToldAndRepeatedAndHoldsUpNoOther() async throws {
        let stage = try UpkeepStage { $0.publish.deleteGraceSeconds = 0 }
        try stage.workshop.drop("cats/a.png", "a cat")
        try stage.workshop.work()
        _ = try stage.workshop.store.queue.accept([], gone: [stage.workshop.key("cats/a.png")])
        _ = try stage.workshop.store.write {
            try $0.run(
                """
                CREATE TRIGGER full BEFORE UPDATE OF missing_since ON source
                WHEN NEW.missing_since IS NULL BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
                """)
        }
        stage.progress.startScanFinished()

        stage.start()
        #expect(await stage.log.has("something failed and is retried"))
        #expect(try await stage.round())
        _ = try stage.workshop.store.write { try $0.run("DROP TRIGGER full") }

        #expect(try await stage.status { $0.missing == 0 })
        #expect(await stage.log.has("the failed part works again"))
        let told = stage.log.holding("something failed")
        #expect(told.count == 1 && told.first?.contains("the disk is full") == true)
    }

    @Test func databaseThatIsRemovedIsTold() async throws {
        let stage = try UpkeepStage()
        let damage = WaitableValue<String?>(nil)
        stage.workshop.store.onDamage { error in damage.update { $0 = "\(error)" } }
        stage.start()

        try FileManager.default.removeItem(
            atPath: stage.workshop.folder.path("state/\(LibraryStore.fileName)"))

        let told = await damage.wait { $0 != nil }
        #expect(told??.contains("was removed or replaced while stickerd runs") == true)
    }
}
