import StickerCodecs
import StickerModel
import StickerRaster

/// The life of an animation: survey, arrange, fit, verify, finish.
extension PipelineRun {
    /// Makes a sticker that moves, or stands still where only one frame is distinct.
    mutating func makeAnimation(_ source: SourceBytes) throws(Refusal) -> MadeSticker {
        let frames = try open(source)
        let (surveyed, isVisible) = try survey(frames)
        guard surveyed.frames.count > 1 else {
            return try makeStill(of: try frames.canvas(surveyed.frames[0].source).pixels)
        }
        let timeline = try arrange(surveyed, isVisible)
        let (sticker, attempts) = try fit(frames, timeline)
        let kept = sticker.timeline ?? timeline
        let encoding = try verify(sticker, kept, frames, attempts)
        return MadeSticker(
            animated: true, encoding: encoding, files: try finish(sticker, kept, frames))
    }

    private mutating func open(_ source: SourceBytes) throws(Refusal) -> AnimationSource {
        let start = steps.now
        do {
            let frames = try AnimationSource(
                source, limits: limits, inside: box, filter: settings.resample, budget: budget)
            note(frames.header, since: start)
            return frames
        } catch {
            steps.note("open", since: start, error.detail)
            throw Refusal(error)
        }
    }

    /// Decodes every frame once and finds those that differ from the one before.
    private mutating func survey(
        _ frames: AnimationSource
    ) throws(Refusal) -> (timeline: Timeline, isVisible: [Bool]) {
        let start = steps.now
        do {
            let survey = try frames.survey()
            let timeline = survey.timeline
            steps.note(
                "decode", since: start,
                "\(timeline.frames.count) distinct frames, \(timeline.totalMilliseconds) ms")
            return survey
        } catch {
            steps.note("decode", since: start, error.detail)
            throw error
        }
    }

    /// Begins with a frame that shows something, and keeps to the time limit.
    private mutating func arrange(
        _ timeline: Timeline, _ isVisible: [Bool]
    ) throws(Refusal) -> Timeline {
        guard let first = isVisible.firstIndex(of: true) else {
            throw Refusal(
                .noFrames, "no frame shows anything", remedy: "export it again with visible frames")
        }
        if first > 0 {
            steps.warn(
                Warning(
                    "rotated", "the first frame is empty, so the loop begins at frame \(first + 1)")
            )
        }
        let (limited, warning) = try timeline.rotated(toBeginAt: first).limited(
            by: settings.tooLong)
        if let warning { steps.warn(warning) }
        return limited
    }

    private mutating func fit(
        _ frames: AnimationSource, _ timeline: Timeline
    ) throws(Refusal) -> (sticker: FitAttempt, attempts: [FitAttempt]) {
        let start = steps.now
        let (found, attempts) = try search(frames, timeline)
        steps.note(
            "fit", since: start, attempts.shown(chosen: found, target: animatedTarget, settings))
        guard let found else {
            throw .willNotFit(
                nearest(attempts, frames), target: animatedTarget, key: "sticker.animatedBytesMax")
        }
        let dropped = timeline.frames.count - (found.timeline ?? timeline).frames.count
        if dropped > 0 {
            steps.warn(Warning("frames-dropped", "\(dropped) frames were dropped to fit"))
        }
        return (found, attempts)
    }

    private var animatedTarget: Int { settings.animatedBytesMax * 99 / 100 }

    private mutating func search(
        _ frames: AnimationSource, _ timeline: Timeline
    ) throws(Refusal) -> (FitAttempt?, [FitAttempt]) {
        var attempts: [FitAttempt] = []
        if settings.goal == .smallest {
            var fit = SmallestAnimationFit(
                source: frames, target: animatedTarget, qualityMin: settings.qualityMin,
                scoreTarget: settings.scoreTarget)
            if let found = try fit.search(timeline) { return (found, fit.attempts) }
            attempts = fit.attempts
            steps.warn(.belowTarget(settings, "sticker.animatedBytesMax"))
        }
        var fit = AnimationFit(
            source: frames, target: animatedTarget, qualityMin: settings.qualityMin)
        let found = try fit.search(timeline)
        return (found, attempts + fit.attempts)
    }

    private func nearest(_ attempts: [FitAttempt], _ frames: AnimationSource) -> [FitAttempt] {
        attempts.nearest(to: animatedTarget) { attempt in
            guard let timeline = attempt.timeline else { return 0 }
            return try frames.score(of: attempt.file, timeline)
        }
    }

    /// Plays the file back and compares every frame with its canvas.
    ///
    /// - Returns: the encoding with its score.
    private mutating func verify(
        _ sticker: FitAttempt, _ timeline: Timeline, _ frames: AnimationSource,
        _ attempts: [FitAttempt]
    ) throws(Refusal) -> Encoding {
        let start = steps.now
        var verification = Verification(encoding: sticker.encoding)
        // libwebp may show neighbours that became equal by coding as one frame.
        let count = WebPAnimationEncoder.frameSizes(of: sticker.file).count
        try Refusal.catching {
            try verification.audit(
                sticker.file, frames: count, milliseconds: timeline.totalMilliseconds)
            try verification.play(sticker.file, timeline, frames)
        }
        steps.note("verify", since: start, verification.shown)
        try verification.judge()
        guard verification.score >= settings.scoreMin else {
            throw .belowFloor(
                nearest(attempts, frames), score: verification.score, floor: settings.scoreMin,
                key: "sticker.animatedBytesMax")
        }
        return verification.scored
    }

    private mutating func finish(
        _ sticker: FitAttempt, _ timeline: Timeline, _ frames: AnimationSource
    ) throws(Refusal) -> [MadeFile] {
        var files = [
            MadeFile(
                role: .sticker, format: .webp, size: .sticker, bytes: sticker.file,
                frames: WebPAnimationEncoder.frameSizes(of: sticker.file).count,
                durationMilliseconds: timeline.totalMilliseconds)
        ]
        guard !isStickerAlone else { return files }
        if settings.companions { files.append(try companion(timeline, frames)) }
        let first = try frames.canvas(timeline.frames[0].source)
        let poster = try fit(first.pixels, step: "poster").sticker
        files.append(
            MadeFile(role: .poster, format: .webp, size: .sticker, bytes: poster.file))
        files += try smallStills(of: first.pixels)
        return files
    }

    private mutating func companion(
        _ timeline: Timeline, _ frames: AnimationSource
    ) throws(Refusal) -> MadeFile {
        let start = steps.now
        let matte = ColorCode.parse(settings.matte) ?? SIMD3(repeating: 255)
        let file = try GIFCompanion(matte: matte).make(timeline, of: frames)
        steps.note("companion", since: start, "gif \(file.size) \(file.bytes.count.grouped) B")
        return file
    }
}
