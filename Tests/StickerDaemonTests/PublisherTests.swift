import Testing

@testable import StickerDaemon

struct PublisherTests {
    @Test func restGrowsWithTheWriteButNotForEver() {
        #expect(Publisher.rest(after: .milliseconds(3)) == .seconds(1))
        #expect(Publisher.rest(after: .milliseconds(500)) == .seconds(10))
        #expect(Publisher.rest(after: .seconds(60)) == .seconds(30))
    }
}
