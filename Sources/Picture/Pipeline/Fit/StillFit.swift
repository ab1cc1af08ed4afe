import Glibc
import StickerCodecs
import StickerRaster
import StickerValues

/// Finds the best WebP of a still under a number of bytes.
/// Lossless or nearly so if that fits; otherwise lossy, with the quality lowered only as far as the limit demands, and
/// the alpha plane's quality only after that. `StillOutlook` decides which encodes are worthwhile. If a lossy and a
/// near-lossless file are made, the one with the higher score is chosen; a palette replaces either if it looks better.
struct StillFit {
    /// Below this quality of the colours, coarser alpha planes are considered, too,
    private static let qualityWanted = 96.0
    /// if the plane takes at least this part of the target: else it can save little.
    private static let alphaShareMin = 0.08
    /// Qualities of the alpha plane: exact, 80, 32, 16, 12, 7 and 2 levels of alpha. Two look worse than
    /// anything else.
    private static let alphaQualities = [100, 78, 72, 70, 50, 25, 0]

    /// The usual part of a plane's bytes that the next coarser one takes.
    private static let coarserPlane = 0.75
    /// The usual gain of a coarser plane and those after it as a multiple of that of the next one.
    private static let planesToCome = 2.5
    /// The points that colours gain with e times the bytes: a third of a point for 4 %.
    private static let pointsOfRoom = 8.3

    /// The most colours of a palette in a WebP file.
    private static let paletteMax = 256
    /// Fewer colours would show bands and dots.
    private static let paletteMin = 32
    /// From this score on, no palette that fits is known to be better.
    private static let paletteScoreMax = 95.0
    /// Below this score, dots and bands are worse than a refusal with a reason.
    private static let paletteScoreMin = 70.0
    /// The CPU time of a palette, in plain encodes.
    private static let paletteCost = 1.9

    /// The largest file allowed.
    let target: Int
    /// The lowest quality allowed.
    let qualityMin: Int
    let worth: ScoreWorth
    let budget: WorkBudget?
    /// All attempts, in order.
    private(set) var attempts: [FitAttempt] = []
    private var reference: PerceptualReference?
    /// Attempts whose score was needed.
    private var scored: [FitAttempt] = []

    init(
        target: Int, qualityMin: Int, worth: ScoreWorth = .best, budget: WorkBudget? = nil
    ) {
        self.target = target
        self.worth = worth
        self.budget = budget
        self.qualityMin = qualityMin
    }

    /// The best file, or `nil` if none fits above the floor.
    mutating func search(_ canvas: borrowing PixelBuffer) throws(CodecError) -> FitAttempt? {
        defer {
            for known in scored {
                let index = attempts.firstIndex { $0.isSame(as: known) }
                if let index { attempts[index].score = known.score }
            }
        }
        let estimate = LosslessEstimate(canvas)
        var outlook = StillOutlook(
            bytesMax: target, worth: worth, estimate,
            hasPalette: canvas.hasAtMost(colors: Self.paletteMax))
        var found = try trueColor(canvas, estimate, &outlook)
        return try palette(canvas, outlook, over: &found) ?? found
    }

    /// The best file of any number of colours.
    private mutating func trueColor(
        _ canvas: borrowing PixelBuffer, _ estimate: LosslessEstimate,
        _ outlook: inout StillOutlook
    ) throws(CodecError) -> FitAttempt? {
        let encoder = WebPEncoder(canvas, budget: budget)
        // Level 0 takes a third of a plain encode, and tells whether other levels may fit.
        let isUseful = outlook.hasPalette || !outlook.isHopeless || Repetition(canvas).isNotable
        if isUseful, let found = try fitExactly(encoder, &outlook) { return found }
        var near = try lossless(encoder, &outlook)
        if let found = near {
            guard found.mode == .nearLossless else { return found }
            try score(&near, canvas)
            let pays = worth.pays(.lossy, over: near?.score ?? 0, cost: StillOutlook.lossyCost)
            if !pays { return near }
        }
        var lossy = try lossy(encoder, estimate, canvas)
        guard let found = lossy else {
            if let near { return near }
            return try lossless(encoder, &outlook, over: 0)
        }
        if near == nil, found.alphaQuality == 100,
            outlook.next(over: StillOutlook.lossyScoreMin(quality: found.quality)) == nil
        {
            // The score takes time, too, and no other file can be better.
            return found
        }
        try score(&lossy, canvas)
        if near == nil { near = try lossless(encoder, &outlook, over: lossy?.score) }
        try score(&near, canvas)
        return better(lossy, near)
    }

