import StickerTestSupport
import StickerValues
import Testing

@testable import StickerStore

/// An id that was replaced by another one names the sticker that has that.
struct SuccessorTests {
    private let desk: Operator

    init() throws {
        desk = try Operator()
        try desk.made("cats/wave.png")
        try desk.store.write { transaction in
            try transaction.run(
                """
                INSERT INTO sticker (id, category, sort_key, created_at, deleted_at)
                VALUES ('hello', 'cats', x'', 1, 1)
                """)
            try transaction.run(
                """
                INSERT INTO removal (sticker, category, title, removed_at, successor)
                VALUES ('hello', 'cats', 'hello', 1, 'wave')
                """)
        }
    }

    @Test(arguments: [
        ["jobs", "--file", "hello"], ["show", "hello"], ["retry", "hello"], ["dismiss", "hello"],
        ["redo", "hello"],
    ]) func verbIsAboutTheSuccessor(_ arguments: [String]) throws {
        let answer = try desk.ask(arguments)

        #expect(answer.code == 0, "\(answer)")
        #expect(answer.errors == "hello was replaced by wave\n")
        #expect(answer.output.contains("cats/wave.png"))
    }

    @Test func wordsAreThoseOfTheSuccessor() throws {
        try desk.folder.write([0], to: "drop/cats/wave.png")

        let answer = try desk.ask("set", "hello", "--title", "Wave")

        #expect(answer.code == 0, "\(answer)")
        #expect(answer.errors == "hello was replaced by wave\n")
    }
}
