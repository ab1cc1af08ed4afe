import StickerCodecs
import StickerRaster
import StickerValues

/// From a drawn picture to the file for a target.
extension PipelineRun {
    /// Puts marks over a picture.
    func mark(
        _ artwork: Artwork, with watermarks: [Watermark], for target: Target
    ) throws(Refusal) -> Artwork {
        guard !recipe.settings.watermarks.isEmpty else { return artwork }
        return try marks.put(watermarks, on: artwork, for: target, within: budget)
    }

    /// Shortens an animation to the time that the target allows; if that leaves one frame, it is a still.
    func limit(_ artwork: Artwork, to target: Target) throws(Refusal) -> Artwork {
        guard case .moving(let frames, let timeline) = artwork else { return artwork }
        frames.budget = budget
        guard let rules = target.moving else { throw .takesNone(of: target, moves: true) }
        let (limited, warnings) = try timeline.limited(by: rules, of: target)
        for warning in warnings { steps.warnOnce(named(target, warning)) }
        guard limited.frames.count > 1 else {
            return .still(try frames.canvas(limited.frames[0].source))
        }
        return .moving(frames, limited)
    }

    /// Finds the file with the target's goal, the best or the smallest, and returns it with all attempts.
    func fit(
        _ artwork: Artwork, to target: Target
    ) throws(Refusal) -> (sticker: FitAttempt, attempts: [FitAttempt]) {
        switch artwork {
        case .still(let canvas):
            guard let rules = target.still else { throw .takesNone(of: target, moves: false) }
            let search = StillSearch(canvas: canvas, target: target, rules: rules, budget: budget)
            return try fit(artwork, to: target, by: search)
        case .moving(let frames, let timeline):
            guard let rules = target.moving else { throw .takesNone(of: target, moves: true) }
            let search = MovingSearch(
                frames: frames, timeline: timeline, target: target, rules: rules, matte: matte)
            let found = try fit(artwork, to: target, by: search)
            let dropped =
                timeline.frames.count - (found.sticker.timeline ?? timeline).frames.count
            if dropped > 0 { steps.warnOnce(named(target, .framesDropped(dropped, "to fit"))) }
            return found
        }
    }

    /// Runs a search, and logs it as `step`.
    func fit(
        _ artwork: Artwork, to target: Target, by search: some FileSearch, as step: String = "fit"
    ) throws(Refusal) -> (sticker: FitAttempt, attempts: [FitAttempt]) {
        let start = steps.now
        var search = search
        let found = try Refusal.catching { try search.run() }
        let (attempts, bytesMax) = (search.attempts, search.bytesMax)
        let count = "\(attempts.count) \(attempts.count == 1 ? "encoding" : "encodings")"
        steps.note(
            step, since: start, named(target, "\(count) for at most \(bytesMax.grouped) B"),
            fit: FitRecord(attempts, chosen: found, for: target, bytesMax: bytesMax))
        // A poster of an animation is not a sticker.
        if search.missedScore, step == "fit" {
            steps.warn(.belowTarget(target, moves: artwork.isMoving))
        }
        guard let found else {
            throw .willNotFit(
                attempts.nearest(to: artwork, bytesMax: bytesMax), bytesMax: bytesMax, target,
                moves: artwork.isMoving)
        }
        return (found, attempts)
    }

    /// Decodes the file again, or plays it back, and compares it with the canvases that it was made from.
    func verify(
        _ sticker: FitAttempt, of attempts: [FitAttempt], against artwork: Artwork,
        for target: Target
    ) throws(Refusal) -> Rendition {
        let start = steps.now
        var verification = Verification(
            encoding: sticker.encoding, format: sticker.format, matte: matte)
        var played: (timeline: Timeline, frames: Int)?
        try Refusal.catching {
            switch artwork {
            case .still(let canvas):
                try budget.check(sticker.format)
                try verification.audit(sticker.file, canvas.pixels.size)
                try verification.compare(
                    sticker.decoded(limits: limits), with: canvas.pixels, known: sticker.score)
            case .moving(let frames, let timeline):
                let found = try verification.play(
                    sticker.file, sticker.timeline ?? timeline, frames, limits: limits)
                try verification.audit(
                    sticker.file, frames.canvasSize, frames: found.frames,
                    milliseconds: found.timeline.totalMilliseconds,
                    loopCount: target.moving?.loopCount ?? frames.loopCount)
                played = found
            }
        }
        steps.note("verify", since: start, named(target, verification.shown))
        try verification.judge()
        guard verification.score >= target.scoreMin else {
            throw .belowFloor(
                attempts.nearest(to: artwork, bytesMax: sticker.bytes),
                score: verification.score, target, moves: artwork.isMoving)
        }
        return Rendition(
            format: sticker.format, size: artwork.canvasSize, bytes: sticker.file,
            encoding: verification.scored, timeline: played?.timeline, frames: played?.frames)
    }

    /// The colour behind the soft edges of GIFs.
    var matte: SIMD3<UInt8> {
        ColorCode.parse(recipe.settings.matte) ?? SIMD3(repeating: 255)
    }
}

extension FitAttempt {
    /// The decoded file of a still.
    fileprivate func decoded(limits: DecodeLimits) throws(CodecError) -> PixelBuffer {
        guard format == .png else { return try WebPDecoder.still(file) }
        let picture = try PNGDecoder(SourceBytes(file), limits: limits)
        let rows = rowResampler(
            from: picture.header.size, to: picture.header.size, layout: .rgba8, hasAlpha: true,
            filter: .nearest)
        try picture.decode(size: picture.header.size) { (row) throws(CodecError) in
            rows.consume(row)
        }
        return rows.finish()
    }
}

extension [FitAttempt] {
    /// The three attempts nearest to `bytesMax`, with their scores if they are WebP.
    fileprivate func nearest(to artwork: Artwork, bytesMax: Int) -> [FitAttempt] {
        switch artwork {
        case .still(let canvas):
            let judge = PerceptualReference(canvas.pixels)
            return nearest(to: bytesMax) { attempt in
                guard attempt.format == .webp else { return nil }
                return try judge.score(of: WebPDecoder.still(attempt.file))
            }
        case .moving(let frames, _):
            return nearest(to: bytesMax) { attempt in
                guard attempt.format == .webp, let timeline = attempt.timeline else { return nil }
                return try frames.score(of: attempt.file, timeline)
            }
        }
    }
}
