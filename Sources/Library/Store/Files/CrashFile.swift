import FoundationEssentials
import Glibc
public import StickerSystem

/// The file `state/running`: the daemon's reading at the time of a crash.
///
/// The handler of a deadly signal that a thread raised itself writes it. A death from outside, by SIGKILL or lack of
/// memory or power, writes nothing and blames no file. Nothing is synced: the page cache outlives a process, and after
/// a reboot the boot id differs. A file that is damaged, unreadable or not writable blames none.
public struct CrashFile: ~Copyable, Sendable {
    /// The name of the file inside the state folder.
    public static let fileName = "running"

    /// The boot id, a line of text, followed by the reading.
    private static let headerBytes = 64
    private static let fileBytes = headerBytes + 8

    /// -1 without a file, which makes every call fail.
    private let file: Descriptor
    private let left: (boot: String, reading: Reading)?
    private let boot: String

    /// Opens the file in the folder `state` and reads the note of an earlier process; the daemon does so while it holds
    /// the lock of the folder.
    ///
    /// - Parameters:
    ///   - folder: the state folder.
    ///   - boot: identifies this boot of the machine.
    public init(state folder: String, boot: String = CrashFile.bootID) {
        self.boot = boot
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC
        let path = "\(folder)/\(Self.fileName)"
        file = Descriptor(adopting: SystemCall.retrying { open(path, flags, 0o600) })
        left = Self.read(file)
    }

    /// The last process's reading at its crash, if the machine has not been rebooted since; `nil` if it did not crash,
    /// read nothing, or that is unknown.
    public func crash(ifSameBoot boot: String = CrashFile.bootID) -> Reading? {
        guard let left, left.boot == boot, !boot.isEmpty else { return nil }
        return left.reading
    }

    /// Arms the note for a crash of this process. It clears the note of an earlier process: record that before.
    public func noteCrashes() {
        var header = Array((boot + "\n").utf8.prefix(Self.headerBytes))
        header += [UInt8](repeating: 0, count: Self.fileBytes - header.count)
        // Without the header, a crash counts as a death from outside.
        guard ftruncate(file.raw, 0) == 0, pwrite(file.raw, header, header.count, 0) > 0 else {
            return
        }
        _ = Reading.noteCrashes(in: file, at: Self.headerBytes)
    }

    private static func read(_ file: borrowing Descriptor) -> (boot: String, reading: Reading)? {
        // One extra byte detects a file that is too long.
        guard let bytes = try? file.firstBytes(fileBytes + 1, path: fileName),
            bytes.count == fileBytes,
            let end = bytes.prefix(headerBytes).firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        let value = bytes[headerBytes...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let boot = String(decoding: bytes[..<end], as: UTF8.self)
        return Reading(rawValue: Int64(bitPattern: value)).map { (boot, $0) }
    }

    /// `/proc/sys/kernel/random/boot_id`; empty if it cannot be read.
    public static var bootID: String {
        // Discarding the error is right: without a boot id, no file is blamed.
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return text.map { String($0.prefix { !$0.isNewline }) } ?? ""
    }
}
