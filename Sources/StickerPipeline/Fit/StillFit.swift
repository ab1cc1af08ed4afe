import StickerCodecs
import StickerModel
import StickerRaster

/// Finds the best WebP of a still under a number of bytes.
///
/// Lossless or nearly so if that fits; otherwise lossy, with the quality lowered only as far as the limit
/// demands, and the alpha plane's quality only after that. Estimates say what is worth an encode.
struct StillFit {
    /// The quality that `PixelBuffer.withCoarseRed` counts as, between libwebp's 80 and 100.
    private static let coarseRed = 90.0
    /// Below this quality of the colours, coarser alpha planes are tried, too.
    private static let qualityWanted = 75.0

    /// The largest file allowed.
    let target: Int
    /// The lowest quality allowed.
    let qualityMin: Int
    let budget: WorkBudget?
    /// Everything that was tried, in order.
    private(set) var attempts: [FitAttempt] = []

    init(target: Int, qualityMin: Int, budget: WorkBudget? = nil) {
        self.target = target
        self.budget = budget
        self.qualityMin = qualityMin
    }

    /// The best file, or `nil` if none fits above the floor.
    mutating func search(_ canvas: borrowing PixelBuffer) throws(CodecError) -> FitAttempt? {
        let encoder = WebPEncoder(canvas, budget: budget)
        let estimate = LosslessEstimate(canvas)
        if let found = try lossless(encoder, estimate, canvas) { return found }
        var colors = LossyFit(
            encoder: encoder, target: target, qualityMin: qualityMin, estimate: estimate)
        defer { attempts += colors.attempts }
        guard !canvas.isOpaque else { return try colors.search(alphaQuality: 100) }
        return try lossyWithAlpha(&colors, canvas)
    }

    /// The alpha plane takes bytes away from the colours. If their quality got low, a coarser plane may
    /// look better, or worse: the score decides.
    private func lossyWithAlpha(
        _ colors: inout LossyFit, _ canvas: borrowing PixelBuffer
    ) throws(CodecError) -> FitAttempt? {
        let exact = try colors.search(alphaQuality: 100)
        if let exact, exact.quality >= Self.qualityWanted { return exact }
        guard let coarse = try colors.search(alphaQuality: 50) else {
            if let exact { return exact }
            return try colors.search(alphaQuality: 0)
        }
        guard let exact else { return coarse }
        let reference = PerceptualReference(canvas)
        let scores = try [exact, coarse].map { (attempt) throws(CodecError) in
            try budget?.check(.webp)
            return try reference.score(of: WebPDecoder.still(attempt.file))
        }
        return scores[1] > scores[0] ? coarse : exact
    }

    // MARK: Without loss

    /// The ladder: faster levels first, as long as the next one may reach the target.
    ///
    /// How much a step can save at most was measured on real stickers; see docs/benchmarks.md.
    private mutating func lossless(
        _ encoder: WebPEncoder, _ estimate: LosslessEstimate, _ canvas: borrowing PixelBuffer
    ) throws(CodecError) -> FitAttempt? {
        guard estimate.hasPalette || isNear(estimate.bytes, 1.7) else { return nil }
        // With a palette, level 1 is as fast as level 0, and much smaller.
        if !estimate.hasPalette, isNear(estimate.bytes, 1) {
            if let found = try lossless(level: 0, encoder) { return found }
        }
        if let found = try lossless(level: 1, encoder) { return found }
        let level1 = smallest
        // Level 3 is better at the edges of drawings.
        if isNear(level1, canvas.isOpaque ? 1.05 : 1.16) {
            if let found = try lossless(level: 3, encoder) { return found }
        }
        if isNear(smallest, 1.05) || (!canvas.isOpaque && isNear(level1, 1.22)) {
            if let found = try coarse(canvas) { return found }
        }
        for (nearness, saving) in [(80, 1.25), (60, 1.3)] where isNear(level1, saving) {
            if let found = try nearLossless(nearness, encoder) { return found }
        }
        return nil
    }

    private mutating func lossless(
        level: Int, _ encoder: WebPEncoder
    ) throws(CodecError) -> FitAttempt? {
        let file = try encoder.lossless(level: level)
        return note(.lossless, Double(level), file)
    }

    private mutating func coarse(_ canvas: borrowing PixelBuffer) throws(CodecError) -> FitAttempt?
    {
        let file = try WebPEncoder(canvas.withCoarseRed(), budget: budget).lossless(level: 3)
        return note(.nearLossless, Self.coarseRed, file)
    }

    private mutating func nearLossless(
        _ nearness: Int, _ encoder: WebPEncoder
    ) throws(CodecError) -> FitAttempt? {
        let file = try encoder.nearLossless(level: 1, nearness: nearness)
        return note(.nearLossless, Double(nearness), file)
    }

    /// Records an attempt; returns it if it fits.
    private mutating func note(
        _ mode: Encoding.Mode, _ quality: Double, _ file: [UInt8]
    ) -> FitAttempt? {
        let attempt = FitAttempt(mode, quality: quality, file, target: target)
        attempts.append(attempt)
        return attempt.bytes <= target ? attempt : nil
    }

    private var smallest: Int { attempts.map(\.bytes).min() ?? .max }

    private func isNear(_ bytes: Int, _ factor: Double) -> Bool {
        Double(bytes) <= Double(target) * factor
    }
}
