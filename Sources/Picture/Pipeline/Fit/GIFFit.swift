import StickerCodecs
import StickerModel
import StickerRaster

/// Finds a GIF of an animation under a number of bytes: fewer colours first, then fewer frames.
struct GIFFit {
    /// Colours of each frame, each count with the smallest share of the bytes with 255 colours that it
    /// may take; fewer colours would show bands and dots.
    private static let colorCounts = [(255, 1.0), (127, 0.7), (63, 0.45), (31, 0.3)]

    let source: any FrameSource
    /// The largest file allowed.
    let target: Int
    let matte: SIMD3<UInt8>
    /// All attempts, in order.
    private(set) var attempts: [FitAttempt] = []
    private var outlook = AnimationOutlook()

    init(source: any FrameSource, target: Int, matte: SIMD3<UInt8>) {
        self.source = source
        self.target = target
        self.matte = matte
    }

    /// The file with the most frames and, among those, with the most colours; `nil` if none fits.
    mutating func search(_ timeline: Timeline) throws(Refusal) -> FitAttempt? {
        for kept in timeline.thinned {
            for (colors, share) in Self.colorCounts
            where outlook.isWorthwhile(frames: kept.frames.count, share: share, under: target) {
                if let found = try encode(kept, colors, share) { return found }
            }
        }
        return nil
    }

    private mutating func encode(
        _ timeline: Timeline, _ colors: Int, _ share: Double
    ) throws(Refusal) -> FitAttempt? {
        var framesAdded = 0
        let target = target
        let file = try Refusal.catching { () -> [UInt8]? in
            let encoder = try GIFEncoder(
                size: source.canvasSize, matte: matte, colorsMax: colors, bytesMax: target)
            for frame in timeline.frames where !encoder.isTooLarge {
                try source.budget.check(.gif)
                framesAdded += 1
                try encoder.add(
                    frame: source.canvas(frame.source).pixels,
                    durationMilliseconds: frame.milliseconds)
            }
            return try encoder.finish()
        }
        var attempt = FitAttempt(
            .palette, quality: Double(colors), file ?? [], target: target, timeline: timeline,
            format: .gif)
        if file == nil {
            attempt.isGuess = true
            attempt.bytes = outlook.note(
                framesAdded, of: timeline.frames.count, share: share, reaching: target)
        }
        attempts.append(attempt)
        return file == nil ? nil : attempt
    }
}
