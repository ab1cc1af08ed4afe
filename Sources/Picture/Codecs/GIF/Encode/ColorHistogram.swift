import StickerValues

/// The colours of one cell of the colour cube, eight levels a side, counted together.
struct ColorCell {
    /// Sums of red, green and blue, and the number of pixels.
    var sum = SIMD4<Int32>.zero
    /// The colour of most of the pixels, if there is a majority.
    private(set) var favorite: UInt32 = 0
    /// The favourite's lead in the vote.
    private(set) var votes: Int32 = 0

    /// Adds a pixel, and votes for its colour (Boyer and Moore's majority vote).
    mutating func note(_ color: UInt32) {
        var channels = GIFColor.channels(color)
        channels.w = 1
        sum &+= channels
        if color == favorite {
            votes += 1
        } else if votes == 0 {
            (favorite, votes) = (color, 1)
        } else {
            votes -= 1
        }
    }

    /// The mean colour.
    var mean: SIMD4<Int32> {
        var mean = (sum &+ sum.w / 2) / sum.w
        mean.w = 0
        return mean
    }
}

/// How often the colours of a picture occur.
struct ColorHistogram {
    /// Cells that hold any pixels.
    let cells: [ColorCell]

    /// Counts the pixels of `area` that get another colour.
    init(_ stage: GIFStage, _ area: PixelRectangle) {
        var cube = [ColorCell](repeating: ColorCell(), count: 1 << 15)
        cube.withUnsafeMutableBufferPointer { cube in
            stage.forEachDrawn(in: area) { color in
                cube[Self.place(of: UInt32(littleEndian: color))].note(color)
                return true
            }
        }
        cells = cube.filter { $0.sum.w > 0 }
    }

    /// The upper five bits of each channel.
    private static func place(of color: UInt32) -> Int {
        let (red, green, blue) = (color >> 3 & 0x1F, color >> 6 & 0x3E0, color >> 9 & 0x7C00)
        return Int(red | green | blue)
    }
}
