import Foundation
import StickerConfiguration
import StickerStore
import StickerValues
import Testing

@testable import StickerDaemon

/// Templates on their way through an executor whose clock is turned by hand.
struct TemplateTests {
    private static let clock = """
        <svg data-interval="5"><g data-style="a">{{hour.angle}}</g><g data-style="b">{{time}}</g></svg>
        """

    private let workshop: Workshop

    init() throws {
        workshop = try Workshop { configuration in
            configuration.sticker.smart.timeZone = "Europe/Berlin"
            configuration.categories["cats"] = configuration.sticker
            configuration.categories["cats"]?.smart.locale = "de"
        }
    }

    private func date(_ text: String) throws -> Date {
        try #require(try? Date(text, strategy: .iso8601))
    }

    /// Does the next job at `date`.
    @discardableResult
    private func work(
        at date: Date, _ weather: Weather? = nil, fonts: String = ""
    ) throws -> FinishedJob {
        var executor = workshop.executor()
        executor.date = { date }
        executor.fonts = { fonts }
        executor.weather = { weather }
        let result = executor.run(try workshop.claim(), on: .only)
        let finished =
            result.staged == nil ? result.finished : try #require(executor.place([result]).first)
        try workshop.book(finished)
        return finished
    }

    @Test func templateIsFilledInAndMadeInEveryStyle() throws {
        try workshop.drop("cats/clock.smart.svg", Self.clock)

        let finished = try work(at: try date("2026-12-24T07:04:30Z"))

        #expect(
            workshop.maker.sources == [
                #"<svg xml:lang="de" data-interval="5"><g data-style="a">240</g></svg>"#,
                #"<svg xml:lang="de" data-interval="5"><g data-style="b">08:04</g></svg>"#,
            ])
        let files = try #require(finished.product?.files)
        #expect(files.map(\.role) == [.sticker, .variant])
        #expect(files.map(\.style) == ["a", "b"])
        let next = try date("2026-12-24T07:05:00Z").timeIntervalSince1970 * 1000
        #expect(finished.drawing?.next == Int64(next))
        #expect(finished.steps.prefix(2) == ["read", "fill"])
    }

    /// The bytes of the file are the same each time: only the drawing shows that the picture is another one.
    @Test func secondDayCostsNothingButReading() throws {
        try workshop.drop("cats/clock.smart.svg", Self.clock)
        let start = try date("2026-12-23T23:00:00Z")
        try work(at: start)
        // Jobs as the clock would add them, with every hour and minute among them.
        let minutes = Array(stride(from: 0, to: 1440, by: 7))
        func day(_ number: Int) throws {
            for minute in minutes where minute > 0 || number > 0 {
                try workshop.store.queue.renewTemplates(ifChanged: "\(number) \(minute)")
                #expect(try workshop.store.queue.renewTemplates() == 1)
                try work(at: start + Double(number * 86_400 + minute * 60))
            }
        }
        try day(0)
        let made = workshop.maker.sources.count
        #expect(made == 2 * minutes.count)

        try day(1)

        #expect(workshop.maker.sources.count == made)
        #expect(try workshop.store.operations.jobs().count == 2)
    }

    @Test func sameMomentIsUnchanged() throws {
        try workshop.drop("cats/day.smart.svg", "<svg>{{weekday}}</svg>")
        let morning = try work(at: try date("2026-12-24T07:00:00Z"))
        try workshop.store.queue.renewTemplates(ifChanged: "again")
        _ = try workshop.store.queue.renewTemplates()

        let noon = try work(at: try date("2026-12-24T11:00:00Z"))

        #expect(workshop.maker.sources == [#"<svg xml:lang="de">Donnerstag</svg>"#])
        #expect(morning.product?.files.count == 1 && noon.product == nil)
        if case .unchanged = noon.outcome {} else { Issue.record("\(noon.outcome)") }
    }

    /// The drawing is the same, and the file is another one.
    @Test func changedFileThatShowsTheSameIsBooked() throws {
        try workshop.drop("cats/a.smart.svg", "<svg>{{hour.angle}}</svg>")
        try work(at: try date("2026-12-24T07:04:30Z"))
        try workshop.drop("cats/a.smart.svg", "<svg>240</svg>")

        try work(at: try date("2026-12-24T07:04:40Z"))

        #expect(workshop.maker.sources == [#"<svg xml:lang="de">240</svg>"#])
        #expect(try workshop.store.operations.jobs().map(\.state) == [.completed, .completed])
        #expect(try workshop.store.queue.renewTemplates() == 0)
    }

    @Test func languageIsThatOfTheCategory() throws {
        try workshop.drop("cats/a.smart.svg", "<svg>{{weekday}}</svg>")
        try workshop.drop("dogs/a.smart.svg", "<svg>{{weekday}}</svg>")

        for _ in 0..<2 { try work(at: try date("2026-12-24T07:00:00Z")) }

        #expect(
            Set(workshop.maker.sources)
                == [#"<svg xml:lang="de">Donnerstag</svg>"#, "<svg>Thursday</svg>"])
    }

    @Test func faultyTemplateIsRefusedWithItsLine() throws {
        try workshop.drop("cats/a.smart.svg", "<svg>\n{{wekday}}</svg>")
        let finished = try work(at: Date())

        let refusal = try #require(finished.refusal)
        #expect(refusal.reason == .invalidTemplate && finished.drawing == nil)
        #expect(refusal.detail == "the template has a fault in line 2: there is no {{wekday}}")
        #expect(refusal.remedy.hasPrefix("use one of {{weekday}}"))
    }

    /// Renews the templates as when something else than the time has changed.
    private func renew(_ settings: String) throws {
        try workshop.store.queue.renewTemplates(ifChanged: settings)
        #expect(try workshop.store.queue.renewTemplates() == 1)
    }

    @Test func weatherThatIsNotKnownIsNoStickerUntilItIs() throws {
        try workshop.drop("cats/a.smart.svg", "<svg>{{temperature}} {{condition}}</svg>")
        let rain = Weather(kelvin: 281.4, condition: .rain)

        let first = try work(at: Date())
        #expect(first.refusal == nil && workshop.maker.sources.isEmpty)
        #expect(try workshop.store.operations.jobs().map(\.reason) == ["unknown-weather"])
        #expect(try workshop.store.queue.withdrawnTemplates() == 1)
        #expect(try workshop.store.operations.status().stickers == 0)

        try renew("rain")
        try work(at: Date(), rain)
        #expect(workshop.maker.sources == [#"<svg xml:lang="de">8&#176; rain</svg>"#])
        #expect(try workshop.store.operations.status().stickers == 1)
        #expect(try workshop.store.queue.withdrawnTemplates() == 0)

        try renew("unknown")
        try work(at: Date())
        #expect(try workshop.store.operations.status().stickers == 0)
        #expect(try workshop.store.queue.withdrawnTemplates() == 1)

        // Earlier drawings are found again.
        try renew("rain")
        try work(at: Date(), rain)
        #expect(workshop.maker.sources.count == 1)
        #expect(try workshop.store.operations.status().stickers == 1)
        // Nobody has to look at any of it.
        #expect(try workshop.store.operations.status().needAttention == 0)
    }

    @Test func weatherIsNotAskedForByOthers() throws {
        try workshop.drop("cats/a.smart.svg", "<svg>{{weekday}}</svg>")

        try work(at: try date("2026-12-24T07:00:00Z"))

        #expect(workshop.maker.sources == [#"<svg xml:lang="de">Donnerstag</svg>"#])
    }

    @Test func styleThatCannotBeMadeHoldsUpTheSticker() throws {
        workshop.maker.make { source, recipe in
            source.contains("08:04")
                ? MakeReport(failure: .refused(.emptyFile)) : .quoting(source, recipe)
        }
        try workshop.drop("cats/clock.smart.svg", Self.clock)

        let finished = try work(at: try date("2026-12-24T07:04:30Z"))

        #expect(finished.refusal?.reason == .emptyFile)
        #expect(finished.drawing?.next != nil)
    }

    /// It is absent, then there, then keeps what it showed; one refusal at a time needs attention.
    @Test func stickerWithoutAFontKeepsItsPicture() throws {
        let unknown = try #require(UnknownCharacters("世".unicodeScalars))
        workshop.maker.fail(.refused(unknown.refusal))
        try workshop.drop("cats/a.smart.svg", "<svg>{{weekday}}</svg>")
        let wednesday = try date("2026-12-23T07:00:00Z")
        let store = workshop.store

        let first = try work(at: wednesday)
        #expect(first.refusal?.reason == .unknownCharacters)
        #expect(first.drawing?.next != nil)
        #expect(workshop.maker.recipes.map(\.refusesUnknownCharacters) == [true])
        try renew("again")
        try work(at: wednesday)
        #expect(
            try store.operations.status().stickers == 0
                && store.operations.status().needAttention == 1)

        workshop.maker.makeEverything()
        try renew("with a font")
        try work(at: wednesday)
        #expect(
            try store.operations.status().stickers == 1
                && store.operations.status().needAttention == 0)

        workshop.maker.fail(.refused(unknown.refusal))
        try renew("without")
        try work(at: wednesday + 86_400)
        #expect(
            try store.operations.status().stickers == 1
                && store.operations.status().needAttention == 1)
    }

    @Test func otherFontsMakeAnotherPicture() throws {
        try workshop.drop("cats/a.smart.svg", "<svg>{{weekday}}</svg>")
        let now = try date("2026-12-24T07:00:00Z")

        for (count, fonts) in [(1, "Inter"), (1, "Inter"), (2, "Inter, Noto")] {
            try work(at: now, fonts: fonts)
            #expect(workshop.maker.sources.count == count)
            try renew("\(count) \(fonts) again")
        }
    }
}

extension FinishedJob {
    fileprivate var refusal: Refusal? {
        if case .refused(let refusal, _) = outcome { refusal } else { nil }
    }
}
