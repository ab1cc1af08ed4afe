/// The attempts of the search for an encoding, with its limits.
public struct FitRecord: Hashable, Sendable, Codable {
    /// The most attempts in a record; a search needs fewer.
    public static let attemptsMax = 64

    /// The target of the file.
    public var target: String
    /// The largest size of the file in bytes.
    public var bytesMax: Int
    /// The score to reach, if the goal is the smallest file.
    public var scoreTarget: Double?
    /// The attempts in order.
    public private(set) var attempts: [Attempt]

    /// Creates a record of `attempts`; those beyond `attemptsMax` are left out, but never the chosen one.
    public init(
        target: String, bytesMax: Int, scoreTarget: Double? = nil, attempts: [Attempt]
    ) {
        self.target = target
        self.bytesMax = bytesMax
        self.scoreTarget = scoreTarget
        self.attempts = Array(attempts.prefix(Self.attemptsMax))
        if let chosen = attempts.dropFirst(Self.attemptsMax).first(where: \.isChosen) {
            self.attempts[Self.attemptsMax - 1] = chosen
        }
    }

    /// One attempted encoding.
    public struct Attempt: Hashable, Sendable, Codable {
        /// The format of the file; absent for WebP.
        public var format: ImageFormat?
        /// The kind of compression.
        public var mode: Encoding.Mode
        /// 0-100 for lossy and near-lossless, the level for lossless WebP, the number of colours for a palette; `nil`
        /// if there is no choice.
        public var quality: Double?
        /// 0-100, for the alpha plane of lossy files.
        public var alphaQuality = 100
        /// The number of frames, for animations.
        public var frames: Int?
        /// The size of the whole file in bytes.
        public var bytes: Int
        /// True if the file was abandoned as soon as it was too large, and `bytes` is an estimate.
        public var isGuess: Bool?
        /// Its visual closeness to the original, 0-100, if measured.
        public var score: Double?
        /// Whether it was chosen.
        public var isChosen = false

        /// Creates an attempt; see the properties.
        public init(
            _ mode: Encoding.Mode, quality: Double?, alphaQuality: Int = 100, frames: Int? = nil,
            bytes: Int, isGuess: Bool? = nil, score: Double? = nil, format: ImageFormat? = nil
        ) {
            self.format = format
            self.isGuess = isGuess
            self.mode = mode
            self.quality = quality
            self.alphaQuality = alphaQuality
            self.frames = frames
            self.bytes = bytes
            self.score = score
        }
    }
}

extension FitRecord {
    /// One line for each attempt and one for the limit.
    public var lines: [String] {
        let score = scoreTarget.map { ", score at least \($0.asFigure)" } ?? ""
        return attempts.map { $0.description + ($0.isChosen ? " <- chosen" : "") }
            + ["limit \(bytesMax.grouped) B\(score)"]
    }
}

extension FitRecord.Attempt: CustomStringConvertible {
    /// `lossy q=82.5 96,412 B`
    public var description: String {
        let score = score.map { " score \($0.asFigure)" } ?? ""
        let size = isGuess == true ? "given up, about \(bytes.grouped) B" : "\(bytes.grouped) B"
        return "\(setting) \(size)\(score)"
    }

    /// `lossy q=82.5`
    public var setting: String {
        let setting =
            switch (mode, quality) {
            case (_, nil): ""
            case (.lossless, let level?): " level \(Int(level))"
            case (.nearLossless, let quality?), (.lossy, let quality?): " q=\(quality.asFigure)"
            case (.palette, let colors?): " of \(Int(colors).grouped) colours"
            }
        let alpha = alphaQuality == 100 ? "" : " alpha=\(alphaQuality)"
        let frames = frames.map { " \($0) frames" } ?? ""
        let kind = format.map { ($0 == .png && self.frames != nil ? "apng" : $0.rawValue) + " " }
        return "\(kind ?? "")\(mode.rawValue)\(setting)\(alpha)\(frames)"
    }
}

extension Double {
    /// At most two decimals, without trailing zeros.
    public var asFigure: String {
        let hundredths = Int((magnitude * 100).rounded())
        let sign = self < 0 && hundredths > 0 ? "-" : ""
        let rest = hundredths % 100
        guard rest != 0 else { return "\(sign)\(hundredths / 100)" }
        let decimals = rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)"
        return "\(sign)\(hundredths / 100).\(decimals)"
    }
}
