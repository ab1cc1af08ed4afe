import StickerModel
import Testing

@testable import StickerStore

/// What those are told who uploaded something.
struct UploadTests {
    private let library: Library
    private var store: JobStore { library.store }

    init() throws { library = try Library() }

    @Test func endsOfJobsAreToldOnce() throws {
        let good = try library.make("ada/a.png", 1)
        try library.accept(sighting("ada/b.png", 2))
        let bad = try #require(try library.claim().first)
        let refusal = Refusal(.corrupt, "it is broken", remedy: "send another")
        library.time.advance(.seconds(1))
        try library.finish(bad, .refused(refusal, content: hash(2)), detail: "refused")

        let all = try store.endedFiles(since: 0, after: nil, limit: 10)
        #expect(all.files.map(\.file) == ["ada/a.png", "ada/b.png"])
        #expect(all.files.map(\.status.state) == [.ready, .refused])
        #expect(all.files[0].status.files.first?.sha256 == product(1).files[0].sha256)
        #expect(all.files[1].status.refusal == refusal)

        let one = try store.endedFiles(since: 0, after: nil, limit: 1)
        let last = try #require(one.last)
        #expect(last.id == good.id)
        let rest = try store.endedFiles(
            since: try #require(last.finishedAt), after: last.id, limit: 10)
        #expect(rest.files.map(\.file) == ["ada/b.png"])
        #expect(try store.endedFile("ada/b.png") == rest.files.first)
        #expect(try store.endedFile("ada/c.png") == nil)
        let end = try #require(rest.last?.finishedAt)
        #expect(try store.endedFiles(since: end, after: rest.last?.id, limit: 10).last == nil)
    }

    @Test func progressIsRemembered() throws {
        #expect(try store.uploadsNotedUntil() == nil)
        try store.noteUploads(until: store.now)
        try library.reopen()
        #expect(try store.uploadsNotedUntil() == store.now)
    }
}
