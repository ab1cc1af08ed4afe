import StickerValues

/// The blocks of equal pixels that a picture consists of, in all its frames, if it was enlarged without smoothing.
struct PixelBlocks {
    /// The largest possible side of such blocks, by all rows so far; 1 if there are none.
    private(set) var side: Int
    private let width: Int
    private var last: [UInt32] = []

    /// Creates a search in frames of `size`.
    init(size: PixelSize) {
        side = Self.commonDivisor(size.width, size.height)
        width = size.width
    }

    /// Adds row `y` of a frame.
    mutating func note(_ bytes: UnsafeRawBufferPointer, _ layout: SampleLayout, y: Int) {
        guard side > 1 else { return }
        let row = PixelRow(bytes, layout, width: width).pixels
        if y > 0, row != last { side = Self.commonDivisor(side, y) }
        for x in 1..<width where row[x] != row[x - 1] {
            side = Self.commonDivisor(side, x)
        }
        last = row
    }

    private static func commonDivisor(_ one: Int, _ other: Int) -> Int {
        other == 0 ? one : commonDivisor(other, one % other)
    }
}
