/// How often the colours of a picture occur, those that are nearly alike as one.
struct ColorTally {
    /// Pixels of nearly one colour.
    struct Cell {
        /// The sum of their places.
        fileprivate(set) var sum = SIMD4<Float>.zero
        /// How many they are.
        fileprivate(set) var count: Float = 0
        /// The colour of most of them, if any has that many.
        fileprivate(set) var favorite: UInt32 = 0
        /// At least so many more pixels have the favourite than another colour.
        fileprivate(set) var votes: Float = 0

        /// The mean place.
        var mean: SIMD4<Float> { sum / count }

        /// Adds a pixel, and votes for its colour (Boyer and Moore's majority vote).
        fileprivate mutating func note(_ pixel: UInt32, _ place: SIMD4<Float>) {
            sum += place
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

    /// More cells would take too long; pictures with that many are noise.
    private static let cellsMax = 1 << 15

    /// Opaque pixels.
    private(set) var opaque: [Cell] = []
    /// Pixels between opaque and transparent.
    private(set) var translucent: [Cell] = []

    /// Counts `pixels`, straight RGBA, without those that are fully transparent.
    init(_ pixels: UnsafeBufferPointer<UInt32>) {
        for bits in [5, 4] as [UInt32] {
            count(pixels, bits: bits)
            if opaque.count + translucent.count <= Self.cellsMax { return }
        }
    }

    /// Cells are so many bits a channel wide.
    private mutating func count(_ pixels: UnsafeBufferPointer<UInt32>, bits: UInt32) {
        (opaque, translucent) = ([], [])
        var cells: [Cell] = []
        var slots = [Int32](repeating: -1, count: 1 << (4 * bits))
        for pixel in pixels where PaletteColor.alpha(pixel) > 0 {
            let key = Self.key(of: pixel, bits: bits)
            if slots[key] < 0 {
                slots[key] = Int32(cells.count)
                cells.append(Cell())
            }
            cells[Int(slots[key])].note(pixel, PaletteColor.place(of: pixel))
        }
        // Alpha 255 shares its cells with no other.
        opaque = cells.filter { PaletteColor.alpha($0.favorite) == 255 }
        translucent = cells.filter { PaletteColor.alpha($0.favorite) < 255 }
    }

    /// The upper bits of each channel; the highest alpha is for opaque pixels alone.
    private static func key(of pixel: UInt32, bits: UInt32) -> Int {
        let pixel = UInt32(littleEndian: pixel)
        let (drop, top) = (8 - bits, (1 << bits) - 1 as UInt32)
        let alpha = pixel >> 24
        let level = alpha == 255 ? top : min(alpha >> drop, top - 1)
        let (red, green, blue) = (
            (pixel & 255) >> drop, (pixel >> 8 & 255) >> drop, (pixel >> 16 & 255) >> drop
        )
        return Int(red | green << bits | blue << (2 * bits) | level << (3 * bits))
    }
}
