import StickerModel

/// One encoding that a search tried.
struct FitAttempt: Hashable, Sendable {
    var mode: Encoding.Mode
    /// 0-100 for lossy, the preset's level for lossless.
    var quality: Double
    var alphaQuality = 100
    /// The whole file.
    var bytes: Int

    /// For the job log: `lossy q=82.5 96,412 B`.
    var shown: String {
        let setting =
            switch mode {
            case .lossless: "level \(Int(quality))"
            case .nearLossless, .lossy: "q=\(quality.shown)"
            }
        let alpha = alphaQuality == 100 ? "" : " alpha=\(alphaQuality)"
        return "\(mode.rawValue) \(setting)\(alpha) \(bytes.grouped) B"
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
