import StickerCodecs
import StickerModel
import StickerRaster

/// Finds the file that a target requires of a still: in the first of its forms that fits.
struct StillSearch {
    /// Fewer colours would show bands and dots.
    private static let paletteSizes = [256, 128, 64]

    let target: Target
    let rules: StillRules
    let budget: WorkBudget
    /// All attempts, in order.
    private(set) var attempts: [FitAttempt] = []
    /// Whether the goal `smallest` was missed.
    private(set) var missedScore = false

    init(_ target: Target, _ rules: StillRules, budget: WorkBudget) {
        self.target = target
        self.rules = rules
        self.budget = budget
    }

    /// The most bytes of the file: platforms count slightly differently.
    var bytesMax: Int { rules.bytesMax * 99 / 100 }

    /// The file, or `nil` if none fits above the floor.
    mutating func run(_ canvas: borrowing PixelBuffer) throws(CodecError) -> FitAttempt? {
        for form in rules.forms {
            let found: FitAttempt? =
                switch form {
                case .webp: try webp(canvas)
                case .png: try png(canvas)
                case .palettePNG: try palette(canvas)
                }
            if let found { return found }
        }
        return nil
    }

    private mutating func webp(_ canvas: borrowing PixelBuffer) throws(CodecError) -> FitAttempt? {
        if target.goal == .smallest {
            var fit = SmallestStillFit(
                target: bytesMax, qualityMin: target.qualityMin,
                scoreTarget: target.scoreTarget, budget: budget)
            let found = try fit.search(canvas)
            attempts += fit.attempts
            if let found { return found }
        }
        var fit = StillFit(target: bytesMax, qualityMin: target.qualityMin, budget: budget)
        defer { attempts += fit.attempts }
        let found = try fit.search(canvas)
        // A palette may reach a score that no lossy file does.
        missedScore =
            target.goal == .smallest
            && !(found?.mode == .palette && found?.score ?? 0 >= target.scoreTarget)
        return found
    }

    private mutating func png(_ canvas: borrowing PixelBuffer) throws(CodecError) -> FitAttempt? {
        try budget.check(.png)
        let allowsPalette = rules.forms.contains(.palettePNG)
        let file = try PNGEncoder.encode(canvas, allowsPalette: allowsPalette)
        return note(.lossless, 0, file)
    }

    private mutating func palette(
        _ canvas: borrowing PixelBuffer
    ) throws(CodecError) -> FitAttempt? {
        for colors in Self.paletteSizes {
            try budget.check(.png)
            let file = try PNGEncoder.encode(canvas.reduced(toColors: colors))
            if let found = note(.palette, Double(colors), file) { return found }
        }
        return nil
    }

    /// Records an attempt; returns it if it fits.
    private mutating func note(
        _ mode: Encoding.Mode, _ quality: Double, _ file: [UInt8]
    ) -> FitAttempt? {
        let attempt = FitAttempt(mode, quality: quality, file, target: bytesMax, format: .png)
        attempts.append(attempt)
        return attempt.bytes <= bytesMax ? attempt : nil
    }
}
