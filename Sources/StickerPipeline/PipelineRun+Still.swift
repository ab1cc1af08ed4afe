import StickerCodecs
import StickerModel
import StickerRaster

/// The life of a still: draw, fit, verify, finish.
extension PipelineRun {
    /// Makes a sticker that stands still.
    mutating func makeStill(_ picture: any StillDecoding) throws(Refusal) -> MadeSticker {
        let canvas = try draw(picture)
        return try makeStill(of: canvas)
    }

    /// Makes a sticker that stands still of a finished canvas.
    mutating func makeStill(of canvas: borrowing PixelBuffer) throws(Refusal) -> MadeSticker {
        let (sticker, attempts) = try fit(canvas)
        let encoding = try verify(sticker, against: canvas, attempts)
        var files = [
            MadeFile(role: .sticker, format: .webp, size: .sticker, bytes: sticker.file)
        ]
        if !isStickerAlone {
            if settings.companions { files.append(try companion(of: canvas)) }
            files += try smallStills(of: canvas)
        }
        return MadeSticker(animated: false, encoding: encoding, files: files)
    }

    /// Decodes, converts the colours, scales and places the picture on the canvas.
    private mutating func draw(_ picture: any StillDecoding) throws(Refusal) -> PixelBuffer {
        let start = steps.now
        let color = ColorConversion(picture.header)
        for warning in color.warnings { steps.warn(warning) }
        var frame: PixelBuffer
        do {
            try budget.check(picture.header.format)
            frame = try picture.fitted(
                inside: box, filter: settings.resample, color: color, budget: budget)
        } catch {
            steps.note("decode", since: start, error.detail)
            throw Refusal(error)
        }
        steps.note(
            "decode", since: start,
            (color.isIdentity ? "" : "colours brought to sRGB, ")
                + "scaled to \(frame.size) with \(settings.resample.rawValue)")
        for step in [Step].sticker(orientation: picture.header.orientation) {
            let start = steps.now
            frame = try step.apply(frame, .still)
            steps.note(step.name, since: start, "\(frame.size)")
        }
        return frame
    }

    /// Finds the WebP that the category asks for: the best or the smallest; all attempts come with it.
    mutating func fit(
        _ canvas: borrowing PixelBuffer, step: String = "fit"
    ) throws(Refusal) -> (sticker: FitAttempt, attempts: [FitAttempt]) {
        let start = steps.now
        let (found, attempts): (FitAttempt?, [FitAttempt])
        do {
            (found, attempts) = try search(canvas, step: step)
        } catch {
            throw Refusal(error)
        }
        steps.note(step, since: start, attempts.shown(chosen: found, target: stillTarget, settings))
        guard let found else {
            throw .willNotFit(
                nearest(attempts, to: canvas), target: stillTarget, key: "sticker.stillBytesMax")
        }
        return (found, attempts)
    }

    private var stillTarget: Int { settings.stillBytesMax * 99 / 100 }

    private mutating func search(
        _ canvas: borrowing PixelBuffer, step: String
    ) throws(CodecError) -> (FitAttempt?, [FitAttempt]) {
        var attempts: [FitAttempt] = []
        if settings.goal == .smallest {
            var fit = SmallestStillFit(
                target: stillTarget, qualityMin: settings.qualityMin,
                scoreTarget: settings.scoreTarget, budget: budget)
            if let found = try fit.search(canvas) { return (found, fit.attempts) }
            attempts = fit.attempts
            // A poster of an animation is no sticker.
            if step == "fit" { steps.warn(.belowTarget(settings, "sticker.stillBytesMax")) }
        }
        var fit = StillFit(
            target: stillTarget, qualityMin: settings.qualityMin, budget: budget)
        let found = try fit.search(canvas)
        return (found, attempts + fit.attempts)
    }

    private func nearest(
        _ attempts: [FitAttempt], to canvas: borrowing PixelBuffer
    ) -> [FitAttempt] {
        let judge = PerceptualReference(canvas)
        return attempts.nearest(to: stillTarget) {
            try judge.score(of: WebPDecoder.still($0.file))
        }
    }

    /// Decodes the file again and compares it with the canvas it was made of.
    ///
    /// - Returns: the encoding with its score.
    private mutating func verify(
        _ sticker: FitAttempt, against canvas: borrowing PixelBuffer, _ attempts: [FitAttempt]
    ) throws(Refusal) -> Encoding {
        let start = steps.now
        var verification = Verification(encoding: sticker.encoding)
        do {
            try budget.check(.webp)
            let decoded = try WebPDecoder.still(sticker.file)
            try verification.audit(sticker.file, frames: nil, milliseconds: nil)
            try verification.compare(decoded, with: canvas)
        } catch {
            throw Refusal(error)
        }
        steps.note("verify", since: start, verification.shown)
        try verification.judge()
        guard verification.score >= settings.scoreMin else {
            throw .belowFloor(
                nearest(attempts, to: canvas), score: verification.score,
                floor: settings.scoreMin, key: "sticker.stillBytesMax")
        }
        return verification.scored
    }

    /// The same picture for consumers without WebP.
    private mutating func companion(of canvas: borrowing PixelBuffer) throws(Refusal) -> MadeFile {
        let start = steps.now
        do {
            try budget.check(.png)
            let bytes = try PNGEncoder.encode(canvas)
            steps.note("companion", since: start, "png \(bytes.count.grouped) B")
            return MadeFile(role: .companion, format: .png, size: canvas.size, bytes: bytes)
        } catch {
            throw Refusal(error)
        }
    }
}
