/// The bytes of one source file, read once and then immutable.
///
/// Every decoder retains the object, so the memory outlives all pointers into it.
public final class SourceBytes: @unchecked Sendable {
    // Unchecked because the memory is written before `init` and never again.
    private let memory: UnsafeRawBufferPointer
    private let release: @Sendable (UnsafeRawBufferPointer) -> Void
    /// A sealed memory file with the same bytes, for another process; `release` closes it.
    public let descriptor: Int32?

    /// Takes over `memory`, which must not be written to any more; `release` frees it and closes `descriptor`.
    public init(
        adopting memory: UnsafeRawBufferPointer, descriptor: Int32? = nil,
        release: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
    ) {
        self.memory = memory
        self.descriptor = descriptor
        self.release = release
    }

    /// Copies `bytes`.
    public convenience init(_ bytes: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(1, bytes.count), alignment: 16)
        copy.copyBytes(from: bytes)
        self.init(adopting: UnsafeRawBufferPointer(rebasing: copy[..<bytes.count])) { memory in
            UnsafeMutableRawBufferPointer(mutating: memory).deallocate()
        }
    }

    deinit { release(memory) }

    /// The number of bytes.
    public var count: Int { memory.count }

    /// Lends the bytes for the duration of `body`.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(memory)
    }
}
