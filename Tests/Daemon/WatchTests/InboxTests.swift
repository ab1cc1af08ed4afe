import StickerSystem
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
            ([.arrived], true), ([.closed, .gone], false), ([.movedIn, .gone, .movedIn], true),
            ([.altered], false),
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
        let inbox = makeInbox(namesMax: 2000)
        inbox.push((1...1000).map { event("\($0)", .closed) })

        var taken: [[UInt8]] = []
        while !inbox.sleepIfEmpty() { taken += inbox.take(namesMax: 64).names.map(\.key.name) }

        #expect(taken == (1...1000).map { Array("\($0)".utf8) })
    }

    @Test func aLongQueueOfOneFolderLeavesTheOthersTheirShare() {
        let inbox = makeInbox(namesMax: 1000)
        let other = FolderID(rawValue: 2)
        inbox.push((1...500).map { event("\($0)", .closed) })
        inbox.push(
            (1...3).map { number in
                .entry(
                    folder: other, name: Array("other \(number)".utf8), change: .closed,
                    isDirectory: false)
            })

        let first = inbox.take(namesMax: 8).names

        #expect(
            first.map(\.key.folder) == Array(repeating: folder, count: 5) + [other, other, other])
        #expect(first.prefix(5).map(\.key.name) == (1...5).map { Array("\($0)".utf8) })
        #expect(
            inbox.take(namesMax: 8).names.map(\.key.name) == (6...13).map { Array("\($0)".utf8) })
    }

    /// `mv A/x T/x; mv B/x A/x` while many names of T wait: no name is looked at before an earlier one.
    @Test func movesStayInOrderAcrossFolders() {
        let inbox = makeInbox(namesMax: 1000)
        let (first, second) = (FolderID(rawValue: 2), FolderID(rawValue: 3))
        func move(_ folder: FolderID, _ change: WatchEvent.Change) -> WatchEvent {
            .entry(folder: folder, name: Array("x".utf8), change: change, isDirectory: false)
        }
        inbox.push((1...500).map { event("\($0)", .closed) })

        inbox.push([
            move(first, .gone), move(folder, .movedIn), move(second, .gone), move(first, .movedIn),
        ])

        var seen: [FolderID] = []
        while seen.count < 3 {
            let names = inbox.take(namesMax: 2).names.filter { $0.key.name == Array("x".utf8) }
            seen += names.map(\.key.folder)
        }
        #expect(seen == [first, folder, second])
    }

    /// As programs upload: under a hidden name, and renamed at the end.
    @Test func arrivalDoesNotWaitBehindAFloodOfThemNorOfMoves() {
        let inbox = makeInbox(namesMax: 1000)
        let (moves, other) = (FolderID(rawValue: 2), FolderID(rawValue: 3))
        inbox.push((1...300).map { event("\($0)", .arrived) })
        inbox.push(
            (1...300).map { number in
                .entry(
                    folder: moves, name: Array("\(number)".utf8), change: .movedIn,
                    isDirectory: false)
            })

        inbox.push([.entry(folder: other, name: [1], change: .arrived, isDirectory: false)])

        let first = inbox.take(namesMax: 9).names
        #expect(
            first.map(\.key.folder) == [folder, folder, folder, folder] + [
                moves, moves, moves, moves,
            ] + [other])
    }

    @Test func folderOfManyNamesLeavesRoomToOthers() {
        let inbox = makeInbox(namesMax: 100)
        inbox.push((1...500).map { event("\($0)", .closed) })

        inbox.push([
            .entry(
                folder: FolderID(rawValue: 2), name: [1], change: .closed, isDirectory: false)
        ])

        let batch = inbox.take(namesMax: 1000)
        #expect(batch.listings == [folder])
        #expect(batch.names.count == 76)
        #expect(batch.names.last?.key.folder == FolderID(rawValue: 2))
    }

    @Test func moreFoldersThanAreTakenHaveTheirTurns() {
        let inbox = makeInbox(namesMax: 1000)
        for round in 1...2 {
            inbox.push(
                (1...10).map { number in
                    .entry(
                        folder: FolderID(rawValue: number), name: [UInt8(round)], change: .closed,
                        isDirectory: false)
                })
        }

        let turns = (0..<5).map { _ in inbox.take(namesMax: 4).names.map(\.key.folder.rawValue) }

        #expect(
            turns.map { $0.sorted() } == [
                [1, 2, 3, 4], [5, 6, 7, 8], [1, 2, 9, 10], [3, 4, 5, 6], [7, 8, 9, 10],
            ])
        #expect(inbox.sleepIfEmpty())
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
