import StickerCodecs
import StickerModel
import StickerRaster

/// The GIF of a moving sticker, for consumers without WebP.
struct GIFCompanion {
    /// Above this the GIF is made again at a smaller size.
    static let bytesMax = 2_000_000
    /// The smaller size.
    static let small = PixelSize(width: 320, height: 320)

    let matte: SIMD3<UInt8>

    /// Makes it of the canvases, not of the lossy WebP.
    func make(
        _ timeline: Timeline, of source: AnimationSource
    ) throws(Refusal) -> MadeFile {
        if let bytes = try encode(timeline, source, .sticker, bytesMax: Self.bytesMax) {
            return file(bytes, .sticker, timeline)
        }
        let bytes = try encode(timeline, source, Self.small, bytesMax: Int.max)
        return file(bytes ?? [], Self.small, timeline)
    }

    private func encode(
        _ timeline: Timeline, _ source: AnimationSource, _ size: PixelSize, bytesMax: Int
    ) throws(Refusal) -> [UInt8]? {
        do {
            let encoder = try GIFEncoder(size: size, matte: matte, bytesMax: bytesMax)
            for frame in timeline.frames where !encoder.isTooLarge {
                let canvas = try source.canvas(frame.source)
                if size == canvas.pixels.size {
                    try encoder.add(
                        frame: canvas.pixels, durationMilliseconds: frame.milliseconds)
                } else {
                    try encoder.add(
                        frame: canvas.pixels.resampled(to: size),
                        durationMilliseconds: frame.milliseconds)
                }
            }
            return try encoder.finish()
        } catch let error as CodecError {
            throw Refusal(error)
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            preconditionFailure("nothing else is thrown here")
        }
    }

    private func file(_ bytes: [UInt8], _ size: PixelSize, _ timeline: Timeline) -> MadeFile {
        MadeFile(
            role: .companion, format: .gif, size: size, bytes: bytes,
            frames: timeline.frames.count, durationMilliseconds: timeline.totalMilliseconds)
    }
}
