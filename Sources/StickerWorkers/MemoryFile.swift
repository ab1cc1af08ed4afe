import CLinux
import Glibc
import StickerModel

/// A memory file that closes itself; of this process, or received from another one.
final class MemoryFile: Sendable {
    let descriptor: Int32

    init(adopting descriptor: Int32) { self.descriptor = descriptor }

    /// A memory file that holds `bytes`, sealed if it `isSealed`.
    ///
    /// - Throws: `WorkerTrouble` where the system lacks descriptors or memory.
    convenience init(_ bytes: [UInt8], isSealed: Bool = true) throws(WorkerTrouble) {
        self.init(adopting: clinux_memory_file("stickerd"))
        guard descriptor >= 0 else { throw WorkerTrouble("memfd_create") }
        try bytes.withUnsafeBufferPointer { (bytes) throws(WorkerTrouble) in
            try fill(UnsafeRawBufferPointer(bytes))
        }
        guard !isSealed || clinux_seal(descriptor) == 0 else { throw WorkerTrouble("fcntl") }
    }

    /// The bytes of `source`, sealed: the memory that it was read into, if that has a descriptor.
    static func sharing(_ source: SourceBytes) throws(WorkerTrouble) -> MemoryFile {
        guard let descriptor = source.descriptor else {
            return try MemoryFile(source.withUnsafeBytes { Array($0) })
        }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw WorkerTrouble("fcntl") }
        return MemoryFile(adopting: copy)
    }

    private func fill(_ bytes: UnsafeRawBufferPointer) throws(WorkerTrouble) {
        var rest = bytes
        while !rest.isEmpty {
            let written = write(descriptor, rest.baseAddress, rest.count)
            if written > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            } else if written < 0, errno != EINTR {
                throw WorkerTrouble("write")
            }
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Its size in bytes, and whether nobody can change it any more.
    var status: (count: Int, isSealed: Bool) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return (-1, false) }
        // Hardened kernels add a seal of their own.
        let (seals, wanted) = (clinux_seals(descriptor), clinux_all_seals())
        let isSealed = seals >= 0 && seals & wanted == wanted
        return (Int(status.st_size), isSealed)
    }

    /// The first `count` bytes; fewer where the file is shorter.
    func bytes(count: Int) throws(WorkerTrouble) -> [UInt8] {
        var done = 0
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while done < count {
                let length = pread(
                    descriptor, buffer.baseAddress?.advanced(by: done), count - done, done)
                if length > 0 {
                    done += length
                } else if length == 0 || errno != EINTR {
                    failure = length == 0 ? 0 : errno
                    break
                }
            }
            initialized = done
        }
        guard failure == 0 else { throw WorkerTrouble("pread", errno: failure) }
        return bytes
    }
}

/// Something that the system did not give; no file is to blame.
struct WorkerTrouble: Error, CustomStringConvertible {
    let description: String

    init(_ call: String, errno: Int32 = Glibc.errno) {
        description = "\(call): \(String(cString: strerror(errno)))"
    }

    init(message: String) { description = message }
}
