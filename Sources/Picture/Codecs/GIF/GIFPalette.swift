import CGIF
import StickerValues

/// The colours of one frame as RGBA pixels; 0 is no colour and draws nothing.
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

    /// Draws the first `count` of `indices` from column `x` of row `y` on.
    func draw(
        _ indices: UnsafeBufferPointer<UInt8>, count: Int, onto canvas: borrowing AnimationCanvas,
        x: Int, y: Int
    ) {
        guard count > 0 else { return }
        precondition(count <= indices.count)
        let row = canvas.row(y, from: x, count).assumingMemoryBound(to: UInt32.self)
        pixels.withUnsafeBufferPointer { pixels in
            for column in 0..<count {
                let pixel = pixels[Int(indices[column])]
                if pixel != 0 { row[column] = pixel }
            }
        }
    }
}
