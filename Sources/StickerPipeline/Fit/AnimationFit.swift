import StickerCodecs
import StickerModel
import StickerRaster

/// Finds the best animated WebP under a number of bytes.
///
/// Without loss if that fits; else with loss, and what is given up comes in this order: quality down
/// to 75, the alpha plane's quality, quality down to the floor, frames. Samples of a few frames
/// foretell sizes, so that whole encodes are few.
struct AnimationFit {
    /// What a search found.
    struct Found {
        var file: [UInt8]
        var encoding: Encoding
        /// The frames that are left.
        var timeline: Timeline
    }

    /// Below this quality is given up last.
    private static let qualityWanted = 75.0
    /// Frames on the screen a second, at least, when frames are dropped.
    private static let framesPerSecondMin = 5

    let source: AnimationSource
    let target: Int
    let qualityMin: Double
    let loopCount: Int
    /// Everything that was tried, in order.
    private(set) var attempts: [FitAttempt] = []

    init(source: AnimationSource, target: Int, qualityMin: Int) {
        self.source = source
        self.target = target
        self.qualityMin = Double(qualityMin)
        loopCount = source.loopCount
    }

    /// The best file, or `nil` where none fits above the floor.
    mutating func search(_ timeline: Timeline) throws(Refusal) -> Found? {
        let sample = AnimationSample(timeline)
        if sample.isWorthwhile { try source.keep(sample.sources) }
        if let found = try lossless(timeline, sample) { return found }
        for step in 1... {
            let kept = timeline.keeping(every: step)
            guard step == 1 || isSmooth(kept) else { return nil }
            if let found = try lossy(kept) { return found }
        }
        return nil
    }

    private func isSmooth(_ timeline: Timeline) -> Bool {
        timeline.frames.count > 1
            && timeline.totalMilliseconds <= timeline.frames.count * 1000 / Self.framesPerSecondMin
    }

    // MARK: Without loss

    private mutating func lossless(
        _ timeline: Timeline, _ sample: AnimationSample
    ) throws(Refusal) -> Found? {
        let foretold = try sample.bytes(.lossless(level: 0)) { (frames, coding) throws(Refusal) in
            try encode(frames, coding)
        }
        for (level, worthBelow) in [(0, 1.05), (1, 1.5), (6, 1.2)] {
            let smallest = attempts.map(\.bytes).min() ?? foretold
            guard
                Double(smallest) <= Double(target) * worthBelow
                    || (level == 1 && foretold <= target * 2)
            else { continue }
            let file = try encode(timeline, .lossless(level: level))
            attempts.append(
                FitAttempt(mode: .lossless, quality: Double(level), bytes: file.count))
            if file.count <= target {
                return Found(
                    file: file, encoding: Encoding(mode: .lossless), timeline: timeline)
            }
        }
        return nil
    }

    // MARK: With loss

    private mutating func lossy(_ timeline: Timeline) throws(Refusal) -> Found? {
        let sample = AnimationSample(timeline)
        let hasAlpha = source.header.hasAlpha
        let phases: [(alpha: Int, qualities: ClosedRange<Double>)] =
            hasAlpha
            ? [
                (100, max(Self.qualityWanted, qualityMin)...100),
                (50, max(Self.qualityWanted, qualityMin)...100), (50, qualityMin...100),
                (0, qualityMin...100),
            ] : [(100, qualityMin...100)]
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
    ) throws(Refusal) -> Found? {
        var best: (file: [UInt8], quality: Double)?
        var tried: [FitAttempt] = []
        let whole = { (quality: Double) throws(Refusal) -> Int in
            let file = try encode(timeline, .lossy(quality: quality, alphaQuality: alpha))
            tried.append(
                FitAttempt(
                    mode: .lossy, quality: quality, alphaQuality: alpha, bytes: file.count,
                    frames: timeline.frames.count))
            if file.count <= target, quality > best?.quality ?? -1 { best = (file, quality) }
            return file.count
        }
        if sample.isWorthwhile {
            let search = SampledSearch(target: target, qualities: qualities)
            try search.run(
                foretell: { (quality) throws(Refusal) in
                    try sample.bytes(.lossy(quality: quality, alphaQuality: alpha)) {
                        (frames, coding) throws(Refusal) in try encode(frames, coding)
                    }
                }, encode: whole)
        } else {
            let search = QualitySearch(target: target, qualities: qualities, tolerance: 0.95)
            _ = try search.best(encode: whole)
        }
        attempts += tried
        guard let best else { return nil }
        return Found(
            file: best.file,
            encoding: Encoding(mode: .lossy, quality: (best.quality * 100).rounded() / 100),
            timeline: timeline)
    }

    private func encode(
        _ timeline: Timeline, _ coding: WebPFrameCoding
    ) throws(Refusal) -> [UInt8] {
        do {
            let encoder = try WebPAnimationEncoder(
                size: .sticker, loopCount: loopCount, coding: coding)
            for frame in timeline.frames {
                let canvas = try source.canvas(frame.source)
                try encoder.add(canvas.pixels, milliseconds: frame.milliseconds)
            }
            return try encoder.finish()
        } catch let refusal as Refusal {
            throw refusal
        } catch let error as CodecError {
            throw Refusal(error)
        } catch {
            preconditionFailure("nothing else is thrown here")
        }
    }
}
