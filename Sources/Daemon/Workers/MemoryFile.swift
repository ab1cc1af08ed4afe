import Glibc
import StickerSystem
import StickerValues

/// A memory file that closes itself; created by this process, or received from another one.
final class MemoryFile: Sendable {
    /// Its name in errors.
    private static let name = "stickerd"

    private let file: Descriptor
    var descriptor: Int32 { file.raw }

    init(adopting file: consuming Descriptor) { self.file = file }

    /// Creates a memory file with `bytes`, sealed if `isSealed`.
    ///
    /// - Throws: `WorkerTrouble` if the system lacks descriptors or memory.
    init(_ bytes: [UInt8], isSealed: Bool = true) throws(WorkerTrouble) {
        do throws(FileError) {
            file = try Descriptor.memory(Self.name)
            try file.writeAll(bytes, path: Self.name)
            if isSealed { try file.seal(Self.name) }
        } catch {
            throw WorkerTrouble(error)
        }
    }

    /// The bytes of `source`, sealed: without a copy if their memory has a descriptor.
    static func sharing(_ source: SourceBytes) throws(WorkerTrouble) -> MemoryFile {
        guard let descriptor = source.descriptor else {
            return try MemoryFile(source.withUnsafeBytes { Array($0) })
        }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw WorkerTrouble("fcntl") }
        return MemoryFile(adopting: Descriptor(adopting: copy))
    }

    /// Its size in bytes, and whether it can no longer be changed.
    var status: (count: Int, isSealed: Bool) {
        // A file whose status cannot be read is not ours.
        guard let status = try? FileStatus(file, path: Self.name) else { return (-1, false) }
        return (Int(status.size), file.isSealed)
    }

    /// The first `count` bytes; fewer if the file is shorter.
    func bytes(count: Int) throws(WorkerTrouble) -> [UInt8] {
        do throws(FileError) {
            return try file.firstBytes(count, path: Self.name)
        } catch {
            throw WorkerTrouble(error)
        }
    }
}

/// A shortage of the system; no file is to blame.
struct WorkerTrouble: Error, CustomStringConvertible {
    let description: String

    init(_ call: String, errno: Int32 = Glibc.errno) {
        description = "\(call): \(SystemCall.message(errno))"
    }

    init(_ error: FileError) { self.init(error.call, errno: error.errno) }
}
