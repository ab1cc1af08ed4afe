import GRDB
import StickerValues
import Testing

@testable import StickerStore

/// Stickers that leave although their file is there, because what they show is not known.
struct WithdrawalTests {
    private let library: Library
    private let file = key("cats/sky.smart.svg")

    init() throws { library = try Library() }

    private func claimed() throws -> ClaimedJob {
        library.time.advance(.seconds(1))
        return try #require(try library.claim().first)
    }

    /// Makes the sticker, or withdraws it.
    private func end(_ job: ClaimedJob, known: Bool, content: Int = 1) throws {
        guard known else {
            try library.finish(job, .withdrawn(.unknownWeather))
            return
        }
        try library.finish(
            job, .made(product(11), content: hash(content)),
            drawing: TemplateDrawing(content: hash(11), next: nil))
    }

    private func renew(_ settings: String) throws -> ClaimedJob {
        try library.store.queue.renewTemplates(ifChanged: settings)
        #expect(try library.store.queue.renewTemplates() == 1)
        return try claimed()
    }

    @Test func forceTriesItAgain() throws {
        try library.accept(sighting("cats/sky.smart.svg"))
        let job = try claimed()
        try end(job, known: false)
        var filter = JobFilter()
        filter.ids = [job.id]

        let gently = try library.store.operations.retry(filter)
        let forced = try library.store.operations.retry(filter, isForced: true)

        #expect(gently.requeued.isEmpty && gently.skipped.count == 1)
        #expect(forced.requeued.map(\.id) == [job.id])
        try end(try claimed(), known: true)
        #expect(try entries() == ["sky"])
    }

    private func entries() throws -> [String] {
        try library.store.read { transaction in
            try transaction.rows("SELECT id FROM sticker WHERE entry IS NOT NULL").map { $0[0] }
        }
    }

    private func removed() throws -> [String] {
        try library.store.read { transaction in
            try transaction.rows("SELECT sticker FROM removal WHERE is_back = 0").map { $0[0] }
        }
    }

    @Test func stickerLeavesAndComesBackUnderItsID() throws {
        try library.accept(sighting("cats/sky.smart.svg"))
        try end(try claimed(), known: true)
        #expect(try entries() == ["sky"])

        try end(try renew("unknown"), known: false)
        #expect(try entries() == [] && removed() == ["sky"])
        #expect(try library.store.operations.trash().isEmpty)

        try end(try renew("rain"), known: true)
        #expect(try entries() == ["sky"] && removed() == [])
    }

    /// A template with the weather but no time has an instant nevertheless, or it would never be drawn again.
    @Test func changedSettingsReachWhatTimeDoesNotChange() throws {
        try library.accept(sighting("cats/sky.smart.svg"))
        try end(try claimed(), known: true)
        #expect(try library.store.queue.renewTemplates() == 0)
        library.time.advance(.seconds(86_399))
        #expect(try library.store.queue.renewTemplates() == 0)

        try end(try renew("snow"), known: true)
    }

    /// Another drawing in the same file is the same sticker.
    @Test func writtenToMeanwhileItKeepsItsID() throws {
        try library.accept(sighting("cats/sky.smart.svg"))
        try end(try claimed(), known: true)
        try end(try renew("unknown"), known: false)

        try library.accept(sighting("cats/sky.smart.svg", 2))
        library.time.advance(.seconds(5))
        try end(try claimed(), known: true, content: 2)

        #expect(try entries() == ["sky"])
    }

    @Test func renamedAndWrittenToMeanwhileItKeepsItsID() throws {
        try library.accept(sighting("cats/sky.smart.svg", inode: 7))
        try end(try claimed(), known: true)
        try end(try renew("unknown"), known: false)

        try library.accept(sighting("cats/air.smart.svg", inode: 7), gone: [file])
        library.time.advance(.seconds(5))
        for job in try library.claim(9) { try end(job, known: false) }
        try library.accept(sighting("cats/air.smart.svg", 2, inode: 7))
        library.time.advance(.seconds(5))
        try end(try claimed(), known: true, content: 2)

        #expect(try entries() == ["sky"])
    }

    /// A copy of the file is another sticker, whether the first one is published or not.
    @Test func copyGetsAnIDOfItsOwn() throws {
        try library.accept(sighting("cats/sky.smart.svg"))
        try end(try claimed(), known: true)
        try end(try renew("unknown"), known: false)

        try library.accept(sighting("cats/sky 2.smart.svg"))
        try end(try claimed(), known: true)

        #expect(try entries() == ["sky_2"])
    }

    @Test func rescanAddsNoJob() throws {
        try library.accept(sighting("cats/sky.smart.svg"))
        try end(try claimed(), known: false)

        try library.accept(sighting("cats/sky.smart.svg", 1, .scan))

        library.time.advance(.seconds(100))
        #expect(try library.claim().isEmpty)
        #expect(try library.store.queue.withdrawnTemplates() == 1)
    }

    @Test func fileThatIsGoneIsNotWaitedFor() throws {
        try library.accept(sighting("cats/sky.smart.svg"))
        try end(try claimed(), known: false)

        try library.accept(gone: [file])

        #expect(try library.store.queue.withdrawnTemplates() == 0)
    }
}
