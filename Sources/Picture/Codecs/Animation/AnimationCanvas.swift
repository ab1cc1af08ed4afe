import StickerValues

/// The shown pixels of an animation: straight RGBA, initially transparent.
struct AnimationCanvas: ~Copyable {
    let size: PixelSize
    let format: ImageFormat
    private let memory: LargeMemory

    init(size: PixelSize, _ format: ImageFormat) throws(CodecError) {
        self.size = size
        self.format = format
        memory = try LargeMemory(zeros: size.pixelCount * 4, format)
    }

    /// All pixels.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory.bytes) }

    /// Makes every pixel transparent.
    borrowing func clear() { memory.bytes.initializeMemory(as: UInt8.self, repeating: 0) }

    /// The bytes of `count` pixels of row `y`, from column `x` on.
    borrowing func row(_ y: Int, from x: Int, _ count: Int) -> UnsafeMutableRawBufferPointer {
        precondition(x >= 0 && count >= 0 && x + count <= size.width && y >= 0 && y < size.height)
        let start = (y * size.width + x) * 4
        return UnsafeMutableRawBufferPointer(rebasing: memory.bytes[start..<(start + count * 4)])
    }
}
