import StickerValues
import Testing

@testable import StickerStore

/// Exported packs, when several programs pack at the same time.
struct PackRecordTests {
    private let library: Library
    private let cats = CategoryID(rawValue: "cats")

    init() throws {
        library = try Library()
        try library.accept(sighting("cats/tom.png"))
    }

    private func record(_ content: String, _ pictures: Set<String> = []) -> PackRecord {
        PackRecord(
            category: cats, kind: "still", number: 1, content: content, pictures: pictures)
    }

    private func unused(wanted: Bool) throws -> [CategoryID] {
        try library.store.packs.unusedPacks(except: wanted ? [cats: [.whatsapp]] : [:]).map(
            \.category)
    }

    @Test func packsThatNobodyAskedForInLongAreUnused() throws {
        let store = library.store
        let whole = record("whole", ["_/ab/cd.png"])
        #expect(try store.packs.record([whole], after: [], of: cats, for: .whatsapp))
        library.time.advance(.seconds(20 * 86400))
        // Exported again, with nothing new.
        let known = try store.packs.records(of: cats, for: .whatsapp)
        #expect(try store.packs.record([whole], after: known, of: cats, for: .whatsapp))
        library.time.advance(.seconds(20 * 86400))
        #expect(try unused(wanted: false) == [])
        library.time.advance(.seconds(11 * 86400))
        #expect(try unused(wanted: false) == [cats])
        // Packs that are kept up to date count as asked for, until they are not.
        #expect(try unused(wanted: true) == [])
        #expect(try unused(wanted: false) == [])
        #expect(try store.catalog.isInPack("_/ab/cd.png"))
    }

    @Test func packsThatAreAskedForMeanwhileAreNotLetGo() throws {
        let store = library.store
        let whole = record("whole", ["_/ab/cd.png"])
        #expect(try store.packs.record([whole], after: [], of: cats, for: .whatsapp))
        library.time.advance(.seconds(40 * 86400))
        let known = try store.packs.records(of: cats, for: .whatsapp)
        #expect(try unused(wanted: false) == [cats])

        // Somebody exports them now.
        #expect(try store.packs.record([whole], after: known, of: cats, for: .whatsapp))
        #expect(try !store.packs.release([record("bare")], after: known, of: cats, for: .whatsapp))
        #expect(try store.catalog.isInPack("_/ab/cd.png"))

        library.time.advance(.seconds(40 * 86400))
        #expect(try store.packs.release([record("bare")], after: known, of: cats, for: .whatsapp))
        #expect(try !store.catalog.isInPack("_/ab/cd.png"))
        #expect(try unused(wanted: false) == [])
    }

    @Test func packsThatAreNotAsTheyShouldBeAreListed() throws {
        let store = library.store
        let fault = Finding("V09", .fault, "there are too few", remedy: "add 1")
        let lacking = Readiness(packs: [], findings: [fault])
        let pack = Readiness.Pack(identifier: "cats", title: "Cats", version: 1, stickers: 3)
        _ = try store.packs.setReadiness(
            [.whatsapp: lacking, .signal: Readiness(packs: [pack], findings: [])], generation: 1,
            mark: "", of: cats)
        #expect(try store.packs.lackingPacks().map(\.platform) == [.whatsapp])
        #expect(try store.packs.lackingPacks().map(\.finding) == [fault])

        // A category that only waits for more stickers, or has none any more, lacks nothing.
        let waiting = Finding(
            "too-few", .fault, "the category has no stickers", measured: "0", remedy: "add 3")
        _ = try store.packs.setReadiness(
            [.whatsapp: Readiness(packs: [], findings: [waiting])], generation: 2, mark: "",
            of: cats)
        #expect(try store.packs.lackingPacks() == [] && store.packs.shortPacks() == [])
        _ = try store.packs.setReadiness([.whatsapp: lacking], generation: 3, mark: "", of: cats)
        #expect(try store.packs.lackingPacks().count == 1)
        _ = try store.packs.setReadiness([:], generation: 4, mark: "", of: cats)
        #expect(try store.packs.lackingPacks() == [])
    }

    @Test func categoriesWithTooFewStickersAreListed() throws {
        let store = library.store
        let few = Finding(
            "too-few", .fault, "1 sticker waits", measured: "1", remedy: "add 2 pictures")
        let other = Finding("V03", .fault, "the publisher is not set", remedy: "set it")
        _ = try store.packs.setReadiness(
            [
                .line: Readiness(packs: [], findings: [few]),
                .signal: Readiness(packs: [], findings: [other, few]),
                .telegram: Readiness(packs: [], findings: []),
            ], generation: 1, mark: "", of: cats)

        #expect(
            try store.packs.shortPacks() == [
                LackingPacks(category: cats, platform: .line, finding: few)
            ])
        #expect(try store.packs.lackingPacks().map(\.platform) == [.signal])
    }

    @Test func packsOfAllCategoriesNameThoseThatHaveNone() throws {
        let store = library.store
        let fault = Finding("V09", .fault, "there are too few", remedy: "add 1")
        let pack = Readiness.Pack(identifier: "cats", title: "Cats", version: 1, stickers: 3)
        // One that has a fault now, but is handed over as it was, counts.
        let all = [
            "ants": Readiness(packs: [], findings: [fault]),
            "bats": Readiness(packs: [pack, pack], findings: [fault]),
            "cats": Readiness(packs: [pack], findings: []),
            "eels": Readiness(packs: [], findings: []),
        ]
        for (category, readiness) in all {
            try library.accept(sighting("\(category)/tom.png"))
            _ = try store.packs.setReadiness(
                [.whatsapp: readiness], generation: 1, mark: "",
                of: CategoryID(rawValue: category))
        }

        let libraries = try store.packs.libraryPacks(for: [.whatsapp, .imgly])

        let ants = [CategoryID(rawValue: "ants")]
        #expect(
            libraries == [
                LibraryPacks(platform: .whatsapp, packs: 3, categories: 2, leftOut: ants),
                LibraryPacks(platform: .imgly),
            ])
        #expect(try store.packs.libraryPacks(for: []) == [])
    }

    @Test func planThatIsOutOfDateIsNotRecorded() throws {
        let store = library.store
        let nothing = try store.packs.records(of: cats, for: .whatsapp)
        #expect(
            try store.packs.record([record("first")], after: nothing, of: cats, for: .whatsapp))

        // Another program planned before that.
        #expect(
            try !store.packs.record([record("other")], after: nothing, of: cats, for: .whatsapp))
        #expect(try store.packs.records(of: cats, for: .whatsapp) == [record("first")])

        let known = try store.packs.records(of: cats, for: .whatsapp)
        #expect(
            try store.packs.record([record("second")], after: known, of: cats, for: .whatsapp))
        #expect(try store.packs.records(of: nil, for: .whatsapp) == [record("second")])
        #expect(try store.packs.records(of: nil, for: .tuikit) == [])
    }
}
