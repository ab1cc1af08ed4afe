import CLinux
import FoundationEssentials
import Glibc
public import StickerModel
import StickerSystem
import Synchronization

/// What the daemon itself is reading, in the file `state/running`: files come from anybody, and if one of them crashes the
/// daemon, the next process has to know which.
///
/// One write of 8 bytes records a job, or that it waits for a worker: what a worker does crashes nobody but the worker.
/// A deadly signal that the daemon raises itself is noted before it ends. A death from outside, by SIGKILL, for lack of
/// memory or of power, is not, and says nothing about any file. Nothing is synced: the page cache outlives a process, and
/// after a start of the machine the boot id differs. Neither does a file count that is damaged, cannot be read or cannot be
/// written.
public final class RunningJobs: Sendable {
    /// What the daemon was reading when it crashed.
    public struct Crash: Hashable, Sendable {
        /// The jobs whose files it was reading.
        public var jobs: Set<JobID> = []
        /// The outputs whose sources it was looking at.
        public var outputs: Set<Int64> = []

        /// Creates it.
        public init(jobs: Set<JobID> = [], outputs: Set<Int64> = []) {
            (self.jobs, self.outputs) = (jobs, outputs)
        }

        /// Whether it was reading that file alone.
        func isAlone(_ job: JobID) -> Bool { jobs == [job] }
    }

    /// How many jobs there is room for; any others run without being recorded.
    public static let slots = 256
    /// The name of the file inside the state folder.
    public static let fileName = "running"

    /// The boot id, a line of text; the last byte is the number of the signal.
    private static let headerBytes = 64
    private static let fileBytes = headerBytes + slots * 8
    /// Added to a job that waits for its worker.
    private static let waiting: Int64 = 1 << 62

    private struct State {
        var slots = [Int64](repeating: 0, count: RunningJobs.slots)
        var isCleared = false
    }

    /// -1 without a file, which makes every call fail: then no job is blamed.
    private let file: Descriptor
    private let left: (boot: String, crash: Crash?)?
    private let boot: String
    private let state = Mutex(State())

    /// Opens the file in the folder `state` and reads what an earlier process left; the daemon does so
    /// while it holds the lock of the folder.
    ///
    /// - Parameters:
    ///   - folder: the state folder.
    ///   - boot: identifies this boot of the machine.
    public init(state folder: String, boot: String = RunningJobs.bootID) {
        self.boot = boot
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC
        let path = "\(folder)/\(Self.fileName)"
        file = Descriptor(adopting: SystemCall.retrying { open(path, flags, 0o600) })
        left = Self.read(file)
    }

    /// What the last process was reading when it crashed, if the machine has not been started since; `nil` if it did not
    /// crash, or nobody knows.
    public func crash(ifSameBoot boot: String = RunningJobs.bootID) -> Crash? {
        guard let left, left.boot == boot, !boot.isEmpty else { return nil }
        return left.crash
    }

    /// Notes from now on if this process crashes. What an earlier process left is forgotten; to be called once that is
    /// recorded.
    public func noteCrashes() {
        state.withLock { clear(&$0) }
        // Without it, a crash counts as a death from outside.
        _ = clinux_note_crashes(file.raw, off_t(Self.headerBytes - 1))
    }

    /// Records that the file of a job is being read, on the calling thread.
    public func begin(_ job: JobID) {
        clinux_prepare_for_crash()
        take(job.rawValue)
    }

    /// Records that a job waits for its worker, or goes on.
    public func wait(_ job: JobID, isWaiting: Bool) {
        let value = job.rawValue
        let (before, after) =
            isWaiting ? (value, value + Self.waiting) : (value + Self.waiting, value)
        replace(before, by: after)
    }

    /// Records that work on a job has ended.
    public func end(_ job: JobID) { replace(job.rawValue, by: 0) }

    /// Records that the source of an output is being looked at while `body` runs.
    public func looking<Result>(at output: Int64, _ body: () throws -> Result) rethrows -> Result {
        clinux_prepare_for_crash()
        take(-output)
        defer { replace(-output, by: 0) }
        return try body()
    }

    private func take(_ value: Int64) {
        state.withLock { state in
            if !state.isCleared { clear(&state) }
            guard let slot = state.slots.firstIndex(of: 0) else { return }
            write(value, to: slot, &state)
        }
    }

    private func replace(_ before: Int64, by after: Int64) {
        state.withLock { state in
            guard let slot = state.slots.firstIndex(of: before) else { return }
            write(after, to: slot, &state)
        }
    }

    /// `/proc/sys/kernel/random/boot_id`; empty if it cannot be read.
    public static var bootID: String {
        // Discarding the error is right: without a boot id, no job is blamed.
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return text.map { String($0.prefix { !$0.isNewline }) } ?? ""
    }
}

// MARK: - The file

extension RunningJobs {
    private func write(_ value: Int64, to slot: Int, _ state: inout State) {
        state.slots[slot] = value
        var value = value.littleEndian
        // A failed write blames no job, or one job too many, once.
        _ = pwrite(file.raw, &value, 8, off_t(Self.headerBytes + slot * 8))
    }

    /// Clears the slots first: a process that dies in between leaves no job under the new boot id.
    private func clear(_ state: inout State) {
        state.isCleared = true
        let slots = [UInt8](repeating: 0, count: Self.slots * 8)
        var header = Array((boot + "\n").utf8.prefix(Self.headerBytes))
        header += [UInt8](repeating: 0, count: Self.headerBytes - header.count)
        guard pwrite(file.raw, slots, slots.count, off_t(Self.headerBytes)) == slots.count else {
            return
        }
        _ = pwrite(file.raw, header, header.count, 0)
    }

    private static func read(_ file: borrowing Descriptor) -> (boot: String, crash: Crash?)? {
        // One extra byte detects a file that is too long.
        guard let bytes = try? file.firstBytes(fileBytes + 1, path: fileName),
            bytes.count == fileBytes,
            let end = bytes.prefix(headerBytes).firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        let boot = String(decoding: bytes[..<end], as: UTF8.self)
        guard bytes[headerBytes - 1] != 0 else { return (boot, nil) }
        let values = (0..<slots).map { slot in
            (0..<8).reduce(Int64(0)) { $0 | Int64(bytes[headerBytes + slot * 8 + $1]) << (8 * $1) }
        }
        let jobs = values.filter { $0 > 0 && $0 < waiting }.map(JobID.init)
        return (boot, Crash(jobs: Set(jobs), outputs: Set(values.filter { $0 < 0 }.map { -$0 })))
    }
}
