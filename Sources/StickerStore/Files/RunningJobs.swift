import FoundationEssentials
import Glibc
public import StickerModel
import StickerSystem
import Synchronization

/// The jobs that are actually being worked on, in the file `state/running`: if the daemon dies, it tells
/// which jobs were running and which had only been claimed ahead.
///
/// One write of 8 bytes records a job. Nothing is synced: the page cache outlives a killed process, and
/// after a power cut the boot id differs and no job is blamed. The same goes for a file that is damaged,
/// cannot be read or cannot be written.
public final class RunningJobs: Sendable {
    /// How many jobs there is room for; any others run without being recorded.
    public static let slots = 256
    /// The name of the file inside the state folder.
    public static let fileName = "running"

    /// The boot id, a line of text.
    private static let headerBytes = 64
    private static let fileBytes = headerBytes + slots * 8

    private struct State {
        var slots = [Int64](repeating: 0, count: RunningJobs.slots)
        var isCleared = false
    }

    /// -1 without a file, which makes every call fail: then no job is blamed.
    private let file: Descriptor
    private let left: (boot: String, jobs: Set<JobID>)?
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

    /// The jobs that were running when the last process ended, if the machine has not been rebooted since;
    /// empty after a power cut.
    public func ids(ifSameBoot boot: String = RunningJobs.bootID) -> Set<JobID> {
        guard let left, left.boot == boot, !boot.isEmpty else { return [] }
        return left.jobs
    }

    /// Forgets what an earlier process left; to be called once that is recorded. The first `begin` does so,
    /// too.
    public func clear() { state.withLock { clear(&$0) } }

    /// Records that work on a job begins.
    public func begin(_ job: JobID) {
        state.withLock { state in
            if !state.isCleared { clear(&state) }
            guard let slot = state.slots.firstIndex(of: 0) else { return }
            write(job.rawValue, to: slot, &state)
        }
    }

    /// Records that work on a job has ended.
    public func end(_ job: JobID) {
        state.withLock { state in
            guard let slot = state.slots.firstIndex(of: job.rawValue) else { return }
            write(0, to: slot, &state)
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
    private func write(_ job: Int64, to slot: Int, _ state: inout State) {
        state.slots[slot] = job
        var value = job.littleEndian
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

    private static func read(_ file: borrowing Descriptor) -> (boot: String, jobs: Set<JobID>)? {
        // One extra byte detects a file that is too long.
        guard let bytes = try? file.firstBytes(fileBytes + 1, path: fileName),
            bytes.count == fileBytes,
            let end = bytes.prefix(headerBytes).firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        let numbers = (0..<slots).map { slot in
            (0..<8).reduce(Int64(0)) { $0 | Int64(bytes[headerBytes + slot * 8 + $1]) << (8 * $1) }
        }
        return (
            boot: String(decoding: bytes[..<end], as: UTF8.self),
            jobs: Set(numbers.filter { $0 > 0 }.map(JobID.init))
        )
    }
}
