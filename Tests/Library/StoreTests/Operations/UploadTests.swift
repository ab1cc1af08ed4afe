import StickerValues
import Testing

@testable import StickerStore

/// Reports to users about their uploads.
struct UploadTests {
    private let library: Library
    private var store: LibraryStore { library.store }

    init() throws { library = try Library() }

    @Test func endsOfJobsAreToldOnce() throws {
        let good = try library.make("ada/a.png", 1)
        try library.accept(sighting("ada/b.png", 2))
        let bad = try #require(try library.claim().first)
        let refusal = Refusal(.corrupt, "it is broken", remedy: "send another")
        library.time.advance(.seconds(1))
        try library.finish(bad, .refused(refusal, content: hash(2)), detail: "refused")

        let all = try store.operations.endedFiles(since: 0, after: nil, limit: 10)
        #expect(all.files.map(\.file) == ["ada/a.png", "ada/b.png"])
        #expect(all.files.map(\.status.state) == [.ready, .refused])
        #expect(all.files[0].status.files.first?.sha256 == product(1).files[0].sha256)
        #expect(all.files[1].status.refusal == refusal.forUsers)

        let one = try store.operations.endedFiles(since: 0, after: nil, limit: 1)
        let last = try #require(one.last)
        #expect(last.id == good.id)
        let rest = try store.operations.endedFiles(
            since: try #require(last.finishedAt), after: last.id, limit: 10)
        #expect(rest.files.map(\.file) == ["ada/b.png"])
        let files = try store.operations.files(in: "ada", ofDrop: "/drop")
        #expect(files.keys.sorted() == ["a.png", "b.png"])
        #expect(files["b.png"] == UploadStatus(refused: refusal))
        #expect(try store.operations.files(in: "bob", ofDrop: "/drop").isEmpty)
        let end = try #require(rest.last?.finishedAt)
        #expect(
            try store.operations.endedFiles(since: end, after: rest.last?.id, limit: 10).last == nil
        )
    }

    /// Jobs are kept for a while, and operators dismiss them; an upload stays what it is.
    @Test func whatAFileIsOutlivesItsJobs() throws {
        _ = try library.make("ada/a.png", 1)
        try library.accept(sighting("ada/b.png", 2), sighting("ada/c.png", 3))
        let bad = try #require(try library.claim().first)
        let refusal = Refusal(.corrupt, "it is broken", remedy: "send another")
        try library.finish(bad, .refused(refusal, content: hash(2)), detail: "refused")
        var filter = JobFilter()
        filter.needingAttention = true
        #expect(try store.operations.dismiss(filter).dismissed.count == 1)
        func states() throws -> [String: UploadStatus.State?] {
            try store.operations.files(in: "ada", ofDrop: "/drop").mapValues { $0?.state }
        }
        let name = bad.source.display.hasSuffix("b.png") ? "b.png" : "c.png"
        let other = name == "b.png" ? "c.png" : "b.png"

        #expect(try states() == ["a.png": .ready, name: .refused, other: nil])
        #expect(
            try store.operations.files(in: "ada", ofDrop: "/drop")[name]
                == UploadStatus(refused: refusal))

        library.time.advance(.seconds(20 * 86400))
        _ = try store.catalog.prune()
        // The one that waits, and the one that was dismissed as long as its file is there.
        #expect(try store.operations.jobs().count == 2)
        #expect(try states() == ["a.png": .ready, name: .refused, other: nil])
    }

    @Test func progressIsRemembered() throws {
        #expect(try store.operations.uploadsNotedUntil() == nil)
        try store.operations.noteUploads(until: store.now)
        try library.reopen()
        #expect(try store.operations.uploadsNotedUntil() == store.now)
    }
}
