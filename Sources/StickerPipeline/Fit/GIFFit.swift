import StickerCodecs
import StickerModel
import StickerRaster

/// Finds a GIF of an animation under a number of bytes: fewer colours first, then fewer frames.
struct GIFFit {
    /// Of each frame; fewer show bands and dots.
    private static let colorCounts = [255, 127, 63, 31]

    let source: AnimationSource
    /// The largest file allowed.
    let target: Int
    let matte: SIMD3<UInt8>
    /// Everything that was tried, in order.
    private(set) var attempts: [FitAttempt] = []

    init(source: AnimationSource, target: Int, matte: SIMD3<UInt8>) {
        self.source = source
        self.target = target
        self.matte = matte
    }

    /// The file with the most frames, and among those with the most colours; `nil` where none fits.
    mutating func search(_ timeline: Timeline) throws(Refusal) -> FitAttempt? {
        for kept in timeline.thinned {
            for colors in Self.colorCounts {
                if let found = try encode(kept, colors) { return found }
            }
        }
        return nil
    }

    private mutating func encode(
        _ timeline: Timeline, _ colors: Int
    ) throws(Refusal) -> FitAttempt? {
        let target = target
        let file = try Refusal.catching { () -> [UInt8]? in
            let encoder = try GIFEncoder(
                size: source.canvasSize, matte: matte, colorsMax: colors, bytesMax: target)
            for frame in timeline.frames where !encoder.isTooLarge {
                try source.budget.check(.gif)
                try encoder.add(
                    frame: source.canvas(frame.source).pixels,
                    durationMilliseconds: frame.milliseconds)
            }
            return try encoder.finish()
        }
        var attempt = FitAttempt(
            .palette, quality: Double(colors), file ?? [], target: target, timeline: timeline,
            format: .gif)
        if file == nil { attempt.bytes = target + 1 }
        attempts.append(attempt)
        return file == nil ? nil : attempt
    }
}
