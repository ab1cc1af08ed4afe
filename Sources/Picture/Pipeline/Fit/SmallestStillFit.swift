import StickerCodecs
import StickerRaster
import StickerValues

/// Finds the smallest WebP of a still that reaches a score.
/// Drawings are often smallest without loss, so lossless files come first if a cheap estimate predicts that they are
/// small; a lossy file must then be smaller still.
struct SmallestStillFit {
    /// Points of score that a higher quality of the colours may win back.
    private static let recoverable = 3.0

    /// The largest file allowed.
    let target: Int
    let qualityMin: Int
    /// The score to reach, 0-100.
    let scoreTarget: Double
    let budget: WorkBudget?
    /// All attempts, in order.
    private(set) var attempts: [FitAttempt] = []
    private var hasPalette = false

    init(target: Int, qualityMin: Int, scoreTarget: Double, budget: WorkBudget? = nil) {
        self.target = target
        self.budget = budget
        self.qualityMin = qualityMin
        self.scoreTarget = scoreTarget
    }

    /// The smallest file, or `nil` if none reaches the score under the target.
    mutating func search(_ canvas: borrowing PixelBuffer) throws(CodecError) -> FitAttempt? {
        let encoder = WebPEncoder(canvas, budget: budget)
        let judge = PerceptualReference(canvas)
        hasPalette = canvas.hasAtMost(colors: 256)
        if hasPalette || LosslessEstimate(canvas).bytes <= target { try lossless(encoder) }
        try lossy(encoder, judge)
        try nearLossless(encoder, judge)
        return smallest
    }

    /// The smallest sufficient file so far.
    private var smallest: FitAttempt? {
        attempts.filter { $0.score ?? 0 >= scoreTarget && $0.bytes <= target }
            .min { $0.bytes < $1.bytes }
    }

    private mutating func lossless(_ encoder: WebPEncoder) throws(CodecError) {
        for level in [1, 3] {
            let file = try encoder.lossless(level: level)
            note(FitAttempt(.lossless, quality: Double(level), file, target: target, score: 100))
        }
    }

    private mutating func lossy(
        _ encoder: WebPEncoder, _ judge: PerceptualReference
    ) throws(CodecError) {
        let search = ScoreSearch(target: scoreTarget, qualities: Double(qualityMin)...100)
        let quality = try search.lowest { (quality) throws(CodecError) in
            let attempt = try lossy(encoder, quality, alphaQuality: 100, judge)
            note(attempt)
            let isTooLarge = attempt.bytes > smallest?.bytes ?? .max
            return isTooLarge && attempt.score ?? 0 < scoreTarget ? nil : attempt.score
        }
        guard let quality else { return }
        try coarserAlpha(encoder, quality, search, judge)
    }

    /// Codes a coarser alpha plane, which is often half of a small file; that is worth some quality of the colours, but
    /// ruins pictures with soft edges all over.
    private mutating func coarserAlpha(
        _ encoder: WebPEncoder, _ quality: Double, _ search: ScoreSearch,
        _ judge: PerceptualReference
    ) throws(CodecError) {
        guard (encoder.fixedBytes(alphaQuality: 100) ?? 0) * 8 > smallest?.bytes ?? .max else {
            return
        }
        for alphaQuality in [50, 80] {
            let first = try lossy(encoder, quality, alphaQuality: alphaQuality, judge)
            note(first)
            let lost = scoreTarget - (first.score ?? 0)
            if lost <= 0 { return }
            guard lost < Self.recoverable else { continue }
            let higher = search.higher(than: quality, by: lost)
            let second = try lossy(encoder, higher, alphaQuality: alphaQuality, judge)
            note(second)
            if second.score ?? 0 >= scoreTarget { return }
        }
    }

    private func lossy(
        _ encoder: WebPEncoder, _ quality: Double, alphaQuality: Int, _ judge: PerceptualReference
    ) throws(CodecError) -> FitAttempt {
        let file = try encoder.lossy(quality: quality, alphaQuality: alphaQuality)
        return FitAttempt(
            .lossy, quality: quality, alphaQuality: alphaQuality, file, target: target,
            score: try judge.score(of: WebPDecoder.still(file)))
    }

    /// Saves at most a third of a lossless file, so it is attempted only if that may beat the smallest file so far;
    /// saves nothing on a palette.
    private mutating func nearLossless(
        _ encoder: WebPEncoder, _ judge: PerceptualReference
    ) throws(CodecError) {
        let exact = attempts.filter { $0.mode == .lossless }.map(\.bytes).min()
        guard !hasPalette, let exact else { return }
        for form in [LosslessForm.near60, .near40]
        where exact / 3 * 2 < smallest?.bytes ?? .max {
            let file = try encoder.nearLossless(level: 3, steps: form.steps)
            let score = try judge.score(of: WebPDecoder.still(file))
            note(
                FitAttempt(
                    .nearLossless, quality: Double(form.nearness ?? 0), file, target: target,
                    score: score))
            guard score >= scoreTarget else { return }
        }
    }

    private mutating func note(_ attempt: FitAttempt) { attempts.append(attempt) }
}
