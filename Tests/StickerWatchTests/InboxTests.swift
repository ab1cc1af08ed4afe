import Testing

@testable import StickerWatch

@Suite struct InboxTests {
    let wakes = QueueConfined(0, label: "test.wakes")
    let folder = FolderID(rawValue: 1)

    private func makeInbox(namesMax: Int = 100) -> Inbox {
        Inbox(namesMax: namesMax) { [wakes] in wakes.perform { $0 += 1 } }
    }

    private func event(
        _ name: String, _ change: WatchEvent.Change, isDirectory: Bool = false
    ) -> WatchEvent {
        .entry(
            folder: folder, name: Array(name.utf8), change: change, isDirectory: isDirectory)
    }

    @Test func oneNameWaitsOnceInTheOrderOfItsFirstEvent() {
        let inbox = makeInbox()

        inbox.push([event("a", .created), event("b", .created), event("a", .closed)])

        let names = inbox.take(namesMax: 10).names
        #expect(names.map(\.key.name) == [Array("a".utf8), Array("b".utf8)])
        #expect(names.map { $0.hint.contains(.complete) } == [true, false])
        #expect(inbox.take(namesMax: 10).names.isEmpty)
    }

    @Test(
        arguments: [
            ([.created], false), ([.created, .closed], true), ([.movedIn], true),
            ([.closed, .altered], true), ([.closed, .gone, .created], false),
            ([.closed, .gone], false), ([.movedIn, .gone, .movedIn], true), ([.altered], false),
        ] as [([WatchEvent.Change], Bool)])
    func aFileMadeAnewIsNotComplete(_ changes: [WatchEvent.Change], _ isComplete: Bool) {
        let inbox = makeInbox()

        inbox.push(changes.map { event("a", $0) })

        #expect(inbox.take(namesMax: 1).names.first?.hint.contains(.complete) == isComplete)
    }

    @Test func beyondItsRoomTheFolderIsListed() {
        let inbox = makeInbox(namesMax: 3)

        inbox.push((1...10).map { event("\($0)", .closed) })
        inbox.push([event("1", .gone)])

        let batch = inbox.take(namesMax: 100)
        #expect(batch.names.count == 3)
        #expect(batch.listings == [folder])
        inbox.push([event("11", .closed)])
        #expect(inbox.take(namesMax: 100).names.count == 1)
    }

    @Test func namesAreTakenInParts() {
        let inbox = makeInbox(namesMax: 1000)
        inbox.push((1...1000).map { event("\($0)", .closed) })

        var taken: [[UInt8]] = []
        while !inbox.sleepIfEmpty() { taken += inbox.take(namesMax: 64).names.map(\.key.name) }

        #expect(taken == (1...1000).map { Array("\($0)".utf8) })
    }

    @Test func itWakesTheIntakeOnceUntilThatSleeps() {
        let inbox = makeInbox()

        inbox.push([event("a", .closed)])
        inbox.push([event("b", .closed)])
        #expect(wakes.perform { $0 } == 1)
        #expect(!inbox.sleepIfEmpty())
        _ = inbox.take(namesMax: 10)
        #expect(inbox.sleepIfEmpty())
        inbox.push([.folderGone(folder)])

        #expect(wakes.perform { $0 } == 2)
        #expect(inbox.take(namesMax: 10).folders == [folder])
    }

    @Test func overflowsAreCountedAndTakenOnce() {
        let inbox = makeInbox()

        inbox.push([.overflow, .overflow, event("a", .closed)])

        #expect(inbox.take(namesMax: 0).isOverflowed)
        #expect(!inbox.take(namesMax: 0).isOverflowed)
        #expect(inbox.overflows == 2)
    }
}

@Suite struct RetryListTests {
    @Test func whatFailsLongerIsTriedLessOften() {
        var list = RetryList()
        let folder = FolderID(rawValue: 1)
        var tries: [Int] = []

        list.insert(folder)
        for beat in 1...110 where !list.due().isEmpty {
            tries.append(beat)
            list.insert(folder)
        }

        #expect(tries == [1, 3, 7, 15, 31, 63, 95])
    }

    @Test func successIsForgotten() {
        var list = RetryList()
        let folder = FolderID(rawValue: 1)
        list.insert(folder)
        list.insert(folder)
        #expect(list.due() == [folder])
        #expect(list.due() == [])

        list.remove(folder)
        list.insert(folder)

        #expect(list.due() == [folder])
    }
}
