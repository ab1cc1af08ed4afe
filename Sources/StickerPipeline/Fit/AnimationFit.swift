import StickerCodecs
import StickerModel
import StickerRaster

/// Finds the best animated WebP under a number of bytes.
///
/// Lossless if that fits; otherwise lossy, giving up in this order: quality down to 75, the alpha plane's
/// quality, quality down to the floor, frames. Samples of a few frames predict sizes, so that few whole
/// encodes are needed.
struct AnimationFit {
    /// Quality below this is given up last.
    private static let qualityWanted = 75.0
    let source: AnimationSource
    let target: Int
    let qualityMin: Double
    /// How often it is to be played; `nil` for as often as the source says.
    let loopCount: Int?
    /// Everything that was tried, in order.
    private(set) var attempts: [FitAttempt] = []

    init(source: AnimationSource, target: Int, qualityMin: Int, loopCount: Int? = nil) {
        self.source = source
        self.target = target
        self.qualityMin = Double(qualityMin)
        self.loopCount = loopCount
    }

    /// The best file, or `nil` if none fits above the floor.
    mutating func search(_ timeline: Timeline) throws(Refusal) -> FitAttempt? {
        let sample = AnimationSample(timeline)
        if sample.isWorthwhile { try source.keep(sample.sources) }
        if let found = try lossless(timeline, sample) { return found }
        for kept in timeline.thinned {
            if let found = try lossy(kept) { return found }
        }
        return nil
    }

    // MARK: Without loss

    private mutating func lossless(
        _ timeline: Timeline, _ sample: AnimationSample
    ) throws(Refusal) -> FitAttempt? {
        let foretold = try sample.bytes(.lossless(level: 0), of: source)
        for (level, worthBelow) in [(0, 1.05), (1, 1.5), (6, 1.2)] {
            let smallest = attempts.map(\.bytes).min() ?? foretold
            guard
                Double(smallest) <= Double(target) * worthBelow
                    || (level == 1 && foretold <= target * 2)
            else { continue }
            let file = try source.encode(
                timeline, .lossless(level: level), loopCount: loopCount)
            let attempt = FitAttempt(
                .lossless, quality: Double(level), file, target: target, timeline: timeline)
            attempts.append(attempt)
            if file.count <= target { return attempt }
        }
        return nil
    }

    // MARK: With loss

    private mutating func lossy(_ timeline: Timeline) throws(Refusal) -> FitAttempt? {
        let sample = AnimationSample(timeline)
        let all = qualityMin...100
        let fine = max(Self.qualityWanted, qualityMin)...100
        var phases = [(alpha: 100, qualities: all)]
        if source.header.hasAlpha {
            phases = [(100, fine), (50, fine), (50, all), (0, all)]
            if fine == all { phases.remove(at: 2) }
        }
        for phase in phases {
            if let found = try lossy(timeline, sample, phase.alpha, phase.qualities) {
                return found
            }
        }
        return nil
    }

    private mutating func lossy(
        _ timeline: Timeline, _ sample: AnimationSample, _ alpha: Int,
        _ qualities: ClosedRange<Double>
    ) throws(Refusal) -> FitAttempt? {
        var tried: [FitAttempt] = []
        let whole = { (quality: Double) throws(Refusal) -> Int in
            let file = try source.encode(
                timeline, .lossy(quality: quality, alphaQuality: alpha), loopCount: loopCount)
            tried.append(
                FitAttempt(
                    .lossy, quality: quality, alphaQuality: alpha, file, target: target,
                    timeline: timeline))
            return file.count
        }
        if sample.isWorthwhile {
            let search = SampledSearch(target: target, qualities: qualities)
            try search.run(
                foretell: { (quality) throws(Refusal) in
                    try sample.bytes(.lossy(quality: quality, alphaQuality: alpha), of: source)
                }, encode: whole)
        } else {
            let search = QualitySearch(target: target, qualities: qualities, tolerance: 0.95)
            _ = try search.best(encode: whole)
        }
        attempts += tried
        return tried.filter { $0.bytes <= target }.max { $0.quality < $1.quality }
    }
}

extension AnimationSource {
    /// Encodes the frames of `timeline` to a whole WebP, played as often as the source says, or
    /// `loopCount` times.
    func encode(
        _ timeline: Timeline, _ coding: WebPFrameCoding, loopCount: Int? = nil
    ) throws(Refusal) -> [UInt8] {
        try Refusal.catching {
            let encoder = try WebPAnimationEncoder(
                size: canvasSize, loopCount: loopCount ?? self.loopCount, coding: coding,
                budget: budget)
            for frame in timeline.frames {
                let canvas = try canvas(frame.source)
                try encoder.add(canvas.pixels, milliseconds: frame.milliseconds)
            }
            return try encoder.finish()
        }
    }
}
