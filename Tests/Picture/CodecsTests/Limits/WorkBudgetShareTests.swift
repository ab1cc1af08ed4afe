import StickerValues
import Testing

@testable import StickerCodecs

struct WorkBudgetShareTests {
    @Test func partIsUsedUpWhileTheWholeIsNot() throws {
        let whole = WorkBudget(DecodeLimits())

        let part = whole.share(of: 60_000)  // 1 ms
        while !part.isUsedUp {}

        let error = #expect(throws: CodecError.self) { try part.check(.png) }
        #expect(error?.code == .outOfTime && error?.limit?.contains("one target") == true)
        #expect(!whole.isUsedUp)
    }
}
