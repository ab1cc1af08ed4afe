import StickerValues

extension PixelBuffer {
    /// The art itself, if this canvas shows only its blocks, centred on transparency.
    ///
    /// - Parameter art: the size and the blocks to look for.
    /// - Returns: a picture of the size of the art; `nil` if the canvas shows anything else, such as a mark or an
    ///   outline.
    public borrowing func pixels(of art: PixelArt) -> PixelBuffer? {
        let drawn = art.size.enlarged(art.block)
        guard drawn.width <= size.width, drawn.height <= size.height else { return nil }
        let (left, top) = ((size.width - drawn.width) / 2, (size.height - drawn.height) / 2)
        var pixels = PixelBuffer(size: art.size)
        for y in 0..<art.size.height {
            for x in 0..<art.size.width {
                pixels[x, y] = self[left + x * art.block, top + y * art.block]
            }
        }
        let again = pixels.enlarged(art.block).centered(on: size)
        guard showsSame(as: again) else { return nil }
        return pixels
    }

    /// The picture with a block of `factor` pixels a side for each of its own.
    public borrowing func enlarged(_ factor: Int) -> PixelBuffer {
        var large = PixelBuffer(size: size.enlarged(factor))
        for y in 0..<large.size.height {
            for x in 0..<large.size.width { large[x, y] = self[x / factor, y / factor] }
        }
        return large
    }
}
