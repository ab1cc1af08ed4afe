import StickerCodecs
import StickerModel
import StickerRaster

/// Finds an animated PNG under a number of bytes: exact first, then with rounded colours, then with
/// fewer frames.
///
/// Colours are rounded rather than dithered: what stands still then stays equal, and is not stored again.
struct APNGFit {
    /// Bits that are kept of red, green and blue; fewer show bands.
    private static let depths = [8, 6, 5, 4]

    let source: AnimationSource
    /// The largest file allowed.
    let target: Int
    /// How often it is to be played; `nil` for as often as the source says.
    let loopCount: Int?
    /// Everything that was tried, in order.
    private(set) var attempts: [FitAttempt] = []

    init(source: AnimationSource, target: Int, loopCount: Int?) {
        self.source = source
        self.target = target
        self.loopCount = loopCount
    }

    /// The file with the most frames, and among those with the finest colours; `nil` where none fits.
    mutating func search(_ timeline: Timeline) throws(Refusal) -> FitAttempt? {
        for kept in timeline.thinned {
            for depth in Self.depths {
                if let found = try encode(kept, depth) { return found }
            }
        }
        return nil
    }

    private mutating func encode(
        _ timeline: Timeline, _ depth: Int
    ) throws(Refusal) -> FitAttempt? {
        let (target, loopCount) = (target, loopCount ?? source.loopCount)
        let file = try Refusal.catching { () -> [UInt8]? in
            let encoder = try APNGEncoder(
                size: source.canvasSize, loopCount: loopCount, bytesMax: target)
            for frame in timeline.frames where !encoder.isTooLarge {
                try source.budget.check(.png)
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
        // It was given up where it outgrew the limit.
        if file == nil { attempt.bytes = target + 1 }
        attempts.append(attempt)
        return file == nil ? nil : attempt
    }
}
