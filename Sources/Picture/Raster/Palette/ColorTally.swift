/// The frequencies of a picture's colours; nearly equal colours count as one.
struct ColorTally {
    /// Pixels of nearly the same colour.
    struct Cell {
        /// The sum of their places.
        fileprivate(set) var sum = SIMD4<Float>.zero
        /// The number of pixels.
        fileprivate(set) var count: Float = 0
        /// The colour of most of them, if there is a majority.
        fileprivate(set) var favorite: UInt32 = 0
        /// The favourite's lead in the vote.
        fileprivate(set) var votes: Float = 0

        /// The mean place.
        var mean: SIMD4<Float> { sum / count }

        /// Adds a pixel, and votes for its colour (Boyer and Moore's majority vote).
        fileprivate mutating func note(_ pixel: UInt32) {
            sum += PaletteColor.place(of: pixel)
            count += 1
            if pixel == favorite {
                votes += 1
            } else if votes == 0 {
                (favorite, votes) = (pixel, 1)
            } else {
                votes -= 1
            }
        }
    }

    /// The most cells, for speed; cells are widened to stay below it.
    private static let cellsMax = 1 << 14
    private static let slotBits: UInt32 = 16

    /// Cells of opaque pixels.
    private(set) var opaque: [Cell] = []
    /// Cells of pixels between opaque and transparent.
    private(set) var translucent: [Cell] = []

    /// Counts every `step`th of `pixels`, straight RGBA, except fully transparent ones.
    init(_ pixels: UnsafeBufferPointer<UInt32>, step: Int = 1) {
        for bits in [8, 6, 5, 4, 3] as [UInt32] {
            guard let cells = Self.cells(pixels, step: step, bits: bits) else { continue }
            opaque = cells.filter { PaletteColor.alpha($0.favorite) == 255 }
            translucent = cells.filter { PaletteColor.alpha($0.favorite) < 255 }
            return
        }
    }

    /// Cells of pixels that share the upper `bits` bits of each channel; `nil` if there are too many.
    ///
    /// Opaque pixels do not share cells with others.
    private static func cells(
        _ pixels: UnsafeBufferPointer<UInt32>, step: Int, bits: UInt32
    ) -> [Cell]? {
        let mask = (0xFF << (8 - bits) & 0xFF) * 0x0101_0101 as UInt32
        var cells: [Cell] = []
        var keys: [UInt32] = []
        var slots = [Int32](repeating: -1, count: 1 << slotBits)
        var (last, index) = (0 as UInt32, 0)
        for place in stride(from: 0, to: pixels.count, by: step) {
            let pixel = pixels[place]
            guard PaletteColor.alpha(pixel) > 0 else { continue }
            let opaqueBits: UInt32 = PaletteColor.alpha(pixel) == 255 ? 0xFF00_0000 : 0
            let key = UInt32(littleEndian: pixel) & mask | opaqueBits
            if key != last || cells.isEmpty {
                var slot = Int((key &* 0x9E37_79B1) >> (32 - slotBits))
                while slots[slot] >= 0, keys[Int(slots[slot])] != key {
                    slot = (slot + 1) & (slots.count - 1)
                }
                if slots[slot] < 0 {
                    guard cells.count < cellsMax else { return nil }
                    slots[slot] = Int32(cells.count)
                    cells.append(Cell())
                    keys.append(key)
                }
                (last, index) = (key, Int(slots[slot]))
            }
            cells[index].note(pixel)
        }
        return cells
    }
}
