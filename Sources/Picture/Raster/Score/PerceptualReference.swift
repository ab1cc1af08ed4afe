import StickerValues

/// A canvas prepared for perceptual comparison with any number of candidates.
///
/// The score is SSIMULACRA2 (J. Sneyers, Cloudinary, 2023) without its insignificant parts: of its six scales, three
/// channels and 108 averages, it keeps the ten channels and 18 averages named in `ScoreFormula.scales`, with a blur of
/// nine taps. Both pictures are composed on white and on black in sRGB space, converted to XYB colours and compared by
/// three maps; see `ChannelComparison`. The weighted averages of the maps add up to a penalty, which SSIMULACRA2's
/// curve turns into a score.
///
/// The weights are a non-negative least-squares fit to SSIMULACRA2 (Python package `ssimulacra2` 0.3.0) on 3311 damaged
/// 512x512 stickers: 52 PNG drawings and cut-outs and 15 JPEG photos, each as WebP at 10 qualities with and without
/// sharp YUV, with alpha quality 80, 50 and 0, near-lossless at 5 levels, and with blur, noise, JPEG, palettes, halos
/// and cut alpha. Agreement on pictures that were not fitted on, as Spearman's rank correlation and mean absolute
/// difference of the worse background:
///
///  fitted on | judged on | all | from 70 on |
/// ---|---|---|---|
///  PNG | JPEG | 0.99997, 0.08 | 0.99991, 0.05 |
///  JPEG | PNG | 0.99991, 0.13 | 0.99983, 0.08 |
///  both | frames of 16 GIFs | 0.99977, 0.13 | 0.99980, 0.11 |
///
/// From 70 on, lossy, sharp and near-lossless WebP are each off by less than 0.05 on average and 0.35 at most. Strong
/// blur (up to 6 too low) and alpha quality 0 (up to 3.5) are further off.
///
/// Memory: about 20 bytes for each pixel and background of the canvas.
public struct PerceptualReference: Sendable {
    /// The background of a sticker.
    public enum Backgrounds: Sendable {
        /// White or black, whichever shows more damage.
        case whiteAndBlack
        /// Black. It is enough, at half the work, if canvas and candidates have the same alpha and show an opaque
        /// rectangle in a transparent frame: on 27 photos and drawings, white was at most 0.06 worse. Not for bright
        /// strokes on transparency: black hides the damage beside them.
        case black
    }

    private let size: PixelSize
    private let backgrounds: Backgrounds
    /// The reference on white, or on black if `onBlack` is `nil` because only black counts.
    private let onWhite: [[ChannelReference]]
    /// `nil` if only black counts, and for an opaque canvas, which looks the same on both.
    private let onBlack: [[ChannelReference]]?

    /// Prepares a canvas: straight RGBA, any size; costs about as much as one score.
    public init(_ canvas: borrowing PixelBuffer, on backgrounds: Backgrounds = .whiteAndBlack) {
        size = canvas.size
        self.backgrounds = backgrounds
        let white = Self.builders(size)
        let isOneEnough = backgrounds == .black || canvas.isOpaque
        let black = isOneEnough ? nil : Self.builders(size)
        LightPyramid.pass(
            canvas, onWhite: LightPyramid(size: size, scales: white[...]),
            onBlack: black.map { LightPyramid(size: canvas.size, scales: $0[...]) })
        onWhite = white.map { $0.map(\.reference) }
        onBlack = black.map { $0.map { $0.map(\.reference) } }
    }

    /// How close `candidate`, straight RGBA of the canvas's size, looks to the canvas.
    ///
    /// The score is the worse of those on white and on black, because the background of a sticker is
    /// unknown, and because SSIMULACRA2 itself treats transparent pictures that way. Colours where alpha
    /// is 0 do not matter.
    ///
    /// - Returns: 0...100: 100 is equal, 90 visually lossless, 70 high quality, 50 medium.
    public func score(of candidate: borrowing PixelBuffer) -> Double {
        precondition(candidate.size == size, "only pictures of one size can be compared")
        let white = Self.comparisons(with: onWhite)
        let looksAlike = onBlack == nil && (backgrounds == .black || candidate.isOpaque)
        let black = looksAlike ? nil : Self.comparisons(with: onBlack ?? onWhite)
        LightPyramid.pass(
            candidate, onWhite: LightPyramid(size: size, scales: white[...]),
            onBlack: black.map { LightPyramid(size: size, scales: $0[...]) })
        return min(ScoreFormula.score(white), black.map(ScoreFormula.score) ?? 100)
    }

    private static func builders(_ size: PixelSize) -> [[ChannelReferenceBuilder]] {
        zip(size.scales, ScoreFormula.scales).map { size, weights in
            weights.map { ChannelReferenceBuilder($0.channel, size: size) }
        }
    }

    private static func comparisons(
        with references: [[ChannelReference]]
    ) -> [[ChannelComparison]] {
        references.map { $0.map(ChannelComparison.init) }
    }
}

extension PixelBuffer {
    /// The backgrounds for comparing `candidate` with the picture.
    public borrowing func backgrounds(
        for candidate: borrowing PixelBuffer
    ) -> PerceptualReference.Backgrounds {
        isFramedRectangle && hasAlpha(of: candidate) ? .black : .whiteAndBlack
    }
}
