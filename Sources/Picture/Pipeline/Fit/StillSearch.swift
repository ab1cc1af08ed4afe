import StickerCodecs
import StickerRaster
import StickerValues

/// Finds the file that a target requires of a still: in the first of its forms that fits.
struct StillSearch: FileSearch {
    /// Fewer colours would show bands and dots.
    private static let paletteSizes = [256, 128, 64]

    let canvas: Canvas
    let target: Target
    let rules: StillRules
    let budget: WorkBudget
    private(set) var attempts: [FitAttempt] = []
    private(set) var missedScore = false

    var bytesMax: Int { rules.bytesMax * 99 / 100 }

    mutating func run() throws(CodecError) -> FitAttempt? {
        for form in rules.forms {
            let found: FitAttempt? =
                switch form {
                case .webp: try webp()
                case .png: try png()
                case .palettePNG: try palette()
                }
            if let found { return found }
        }
        return nil
    }

    private mutating func webp() throws(CodecError) -> FitAttempt? {
        if target.goal == .smallest {
            var fit = SmallestStillFit(
                target: bytesMax, qualityMin: target.qualityMin,
                scoreTarget: target.scoreTarget, budget: budget)
            let found = try fit.search(canvas.pixels)
            attempts += fit.attempts
            if let found { return found }
        }
        var fit = StillFit(
            target: bytesMax, qualityMin: target.qualityMin,
            worth: target.goal == .balanced ? .balanced : .best, budget: budget)
        defer { attempts += fit.attempts }
        let found = try fit.search(canvas.pixels)
        // A palette may reach a score that no lossy file does.
        missedScore =
            target.goal == .smallest
            && !(found?.mode == .palette && found?.score ?? 0 >= target.scoreTarget)
        return found
    }

    private mutating func png() throws(CodecError) -> FitAttempt? {
        try budget.check(.png)
        let allowsPalette = rules.forms.contains(.palettePNG)
        let file = try PNGEncoder.encode(canvas.pixels, allowsPalette: allowsPalette)
        return note(.lossless, 0, file)
    }

    private mutating func palette() throws(CodecError) -> FitAttempt? {
        for colors in Self.paletteSizes {
            try budget.check(.png)
            let file = try PNGEncoder.encode(canvas.pixels.reduced(toColors: colors))
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
