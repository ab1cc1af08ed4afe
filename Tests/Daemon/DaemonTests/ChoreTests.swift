import Testing

@testable import StickerDaemon

struct ChoreTests {
    @Test func everyChoreHasItsRhythm() {
        var list = ChoreList()
        var counts: [Chore: Int] = [:]

        for _ in 0..<7201 { for chore in list.due() { counts[chore, default: 0] += 1 } }

        #expect(counts[.operatorsChanges] == 7201 && counts[.place] == 1801)
        #expect(counts[.memory] == 720 && counts[.unreadable] == 61)
        #expect(counts[.deletions] == 61 && counts[.cleaning] == 1)
    }

    @Test func rareChoreThatFailedIsTriedAgainSoon() {
        var list = ChoreList()
        var rounds = 0
        repeat { rounds += 1 } while !list.due().contains(.cleaning)

        list.failed(.cleaning, "no room")
        for _ in 0..<7 { #expect(!list.due().contains(.cleaning)) }

        #expect(rounds == 7201)
        #expect(list.due().contains(.cleaning))
    }

    @Test func hurriedChoreIsDueInTheNextRound() {
        var list = ChoreList()

        let first = list.due()
        list.hurry(.cleaning)

        #expect(!first.contains(.cleaning))
        #expect(list.due().contains(.cleaning) && !list.due().contains(.cleaning))
    }

    @Test func troubleIsWhatFailsStill() {
        var list = ChoreList()

        list.failed(.cleaning, "no room")
        list.failed(.graces, "no rights")
        list.succeeded(.graces)

        #expect(list.trouble == "no room")
        list.succeeded(.cleaning)
        #expect(list.trouble == nil)
    }
}
