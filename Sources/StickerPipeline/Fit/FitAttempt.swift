import StickerModel

/// One encoding that a search tried.
struct FitAttempt: Hashable, Sendable {
    var mode: Encoding.Mode
    /// 0-100 for lossy, the preset's level for lossless.
    var quality: Double
    var alphaQuality = 100
    /// The whole file.
    var bytes: Int
    /// For animations.
    var frames: Int?

    /// For the job log: `lossy q=82.5 96,412 B`.
    var shown: String {
        let setting =
            switch mode {
            case .lossless: "level \(Int(quality))"
            case .nearLossless, .lossy: "q=\(quality.shown)"
            }
        let alpha = alphaQuality == 100 ? "" : " alpha=\(alphaQuality)"
        let count = frames.map { " \($0) frames" } ?? ""
        return "\(mode.rawValue) \(setting)\(alpha)\(count) \(bytes.grouped) B"
    }
}

extension [FitAttempt] {
    /// For the job log.
    func shown(target: Int) -> String {
        map(\.shown).joined(separator: "; ") + "; limit \(target.grouped) B"
    }
}

extension Refusal {
    /// Nothing above the floor fits.
    static func willNotFit(_ attempts: [FitAttempt], target: Int, key: String) -> Refusal {
        let best = attempts.sorted { $0.bytes < $1.bytes }.prefix(3).map(\.shown)
        return Refusal(
            .willNotFit,
            "no encoding above the quality floor fits; nearest: \(best.joined(separator: "; "))",
            measured: "\((attempts.map(\.bytes).min() ?? 0).grouped) B",
            limit: "\(target.grouped) B, 99 % of \(key)",
            remedy: "simplify the picture (less noise, softer texture), or lower sticker.qualityMin"
        )
    }
}

extension Double {
    /// At most two decimals, none where they are 0.
    var shown: String {
        let hundredths = Int((self * 100).rounded())
        guard hundredths % 100 != 0 else { return String(hundredths / 100) }
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest % 10 == 0 ? rest / 10 : rest)"
    }
}

extension Int {
    /// With commas: `96,412`.
    var grouped: String {
        let digits = String(self)
        var shown = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0, digit != "-" { shown.append(",") }
            shown.append(digit)
        }
        return shown
    }
}
