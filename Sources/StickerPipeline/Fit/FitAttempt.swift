import StickerModel

/// One encoding that a search tried.
struct FitAttempt: Sendable {
    var mode: Encoding.Mode
    /// 0-100 for lossy, the preset's level for lossless.
    var quality: Double
    var alphaQuality = 100
    /// The whole file.
    var bytes: Int
    /// The file itself; empty where it is far too large to be looked at.
    var file: [UInt8]
    /// The frames of an animation.
    var timeline: Timeline?
    /// How close it looks to the original, 0-100, where that was measured.
    var score: Double?

    init(
        _ mode: Encoding.Mode, quality: Double, alphaQuality: Int = 100, _ file: [UInt8],
        target: Int, timeline: Timeline? = nil, score: Double? = nil
    ) {
        self.mode = mode
        self.quality = quality
        self.alphaQuality = alphaQuality
        bytes = file.count
        self.file = file.count / 2 <= target ? file : []
        self.timeline = timeline
        self.score = score
    }

    /// For the job log: `lossy q=82.5 96,412 B`.
    var shown: String {
        let setting =
            switch mode {
            case .lossless: "level \(Int(quality))"
            case .nearLossless, .lossy: "q=\(quality.shown)"
            }
        let alpha = alphaQuality == 100 ? "" : " alpha=\(alphaQuality)"
        let count = timeline.map { " \($0.frames.count) frames" } ?? ""
        let score = score.map { " score \($0.shown)" } ?? ""
        return "\(mode.rawValue) \(setting)\(alpha)\(count) \(bytes.grouped) B\(score)"
    }

    /// What the manifest says of it.
    var encoding: Encoding {
        Encoding(
            mode: mode, quality: mode == .lossless ? nil : (quality * 100).rounded() / 100)
    }
}

extension [FitAttempt] {
    /// For the job log: what was tried, what was taken, and what was asked for.
    func shown(chosen: FitAttempt?, target: Int, _ settings: StickerSettings) -> String {
        let score =
            settings.goal == .smallest ? ", score at least \(settings.scoreTarget.shown)" : ""
        let taken = lastIndex { $0.shown == chosen?.shown }
        let tried = enumerated().map { $1.shown + ($0 == taken ? " <- chosen" : "") }
        return (tried + ["limit \(target.grouped) B\(score)"]).joined(separator: "; ")
    }

    /// The three nearest to `target`, each with the score that `score` gives it.
    func nearest(to target: Int, score: (FitAttempt) throws -> Double) -> [FitAttempt] {
        sorted { abs($0.bytes - target) < abs($1.bytes - target) }.prefix(3).map { attempt in
            var attempt = attempt
            // What cannot be scored is listed without a score.
            attempt.score = try? attempt.score ?? score(attempt)
            return attempt
        }
    }
}

extension Refusal {
    /// Nothing at or above `sticker.qualityMin` fits.
    static func willNotFit(_ nearest: [FitAttempt], target: Int, key: String) -> Refusal {
        Refusal(
            .willNotFit,
            "no encoding fits at sticker.qualityMin or above; \(list(nearest))",
            measured: nearest.map(\.bytes).min().map { "\($0.grouped) B" },
            limit: "\(target.grouped) B, 99 % of \(key)",
            remedy: "simplify the picture (less noise, softer texture), or lower sticker.qualityMin"
        )
    }

    /// What fits does not look good enough.
    static func belowFloor(
        _ nearest: [FitAttempt], score: Double, floor: Double, key: String
    ) -> Refusal {
        Refusal(
            .willNotFit,
            "the best that fits looks worse than the category allows; \(list(nearest))",
            measured: "score \(score.shown)", limit: "score \(floor.shown) (sticker.scoreMin)",
            remedy: "simplify the picture (less noise, softer texture), raise \(key), or lower "
                + "sticker.scoreMin")
    }

    private static func list(_ nearest: [FitAttempt]) -> String {
        guard !nearest.isEmpty else { return "even a sample is far too large" }
        return "nearest: " + nearest.map(\.shown).joined(separator: "; ")
    }
}

extension Warning {
    /// The goal `smallest` could not be met; the best that fits is taken instead.
    static func belowTarget(_ settings: StickerSettings, _ key: String) -> Warning {
        Warning(
            "below-target",
            "no file under \(key) reaches score \(settings.scoreTarget.shown) (sticker.scoreTarget)"
        )
    }
}

extension Double {
    /// At most two decimals, none where they are 0.
    var shown: String {
        let hundredths = Int((magnitude * 100).rounded())
        let sign = self < 0 && hundredths > 0 ? "-" : ""
        let rest = hundredths % 100
        guard rest != 0 else { return "\(sign)\(hundredths / 100)" }
        return
            "\(sign)\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest % 10 == 0 ? rest / 10 : rest)"
    }
}
