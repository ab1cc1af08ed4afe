import StickerValues

/// One pixel of each 2x2 block: its wanted colour, and the brightness chosen for it.
///
/// Eight lanes are eight blocks, so nothing ever has to be interleaved.
struct ChromaBlockCorner {
    private let red: Plane
    private let green: Plane
    private let blue: Plane
    /// How visible a pixel is, above 0 and up to 1.
    private let weight: Plane
    /// 0...255; 0 is black, 255 is white.
    private let luma: Plane
    private let dx: Int
    private let dy: Int

    private init(size: PixelSize, dx: Int, dy: Int) {
        (self.dx, self.dy) = (dx, dy)
        func plane() -> Plane { Plane(width: size.width, height: size.height) }
        (red, green, blue, weight, luma) = (plane(), plane(), plane(), plane(), plane())
    }

    /// The four pixels of all blocks; those beyond an odd end repeat the last.
    ///
    /// `visible` is called for each row of pixels with the columns of blocks that show anything.
    static func all(
        of canvas: borrowing PixelBuffer, visible: (_ row: Int, Range<Int>) -> Void
    ) -> [ChromaBlockCorner] {
        let (size, squares) = (canvas.size, canvas.size.squares)
        let corners = (0..<4).map { ChromaBlockCorner(size: squares, dx: $0 % 2, dy: $0 / 2) }
        var row = [UInt32](repeating: 0, count: 2 * corners[0].red.paddedWidth)
        canvas.withUnsafeBytes { bytes in
            for y in 0..<(2 * squares.height) {
                let start = min(y, size.height - 1) * size.width * 4
                row.withUnsafeMutableBytes {
                    $0.copyMemory(
                        from: UnsafeRawBufferPointer(
                            rebasing: bytes[start...].prefix(size.width * 4)))
                }
                for x in size.width..<row.count { row[x] = row[size.width - 1] }
                corners[y % 2 * 2].take(row, y / 2)
                corners[y % 2 * 2 + 1].take(row, y / 2)
                visible(y / 2, visibleSquares(row))
            }
        }
        return corners
    }

    /// The range from the first to the last block with a visible pixel.
    private static func visibleSquares(_ row: [UInt32]) -> Range<Int> {
        guard let first = row.firstIndex(where: { $0 >> 24 != 0 }),
            let last = row.lastIndex(where: { $0 >> 24 != 0 })
        else { return 0..<0 }
        return (first / 2)..<(last / 2 + 1)
    }

    /// Reads this corner's pixels of a row.
    private func take(_ row: [UInt32], _ y: Int) {
        let (red, green, blue) = (red[y], green[y], blue[y])
        let (weight, luma) = (weight[y], luma[y])
        row.withUnsafeBytes { bytes in
            for x in self.red.vectors {
                let pixels = bytes.loadUnaligned(fromByteOffset: x * 8, as: SIMD16<UInt32>.self)
                let bits = SIMD8<Int32>(
                    truncatingIfNeeded: dx == 0 ? pixels.evenHalf : pixels.oddHalf)
                let colors = (
                    Lanes(bits & 255), Lanes((bits &>> 8) & 255), Lanes((bits &>> 16) & 255)
                )
                red[lanes: x] = colors.0
                green[lanes: x] = colors.1
                blue[lanes: x] = colors.2
                weight[lanes: x] = Lanes((bits &>> 24) & 255) * (1 / 255) + 1e-6
                luma[lanes: x] = 0.299 * colors.0 + 0.587 * colors.1 + 0.114 * colors.2
            }
        }
    }

    /// Adds the squares of the channels, which are closer to light than the channels, times the weight.
    func addLight(row y: Int, at vectors: StrideTo<Int>, to sum: ColorRow) {
        let (red, green, blue, weight) = (red[y], green[y], blue[y], weight[y])
        for x in vectors {
            let part = weight[lanes: x]
            sum.red[lanes: x] += part * red[lanes: x] * red[lanes: x]
            sum.green[lanes: x] += part * green[lanes: x] * green[lanes: x]
            sum.blue[lanes: x] += part * blue[lanes: x] * blue[lanes: x]
            sum.weight[lanes: x] += part
        }
    }

    /// Sets the brightness of a row for the colours that a decoder will interpolate, and adds the
    /// differences that are still wrong, times the weight.
    ///
    /// Interpolation takes nine parts of the pixel's own block, three of each block that the pixel
    /// touches, and one of the block across the corner.
    func brighten(
        row y: Int, at vectors: StrideTo<Int>, _ colors: ChromaBlocks, errors: ChromaBlocks
    ) {
        let (red, green, blue, weight) = (red[y], green[y], blue[y], weight[y])
        let luma = luma[y]
        let neighbor = dy == 0 ? max(y - 1, 0) : min(y + 1, self.red.height - 1)
        let (ownBlue, farBlue) = (colors.blue[y], colors.blue[neighbor])
        let (ownRed, farRed) = (colors.red[y], colors.red[neighbor])
        let (blueErrors, redErrors) = (errors.blue[y], errors.red[y])
        let side = dx == 0 ? -1 : 1
        for x in vectors {
            let shown = YUVFormula.offsets(
                blue: interpolated(ownBlue, farBlue, x, side),
                red: interpolated(ownRed, farRed, x, side))
            let wanted = (red[lanes: x], green[lanes: x], blue[lanes: x])
            let brightness = YUVFormula.brightness(
                from: luma[lanes: x], wanted: wanted, offsets: shown)
            luma[lanes: x] = brightness
            let wrong = YUVFormula.differences(
                red: wanted.0 - YUVFormula.clamped(brightness + shown.red),
                green: wanted.1 - YUVFormula.clamped(brightness + shown.green),
                blue: wanted.2 - YUVFormula.clamped(brightness + shown.blue))
            blueErrors[lanes: x] += weight[lanes: x] * wrong.blue
            redErrors[lanes: x] += weight[lanes: x] * wrong.red
        }
    }

    @inline(__always)
    private func interpolated(_ own: Row, _ far: Row, _ x: Int, _ side: Int) -> Lanes {
        let near = own[lanes: x] * 3 + own[lanes: x + side]
        return (near * 3 + (far[lanes: x] * 3 + far[lanes: x + side])) * (1.0 / 16)
    }

    /// Puts the brightness of row `y` of these pixels and of their right neighbours into `samples`.
    func writeLuma(
        row y: Int, and right: ChromaBlockCorner, into samples: UnsafeMutableRawBufferPointer
    ) {
        let (even, odd) = (luma[y], right.luma[y])
        for x in luma.vectors {
            // Little-endian: the lower byte comes first.
            let pairs = levels(even[lanes: x]) | (levels(odd[lanes: x]) &<< 8)
            samples.storeBytes(
                of: SIMD8<UInt16>(truncatingIfNeeded: pairs), toByteOffset: 2 * x,
                as: SIMD8<UInt16>.self)
        }
    }

    /// Rounds: from 2^23 on, a Float has no fraction, and its lowest bits are the number.
    @inline(__always)
    private func levels(_ brightness: Lanes) -> SIMD8<UInt32> {
        let shifted = brightness * (219.0 / 255) + (16 + 0x1p23)
        return unsafeBitCast(shifted, to: SIMD8<UInt32>.self) & 255
    }
}
