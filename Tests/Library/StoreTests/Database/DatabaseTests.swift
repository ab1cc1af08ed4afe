import Foundation
import StickerStore
import StickerTestSupport
import StickerValues
import Testing

/// A database that is damaged, removed, or used by two processes at once.
struct DatabaseTests {
    @Test func damagedDatabaseIsLeftAsItIsAndTheWayOutIsNamed() throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "this is not a database ", count: 300)
        try folder.write(text, to: "jobs.sqlite")

        let error = #expect(throws: StoreError.self) {
            try LibraryStore(path: folder.file("jobs.sqlite"))
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

        let error = #expect(throws: StoreError.self) { try LibraryStore(path: path) }

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

        #expect(throws: StoreError.self) { try library.store.operations.jobs() }

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
            try LibraryStore(path: folder.file("jobs.sqlite"), access: .tool)
        }
        #expect(try folder.files().isEmpty)
    }

    @Test func readerSeesWhatTheDaemonWroteAndCannotWrite() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.psd"))
        let reader = try LibraryStore(path: library.folder.file("jobs.sqlite"), access: .reader)

        let error = #expect(throws: StoreError.self) {
            try reader.operations.setLiveFigures(LiveFigures(version: "1", startedAt: 0))
        }

        #expect(try reader.operations.jobs().count == 1)
        #expect(error?.kind == .passing)
    }

    @Test func daemonNoticesWhatAToolChanged() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))
        let job = try #require(try library.claim().first)
        try library.finish(job, .refused(Refusal(.corrupt, "broken", remedy: "-"), content: nil))
        let tool = try LibraryStore(
            path: library.folder.file("jobs.sqlite"), access: .tool, clock: library.time.clock)
        let before = try library.store.dataVersion()

        try library.accept(sighting("cats/b.png", 1, .scan))
        let afterOwn = try library.store.dataVersion()
        var filter = JobFilter()
        filter.needingAttention = true
        let summary = try tool.operations.retry(filter)

        #expect(before == afterOwn)
        #expect(summary.requeued.map(\.id) == [job.id])
        #expect(try library.store.dataVersion() != before)
        #expect(try library.claim().map(\.id) == [job.id])
    }
}
