import Glibc
public import StickerValues

/// The input files of a worker: sealed memory, which can no longer be changed.
public enum SealedInput {
    /// A copy of the bytes of `descriptor`; empty if it cannot be read.
    public static func bytes(_ descriptor: Int32) -> [UInt8] {
        guard let bytes = map(descriptor) else { return [] }
        return bytes.withUnsafeBytes { Array($0) }
    }

    /// The bytes of `descriptor`; `nil`, with errno set, if they cannot be mapped.
    public static func map(_ descriptor: Int32) -> SourceBytes? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        let count = Int(status.st_size)
        guard count > 0 else { return SourceBytes([]) }
        let memory = mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        return SourceBytes(adopting: UnsafeRawBufferPointer(start: memory, count: count)) { _ in }
    }
}
