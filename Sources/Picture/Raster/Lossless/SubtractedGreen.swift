import Glibc
import StickerValues

/// Whether libwebp subtracts green from red and blue before it predicts: if that makes the differences between
/// neighbours cheaper to code.
struct SubtractedGreen {
    /// Rows are sampled.
    private static let rowStep = 2

    let pays: Bool

    /// Takes straight RGBA.
    init(_ canvas: borrowing PixelBuffer) {
        // Red, blue, and both less green.
        var counts = [UInt32](repeating: 0, count: 4 * 256)
        let (width, height) = (canvas.size.width, canvas.size.height)
        canvas.withUnsafeBytes { bytes in
            let words = bytes.bindMemory(to: UInt32.self)
            func pixel(_ place: Int) -> UInt32 {
                let word = words[place]
                return word >> 24 == 0 ? 0 : word
            }
            for y in stride(from: 1, to: height, by: Self.rowStep) {
                var last = pixel(y * width)
                for place in y * width + 1..<(y + 1) * width {
                    let own = pixel(place)
                    defer { last = own }
                    if own == last || own == pixel(place - width) { continue }
                    func difference(_ shift: UInt32) -> Int {
                        Int(own >> shift & 255) - Int(last >> shift & 255)
                    }
                    let (red, green, blue) = (difference(0), difference(8), difference(16))
                    counts[red & 255] += 1
                    counts[256 + blue & 255] += 1
                    counts[512 + (red - green) & 255] += 1
                    counts[768 + (blue - green) & 255] += 1
                }
            }
        }
        pays = Self.bits(counts[..<512]) >= Self.bits(counts[512...])
    }

    private static func bits(_ counts: ArraySlice<UInt32>) -> Double {
        // Both halves have the same sums.
        counts.reduce(0) { $1 > 0 ? $0 - Double($1) * log2(Double($1)) : $0 }
    }
}
