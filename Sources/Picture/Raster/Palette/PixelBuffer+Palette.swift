import StickerValues

extension PixelBuffer {
    /// An error is measured on some pixels. Of these prime steps one does not divide the width, so that all columns take
    /// part.
    private static let (largeSteps, smallSteps) = ([29, 31], [7, 11, 13])
    /// Fewer colours in the pixels of a large step are too few to tell the error, and quickly counted in more pixels.
    private static let sampledColorsMin = 2500
    /// Diffusing all of an error gives the right colour on average, but more noise; this share scored
    /// best.
    private static let diffusedShare: Float = 0.875

    /// Whether there are at most `count` colours, 256 at most; all fully transparent pixels are of one.
    public borrowing func hasAtMost(colors count: Int) -> Bool {
        precondition(count <= 256, "a palette has 256 colours at most")
        return withUnsafeBytes {
            ExactColors.areFew($0.bindMemory(to: UInt32.self), count: count)
        }
    }

    /// The picture in at most `count` colours, alpha included, for files with a palette.
    ///
    /// A picture that has so few colours is returned unchanged. Transparent pixels stay transparent and take one of the
    /// colours; opaque pixels stay opaque unless a single colour must represent everything visible. The colours are
    /// chosen to keep the sum of squared errors, on white and on black, small, and errors are diffused; see
    /// `PaletteCut` and `ErrorDiffusion`. Equal pictures give equal pixels.
    ///
    /// - Parameter count: 2...256.
    /// - Returns: straight RGBA of the same size.
    public borrowing func reduced(toColors count: Int) -> PixelBuffer {
        reduced(toColors: count, diffusing: Self.diffusedShare)
    }

    /// `diffusing` is the share of an error that is passed on to neighbours.
    borrowing func reduced(toColors count: Int, diffusing strength: Float) -> PixelBuffer {
        precondition(2...256 ~= count, "a palette has 2 to 256 colours")
        let width = size.width
        var reduced = copy()
        withUnsafeBytes { bytes in
            let pixels = bytes.bindMemory(to: UInt32.self)
            guard !ExactColors.areFew(pixels, count: count) else { return }
            let hasHoles = pixels.contains { PaletteColor.alpha($0) == 0 }
            let tally = ColorTally(pixels)
            let palette = PaletteCut.palette(of: tally, count: hasHoles ? count - 1 : count)
            var diffusion = ErrorDiffusion(palette, strength: strength)
            reduced.withUnsafeMutableBytes { target in
                diffusion.draw(pixels, into: target.bindMemory(to: UInt32.self), width: width)
            }
        }
        return reduced
    }

    /// The approximate distance of the pixels from the nearest of the best `count` colours, without diffusion: the root
    /// of the mean squared distance over all pixels, on white and on black, in levels.
    ///
    /// - Parameter count: 2...256.
    /// - Returns: 0 if there are no more colours than that.
    public borrowing func paletteError(colors count: Int) -> Double {
        precondition(2...256 ~= count, "a palette has 2 to 256 colours")
        let width = size.width
        func step(_ steps: [Int]) -> Int { steps.first { !width.isMultiple(of: $0) } ?? 1 }
        return withUnsafeBytes { bytes in
            let pixels = bytes.bindMemory(to: UInt32.self)
            let (large, small) = (step(Self.largeSteps), step(Self.smallSteps))
            var step = pixels.count < large * Self.sampledColorsMin ? small : large
            var tally = ColorTally(pixels, step: step)
            let colors = tally.opaque.count + tally.translucent.count
            if step == large, colors < Self.sampledColorsMin {
                step = small
                tally = ColorTally(pixels, step: step)
            }
            let error = PaletteCut.squaredError(of: tally, count: count)
            return (error * Double(step) / Double(pixels.count)).squareRoot()
        }
    }
}
