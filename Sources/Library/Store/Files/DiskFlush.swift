import Dispatch
import StickerSystem
import Synchronization

/// Runs concurrent fsyncs, which share a flush of the device: a group of five objects takes a quarter of the time.
final class DiskFlush: Sendable {
    /// Serial queues instead of a concurrent one: each gets its own thread, however few cores there are, and their
    /// number is the limit.
    private static let lanes = (0..<8).map { DispatchQueue(label: "stickerd.flush.\($0)") }
    private static let turn = Atomic<Int>(0)

    private let errors = Mutex<[Int: FileError]>([:])

    /// Runs `wait` for every number below `count` and returns when all calls are done.
    ///
    /// - Returns: the errors by number.
    static func together(
        _ count: Int, _ wait: @escaping @Sendable (Int) throws(FileError) -> Void
    ) -> [Int: FileError] {
        let flush = DiskFlush()
        let group = DispatchGroup()
        let first = turn.add(count, ordering: .relaxed).oldValue
        for number in 0..<count {
            lanes[(first &+ number) % lanes.count].async(group: group) {
                do throws(FileError) {
                    try wait(number)
                } catch {
                    flush.errors.withLock { $0[number] = error }
                }
            }
        }
        group.wait()
        return flush.errors.withLock { $0 }
    }
}
