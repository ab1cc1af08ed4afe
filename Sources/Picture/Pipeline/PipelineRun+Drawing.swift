import StickerCodecs
import StickerRaster
import StickerValues

/// From a picture to drawn canvases.
extension PipelineRun {
    /// The picture on `canvas`, decoded and drawn unless that was done before.
    func draw(_ picture: Picture, on canvas: TargetCanvas) throws(Refusal) -> Artwork {
        if let artwork = picture.canvases[canvas] { return artwork }
        switch picture.decoding {
        case .still(let decoder):
            picture.canvases = try drawStill(picture, decoder)
        case .animation(let decoder):
            // The frames of one canvas need much memory, so the previous ones are released.
            let artwork = try drawAnimation(picture, decoder, on: canvas)
            picture.canvases = [canvas: artwork]
            marks.forgetPictures()
            if artwork.isMoving { picture.moves = true }
        }
        guard let artwork = picture.canvases[canvas] else {
            preconditionFailure("every canvas of the recipe is drawn")
        }
        return artwork
    }

    /// The canvases of the files, each once.
    var canvases: [TargetCanvas] {
        let targets = isStickerAlone ? recipe.targets.prefix(1) : recipe.targetsToMake
        return targets.map(\.canvas).reduce(into: []) { canvases, canvas in
            if !canvases.contains(canvas) { canvases.append(canvas) }
        }
    }

    // MARK: Stills

    /// Decodes once, and draws every canvas of the files.
    private func drawStill(
        _ picture: Picture, _ decoder: any StillDecoding
    ) throws(Refusal) -> [TargetCanvas: Artwork] {
        let start = steps.now
        let canvases = canvases
        let drawings = canvases.map { canvas in
            picture.drawing(on: canvas, by: recipe.settings, moves: false)
        }
        var times = StageTimes(clock: steps.clock)
        let color = ColorConversion(decoder.header, cmykProfile: recipe.cmykProfile)
        for warning in color.warnings { steps.warn(warning) }
        let scaled = try steps.attempt("decode", since: start) {
            try budget.check(decoder.header.format)
            return try decoder.scaled(
                by: drawings.map(\.scale), color: color, budget: budget,
                accepting: picture.damage, &times)
        }
        warn(of: picture.damage)
        var drawn: [TargetCanvas: Artwork] = [:]
        for (index, drawing) in drawings.enumerated() {
            let canvas = try drawing.stages.apply(to: scaled[index], at: .still, &times)
            drawn[canvases[index]] = .still(canvas)
        }
        for entry in times.entries { steps.note(entry) }
        return drawn
    }

    // MARK: Animations

    /// Decodes every frame once and keeps those that differ from the previous one. An animation with only one picture
    /// becomes a still.
    private func drawAnimation(
        _ picture: Picture, _ decoder: any AnimationDecoding, on canvas: TargetCanvas
    ) throws(Refusal) -> Artwork {
        let start = steps.now
        let frames = AnimationSource(
            decoder, picture.drawing(on: canvas, by: recipe.settings, moves: true),
            budget: budget, clock: steps.clock)
        frames.damage = picture.damage
        // The sticker is judged by its own canvas, which is the first.
        let judged =
            try recipe.makesSticker && picture.canvases.isEmpty
            ? marks.drawn(
                recipe.wearing(moves: true).marks(of: recipe.targets[0]),
                on: frames.canvasSize, moving: true, within: budget) : nil
        let (timeline, isVisible) = try steps.attempt("decode", since: start) {
            try frames.survey(judgingWith: judged)
        }
        warn(of: picture.damage)
        let count = timeline.frames.count.counted("distinct frame", "distinct frames")
        let found = "\(count), \(timeline.totalMilliseconds) ms"
        for var entry in frames.times.entries {
            if entry.step == "decode" { entry.detail = found }
            steps.note(entry)
        }
        guard timeline.frames.count > 1 else {
            let drawing = picture.drawing(on: canvas, by: recipe.settings, moves: false)
            return .still(try still(of: frames, timeline.frames[0].source, drawing))
        }
        return .moving(
            frames, try begunVisibly(timeline, isVisible, loops: frames.loopCount == 0))
    }

    /// The canvas of an animation with only one picture: features that are drawn only on stills are missing on
    /// `frames`.
    private func still(
        of frames: AnimationSource, _ index: Int, _ drawing: Drawing
    ) throws(Refusal) -> Canvas {
        guard recipe.settings.tint.mode != .none else { return try frames.canvas(index) }
        let start = steps.now
        let drawn = try frames.canvas(index, by: drawing)
        steps.note("tint", since: start, "as a still")
        return drawn
    }

    /// Starts with a visible frame: consumers display it while the animation is not playing.
    private func begunVisibly(
        _ timeline: Timeline, _ isVisible: [Bool], loops: Bool
    ) throws(Refusal) -> Timeline {
        guard let first = isVisible.firstIndex(of: true) else {
            throw Refusal(
                .noFrames, "no frame shows anything", remedy: "export it again with visible frames")
        }
        guard first > 0 else { return timeline }
        // A finite animation would end with nothing; a single frame would not move.
        if !loops, first + 1 < timeline.frames.count {
            let detail = "the first frame is empty, so it begins at frame \(first + 1)"
            steps.warnOnce(Warning("started-later", detail))
            return timeline.begun(at: first)
        }
        let detail = "the first frame is empty, so the loop begins at frame \(first + 1)"
        steps.warnOnce(Warning("rotated", detail))
        return timeline.rotated(toBeginAt: first)
    }

    /// Reports the faults of a damaged picture whose readable part is used.
    private func warn(of damage: AcceptedDamage?) {
        guard let fault = damage?.faults.first else { return }
        steps.warnOnce(
            Warning("damage-accepted", "an operator accepted a damaged file: \(fault.detail)"))
    }
}
