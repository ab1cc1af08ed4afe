import StickerValues

/// One encoding of a search.
struct FitAttempt: Sendable {
    /// The format of the file.
    var format = ImageFormat.webp
    var mode: Encoding.Mode
    /// 0-100, the preset's level for lossless WebP, colours for a palette; 0 if it does not apply.
    var quality: Double
    var alphaQuality = 100
    /// The whole file.
    var bytes: Int
    /// Whether it was abandoned as too large, so that `bytes` is a guess.
    var isGuess = false
    /// The file itself; empty if it is far too large.
    var file: [UInt8]
    /// The frames of an animation.
    var timeline: Timeline?
    /// The similarity to the original, 0-100, if measured.
    var score: Double?

    init(
        _ mode: Encoding.Mode, quality: Double, alphaQuality: Int = 100, _ file: [UInt8],
        target: Int, timeline: Timeline? = nil, score: Double? = nil,
        format: ImageFormat = .webp
    ) {
        self.format = format
        self.mode = mode
        self.quality = quality
        self.alphaQuality = alphaQuality
        bytes = file.count
        self.file = file.count / 2 <= target ? file : []
        self.timeline = timeline
        self.score = score
    }

    /// An attempt that was not made, because its predicted size is far too large.
    static func guess(
        _ mode: Encoding.Mode, quality: Double, alphaQuality: Int, bytes: Int
    ) -> FitAttempt {
        var attempt = FitAttempt(
            mode, quality: quality, alphaQuality: alphaQuality, [], target: 0)
        (attempt.bytes, attempt.isGuess) = (bytes, true)
        return attempt
    }

    /// Its entry in the job log.
    var record: FitRecord.Attempt {
        let says = format == .webp || mode == .palette
        return FitRecord.Attempt(
            mode, quality: says ? quality : nil, alphaQuality: alphaQuality,
            frames: timeline?.frames.count,
            bytes: bytes, isGuess: isGuess ? true : nil, score: score,
            format: format == .webp ? nil : format)
    }

    /// Its entry in the manifest.
    var encoding: Encoding {
        let isGraded = mode == .lossy || mode == .nearLossless
        return Encoding(
            mode: mode, quality: isGraded ? (quality * 100).rounded() / 100 : nil)
    }
}

extension FitRecord {
    /// The attempts for `target` under `bytesMax`, and the chosen one.
    init(_ attempts: [FitAttempt], chosen: FitAttempt?, for target: Target, bytesMax: Int) {
        var records = attempts.map(\.record)
        if let index = records.lastIndex(where: { $0 == chosen?.record }) {
            records[index].isChosen = true
        }
        self.init(
            target: target.name, bytesMax: bytesMax,
            scoreTarget: target.goal == .smallest ? target.scoreTarget : nil, attempts: records)
    }
}

extension [FitAttempt] {
    /// The three attempts nearest to `target`, each with its score by `score`.
    func nearest(to target: Int, score: (FitAttempt) throws -> Double?) -> [FitAttempt] {
        sorted { abs($0.bytes - target) < abs($1.bytes - target) }.prefix(3).map { attempt in
            var attempt = attempt
            // An attempt that cannot be scored is listed without a score.
            attempt.score = try? attempt.score ?? score(attempt)
            return attempt
        }
    }
}

extension Refusal {
    /// The refusal if no allowed file fits.
    static func willNotFit(
        _ nearest: [FitAttempt], bytesMax: Int, _ target: Target, moves: Bool
    ) -> Refusal {
        let hasQuality =
            (moves ? target.moving?.forms.contains(.webp) : nil)
            ?? target.still?.forms.contains(.webp) ?? false
        let floor = target.key(.qualityMin)
        return Refusal(
            .willNotFit,
            "no encoding fits\(hasQuality ? " at \(floor) or above" : ""); \(list(nearest))",
            measured: nearest.min { $0.bytes < $1.bytes }.map { nearest in
                nearest.isGuess ? "more than \(bytesMax.grouped) B" : "\(nearest.bytes.grouped) B"
            },
            limit: "\(bytesMax.grouped) B, 99 % of \(target.key(.bytesMax, moves: moves))",
            remedy: hasQuality
                ? "simplify the picture (less noise, softer texture), or lower \(floor)"
                : "simplify the picture: fewer colours, less noise, less movement; or raise "
                    + "\(target.key(.bytesMax, moves: moves)) if the platform takes more")
    }

    /// The refusal if no file that fits looks good enough.
    static func belowFloor(
        _ nearest: [FitAttempt], score: Double, _ target: Target, moves: Bool
    ) -> Refusal {
        let floor = target.key(.scoreMin)
        return Refusal(
            .willNotFit,
            "the best that fits looks worse than the category allows; \(list(nearest))",
            measured: "score \(score.asFigure)",
            limit: "score \(target.scoreMin.asFigure) (\(floor))",
            remedy: "simplify the picture (less noise, softer texture), raise "
                + "\(target.key(.bytesMax, moves: moves)), or lower \(floor)")
    }

    private static func list(_ nearest: [FitAttempt]) -> String {
        guard !nearest.isEmpty else { return "even a sample is far too large" }
        return "nearest: " + nearest.map(\.record.description).joined(separator: "; ")
    }
}

extension Warning {
    /// The warning if the goal `smallest` was missed, and the best file that fits is used instead.
    static func belowTarget(_ target: Target, moves: Bool) -> Warning {
        Warning(
            "below-target",
            "no file under \(target.key(.bytesMax, moves: moves)) reaches score "
                + "\(target.scoreTarget.asFigure) (\(target.key(.scoreTarget)))")
    }
}
