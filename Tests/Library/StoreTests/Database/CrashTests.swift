import Foundation
import Glibc
import StickerConfiguration
import StickerStore
import StickerValues
import Testing

struct CrashTests {
    /// Everything a library goes through once.
    private func live(_ library: Library) throws {
        for number in 0..<6 { try library.make("cats/\(number) s.png", number) }
        try library.accept(sighting("cats/bad.psd"), sighting("dogs/scan.png", 1, .scan))
        try library.accept(sighting("cats/2 s.png", 22))
        library.time.advance(.seconds(1))
        let jobs = try library.claim(2)
        try library.accept(sighting("cats/2 s.png", 23), gone: [key("cats/3 s.png")])
        for job in jobs { try library.finish(job, .made(product(30), content: hash(30))) }
        library.time.advance(.seconds(60))
        _ = try library.store.catalog.expireMissing()
    }

    private func expectSound(_ store: LibraryStore) throws {
        let status = try store.operations.status()
        let jobs = try store.operations.jobs()
        #expect(Dictionary(grouping: jobs, by: \.state.rawValue).mapValues(\.count) == status.jobs)
        #expect(jobs.filter(\.needsAttention).count == status.needAttention)
        let ids = Dictionary(grouping: jobs, by: \.file).compactMapValues { jobs in
            Set(jobs.compactMap(\.sticker)).count
        }
        #expect(ids.values.allSatisfy { $0 <= 1 })
    }

    /// A power cut leaves a part of the log of the database; whatever part, the database is sound and work
    /// goes on.
    @Test func booksAreSoundAfterACutAtAnyMoment() throws {
        let library = try Library()
        try live(library)
        let database = try library.folder.contents("jobs.sqlite")
        let log = try library.folder.contents("jobs.sqlite-wal")

        var jobsSeen: Set<Int> = []
        for length in stride(from: 0, through: log.count, by: 4096 * 5 + 24) {
            let folder = try TemporaryFolder()
            let path = folder.file("jobs.sqlite")
            try Data(database).write(to: URL(fileURLWithPath: path))
            try Data(log.prefix(length)).write(to: URL(fileURLWithPath: path + "-wal"))

            let store = try LibraryStore(path: path, clock: library.time.clock)
            _ = try store.queue.recover()

            try expectSound(store)
            #expect(try store.operations.status().working == 0)
            jobsSeen.insert(try store.operations.jobs().count)
            #expect(try store.queue.accept([sighting("cats/after.png")]).accepted == 1)
        }
        #expect(jobsSeen.count > 5)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can mount a small file system"))
    func fullDiskLosesNothingThatWasNotedAndNotesAllOrNothing() throws {
        let folder = try TemporaryFolder()
        let options = Array("size=1500k".utf8CString)
        guard mount("none", folder.path, "tmpfs", 0, options) == 0 else { return }
        defer { umount2(folder.path, 2) }
        let store = try LibraryStore(path: folder.file("jobs.sqlite"))
        let filler = folder.file("filler")
        try Data(count: 300_000).write(to: URL(fileURLWithPath: filler))

        var noted = 0
        var failure: StoreError?
        while failure == nil {
            let batch = (0..<50).map { sighting("cats/\(noted + $0).png") }
            do { noted += try store.queue.accept(batch).accepted } catch { failure = error }
        }

        #expect(failure?.kind == .passing && noted > 0)
        #expect(try store.operations.jobs().count == noted)
        unlink(filler)
        #expect(try store.queue.accept([sighting("cats/later.png")]).accepted == 1)
        try expectSound(store)
    }

    @Test func twoProcessesAtOnceLoseNothing() async throws {
        let library = try Library()
        let path = library.folder.file("jobs.sqlite")
        let clock = library.time.clock
        let tool = Task.detached {
            let store = try LibraryStore(path: path, access: .tool, clock: clock)
            var filter = JobFilter()
            filter.needingAttention = true
            for _ in 0..<40 { _ = try store.operations.retry(filter) }
        }

        for number in 0..<40 {
            try library.accept(sighting("cats/\(number).png"))
            for job in try library.claim(1) {
                try library.finish(
                    job, .refused(Refusal(.corrupt, "broken", remedy: "-"), content: nil))
            }
        }
        try await tool.value

        #expect(try library.store.operations.jobs().count == 40)
        try expectSound(library.store)
    }
}
