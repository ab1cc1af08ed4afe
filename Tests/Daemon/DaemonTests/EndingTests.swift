import Testing

@testable import StickerDaemon

struct EndingTests {
    @Test func firstReasonStays() {
        let ending = Ending()

        let answers = [ending.decide(.drained), ending.decide(.damaged)]

        #expect(answers == [true, false])
        #expect(ending.wait() == .drained)
    }

    @Test func onlyTheSecondSignalIsUrgent() {
        let ending = Ending()

        ending.requestStop()
        let first = ending.isUrgent
        ending.requestStop()

        #expect(!first && ending.isUrgent)
        #expect(ending.wait() == .signal)
    }

    @Test func whatADamagedDatabaseWouldLoseIsNotWaitedFor() {
        let ending = Ending()

        ending.decide(.damaged)

        #expect(ending.isUrgent)
    }
}
