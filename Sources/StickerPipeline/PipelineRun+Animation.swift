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
        var sticker = try fit(frames, timeline)
        sticker.encoding.score = try verify(sticker, frames)
        return try finish(sticker, frames)
    }

    private mutating func open(_ source: SourceBytes) throws(Refusal) -> AnimationSource {
        let start = steps.now
        do {
            let frames = try AnimationSource(
                source, limits: limits, inside: box, filter: settings.resample)
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
    ) throws(Refusal) -> AnimationFit.Found {
        let target = settings.animatedBytesMax * 99 / 100
        var fit = AnimationFit(source: frames, target: target, qualityMin: settings.qualityMin)
        let start = steps.now
        let found = try fit.search(timeline)
        steps.note("fit", since: start, fit.attempts.shown(target: target))
        guard let found else {
            throw Refusal.willNotFit(fit.attempts, target: target, key: "sticker.animatedBytesMax")
        }
        let dropped = timeline.frames.count - found.timeline.frames.count
        if dropped > 0 {
            steps.warn(Warning("frames-dropped", "\(dropped) frames were dropped to fit"))
        }
        return found
    }

    /// Plays the file back, compares every frame with its canvas, and returns the score.
    private mutating func verify(
        _ sticker: AnimationFit.Found, _ frames: AnimationSource
    ) throws(Refusal) -> Double {
        let start = steps.now
        do {
            var verification = Verification(encoding: sticker.encoding)
            let total = sticker.timeline.totalMilliseconds
            // libwebp may show neighbours that became equal by coding as one frame.
            let count = WebPAnimationEncoder.frameSizes(of: sticker.file).count
            try verification.audit(sticker.file, frames: count, milliseconds: total)
            try verification.play(sticker.file, sticker.timeline, frames)
            steps.note("verify", since: start, verification.shown)
            try verification.judge()
            return verification.score
        } catch let error as CodecError {
            throw Refusal(error)
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            preconditionFailure("nothing else is thrown here")
        }
    }

    private mutating func finish(
        _ sticker: AnimationFit.Found, _ frames: AnimationSource
    ) throws(Refusal) -> MadeSticker {
        let timeline = sticker.timeline
        var files = [
            MadeFile(
                role: .sticker, format: .webp, size: .sticker, bytes: sticker.file,
                frames: WebPAnimationEncoder.frameSizes(of: sticker.file).count,
                durationMilliseconds: timeline.totalMilliseconds)
        ]
        if settings.companions { files.append(try companion(timeline, frames)) }
        let first = try frames.canvas(timeline.frames[0].source)
        let poster = try fit(first.pixels, step: "poster")
        files.append(
            MadeFile(role: .poster, format: .webp, size: .sticker, bytes: poster.file))
        files += try smallStills(of: first.pixels)
        return MadeSticker(animated: true, encoding: sticker.encoding, files: files)
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