    // MARK: Lossy

    /// The best lossy file.
    private mutating func lossy(
        _ encoder: WebPEncoder, _ estimate: LosslessEstimate, _ canvas: borrowing PixelBuffer
    ) throws(CodecError) -> FitAttempt? {
        var colors = LossyFit(
            encoder: encoder, target: target, qualityMin: qualityMin, estimate: estimate)
        defer { attempts += colors.attempts }
        guard !canvas.isOpaque else { return try colors.search(alphaQuality: 100) }
        return try lossyWithAlpha(&colors, encoder, canvas)
    }

    /// Codes coarser alpha planes, which leave more bytes to the colours. If their quality got low, that may look
    /// better or worse: the score decides.
    private mutating func lossyWithAlpha(
        _ colors: inout LossyFit, _ encoder: WebPEncoder, _ canvas: borrowing PixelBuffer
    ) throws(CodecError) -> FitAttempt? {
        var (best, planeBytes) = (nil as FitAttempt?, Int.max)
        for alphaQuality in Self.alphaQualities where best == nil || alphaQuality > 0 {
            if alphaQuality < 100 {
                let expected = Int(Double(planeBytes) * Self.coarserPlane)
                guard
                    pays(
                        expected, for: planeBytes, over: best?.score, cost: 2.6,
                        times: Self.planesToCome)
                else { break }
                let coded = try alphaBytes(alphaQuality, encoder)
                // With few levels of alpha, all are kept; the exact plane comes with the colours.
                if coded >= planeBytes { continue }
                guard pays(coded, for: planeBytes, over: best?.score, cost: 1.6) else { continue }
            }
            let tried = try colors.search(alphaQuality: alphaQuality)
            planeBytes = try alphaBytes(alphaQuality, encoder)
            guard var found = tried else { continue }
            let isSmall = Double(planeBytes) < Double(target) * Self.alphaShareMin
            if best == nil, isSmall || found.quality >= Self.qualityWanted { return found }
            try score(&best, canvas)
            try score(&found, canvas)
            // Beyond the plane that looks best, every coarser one looks worse.
            if let known = best?.score, found.score ?? 0 <= known { break }
            best = found
            if found.quality >= Self.qualityWanted { break }
        }
        return best
    }

    /// Whether a plane of `bytes` instead of `before` may leave enough to the colours; `cost` in plain encodes.
    private func pays(
        _ bytes: Int, for before: Int, over score: Double?, cost: Double, times: Double = 1
    ) -> Bool {
        guard let score else { return true }
        let room = Double(max(1, target - before))
        let gain = times * Self.pointsOfRoom * log(1 + Double(before - bytes) / room)
        return worth.pays(UsualScore(mean: score + gain, spread: 0.2), over: score, cost: cost)
    }

    private func alphaBytes(
        _ quality: Int, _ encoder: WebPEncoder
    ) throws(CodecError) -> Int {
        try encoder.lossyAlpha(quality: quality)?.count ?? 0
    }

    // MARK: A palette

    /// Art of few colours, blurred in lossy files, as a palette of at most 256 of them; `nil` if that does not look
    /// better.
    private mutating func palette(
        _ canvas: borrowing PixelBuffer, _ outlook: StillOutlook, over found: inout FitAttempt?
    ) throws(CodecError) -> FitAttempt? {
        if found?.mode == .lossless { return nil }
        let expected = expectedScore(found)
        guard expected < Self.paletteScoreMax else { return nil }
        let chance = outlook.chanceOfPalette
        var usual = UsualScore.palette(error: 0)
        func isWorthwhile(over score: Double, chance: Double) -> Bool {
            worth.pays(usual, over: score, chance: chance, cost: Self.paletteCost)
        }
        // The error takes time, too.
        guard isWorthwhile(over: expected, chance: chance) else { return nil }
        usual = .palette(error: canvas.paletteError(colors: Self.paletteMax))
        guard isWorthwhile(over: expected, chance: chance) else { return nil }
        try score(&found, canvas)
        let known = found?.score ?? Self.paletteScoreMin
        guard known < Self.paletteScoreMax else { return nil }
        let reference = reference ?? PerceptualReference(canvas)
        var (colors, chanceNow) = (Self.paletteMax, chance)
        while colors >= Self.paletteMin, isWorthwhile(over: known, chance: chanceNow) {
            try budget?.check(.webp)
            let reduced = canvas.reduced(toColors: colors)
            // Fewer colours look no better.
            let score = reference.score(of: reduced)
            guard score > known else { return nil }
            var bytes = attempts.filter { $0.mode == .lossless }.map(\.bytes).min() ?? .max
            if !reduced.showsSame(as: canvas) {
                let file = try WebPEncoder(reduced, budget: budget).lossless(level: 3)
                let attempt = FitAttempt(
                    .palette, quality: Double(colors), file, target: target, score: score)
                attempts.append(attempt)
                if file.count <= target { return attempt }
                bytes = file.count
            }
            let share = min(outlook.shareOfPalette(bytes: bytes), 0.95)
            colors = Int(Double(colors) * share)
            usual = .palette(of: score, share: share)
            chanceNow = StillOutlook.chanceOfSmallerPalette
        }
        return nil
    }

