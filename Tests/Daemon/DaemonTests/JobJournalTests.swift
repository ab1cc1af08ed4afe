import Logging
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerDaemon
@testable import StickerProgram
@testable import StickerStore

struct JobJournalTests {
    /// The turn in which an attempt failed, and another one follows.
    private func failure(attempt: Int) -> PoolTurn {
        let id = JobID(rawValue: 7)
        let job = ClaimedJob(
            id: id, source: SourceKey(drop: "/drop", directory: [], name: Array("a.png".utf8)),
            version: FileVersion(inode: 1, size: 1, mtime: 1, ctime: 1), origin: .closed,
            attempt: attempt, ageMilliseconds: 0, category: CategoryID(rawValue: "cats"),
            sticker: nil)
        var turn = Turn()
        turn.booked = [
            Turn.Booked(id: id, state: .retryable, delay: .seconds(2), reason: "reading failed")
        ]
        return PoolTurn(
            start: .now, turn: turn,
            finished: [
                FinishedJob(job: job, outcome: .unread("reading failed"), log: StepLog())
            ], isIdle: false, shortage: Shortage())
    }

    @Test(arguments: [
        (true, "renamed wave: wave.png -> wave.webp, id kept"),
        (false, "replaced wave: wave.webp took the place of wave.png, id kept"),
    ])
    func anotherFileInPlaceOfOneIsNoRename(isSameFile: Bool, message: String) {
        let sent = WaitableValue<[[String]]>([])
        let logger = Logger(label: "test") { _ in
            JournalLogHandler(level: .info) { fields in sent.update { $0.append(fields) } }
        }
        let names = ["wave.png", "wave.webp"].map { name in
            SourceKey(drop: "/drop", directory: [], name: Array(name.utf8))
        }

        JobJournal(logger: logger).note(
            RenamedFile(
                sticker: StickerID(rawValue: "wave"), from: names[0], to: names[1],
                isSameFile: isSameFile))

        #expect(sent.value.first?.contains { $0.contains(message) } == true, "\(sent.value)")
    }

    @Test func onlyTheFirstOfSeveralFailuresIsTold() {
        let sent = WaitableValue<[[String]]>([])
        let logger = Logger(label: "test") { _ in
            JournalLogHandler(level: .info) { fields in sent.update { $0.append(fields) } }
        }
        let journal = JobJournal(logger: logger)

        for attempt in 1...3 { journal.note(failure(attempt: attempt)) }

        #expect(sent.value.count == 1)
        #expect(sent.value.first?.first?.contains("job will be tried again") == true)
    }
}
