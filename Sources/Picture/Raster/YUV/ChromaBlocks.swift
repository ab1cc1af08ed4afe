import StickerValues

/// The colour differences of blocks of 2x2 pixels, -112...112.
struct ChromaBlocks {
    let blue: Plane
    let red: Plane
    private let size: PixelSize

    /// Creates blocks that are grey everywhere.
    init(size: PixelSize) {
        self.size = size
        blue = Plane(width: size.width, height: size.height)
        red = Plane(width: size.width, height: size.height)
        for y in 0..<size.height {
            blue[y].update(repeating: 0, count: blue.paddedWidth)
            red[y].update(repeating: 0, count: red.paddedWidth)
            repeatEnds(ofRow: y)
        }
    }

    /// Repeats the first and the last colours of a row beyond its ends, as decoders do.
    func repeatEnds(ofRow y: Int) {
        for plane in [blue, red] {
            plane.repeatEnd(ofRow: y)
            plane[y][-1] = plane[y][0]
            plane[y][plane.paddedWidth] = plane[y][plane.width - 1]
        }
    }

    /// Rounds to the values of a sample.
    func round() {
        for y in 0..<size.height {
            for x in blue.vectors {
                blue[y][lanes: x] = blue[y][lanes: x].rounded(.toNearestOrEven)
                red[y][lanes: x] = red[y][lanes: x].rounded(.toNearestOrEven)
            }
            repeatEnds(ofRow: y)
        }
    }

    /// The samples of a rounded plane.
    func samples(of plane: Plane) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size.pixelCount) { samples, count in
            for y in 0..<size.height {
                let row = plane[y]
                for x in 0..<size.width {
                    samples[y * size.width + x] = UInt8(truncatingIfNeeded: Int32(row[x] + 128))
                }
            }
            count = size.pixelCount
        }
    }
}
