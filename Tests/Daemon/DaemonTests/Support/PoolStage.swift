import Dispatch
import Foundation
import StickerSystem
import StickerTestSupport
import StickerValues
import Synchronization

@testable import StickerDaemon
@testable import StickerStore

/// A pool on a real store whose jobs are in the hands of the test: each begins, waits at its gate, and
/// ends as it is told. Files exist in the database alone, and jobs go by their names. However long one waits,
/// only `WorkLane.admits` makes it a long one.
final class PoolStage: Sendable {
    /// A turn that could not be written, or with no error the first one that could be again.
    struct Failure: Sendable {
        var error: String?
        var inARow: Int
        var at: ContinuousClock.Instant
    }

    let store: LibraryStore
    let pool: WorkerPool
    /// The jobs that have begun, in order.
    let begun: WaitableValue<[String]>
    let turns: WaitableValue<[PoolTurn]>
    let failures: WaitableValue<[Failure]>
    private let folder: TemporaryFolder
    private let gates: Gates
    private let nextTurn: NextTurn

    init(width: Int) throws {
        let (begun, gates) = (WaitableValue<[String]>([]), Gates())
        let (turns, failures) = (WaitableValue<[PoolTurn]>([]), WaitableValue<[Failure]>([]))
        let nextTurn = NextTurn()
        folder = try TemporaryFolder()
        store = try LibraryStore(path: folder.path(LibraryStore.fileName))
        pool = WorkerPool(
            width: width, patience: .seconds(86400), jobs: store.queue,
            execute: { job, lane in
                gates.enter(job.shortName, lane)
                begun.update { $0.append(job.shortName) }
                return JobResult(
                    finished: FinishedJob(
                        job: job, outcome: gates.pass(job.shortName) ?? .made(job), log: StepLog()))
            },
            place: { $0.map(\.finished) },
            onTurn: { turn in
                nextTurn.happen()
                turns.update { $0.append(turn) }
            },
            onFailure: { error, inARow in
                let failure = Failure(error: error.map { "\($0)" }, inARow: inARow, at: .now)
                failures.update { $0.append(failure) }
            })
        (self.begun, self.gates, self.turns) = (begun, gates, turns)
        (self.failures, self.nextTurn) = (failures, nextTurn)
    }

    /// Files are dropped; no event is sent.
    func drop(_ names: String...) throws {
        _ = try store.queue.accept(
            names.map { name in
                Sighting(
                    key: SourceKey(
                        drop: "/drop", directory: Array("cats".utf8),
                        name: Array("\(name).png".utf8)),
                    version: FileVersion(
                        inode: UInt64(Array(name.utf8).reduce(0) { $0 * 256 + Int($1) }), size: 1,
                        mtime: 1, ctime: 1),
                    isRegularFile: true, origin: .closed)
            })
    }

    /// Lets a job end, as made unless said otherwise.
    func finish(_ name: String, as outcome: JobOutcome? = nil) { gates.open(name, outcome) }

    /// As many jobs as ever were under way at the same time.
    var mostAtOnce: Int { gates.mostAtOnce }

    /// The lane that a job was last begun on.
    func lane(_ name: String) -> WorkLane? { gates.lane(name) }

    /// The time between the last two attempts at a job.
    func pause(before name: String) -> Duration? { gates.pause(before: name) }

    /// Does something on the pool's queue at the end of the next turn.
    func atNextTurn(_ body: @escaping @Sendable () -> Void) { nextTurn.set(body) }

    /// Waits until the jobs that ran have been booked by turns.
    func isBooked(_ count: Int) async -> Bool {
        await turns.wait { $0.reduce(0) { $0 + $1.finished.count } >= count } != nil
    }

    /// Stops the pool on a thread of its own; its answer comes into the value.
    func stop(waitingWhile isPatient: @escaping @Sendable () -> Bool) -> WaitableValue<Bool?> {
        let answer = WaitableValue<Bool?>(nil)
        Thread.detachNewThread { [pool] in
            let isDone = pool.stop(waitingWhile: isPatient)
            answer.update { $0 = isDone }
        }
        return answer
    }

    /// Keeps the database busy for `seconds` from now; whether it is.
    func databaseIsBusy(for seconds: TimeInterval) async -> Bool {
        let isBusy = WaitableValue(false)
        Thread.detachNewThread { [store] in
            _ = try? store.write { _ in
                isBusy.update { $0 = true }
                Thread.sleep(forTimeInterval: seconds)
            }
        }
        return await isBusy.wait { $0 } != nil
    }

    /// From now on no job can be claimed or booked, as on a full disk.
    func refuseWrites() throws {
        _ = try store.write {
            try $0.run(
                """
                CREATE TRIGGER full BEFORE UPDATE ON job
                BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
                """)
        }
    }

    func allowWrites() throws { _ = try store.write { try $0.run("DROP TRIGGER full") } }
}

/// Where jobs wait until the test lets them go.
private final class Gates: Sendable {
    private struct Gate {
        var semaphore = DispatchSemaphore(value: 0)
        var outcome: JobOutcome?
        var lane: WorkLane?
        var begun: ContinuousClock.Instant?
        var ended: ContinuousClock.Instant?
    }

    private let gates = Mutex<[String: Gate]>([:])
    private let running = Mutex((now: 0, most: 0))

    var mostAtOnce: Int { running.withLock { $0.most } }

    func lane(_ name: String) -> WorkLane? { gates.withLock { $0[name]?.lane } }

    func pause(before name: String) -> Duration? {
        gates.withLock { gates in
            guard let begun = gates[name]?.begun, let ended = gates[name]?.ended else {
                return nil
            }
            return begun - ended
        }
    }

    func enter(_ name: String, _ lane: WorkLane) {
        gates.withLock { gates in
            gates[name, default: Gate()].lane = lane
            gates[name]?.begun = .now
        }
        running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
    }

    func pass(_ name: String) -> JobOutcome? {
        gates.withLock { $0[name, default: Gate()].semaphore }.wait()
        running.withLock { $0.now -= 1 }
        return gates.withLock { gates in
            gates[name]?.ended = .now
            return gates[name]?.outcome
        }
    }

    func open(_ name: String, _ outcome: JobOutcome?) {
        let semaphore = gates.withLock { gates in
            gates[name, default: Gate()].outcome = outcome
            return gates[name, default: Gate()].semaphore
        }
        semaphore.signal()
    }
}

/// An action at the end of a turn, once.
private final class NextTurn: Sendable {
    private let body = Mutex<(@Sendable () -> Void)?>(nil)

    func set(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }

    func happen() {
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        body?()
    }
}

extension ClaimedJob {
    /// `a` for `cats/a.png`.
    fileprivate var shortName: String {
        String(decoding: source.name.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self)
    }
}

extension JobOutcome {
    /// A sticker of one file that only the database knows.
    fileprivate static func made(_ job: ClaimedJob) -> JobOutcome {
        let content = ContentHash(of: job.source.name)
        let file = StickerFile(
            role: .sticker, format: .webp, size: .sticker, bytes: 1, sha256: content)
        return .made(
            StickerProduct(
                recipe: "recipe", animated: false, encoding: Encoding(mode: .lossless),
                files: [file]), content: content)
    }
}
