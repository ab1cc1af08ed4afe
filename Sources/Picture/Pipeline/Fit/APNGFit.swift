import StickerCodecs
import StickerModel
import StickerRaster

/// Finds an animated PNG under a number of bytes: exact first, then with rounded colours, then with
/// fewer frames.
///
/// Colours are rounded instead of dithered, so that still areas stay equal and are not stored again.
struct APNGFit {
    /// Bits that are kept of red, green and blue, each with the smallest share of an exact file's bytes
    /// that it may take; fewer bits would show bands.
    private static let depths = [(8, 1.0), (6, 0.55), (5, 0.4)]

    let source: any FrameSource
    /// The largest file allowed.
    let target: Int
    /// How often it is played; `nil` for as often as the source.
    let loopCount: Int?
    /// All attempts, in order.
    private(set) var attempts: [FitAttempt] = []
    private var outlook = AnimationOutlook()

    init(source: any FrameSource, target: Int, loopCount: Int?) {
        self.source = source
        self.target = target
        self.loopCount = loopCount
    }

    /// The file with the most frames and, among those, with the finest colours; `nil` if none fits.
    mutating func search(_ timeline: Timeline) throws(Refusal) -> FitAttempt? {
        for kept in timeline.thinned {
            for (depth, share) in Self.depths
            where outlook.isWorthwhile(frames: kept.frames.count, share: share, under: target) {
                if let found = try encode(kept, depth, share) { return found }
            }
        }
        return nil
    }

    private mutating func encode(
        _ timeline: Timeline, _ depth: Int, _ share: Double
    ) throws(Refusal) -> FitAttempt? {
        var framesAdded = 0
        let (target, loopCount) = (target, loopCount ?? source.loopCount)
        let file = try Refusal.catching { () -> [UInt8]? in
            let encoder = try APNGEncoder(
                size: source.canvasSize, loopCount: loopCount, bytesMax: target)
            for frame in timeline.frames where !encoder.isTooLarge {
                try source.budget.check(.png)
                framesAdded += 1
                let canvas = try source.canvas(frame.source)
                if depth == 8 {
                    try encoder.add(
                        frame: canvas.pixels, durationMilliseconds: frame.milliseconds)
                } else {
                    try encoder.add(
                        frame: canvas.pixels.rounded(toBits: depth),
                        durationMilliseconds: frame.milliseconds)
                }
            }
            return try encoder.finish()
        }
        var attempt = FitAttempt(
            depth == 8 ? .lossless : .palette, quality: Double(1 << (3 * depth)), file ?? [],
            target: target, timeline: timeline, format: .png)
        if file == nil {
            attempt.isGuess = true
            attempt.bytes = outlook.note(
                framesAdded, of: timeline.frames.count, share: share, reaching: target)
        }
        attempts.append(attempt)
        return file == nil ? nil : attempt
    }
}
