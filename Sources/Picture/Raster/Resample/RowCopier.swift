import StickerValues

/// Keeps a picture that already has the right size; invisible pixels become transparent black.
final class RowCopier: RowResampling {
    private var result: PixelBuffer
    private var consumed = 0

    init(size: PixelSize) { result = PixelBuffer(size: size) }

    func consume(_ row: UnsafeRawBufferPointer) {
        let (offset, width) = (consumed * result.stride, result.size.width)
        precondition(row.count >= width * 4, "a row is too short")
        result.withUnsafeMutableBytes { bytes in
            for x in 0..<width {
                let pixel = row.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self)
                guard UInt32(littleEndian: pixel) >> 24 != 0 else { continue }
                bytes.storeBytes(of: pixel, toByteOffset: offset + x * 4, as: UInt32.self)
            }
        }
        consumed += 1
    }

    func finish() -> PixelBuffer {
        precondition(consumed == result.size.height, "rows are missing")
        return result.copy()
    }
}
