import StickerModel
import StickerStore
import Testing

/// What was handed over, when several programs pack at the same time.
struct PackRecordTests {
    private let library: Library
    private let cats = CategoryID(rawValue: "cats")

    init() throws {
        library = try Library()
        try library.accept(sighting("cats/tom.png"))
    }

    private func record(_ content: String) -> PackRecord {
        PackRecord(category: cats, kind: "still", number: 1, content: content)
    }

    @Test func planThatIsOutOfDateIsNotRecorded() throws {
        let store = library.store
        let nothing = try store.packs(of: cats, for: .whatsapp)
        #expect(
            try store.record([record("first")], after: nothing, of: cats, for: .whatsapp))

        // Another program planned before that.
        #expect(
            try !store.record([record("other")], after: nothing, of: cats, for: .whatsapp))
        #expect(try store.packs(of: cats, for: .whatsapp) == [record("first")])

        let known = try store.packs(of: cats, for: .whatsapp)
        #expect(
            try store.record([record("second")], after: known, of: cats, for: .whatsapp))
        #expect(try store.packs(of: nil, for: .whatsapp) == [record("second")])
        #expect(try store.packs(of: nil, for: .tuikit) == [])
    }
}
