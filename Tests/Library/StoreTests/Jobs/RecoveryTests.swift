import StickerStore
import StickerSystem
import StickerValues
import Testing

struct RecoveryTests {
    @Test func executingJobIsRescuedAndTheAttemptDoesNotCount() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))
        let before = try #require(try library.claim().first)

        try library.reopen()
        let recovery = try library.store.queue.recover()

        #expect(recovery.rescued == 1)
        let after = try #require(try library.claim().first)
        #expect(after == before)
    }

    @Test func deathFromOutsideCostsNothing() throws {
        let library = try Library()
        try library.accept(sighting("cats/long.png"), sighting("cats/other.png"))
        for _ in 1...10 {
            _ = try library.claim(1)
            try library.reopen()
            _ = try library.store.queue.recover()
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

        _ = try library.store.queue.recover()

        #expect(try library.claim(5).map(\.version.mtime) == [2])
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
        let recovery = try library.store.queue.recover()

        #expect(recovery.waiting == 2)
        #expect(try library.claim(5).map(\.id) == [failing.id])
        library.time.advance(.seconds(1))
        #expect(try library.claim(5).map(\.source) == [key("cats/settling.png")])
        #expect(try library.store.catalog.expireMissing().nextMilliseconds == 59_000)
    }

    @Test func graceGoesOnWhileTheDaemonIsDown() throws {
        let library = try Library()
        try library.make("cats/missing.png")
        try library.accept(gone: [key("cats/missing.png")])

        library.time.advance(.seconds(40))
        try library.reopen()
        _ = try library.store.queue.recover()

        #expect(try library.store.catalog.expireMissing().nextMilliseconds == 20_000)
    }

    @Test func jobThatWasReadAtACrashRunsLastAndAlone() throws {
        let library = try Library()
        try library.accept(sighting("cats/killer.png"))
        let killer = try #require(try library.claim().first)
        _ = try library.store.queue.recover(
            after: .job(killer.id.rawValue))
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
}
