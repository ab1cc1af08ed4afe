import CGIF
import StickerModel
import StickerRaster

/// The colours of one frame as RGBA pixels; 0, which no colour is, means nothing is drawn.
struct GIFPalette {
    private var pixels = [UInt32](repeating: 0, count: 256)

    init(_ reader: GIFReader, transparentIndex: UInt8?) throws(CodecError) {
        guard let table = reader.colorTable else {
            throw CodecError(.malformed, .gif, "a frame has no colour table")
        }
        for (index, color) in table.prefix(256).enumerated() {
            let (red, green, blue) = (UInt32(color.Red), UInt32(color.Green), UInt32(color.Blue))
            pixels[index] = UInt32(littleEndian: red | green << 8 | blue << 16 | 0xFF << 24)
        }
        if let transparentIndex { pixels[Int(transparentIndex)] = 0 }
    }

    /// Draws the first `count` of `indices` from column `x` of row `y`.
    func draw(
        _ indices: UnsafeBufferPointer<UInt8>, count: Int, onto canvas: inout PixelBuffer,
        x: Int, y: Int
    ) {
        precondition(count <= indices.count && x + count <= canvas.size.width)
        precondition(y < canvas.size.height)
        let start = y * canvas.size.width + x
        canvas.withUnsafeMutableBytes { bytes in
            let row = bytes.assumingMemoryBound(to: UInt32.self)
            pixels.withUnsafeBufferPointer { pixels in
                for column in 0..<max(0, count) {
                    let pixel = pixels[Int(indices[column])]
                    if pixel != 0 { row[start + column] = pixel }
                }
            }
        }
    }
}
