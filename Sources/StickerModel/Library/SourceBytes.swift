/// The bytes of one source file, read once and immutable from then on.
///
/// Every decoder holds on to the object, so the memory outlives whoever points into it.
public final class SourceBytes: @unchecked Sendable {
    // Unchecked because the memory is written before `init` and never again.
    private let memory: UnsafeRawBufferPointer
    private let release: @Sendable (UnsafeRawBufferPointer) -> Void
    /// A sealed memory file that holds the same bytes, for another process; it is closed by `release`.
    public let descriptor: Int32?

    /// Takes over `memory`, which nobody writes any more; `release` gives it and `descriptor` back.
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

    /// How many there are.
    public var count: Int { memory.count }

    /// Lends the bytes for the length of `body`.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(memory)
    }
}
