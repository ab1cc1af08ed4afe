import StickerCodecs
import StickerRaster
import StickerValues

/// The GIF of a moving sticker, for consumers without WebP.
struct GIFCompanion {
    /// The largest GIF; larger ones are made smaller.
    static let bytesMax = 2_000_000

    private struct Attempt {
        var size: PixelSize
        var frameMillisecondsMin = 20
        var bytesMax = GIFCompanion.bytesMax
    }

    /// First as large as the sticker, then smaller, then with at most 12 frames a second, which bounds
    /// the file of anything that plays for 10 s.
    private static func attempts(_ canvas: PixelSize) -> [Attempt] {
        let small = canvas.longSide > 320 ? canvas.scaled(into: Self.small) : canvas
        return [
            Attempt(size: canvas), Attempt(size: small),
            Attempt(size: small, frameMillisecondsMin: 80, bytesMax: .max),
        ]
    }
    private static let small = PixelSize(width: 320, height: 320)

    let matte: SIMD3<UInt8>

    /// Makes it from the canvases, not from the lossy WebP.
    func make(
        _ timeline: Timeline, of source: any FrameSource
    ) throws(Refusal) -> MadeFile {
        try Refusal.catching {
            for attempt in Self.attempts(source.canvasSize) {
                if let file = try encode(timeline, source, attempt) { return file }
            }
            throw CodecError(.encoder, .gif, "the file grew without bounds")
        }
    }

    /// The GIF may have fewer frames than the timeline, as GIF frames last at least 20 ms.
    private func encode(
        _ timeline: Timeline, _ source: any FrameSource, _ attempt: Attempt
    ) throws -> MadeFile? {
        let encoder = try GIFEncoder(
            size: attempt.size, matte: matte, frameMillisecondsMin: attempt.frameMillisecondsMin,
            bytesMax: attempt.bytesMax)
        for frame in timeline.frames where !encoder.isTooLarge {
            let canvas = try source.canvas(frame.source)
            if attempt.size == canvas.pixels.size {
                try encoder.add(frame: canvas.pixels, durationMilliseconds: frame.milliseconds)
            } else {
                try encoder.add(
                    frame: canvas.pixels.resampled(to: attempt.size),
                    durationMilliseconds: frame.milliseconds)
            }
        }
        guard let bytes = try encoder.finish() else { return nil }
        return MadeFile(
            role: .companion, format: .gif, size: attempt.size, bytes: bytes,
            frames: encoder.frameCount, durationMilliseconds: encoder.durationMilliseconds)
    }
}