    /// The score of a file, or the lowest that is usual before it is known.
    private func expectedScore(_ found: FitAttempt?) -> Double {
        guard let found else { return Self.paletteScoreMin }
        if let score = found.score { return score }
        let isLossy = found.mode == .lossy && found.alphaQuality == 100
        return isLossy ? StillOutlook.lossyScoreMin(quality: found.quality) : Self.paletteScoreMin
    }

    // MARK: Scores

    /// The attempt with the higher score; the first if they are equal.
    private func better(_ first: FitAttempt?, _ second: FitAttempt?) -> FitAttempt? {
        guard let first, let second else { return first ?? second }
        return (second.score ?? 0) > (first.score ?? 0) ? second : first
    }

    private mutating func score(
        _ attempt: inout FitAttempt?, _ canvas: borrowing PixelBuffer
    ) throws(CodecError) {
        guard var scored = attempt else { return }
        try score(&scored, canvas)
        attempt = scored
    }

    private mutating func score(
        _ attempt: inout FitAttempt, _ canvas: borrowing PixelBuffer
    ) throws(CodecError) {
        guard attempt.score == nil else { return }
        try budget?.check(.webp)
        let decoded = try WebPDecoder.still(attempt.file)
        // All are compared on the same backgrounds.
        let reference =
            reference ?? PerceptualReference(canvas, on: canvas.backgrounds(for: decoded))
        self.reference = reference
        attempt.score = reference.score(of: decoded)
        scored.append(attempt)
    }

    // MARK: Without loss

    /// Encodes at level 0, the fastest; with a palette at level 1, which is as fast, and much smaller.
    private mutating func fitExactly(
        _ encoder: WebPEncoder, _ outlook: inout StillOutlook
    ) throws(CodecError) -> FitAttempt? {
        let level = outlook.hasPalette ? 1 : 0
        let file = try encoder.lossless(level: level)
        if outlook.hasPalette {
            outlook.noteMiss(.fast, bytes: file.count)
        } else {
            outlook.noteQuick(bytes: file.count)
        }
        return note(.lossless, Double(level), file)
    }

    /// The best lossless form that fits and is worth its encode; `score` is that of the lossy file, if any.
    private mutating func lossless(
        _ encoder: WebPEncoder, _ outlook: inout StillOutlook, over score: Double? = nil
    ) throws(CodecError) -> FitAttempt? {
        var (best, score) = (nil as FitAttempt?, score)
        while let form = outlook.next(over: score) {
            var (level, found) = (outlook.level(of: form), nil as FitAttempt?)
            while found == nil {
                let file = try encode(form, level: level, encoder)
                found = note(form, level: level, file)
                guard found == nil else { break }
                guard let next = outlook.level(after: level, of: form, bytes: file.count) else {
                    outlook.noteMiss(form, bytes: file.count, level: level)
                    break
                }
                level = next
            }
            guard let found else { continue }
            // There may be room for a better form than expected.
            outlook.noteFound(form, bytes: found.bytes, level: level)
            (best, score) = (found, max(score ?? 0, form.score.mean))
        }
        return best
    }

    private func encode(
        _ form: LosslessForm, level: Int, _ encoder: WebPEncoder
    ) throws(CodecError) -> [UInt8] {
        form.nearness == nil
            ? try encoder.lossless(level: level)
            : try encoder.nearLossless(level: level, steps: form.steps)
    }

    private mutating func note(
        _ form: LosslessForm, level: Int, _ file: [UInt8]
    ) -> FitAttempt? {
        guard let nearness = form.nearness else { return note(.lossless, Double(level), file) }
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
}

extension FitAttempt {
    /// Whether both are of the same encode.
    fileprivate func isSame(as other: FitAttempt) -> Bool {
        (mode, quality, alphaQuality, bytes)
            == (other.mode, other.quality, other.alphaQuality, other.bytes)
    }
}
