public import StickerValues

/// Owned pixels: RGBA, 8 bits a channel, row-major, top row first, no padding between rows.
///
/// Alpha is straight unless said otherwise. The memory is freed with the value.
public struct PixelBuffer: ~Copyable, @unchecked Sendable {
    // Unchecked because the value is the only owner of its memory and cannot be copied.
    private let memory: UnsafeMutableRawBufferPointer
    /// The size in pixels.
    public let size: PixelSize

    /// Creates a buffer of transparent black pixels.
    public init(size: PixelSize) {
        precondition(size.width > 0 && size.height > 0 && size.pixelCount < Int.max / 4)
        self.size = size
        memory = .allocate(byteCount: size.pixelCount * 4, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit { memory.deallocate() }

    /// Bytes between the starts of two rows.
    public var stride: Int { size.width * 4 }

    /// A second buffer with the same pixels.
    public func copy() -> PixelBuffer {
        let copy = PixelBuffer(size: size)
        copy.memory.copyMemory(from: UnsafeRawBufferPointer(memory))
        return copy
    }

    /// Lends the bytes for reading.
    public borrowing func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(memory))
    }

    /// Lends the bytes for writing.
    public mutating func withUnsafeMutableBytes<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(memory)
    }

    /// The pixel in column `x` of row `y`.
    public subscript(x: Int, y: Int) -> SIMD4<UInt8> {
        get {
            precondition(x >= 0 && x < size.width && y >= 0 && y < size.height)
            return memory.load(fromByteOffset: (y * size.width + x) * 4, as: SIMD4<UInt8>.self)
        }
        set {
            precondition(x >= 0 && x < size.width && y >= 0 && y < size.height)
            memory.storeBytes(
                of: newValue, toByteOffset: (y * size.width + x) * 4, as: SIMD4<UInt8>.self)
        }
    }
}
