import StickerCodecs
import StickerModel
import StickerRaster

/// A file for a target, decoded again and compared.
struct Rendition {
    var format: ImageFormat
    var size: PixelSize
    var bytes: [UInt8]
    var encoding: Encoding
    /// Its timeline; `nil` for a still.
    var timeline: Timeline?
    /// The number of frames in the file, which may merge neighbours that became equal.
    var frames: Int?

    var isMoving: Bool { timeline != nil }

    /// The file in its final form.
    func file(_ role: StickerFile.Role, for target: Target) -> MadeFile {
        MadeFile(
            role: role, target: target.name, format: format, size: size, bytes: bytes,
            frames: frames, durationMilliseconds: timeline?.totalMilliseconds,
            encoding: encoding)
    }
}

/// The parameters of a rendition of one picture.
struct RenditionKey: Hashable {
    private var rules: Target
    private var marks: [Watermark]

    init(_ recipe: Recipe, _ target: Target) {
        (rules, marks) = (target.rules, recipe.marks(of: target))
    }
}

/// For each target: mark, fit and verify.
extension PipelineRun {
    /// Makes the file for `target` of a picture, with its marks.
    ///
    /// A still that moves only by a mark stays still if moving does not fit.
    /// - Returns: the file, and its contents.
    mutating func markedRendition(
        of artwork: Artwork, for target: Target
    ) throws(Refusal) -> (file: Rendition, shown: Artwork) {
        guard case .still(let canvas) = artwork, target.still != nil,
            marks(of: target).animate
        else {
            let shown = try marked(artwork, for: target)
            return (try rendition(of: shown, for: target), shown)
        }
        let whole = budget
        do throws(Refusal) {
            // So that enough time is left for the still.
            budget = whole.share(of: 2)
            defer { budget = whole }
            let shown = try marked(artwork, for: target)
            let file = try rendition(of: shown, for: target)
            // Side files are made from the same frames, and the share may be used up.
            if case .moving(let frames, _) = shown { frames.budget = whole }
            return (file, shown)
        } catch {
            let marks = marks(of: target)
            let still = Artwork.still(try still(canvas, wearing: marks))
            let file = try rendition(of: still, for: target)
            let detail = "a mark cannot move on it: \(error.detail)"
            steps.warnOnce(named(target, Warning("mark-stands-still", detail)))
            return (file, still)
        }
    }

    /// Makes the file for `target` of a picture.
    mutating func rendition(of artwork: Artwork, for target: Target) throws(Refusal) -> Rendition {
        switch artwork {
        case .still(let canvas):
            guard let rules = target.still else { throw .takesNone(of: target, moves: false) }
            let (sticker, attempts) = try fit(canvas.pixels, target, rules)
            return try verify(sticker, canvas.pixels, target, attempts)
        case .moving(let frames, let timeline):
            frames.budget = budget
            guard let rules = target.moving else { throw .takesNone(of: target, moves: true) }
            let (limited, warnings) = try timeline.limited(by: rules, of: target)
            for warning in warnings { steps.warnOnce(named(target, warning)) }
            // An animation cut to its first frame is a still.
            guard limited.frames.count > 1 else {
                return try rendition(
                    of: .still(try frames.canvas(limited.frames[0].source)), for: target)
            }
            let (sticker, attempts) = try fit(frames, limited, target, rules)
            let loopCount = rules.loopCount ?? frames.loopCount
            return try verify(
                sticker, sticker.timeline ?? limited, frames, target, attempts, loopCount)
        }
    }

    // MARK: Stills

    /// Finds the file with the target's goal, the best or the smallest, and returns it with all attempts.
    mutating func fit(
        _ canvas: borrowing PixelBuffer, _ target: Target, _ rules: StillRules,
        step: String = "fit"
    ) throws(Refusal) -> (sticker: FitAttempt, attempts: [FitAttempt]) {
        let start = steps.now
        var search = StillSearch(target, rules, budget: budget)
        let found: FitAttempt?
        do {
            found = try search.run(canvas)
        } catch {
            throw Refusal(error)
        }
        note(step, since: start, search.attempts, found, target, search.bytesMax)
        // A poster of an animation is not a sticker.
        if search.missedScore, step == "fit" { steps.warn(.belowTarget(target, moves: false)) }
        guard let found else {
            throw .willNotFit(
                search.attempts.nearest(to: canvas, bytesMax: search.bytesMax),
                bytesMax: search.bytesMax, target, moves: false)
        }
        return (found, search.attempts)
    }

