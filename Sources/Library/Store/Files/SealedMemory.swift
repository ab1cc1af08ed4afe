import Glibc
import StickerSystem
import StickerValues

/// Anonymous memory that is filled once, then sealed by the kernel against changes.
struct SealedMemory: ~Copyable {
    /// The path in errors, which concern the system, not a file.
    static let name = "(memory)"

    private let file: Descriptor
    private let count: Int
    private let writable: UnsafeMutableRawPointer

    /// Allocates room for `count` bytes, at least one.
    init(count: Int) throws(FileError) {
        let name = Self.name
        let file = try Descriptor.memory(name)
        try SystemCall.run("ftruncate", name) { ftruncate(file.raw, count) }
        let memory = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, file.raw, 0)
        guard let memory, memory != MAP_FAILED else {
            throw FileError(call: "mmap", path: name, errno: errno)
        }
        self.count = count
        self.file = file
        writable = memory
    }

    deinit { munmap(writable, count) }

    /// The writable memory, until `sealed`.
    var buffer: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: writable, count: count)
    }

    /// Ends writing for good and lends the bytes.
    consuming func sealed() throws(FileError) -> SourceBytes {
        let count = count
        let file = try unmapped()
        try file.seal(Self.name)
        let memory = mmap(nil, count, PROT_READ, MAP_SHARED, file.raw, 0)
        guard let memory, memory != MAP_FAILED else {
            throw FileError(call: "mmap", path: Self.name, errno: errno)
        }
        let descriptor = file.release()
        return SourceBytes(
            adopting: UnsafeRawBufferPointer(start: memory, count: count), descriptor: descriptor
        ) { bytes in
            munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
            close(descriptor)
        }
    }

    /// The file alone: the kernel seals only memory that is not mapped for writing.
    private consuming func unmapped() throws(FileError) -> Descriptor {
        try file.duplicate(Self.name)
    }
}
