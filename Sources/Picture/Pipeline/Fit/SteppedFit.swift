import StickerCodecs
import StickerRaster
import StickerValues

/// Finds an animated PNG or a GIF under a number of bytes: coarser colours first, then fewer frames.
///
/// In a PNG colours are rounded instead of dithered, so that still areas stay equal and are not stored again.
struct SteppedFit {
    /// A format without a quality.
    enum Form {
        /// Played `loopCount` times; as often as the source if that is `nil`.
        case apng(loopCount: Int?)
        /// With the background that half-transparent pixels are composed on.
        case gif(matte: SIMD3<UInt8>)

        /// The bits that are kept of red, green and blue, or the colours of each frame, from the finest on; each with
        /// the smallest share of the finest file's bytes that it may take. Coarser colours would show bands and dots.
        var steps: [(fineness: Int, share: Double)] {
            switch self {
            case .apng: [(8, 1.0), (6, 0.55), (5, 0.4)]
            case .gif: [(255, 1.0), (127, 0.7), (63, 0.45), (31, 0.3)]
            }
        }

        var format: ImageFormat {
            switch self {
            case .apng: .png
            case .gif: .gif
            }
        }
    }

    let form: Form
    let source: any FrameSource
    /// The largest file allowed.
    let target: Int
    /// All attempts, in order.
    private(set) var attempts: [FitAttempt] = []
    private var outlook = AnimationOutlook()

    init(_ form: Form, source: any FrameSource, target: Int) {
        self.form = form
        self.source = source
        self.target = target
    }

    /// The file with the most frames and, among those, with the finest colours; `nil` if none fits.
    mutating func search(_ timeline: Timeline) throws(Refusal) -> FitAttempt? {
        for kept in timeline.thinned {
            for (fineness, share) in form.steps
            where outlook.isWorthwhile(frames: kept.frames.count, share: share, under: target) {
                if let found = try encode(kept, fineness, share) { return found }
            }
        }
        return nil
    }

    private mutating func encode(
        _ timeline: Timeline, _ fineness: Int, _ share: Double
    ) throws(Refusal) -> FitAttempt? {
        var framesAdded = 0
        let (form, source) = (form, source)
        let bits = if case .apng = form { fineness } else { 8 }
        let file = try Refusal.catching { () -> [UInt8]? in
            let encoder = try makeEncoder(fineness)
            for frame in timeline.frames where !encoder.isTooLarge {
                try source.budget.check(form.format)
                framesAdded += 1
                let canvas = try source.canvas(frame.source)
                if bits == 8 {
                    try encoder.add(
                        frame: canvas.pixels, durationMilliseconds: frame.milliseconds)
                } else {
                    try encoder.add(
                        frame: canvas.pixels.rounded(toBits: bits),
                        durationMilliseconds: frame.milliseconds)
                }
            }
            return try encoder.finish()
        }
        var attempt = makeAttempt(file ?? [], fineness, timeline)
        if file == nil {
            attempt.isGuess = true
            attempt.bytes = outlook.note(
                framesAdded, of: timeline.frames.count, share: share, reaching: target)
        }
        attempts.append(attempt)
        return file == nil ? nil : attempt
    }

    private func makeEncoder(_ fineness: Int) throws(CodecError) -> any AnimationEncoding {
        switch form {
        case .apng(let loopCount):
            try APNGEncoder(
                size: source.canvasSize, loopCount: loopCount ?? source.loopCount, bytesMax: target)
        case .gif(let matte):
            try GIFEncoder(
                size: source.canvasSize, matte: matte, colorsMax: fineness, bytesMax: target)
        }
    }

    private func makeAttempt(_ file: [UInt8], _ fineness: Int, _ timeline: Timeline) -> FitAttempt {
        let (mode, quality): (Encoding.Mode, Int) =
            switch form {
            case .apng: (fineness == 8 ? .lossless : .palette, 1 << (3 * fineness))
            case .gif: (.palette, fineness)
            }
        return FitAttempt(
            mode, quality: Double(quality), file, target: target, timeline: timeline,
            format: form.format)
    }
}
