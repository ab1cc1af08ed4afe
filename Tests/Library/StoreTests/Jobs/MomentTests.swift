import FoundationEssentials
import GRDB
import StickerValues
import Testing

@testable import StickerStore

/// Templates are made again when what they show has changed.
struct MomentTests {
    private let library: Library
    private let minute: Int64 = 60_000
    /// The instant at which the turned clock begins.
    private let start: Int64 = 1_700_000_000_000

    init() throws { library = try Library() }

    /// Books the next job as a drawing of this content.
    @discardableResult
    private func tell(_ content: Int, next: Int64?, line: Int = #line) throws -> ClaimedJob {
        let job = try #require(try library.claim().first, "no job in line \(line)")
        try library.finish(
            job, .made(product(content), content: hash(1)),
            drawing: TemplateDrawing(content: hash(content), next: next))
        return job
    }

    private func clock() throws {
        try library.accept(sighting("cats/clock.smart.svg"))
        library.time.advance(.seconds(1))
        try tell(11, next: start + minute)
    }

    @Test func templateIsQueuedOnceWhenItsTimeHasComeAndNotBefore() throws {
        try clock()

        #expect(try library.store.queue.renewTemplates() == 0)
        library.time.advance(.seconds(58))
        #expect(try library.store.queue.renewTemplates() == 0)
        library.time.advance(.seconds(1))
        #expect(try library.store.queue.renewTemplates() == 1)
        #expect(try library.store.queue.renewTemplates() == 0)
        let job = try tell(12, next: start + 2 * minute)

        #expect(job.origin == .clock && job.source == key("cats/clock.smart.svg"))
        #expect(
            try library.store.catalog.liveProduct(of: key("cats/clock.smart.svg"))?.content
                == hash(12))
    }

    /// Books a drawing by the clock that took so long.
    private func tick(_ content: Int, seconds: Int, line: Int = #line) throws {
        #expect(try library.store.queue.renewTemplates() == 1, "line \(line)")
        let job = try #require(try library.claim().first)
        let next = library.store.now.milliseconds / minute * minute + minute
        try library.finish(
            job, .made(product(content), content: hash(1)),
            drawing: TemplateDrawing(content: hash(content), next: next),
            cpuTime: .seconds(seconds))
    }

    @Test func clockSpendsOnePercentOfACoreOnATemplate() throws {
        try clock()
        library.time.advance(.seconds(60))
        try tick(12, seconds: 50)

        let slow = try #require(try library.store.queue.slowTemplates(max: 9).first)
        #expect(slow.file == "cats/clock.smart.svg" && slow.category.rawValue == "cats")
        #expect(slow.milliseconds == 50_000 && slow.restMilliseconds == 5_000_000)
        library.time.advance(.seconds(4999))
        #expect(try library.store.queue.renewTemplates() == 0)
        // Nor does the weather make it draw more often.
        try library.store.queue.renewTemplates(ifChanged: "rain")
        #expect(try library.store.queue.renewTemplates() == 0)

        library.time.advance(.seconds(1))
        try tick(13, seconds: 0)
        #expect(try library.store.queue.slowTemplates(max: 9).isEmpty)
    }

    @Test func templateThatIsNoneAnyMoreIsNotSlow() throws {
        try clock()
        library.time.advance(.seconds(60))
        try tick(12, seconds: 50)
        try library.accept(sighting("cats/clock.smart.svg", 2))
        library.time.advance(.seconds(1))
        let job = try #require(try library.claim().first)
        try library.finish(job, .refused(.emptyFile, content: hash(2)))

        #expect(try library.store.queue.slowTemplates(max: 9).isEmpty)
    }

    /// Not each minute, with a line in the log each time.
    @Test func templateThatIsRefusedIsTriedAgainOnceADay() throws {
        try clock()
        library.time.advance(.seconds(60))
        _ = try library.store.queue.renewTemplates()
        let drawing = TemplateDrawing(content: hash(12), next: start + 2 * minute)
        for _ in 0..<2 {
            let job = try #require(try library.claim().first)
            let refusal = Refusal(.tooComplex, "it is too complex", remedy: "simplify it")
            try library.finish(
                job, .workerFailed(refusal, content: hash(1)), drawing: drawing,
                cpuTime: .seconds(60))
        }
        library.time.advance(.seconds(86_399))
        #expect(try library.store.queue.renewTemplates() == 0)
        library.time.advance(.seconds(1))
        #expect(try library.store.queue.renewTemplates() == 1)
        #expect(try library.store.queue.slowTemplates(max: 9).isEmpty)
    }

    @Test func templateWithUnknownCharactersIsTriedWheneverItChanges() throws {
        try clock()
        library.time.advance(.seconds(60))
        _ = try library.store.queue.renewTemplates()
        let job = try #require(try library.claim().first)
        let refusal = Refusal(.unknownCharacters, "no font has U+0378", remedy: "add a font")
        try library.finish(
            job, .refused(refusal, content: hash(1)),
            drawing: TemplateDrawing(content: hash(12), next: start + 2 * minute))
        library.time.advance(.seconds(60))

        #expect(try library.store.queue.renewTemplates() == 1)
    }

    /// A template that changes once a day may take its time, and so may one that an artist changes.
    @Test func drawingsThatAreRareAreNotSlow() throws {
        try library.accept(sighting("cats/day.smart.svg"))
        library.time.advance(.seconds(1))
        let job = try #require(try library.claim().first)
        try library.finish(
            job, .made(product(11), content: hash(1)),
            drawing: TemplateDrawing(content: hash(11), next: start + minute),
            cpuTime: .seconds(50))
        #expect(try library.store.queue.slowTemplates(max: 9).isEmpty)
        library.time.advance(.seconds(60))
        #expect(try library.store.queue.renewTemplates() == 1)
        let daily = try #require(try library.claim().first)
        try library.finish(
            daily, .made(product(12), content: hash(1)),
            drawing: TemplateDrawing(content: hash(12), next: start + 1440 * minute),
            cpuTime: .seconds(50))

        #expect(try library.store.queue.slowTemplates(max: 9).isEmpty)
    }

    @Test func missedInstantsAreOneJob() throws {
        try clock()
        library.time.advance(.seconds(3600))

        #expect(try library.store.queue.renewTemplates() == 1)
        #expect(try library.claim(9).count == 1)
    }

    @Test func aJobThatWaitsSeesTheTimeAsItIsThen() throws {
        try clock()
        library.time.advance(.seconds(60))
        _ = try library.store.queue.renewTemplates()
        try library.store.queue.renewTemplates(ifChanged: "de")
        library.time.advance(.seconds(60))

        #expect(try library.store.queue.renewTemplates() == 0)
    }

    /// It may have looked at the weather before that changed.
    @Test func aJobThatWorksIsFollowedByAnother() throws {
        try clock()
        library.time.advance(.seconds(60))
        _ = try library.store.queue.renewTemplates()
        let job = try #require(try library.claim().first)

        try library.store.queue.renewTemplates(ifChanged: "snow")
        #expect(try library.store.queue.renewTemplates() == 0)
        try library.finish(
            job, .made(product(12), content: hash(1)),
            drawing: TemplateDrawing(content: hash(12), next: start + 100 * minute))

        #expect(try library.store.queue.renewTemplates() == 1)
        try tell(13, next: start + 100 * minute)
        #expect(try library.store.queue.renewTemplates() == 0)
    }

    @Test func firstJobOfATemplateIsFollowedByAnotherToo() throws {
        try library.accept(sighting("cats/clock.smart.svg"))
        library.time.advance(.seconds(1))
        let job = try #require(try library.claim().first)

        try library.store.queue.renewTemplates(ifChanged: "rain")
        #expect(try library.store.queue.renewTemplates() == 0)
        try library.finish(job, .withdrawn(.unknownWeather))

        #expect(try library.store.queue.renewTemplates() == 1)
    }

    @Test func historyShowsTheLastAndThoseThatFailed() throws {
        try clock()
        var next = start
        for content in 20..<25 {
            library.time.advance(.seconds(60))
            next = start + Int64(content) * 100 * minute
            try library.store.queue.renewTemplates(ifChanged: "\(content)")
            #expect(try library.store.queue.renewTemplates() == 1)
            if content == 22 {
                let job = try #require(try library.claim().first)
                try library.finish(
                    job, .refused(.emptyFile, content: hash(1)),
                    drawing: TemplateDrawing(content: hash(content), next: next))
            } else {
                try tell(content, next: next)
            }
        }

        let states = try library.store.operations.jobs().map(\.state)
        // The first job came by the file, the last by the clock.
        #expect(states == [.completed, .discarded, .completed])
        // The job that took its place and succeeded.
        #expect(try library.store.operations.status().needAttention == 0)
    }

    @Test func templateWhoseFileWasAwayIsLookedAtAgain() throws {
        try clock()
        library.time.advance(.seconds(60))
        _ = try library.store.queue.renewTemplates()
        let job = try #require(try library.claim().first)
        try library.accept(gone: [key("cats/clock.smart.svg")])
        try library.finish(job, .cancelled(.vanished))
        try library.accept(sighting("cats/clock.smart.svg"))
        #expect(try library.claim().isEmpty)

        library.time.advance(.seconds(900))

        #expect(try library.store.queue.renewTemplates() == 1)
    }

    @Test func faultyTemplateIsNotTriedByTheClock() throws {
        try clock()
        library.time.advance(.seconds(60))
        try library.accept(sighting("cats/clock.smart.svg", 2))
        library.time.advance(.seconds(1))
        let job = try #require(try library.claim().first)
        let refusal = Refusal(.invalidTemplate, "line 1", remedy: "correct it")
        try library.finish(job, .refused(refusal, content: hash(2)))
        library.time.advance(.seconds(86_400))

        #expect(try library.store.queue.renewTemplates() == 0)
    }

    @Test func failuresOfOneReasonAreOneJob() throws {
        try clock()
        for number in 1...5 {
            library.time.advance(.seconds(60))
            try library.store.queue.renewTemplates(ifChanged: "\(number)")
            #expect(try library.store.queue.renewTemplates() == 1)
            let job = try #require(try library.claim().first)
            let reason = number == 2 ? Refusal.Reason.tooComplex : .willNotFit
            try library.finish(
                job, .refused(Refusal(reason, "no", remedy: "none"), content: hash(1)),
                drawing: TemplateDrawing(content: hash(number), next: start))
        }

        let reasons = try library.store.operations.jobs().compactMap(\.refusal?.reason)
        // The last two: what is there is looked through when a new one is added.
        #expect(reasons == [.willNotFit, .willNotFit, .tooComplex])
    }

    @Test func clockThatWasSetBackIsNoticed() throws {
        try library.accept(sighting("cats/clock.smart.svg"))
        library.time.advance(.seconds(1))
        try tell(11, next: start + 366 * 24 * 60 * minute)

        #expect(try library.store.queue.renewTemplates() == 1)
    }

    @Test func removedTemplateCanBeRestored() throws {
        try clock()
        try library.accept(gone: [key("cats/clock.smart.svg")])
        library.time.advance(.seconds(61))
        _ = try library.store.catalog.expireMissing()

        #expect(try library.store.operations.trash().map(\.sticker.rawValue) == ["clock"])
        #expect(
            try library.store.operations.restore(StickerID(rawValue: "clock"))
                == .done(CategoryID(rawValue: "cats")))
    }

    @Test func copyOfATemplateIsItsTwin() throws {
        try clock()

        #expect(
            try library.outlook("dogs/clock.smart.svg", hash(1)).twins
                == [key("cats/clock.smart.svg")])
        #expect(try library.outlook("cats/clock.smart.svg", hash(1)).twins.isEmpty)
    }

    @Test func templateThatMovesIsFilledInAnew() throws {
        try library.accept(sighting("cats/clock.smart.svg", inode: 7))
        try tell(11, next: start + minute)
        try library.accept(
            sighting("dogs/clock.smart.svg", inode: 7), gone: [key("cats/clock.smart.svg")])

        #expect(try library.store.queue.renewTemplates() == 1)
        let job = try #require(try library.claim().first)
        #expect(job.source == key("dogs/clock.smart.svg") && job.sticker?.rawValue == "clock")
    }

    @Test func whatItShowedIsKeptForTwoDays() throws {
        try clock()
        library.time.advance(.seconds(60))
        _ = try library.store.queue.renewTemplates()
        try tell(12, next: nil)
        let first = try #require(try library.store.packs.knownProducts(of: hash(11)).first)

        let until: Int64? = try library.store.read {
            try $0.value(
                "SELECT max(keep_until) FROM output WHERE content = ?", [hash(11).rawValue])
        }

        #expect(first == product(11))
        #expect(try #require(until) - start > 48 * 60 * minute)
        // It shows nothing that depends on time any more, and is looked at once a day.
        library.time.advance(.seconds(86_000))
        #expect(try library.store.queue.renewTemplates() == 0)
    }

    @Test func anotherLanguageIsShownAtOnce() throws {
        try library.store.queue.renewTemplates(ifChanged: "en")
        try clock()

        try library.store.queue.renewTemplates(ifChanged: "en")
        #expect(try library.store.queue.renewTemplates() == 0)
        try library.store.queue.renewTemplates(ifChanged: "de")
        #expect(try library.store.queue.renewTemplates() == 1)
    }

    @Test func templateThatIsGoneIsNotQueued() throws {
        try clock()
        try library.accept(gone: [key("cats/clock.smart.svg")])
        library.time.advance(.seconds(60))

        #expect(try library.store.queue.renewTemplates() == 0)
    }
}
