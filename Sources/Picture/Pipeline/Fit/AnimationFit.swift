import StickerCodecs
import StickerContainers
import StickerRaster
import StickerValues

/// Finds the best animated WebP under a number of bytes.
///
/// Lossless if that fits; otherwise lossy, with the quality of the alpha plane that looks best. Frames are
/// dropped last. Samples of a few frames predict sizes, so that few whole encodes are needed. All frames are
/// coded in one mode: mixing lossy and lossless ones is legal but was reported to draw white lines on phones.
struct AnimationFit {
    /// Quality from which the alpha plane is always coded exactly.
    private static let qualityGood = 92.0
    /// The largest insignificant difference of sampled scores.
    private static let scoreNoise = 0.2
    /// Qualities of the alpha plane to choose from: exact, 32, 16, 12 and 7 levels of alpha. Two levels look
    /// worse than every other frame alone, so they come last.
    private static let alphaQualities = [100, 72, 70, 50, 25]

    let source: any FrameSource
    let target: Int
    let qualityMin: Double
    /// How often it is played; `nil` for as often as the source.
    let loopCount: Int?
    /// All attempts, in order.
    private(set) var attempts: [FitAttempt] = []

    init(source: any FrameSource, target: Int, qualityMin: Int, loopCount: Int? = nil) {
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
        for alphaQualities in [Self.alphaQualities, [0]] {
            for kept in timeline.thinned {
                if let found = try lossy(kept, alphaQualities) { return found }
            }
            // An opaque one cannot shrink further.
            if !source.hasAlpha { break }
        }
        return nil
    }

    // MARK: Without loss

    private mutating func lossless(
        _ timeline: Timeline, _ sample: AnimationSample
    ) throws(Refusal) -> FitAttempt? {
        let foretold = try sample.bytes(level: 0, of: source)
        for (level, worthBelow) in [(0, 1.05), (1, 1.5), (6, 1.2)] {
            let smallest = attempts.map(\.bytes).min() ?? foretold
            guard
                Double(smallest) <= Double(target) * worthBelow
                    || (level == 1 && foretold <= target * 2)
            else { continue }
            let file = try source.encode(timeline, level: level, loopCount: loopCount)
            let attempt = FitAttempt(
                .lossless, quality: Double(level), file, target: target, timeline: timeline)
            attempts.append(attempt)
            if file.count <= target { return attempt }
        }
        return nil
    }

    // MARK: With loss

    private mutating func lossy(
        _ timeline: Timeline, _ alphaQualities: [Int]
    ) throws(Refusal) -> FitAttempt? {
        let animation = try LossyAnimation(timeline, of: source)
        // With only one alpha plane, everything was done before.
        guard animation.moves, animation.hasAlpha || alphaQualities.contains(100) else {
            return nil
        }
        for guess in try guesses(animation, alphaQualities) {
            if let found = try lossy(timeline, animation, guess) { return found }
        }
        return nil
    }

    /// A quality of the alpha plane, and the quality of colours expected to fit beside it.
    private struct Guess {
        var alphaQuality: Int
        var quality: Double
        /// The sampled score, 0-100.
        var score = 0.0
    }

    /// The settings worth a whole encode, the best first.
    private func guesses(
        _ animation: LossyAnimation, _ alphaQualities: [Int]
    ) throws(Refusal) -> [Guess] {
        var guesses: [Guess] = []
        for alphaQuality in animation.hasAlpha ? alphaQualities : [100] {
            guard let quality = try foretold(animation, alphaQuality) else { continue }
            var guess = Guess(alphaQuality: alphaQuality, quality: quality)
            let isGood = quality >= Self.qualityGood
            if !animation.hasAlpha || (guesses.isEmpty && isGood) { return [guess] }
            guess.score = try animation.sampledScore(quality: quality, alphaQuality: alphaQuality)
            // The savings of a coarser alpha plane no longer improve the colours.
            let isWorse = guess.score < (guesses.last?.score ?? 0) - Self.scoreNoise
            guesses.append(guess)
            if isGood || isWorse { break }
        }
        return guesses.sorted { ($0.score, $0.alphaQuality) > ($1.score, $1.alphaQuality) }
    }

    /// The quality of colours expected to fit beside an alpha plane; `nil` if there is none.
    private func foretold(
        _ animation: LossyAnimation, _ alphaQuality: Int
    ) throws(Refusal) -> Double? {
        let fixed = try animation.alphaBytes(alphaQuality) + RIFF.animationBytes
        let search = SampledSearch(target: target, besides: fixed, qualities: qualityMin...100)
        guard animation.colors.isEmpty else { return search.guess(along: animation.colors) }
        return try search.guess(near: try animation.foretoldColors()) {
            (quality) throws(Refusal) in
            try animation.colorBytes(quality)
        }
    }

    private mutating func lossy(
        _ timeline: Timeline, _ animation: LossyAnimation, _ guess: Guess
    ) throws(Refusal) -> FitAttempt? {
        let fixed = try animation.alphaBytes(guess.alphaQuality) + RIFF.animationBytes
        let search = SampledSearch(target: target, besides: fixed, qualities: qualityMin...100)
        try animation.chooseFilter(quality: guess.quality, alphaQuality: guess.alphaQuality)
        var tried: [FitAttempt] = []
        try search.confirm(guess.quality, along: animation.colors) { (quality) throws(Refusal) in
            let file = try animation.file(
                quality: quality, alphaQuality: guess.alphaQuality,
                loopCount: loopCount ?? source.loopCount, keepingMostIn: search.qualities)
            tried.append(
                FitAttempt(
                    .lossy, quality: quality, alphaQuality: guess.alphaQuality, file,
                    target: target, timeline: timeline))
            return file.count
        }
        attempts += tried
        return tried.filter { $0.bytes <= target }.max { $0.quality < $1.quality }
    }
}

extension FrameSource {
    /// Encodes the frames of `timeline` without loss to a whole WebP, played as often as the source, or `loopCount`
    /// times.
    func encode(
        _ timeline: Timeline, level: Int, loopCount: Int? = nil
    ) throws(Refusal) -> [UInt8] {
        try Refusal.catching {
            let encoder = try WebPAnimationEncoder(
                size: canvasSize, loopCount: loopCount ?? self.loopCount, level: level,
                budget: budget)
            for frame in timeline.frames {
                let canvas = try canvas(frame.source)
                try encoder.add(canvas.pixels, milliseconds: frame.milliseconds)
            }
            return try encoder.finish()
        }
    }
}