    /// Decodes the file again and compares it with the canvas it was made from.
    private mutating func verify(
        _ sticker: FitAttempt, _ canvas: borrowing PixelBuffer, _ target: Target,
        _ attempts: [FitAttempt]
    ) throws(Refusal) -> Rendition {
        let start = steps.now
        var verification = Verification(encoding: sticker.encoding, format: sticker.format)
        do {
            try budget.check(sticker.format)
            try verification.audit(sticker.file, canvas.size)
            let decoded = try sticker.decoded(limits: limits)
            try verification.compare(decoded, with: canvas, known: sticker.score)
        } catch {
            throw Refusal(error)
        }
        steps.note("verify", since: start, named(target, verification.shown))
        try verification.judge()
        guard verification.score >= target.scoreMin else {
            let nearest = attempts.nearest(to: canvas, bytesMax: sticker.bytes)
            throw .belowFloor(nearest, score: verification.score, target, moves: false)
        }
        return Rendition(
            format: sticker.format, size: canvas.size, bytes: sticker.file,
            encoding: verification.scored)
    }

    // MARK: Animations

    private mutating func fit(
        _ frames: any FrameSource, _ timeline: Timeline, _ target: Target, _ rules: MovingRules
    ) throws(Refusal) -> (sticker: FitAttempt, attempts: [FitAttempt]) {
        let start = steps.now
        var search = MovingSearch(target, rules, matte: matte, of: frames)
        let found = try search.run(timeline)
        note("fit", since: start, search.attempts, found, target, search.bytesMax)
        if search.missedScore { steps.warn(.belowTarget(target, moves: true)) }
        guard let found else {
            throw .willNotFit(
                search.attempts.nearest(to: frames, bytesMax: search.bytesMax),
                bytesMax: search.bytesMax, target, moves: true)
        }
        let dropped = timeline.frames.count - (found.timeline ?? timeline).frames.count
        if dropped > 0 { steps.warnOnce(named(target, .framesDropped(dropped, "to fit"))) }
        return (found, search.attempts)
    }

    /// Plays the file back and compares every frame with its canvas.
    private mutating func verify(
        _ sticker: FitAttempt, _ timeline: Timeline, _ frames: any FrameSource,
        _ target: Target, _ attempts: [FitAttempt], _ loopCount: Int
    ) throws(Refusal) -> Rendition {
        let start = steps.now
        var verification = Verification(
            encoding: sticker.encoding, format: sticker.format, matte: matte)
        let played = try Refusal.catching {
            let played = try verification.play(sticker.file, timeline, frames, limits: limits)
            try verification.audit(
                sticker.file, frames.canvasSize, frames: played.frames,
                milliseconds: played.timeline.totalMilliseconds, loopCount: loopCount)
            return played
        }
        steps.note("verify", since: start, named(target, verification.shown))
        try verification.judge()
        guard verification.score >= target.scoreMin else {
            let nearest = attempts.nearest(to: frames, bytesMax: sticker.bytes)
            throw .belowFloor(nearest, score: verification.score, target, moves: true)
        }
        return Rendition(
            format: sticker.format, size: frames.canvasSize, bytes: sticker.file,
            encoding: verification.scored, timeline: played.timeline, frames: played.frames)
    }

    // MARK: The log

    private mutating func note(
        _ step: String, since start: Double, _ attempts: [FitAttempt], _ found: FitAttempt?,
        _ target: Target, _ bytesMax: Int
    ) {
        let record = FitRecord(attempts, chosen: found, for: target, bytesMax: bytesMax)
        let count = "\(attempts.count) \(attempts.count == 1 ? "encoding" : "encodings")"
        steps.note(
            step, since: start, named(target, "\(count) for at most \(bytesMax.grouped) B"),
            fit: record)
    }

    private func named(_ target: Target, _ warning: Warning) -> Warning {
        Warning(warning.code, named(target, warning.detail))
    }

    /// The log names further targets.
    private func named(_ target: Target, _ detail: String) -> String {
        target == recipe.targets[0] ? detail : "\(target.name): \(detail)"
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
    fileprivate func nearest(
        to canvas: borrowing PixelBuffer, bytesMax: Int
    ) -> [FitAttempt] {
        let judge = PerceptualReference(canvas)
        return nearest(to: bytesMax) { attempt in
            guard attempt.format == .webp else { return nil }
            return try judge.score(of: WebPDecoder.still(attempt.file))
        }
    }

    /// The three animations nearest to `bytesMax`, with their scores if they are WebP.
    fileprivate func nearest(to frames: any FrameSource, bytesMax: Int) -> [FitAttempt] {
        nearest(to: bytesMax) { attempt in
            guard attempt.format == .webp, let timeline = attempt.timeline else { return nil }
            return try frames.score(of: attempt.file, timeline)
        }
    }
}

extension Refusal {
    /// The refusal of a platform that has no form for such stickers.
    static func takesNone(of target: Target, moves: Bool) -> Refusal {
        let kind = moves ? "moving" : "still"
        let why = moves ? target.withoutMoving : nil
        return Refusal(
            .notTaken, why ?? "the target has no rules for \(kind) stickers",
            remedy: "nothing has to be done; if the platform takes them by now, add "
                + "targets.\(target.name).\(kind)")
    }
}
