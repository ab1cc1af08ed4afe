import Foundation
import StickerModel
import StickerStore
import StickerTestSupport
import Testing

struct RecoveryTests {
    @Test func executingJobIsRescuedAndTheAttemptDoesNotCount() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))
        let before = try #require(try library.claim().first)

        try library.reopen()
        let recovery = try library.store.recover()

        #expect(recovery.rescued == 1)
        let after = try #require(try library.claim().first)
        #expect(after == before)
    }

    @Test func stopThatWasNotedBlamesNoJob() throws {
        let library = try Library()
        try library.accept(sighting("cats/long.png"), sighting("cats/other.png"))
        for _ in 1...3 {
            _ = try library.claim(1)
            try library.store.noteStop()
            try library.reopen()
            _ = try library.store.recover()
        }

        // It did not become one that runs last and alone.
        #expect(
            try library.claim(5).map(\.source.name)
                == [key("long.png"), key("other.png")].map(\.name))
    }

    @Test func outdatedExecutingJobIsNotDoneAgain() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png", 1))
        _ = try library.claim()
        try library.accept(sighting("cats/a.png", 2))

        _ = try library.store.recover()

        #expect(try library.claim(5).map(\.generation.mtime) == [2])
    }

    @Test func waitsGoOnAfterTheMachineRestarted() throws {
        let library = try Library()
        try library.accept(sighting("cats/settling.png", 1, .scan))
        try library.accept(sighting("cats/failing.png"))
        let failing = try #require(try library.claim().first)
        try library.finish(failing, .failed("input/output error"))
        try library.make("cats/missing.png")
        try library.accept(gone: [key("cats/missing.png")])

        library.time.restartBoot()
        try library.reopen()
        let recovery = try library.store.recover()

        #expect(recovery.waiting == 2)
        #expect(try library.claim(5).map(\.id) == [failing.id])
        library.time.advance(.seconds(1))
        #expect(try library.claim(5).map(\.source) == [key("cats/settling.png")])
        #expect(try library.store.expireMissing().nextMilliseconds == 59_000)
    }

    @Test func graceGoesOnWhileTheDaemonIsDown() throws {
        let library = try Library()
        try library.make("cats/missing.png")
        try library.accept(gone: [key("cats/missing.png")])

        library.time.advance(.seconds(40))
        try library.reopen()
        _ = try library.store.recover()

        #expect(try library.store.expireMissing().nextMilliseconds == 20_000)
    }

    @Test func jobThatTheDaemonDiedWithTwiceRunsLastAndAlone() throws {
        let library = try Library()
        try library.accept(sighting("cats/killer.png"))
        for _ in 0..<2 {
            #expect(try library.claim().count == 1)
            _ = try library.store.recover()
        }
        try library.accept(sighting("cats/b.png"), sighting("cats/c.png"))

        let first = try library.claim(5)
        let none = try library.claim(5)
        for job in first { try library.finish(job, .released("stop")) }
        for job in try library.claim(2) {
            try library.finish(job, .made(product(1), content: hash(1)))
        }
        let alone = try library.claim(5)
        try library.accept(sighting("cats/d.png"))

        #expect(first.map(\.source.name) == ["b.png", "c.png"].map { Array($0.utf8) })
        #expect(none.isEmpty)
        #expect(alone.map(\.source.name) == [Array("killer.png".utf8)])
        #expect(try library.claim(5).isEmpty)
    }

    @Test func orderlyStopBlamesNoJob() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))
        for _ in 0..<3 {
            #expect(try library.claim().count == 1)
            _ = try library.store.recover(wasKilled: false)
        }
        try library.accept(sighting("cats/b.png"))

        #expect(try library.claim(5).count == 2)
    }

    @Test func damagedDatabaseIsLeftAsItIsAndTheWayOutIsNamed() throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "this is not a database ", count: 300)
        try folder.write(text, to: "jobs.sqlite")

        let error = #expect(throws: StoreError.self) {
            try JobStore(path: folder.file("jobs.sqlite"))
        }

        #expect(error?.kind == .damaged)
        #expect(error?.detail.contains("stickerctl rebuild") == true)
        #expect(try folder.contents("jobs.sqlite") == Array(text.utf8))
    }

    @Test func damagedPagesAreFoundAtStart() throws {
        let library = try Library()
        for number in 0..<200 { try library.accept(sighting("cats/\(number).png")) }
        try library.store.close()
        let path = library.folder.file("jobs.sqlite")
        var bytes = try library.folder.contents("jobs.sqlite")
        for offset in stride(from: 8192, to: bytes.count, by: 512) { bytes[offset] ^= 0xFF }
        try Data(bytes).write(to: URL(fileURLWithPath: path))

        let error = #expect(throws: StoreError.self) { try JobStore(path: path) }

        #expect(error?.kind == .damaged)
    }

    @Test func damageThatComesLaterIsTold() async throws {
        let library = try Library()
        for number in 0..<200 { try library.accept(sighting("cats/\(number).png")) }
        try library.store.close()
        try library.reopen()
        let told = WaitableValue<[StoreError]>([])
        library.store.onDamage { error in told.update { $0.append(error) } }
        let path = library.folder.file("jobs.sqlite")
        var bytes = try library.folder.contents("jobs.sqlite")
        for offset in stride(from: 8192, to: bytes.count, by: 512) { bytes[offset] ^= 0xFF }
        // In place: the store has the file open.
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: bytes)
        try handle.close()

        #expect(throws: StoreError.self) { try library.store.jobs() }

        #expect(await told.wait { $0.map(\.kind) == [.damaged] } != nil)
    }

    @Test func removedDatabaseIsNoticedWhileItIsOpen() throws {
        let library = try Library()
        let told = WaitableValue<[StoreError]>([])
        library.store.onDamage { error in told.update { $0.append(error) } }
        try library.store.checkPlace()

        try FileManager.default.removeItem(atPath: library.folder.file("jobs.sqlite"))

        #expect(throws: StoreError.self) { try library.store.checkPlace() }
        #expect(told.value.count == 1)
    }

    @Test func toolNeedsAStoreThatExists() throws {
        let folder = try TemporaryFolder()

        #expect(throws: StoreError.self) {
            try JobStore(path: folder.file("jobs.sqlite"), access: .tool)
        }
        #expect(try folder.files().isEmpty)
    }

    @Test func readerSeesWhatTheDaemonWroteAndCannotWrite() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.bmp"))
        let reader = try JobStore(path: library.folder.file("jobs.sqlite"), access: .reader)

        let error = #expect(throws: StoreError.self) {
            try reader.setLiveFigures(LiveFigures(version: "1", startedAt: 0))
        }

        #expect(try reader.jobs().count == 1)
        #expect(error?.kind == .passing)
    }

    @Test func daemonNoticesWhatAToolChanged() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))
        let job = try #require(try library.claim().first)
        try library.finish(job, .refused(Refusal(.corrupt, "broken", remedy: "-"), content: nil))
        let tool = try JobStore(
            path: library.folder.file("jobs.sqlite"), access: .tool, clock: library.time.clock)
        let before = try library.store.dataVersion()

        try library.accept(sighting("cats/b.png", 1, .scan))
        let afterOwn = try library.store.dataVersion()
        var filter = JobFilter()
        filter.needingAttention = true
        let summary = try tool.retry(filter)

        #expect(before == afterOwn)
        #expect(summary.requeued.map(\.id) == [job.id])
        #expect(try library.store.dataVersion() != before)
        #expect(try library.claim().map(\.id) == [job.id])
    }
}
