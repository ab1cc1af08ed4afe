import StickerValues

/// Finds the brightness of each pixel and the colour of each 2x2 block that a decoder turns into the
/// colours nearest to the given ones.
///
/// Decoders interpolate the colours of blocks with weights 9, 3, 3, 1 (libwebp's "fancy" upsampler). Each
/// round does the same, sets the brightness so that the luminance of every pixel is right in spite of the
/// wrong colour, and moves the colours of blocks against the mean error left in their pixels. Pixels are
/// weighted by how visible they are.
///
/// The aim is that of libwebp's sharp YUV; fewer rounds, squares instead of gamma, and SIMD make it
/// cheaper.
struct SharpConversion {
    /// More rounds did not improve the SSIMULACRA2 scores of real stickers.
    private static let rounds = 2
    /// The colours of blocks move this much farther than their mean error; the best of 1 to 2.
    private static let overshoot: Float = 1.6

    private let size: PixelSize
    /// The top left, top right, bottom left and bottom right pixel of each block.
    private let corners: [ChromaBlockCorner]
    /// The columns of visible blocks in each row; the others are never seen.
    private let visible: [Range<Int>]
    /// 1 / the sum of the weights of a block's pixels.
    private let share: Plane
    private var colors: ChromaBlocks

    /// Converts straight RGBA.
    init(_ canvas: borrowing PixelBuffer) {
        size = canvas.size.squares
        var visible = [Range<Int>](repeating: 0..<0, count: size.height)
        corners = ChromaBlockCorner.all(of: canvas) { visible[$0] = visible[$0].joined(with: $1) }
        self.visible = visible
        share = Plane(width: size.width, height: size.height)
        colors = ChromaBlocks(size: size)
        start()
        for _ in 0..<Self.rounds { improve() }
        // Rounded before the last adjustment of the brightness, which also corrects the rounding.
        colors.round()
        let unused = ChromaBlocks(size: size)
        for y in 0..<size.height { brighten(row: y, errors: unused) }
    }

    /// Begins with the mean colours of blocks.
    private func start() {
        let mean = ColorRow(width: size.width)
        for y in 0..<size.height {
            mean.clear()
            for corner in corners { corner.addLight(row: y, at: vectors(y), to: mean) }
            let (share, blue, red) = (share[y], colors.blue[y], colors.red[y])
            for x in vectors(y) {
                let weight = 1 / mean.weight[lanes: x]
                share[lanes: x] = weight
                let differences = YUVFormula.differences(
                    red: (mean.red[lanes: x] * weight).squareRoot(),
                    green: (mean.green[lanes: x] * weight).squareRoot(),
                    blue: (mean.blue[lanes: x] * weight).squareRoot())
                blue[lanes: x] = differences.blue
                red[lanes: x] = differences.red
            }
            colors.repeatEnds(ofRow: y)
        }
    }

    /// One round: brightness from the colours, then colours from the remaining error.
    private mutating func improve() {
        let better = ChromaBlocks(size: size)
        for y in 0..<size.height {
            brighten(row: y, errors: better)
            let share = share[y]
            for (old, new) in [(colors.blue[y], better.blue[y]), (colors.red[y], better.red[y])] {
                for x in vectors(y) {
                    let step = Self.overshoot * share[lanes: x]
                    new[lanes: x] = YUVFormula.limited(old[lanes: x] + step * new[lanes: x])
                }
            }
            better.repeatEnds(ofRow: y)
        }
        colors = better
    }

    private func brighten(row y: Int, errors: ChromaBlocks) {
        for corner in corners {
            corner.brighten(row: y, at: vectors(y), colors, errors: errors)
        }
    }

    /// The start columns of vectors with visible blocks.
    private func vectors(_ y: Int) -> StrideTo<Int> {
        let lanes = Lanes.scalarCount
        return stride(
            from: visible[y].lowerBound / lanes * lanes, to: visible[y].upperBound, by: lanes)
    }

    /// The brightness of the pixels of a picture of `size`.
    func luma(_ size: PixelSize) -> [UInt8] {
        var row = [UInt8](repeating: 0, count: 2 * share.paddedWidth)
        var samples: [UInt8] = []
        samples.reserveCapacity(size.pixelCount)
        for y in 0..<size.height {
            let (left, right) = (corners[y % 2 * 2], corners[y % 2 * 2 + 1])
            row.withUnsafeMutableBytes { left.writeLuma(row: y / 2, and: right, into: $0) }
            samples += row[..<size.width]
        }
        return samples
    }

    /// The blue and red differences of the blocks.
    var differences: (blue: [UInt8], red: [UInt8]) {
        (colors.samples(of: colors.blue), colors.samples(of: colors.red))
    }
}

/// Sums over one row of blocks.
final class ColorRow {
    private let plane: Plane
    let red: Row
    let green: Row
    let blue: Row
    let weight: Row

    init(width: Int) {
        plane = Plane(width: width, height: 4)
        (red, green, blue, weight) = (plane[0], plane[1], plane[2], plane[3])
    }

    func clear() {
        for row in [red, green, blue, weight] {
            row.update(repeating: 0, count: plane.paddedWidth)
        }
    }
}

extension Range<Int> {
    /// The range that spans both.
    fileprivate func joined(with other: Range) -> Range {
        if isEmpty { return other }
        if other.isEmpty { return self }
        return Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
    }
}
