public import StickerModel

/// The GIF of an animation for consumers without WebP.
public struct GIFCompanion: Sendable {
    /// A larger file is made again, smaller.
    public static let bytesMax = 2_000_000

    /// Pixels of the canvas.
    public var size: PixelSize
    /// The whole file.
    public var file: [UInt8]
    /// Frames in the file; fewer than were given where some were merged.
    public var frames: Int
    /// The time of all frames.
    public var durationMilliseconds: Int

    private struct Attempt {
        var side: Int
        var frameMillisecondsMin = 20
        var bytesMax = GIFCompanion.bytesMax
    }

    /// First as large as the sticker, then at 320 pixels, then with 12 frames a second at most, which
    /// bounds the file of any sticker that lasts 10 s.
    private static let attempts = [
        Attempt(side: 512), Attempt(side: 320),
        Attempt(side: 320, frameMillisecondsMin: 80, bytesMax: .max),
    ]

    /// Makes a companion, as often as it takes to get below `bytesMax`.
    ///
    /// - Parameters:
    ///   - matte: see `GIFEncoder`.
    ///   - play: adds every frame, drawn on the canvas of this size, to the encoder. It is called up
    ///     to three times, and should stop where the encoder says `isTooLarge`.
    /// - Returns: the first that fits.
    /// - Throws: what `play` and the encoder throw.
    public static func make(
        matte: SIMD3<UInt8>, play: (GIFEncoder, PixelSize) throws(CodecError) -> Void
    ) throws(CodecError) -> GIFCompanion {
        for attempt in attempts {
            let size = PixelSize(width: attempt.side, height: attempt.side)
            let encoder = try GIFEncoder(
                size: size, matte: matte, frameMillisecondsMin: attempt.frameMillisecondsMin,
                bytesMax: attempt.bytesMax)
            try play(encoder, size)
            guard let file = try encoder.finish() else { continue }
            return GIFCompanion(
                size: size, file: file, frames: encoder.frameCount,
                durationMilliseconds: encoder.durationMilliseconds)
        }
        throw CodecError(.encoder, .gif, "the file grew without bounds")
    }
}
