import StickerValues
import Testing

@testable import StickerStore

struct ExpectedWorkTests {
    /// Waiting jobs are counted like claimed ones.
    @Test func storeCountsAsTheDaemonDoes() throws {
        let library = try Library()
        let names = ["a.png", "a.gif", "b.GIF", "a.apng", "c.jpg", "gif"]
        for (index, name) in names.enumerated() {
            try library.accept(
                sighting("cats/\(name)", Int64(index) * 1_000_000, index < 3 ? .closed : .scan))
        }
        let waiting = try library.store.queue.expectedWork()
        library.time.advance(.seconds(2))
        let claimed = try library.claim(10)
        let sum = claimed.reduce(0) { $0 + ExpectedWork.of($1) }

        #expect(claimed.count == 5, "the last one has no picture's name")
        #expect(waiting == sum && sum > 0)
        #expect(try library.store.queue.expectedWork() == sum)
        for job in claimed { try library.finish(job, .refused(.emptyFile, content: nil)) }
        #expect(try library.store.queue.expectedWork() == 0)
    }
}
