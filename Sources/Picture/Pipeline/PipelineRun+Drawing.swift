import StickerCodecs
import StickerContainers
import StickerModel
import StickerRaster

/// From the bytes of a file to drawn canvases.
extension PipelineRun {
    /// Determines the format from the bytes, and checks the header against the limits.
    mutating func open(_ source: SourceBytes) throws(Refusal) -> OpenedPicture {
        let type = ImageFormat.sniff(source)
        guard case .picture(let format) = type else {
            if source.count == 0 {
                warnOfProfile()
                warnOfMarks()
            }
            throw Refusal.notAPicture(type, bytes: source.count)
        }
        self.format = format
        guard let opening = readers[format] else {
            // The daemon chooses the program; other callers of a pipeline may ask for any format.
            throw Refusal(
                .unsupportedFormat, "this program does not read \(format.name)",
                remedy: "save it as \(ImageFormat.names(of: readers.formats))")
        }
        let start = steps.now
        let isReadInPart = recipe.acceptsDamage && Self.readInPart.contains(format)
        damage = isReadInPart ? AcceptedDamage() : nil
        let picture: OpenedPicture
        do throws(CodecError) {
            picture = try opening(source, limits, recipe.drawsStill, damage)
        } catch {
            steps.note("open", since: start, error.detail)
            throw Refusal(error)
        }
        // A list of an animated PNG's frames shows whether all are there.
        if case .animation = picture, format == .png { damage = nil }
        note(picture.header, since: start)
        if let unknown = picture.header.unknownCharacters {
            guard !recipe.refusesUnknownCharacters else { throw unknown.refusal }
            steps.warn(unknown.warning())
        }
        return picture
    }

    /// The formats whose parts are useful by themselves.
    private static let readInPart: Set<ImageFormat> = [.png, .jpeg, .gif]

    /// Reports faults in the profile of the recipe: a check of a worker sends it without a picture.
    private mutating func warnOfProfile() {
        guard let fault = recipe.cmykProfile.flatMap(ColorConversion.fault) else { return }
        steps.warn(Warning("bad-profile", fault))
    }

    /// The picture on `canvas`, decoded and drawn unless that was done before.
    mutating func draw(
        _ picture: OpenedPicture, on canvas: TargetCanvas
    ) throws(Refusal) -> Artwork {
        if let artwork = drawn[canvas] { return artwork }
        switch picture {
        case .still(let picture):
            try drawStill(picture)
        case .animation(let decoder):
            // The frames of one canvas need much memory, so the previous ones are released.
            let artwork = try drawAnimation(decoder, on: canvas)
            (drawn, marked) = ([canvas: artwork], [:])
            if case .moving = artwork { moves = true }
        }
        guard let artwork = drawn[canvas] else {
            preconditionFailure("every canvas of the recipe is drawn")
        }
        return artwork
    }

    /// Finds the visible part of the picture, if only that is to be drawn.
    mutating func trim(_ picture: OpenedPicture) throws(Refusal) {
        guard recipe.settings.trim else { return }
        let start = steps.now
        do {
            part =
                switch picture {
                case .still(let decoder):
                    try decoder.artArea(budget: budget, accepting: damage)
                case .animation(let decoder):
                    try decoder.artArea(budget: budget, accepting: damage)
                }
        } catch {
            steps.note("trim", since: start, error.detail)
            throw Refusal(error)
        }
        steps.note(
            "trim", since: start,
            part.map { "\($0.size) at \($0.x),\($0.y)" } ?? "nothing to cut off")
    }

    /// Detects pixel art, if that decides how the picture is enlarged.
    ///
    /// A damaged picture is not pixel art; its damage is reported when it is drawn.
    mutating func recognize(_ picture: OpenedPicture) {
        let header = picture.header
        let isEnlarged = canvases.contains { canvas in
            drawing(of: header, on: canvas, moves: false).scale.enlarges(part?.size ?? header.size)
        }
        guard recipe.settings.resample == .auto, isEnlarged, damage == nil else { return }
        switch picture {
        case .still(let decoder): pixelArt = try? decoder.pixelArt(in: part, budget: budget)
        case .animation(let decoder): pixelArt = try? decoder.pixelArt(in: part, budget: budget)
        }
    }

    // MARK: Stills

    /// Decodes once, and draws every canvas of the files.
    private mutating func drawStill(_ picture: any StillDecoding) throws(Refusal) {
        let start = steps.now
        let header = picture.header
        let canvases = canvases
        var drawings: [Drawing] = []
        for canvas in canvases {
            drawings.append(drawing(of: header, on: canvas, moves: false))
        }
        var times = StageTimes(clock: steps.clock)
        let color = ColorConversion(header, cmykProfile: recipe.cmykProfile)
        for warning in color.warnings { steps.warn(warning) }
        let scaled: [Canvas]
        do {
            try budget.check(header.format)
            scaled = try picture.scaled(
                by: drawings.map(\.scale), color: color, budget: budget, accepting: damage, &times)
            warnOfDamage()
        } catch {
            steps.note("decode", since: start, error.detail)
            throw Refusal(error)
        }
        for (index, drawing) in drawings.enumerated() {
            let canvas = try drawing.stages.apply(to: scaled[index], at: .still, &times)
            drawn[canvases[index]] = .still(canvas)
        }
        for entry in times.entries { steps.note(entry) }
    }

    /// The canvases of the files, each once.
    private var canvases: [TargetCanvas] {
        let targets = isStickerAlone ? recipe.targets.prefix(1) : recipe.targetsToMake
        return targets.map(\.canvas).reduce(into: []) { canvases, canvas in
            if !canvases.contains(canvas) { canvases.append(canvas) }
        }
    }

    // MARK: Animations

    /// Decodes every frame once and keeps those that differ from the previous one. An animation with only one picture
    /// becomes a still.
    private mutating func drawAnimation(
        _ decoder: any AnimationDecoding, on canvas: TargetCanvas
    ) throws(Refusal) -> Artwork {
        let start = steps.now
        let frames = AnimationSource(
            decoder, drawing(of: decoder.header, on: canvas, moves: true), budget: budget,
            clock: steps.clock)
        frames.damage = damage
        let timeline: Timeline
        let isVisible: [Bool]
        let marks = recipe.wearing(moves: true).marks(of: recipe.targets[0])
        let judged =
            try judgesAppearance
            ? drawn(marks, on: frames.canvasSize, moving: true) : nil
        do {
            (timeline, isVisible) = try frames.survey(judgingWith: judged)
            warnOfDamage()
        } catch {
            steps.note("decode", since: start, error.detail)
            throw error
        }
        let count = timeline.frames.count.counted("distinct frame", "distinct frames")
        let found = "\(count), \(timeline.totalMilliseconds) ms"
        for var entry in frames.times.entries {
            if entry.step == "decode" { entry.detail = found }
            steps.note(entry)
        }
        guard timeline.frames.count > 1 else {
            return .still(try still(of: frames, timeline.frames[0].source, on: canvas))
        }
        let begun = try begunVisibly(timeline, isVisible, loops: frames.loopCount == 0)
        judge(begun, frames)
        return .moving(frames, begun)
    }

    /// The canvas of an animation with only one picture: features that are drawn only on stills are missing on
    /// `frames`.
    private mutating func still(
        of frames: AnimationSource, _ index: Int, on canvas: TargetCanvas
    ) throws(Refusal) -> Canvas {
        guard recipe.settings.tint.mode != .none else { return try frames.canvas(index) }
        let start = steps.now
        let still = drawing(of: frames.header, on: canvas, moves: false)
        let drawn = try frames.canvas(index, by: still)
        steps.note("tint", since: start, "as a still")
        return drawn
    }

    /// Whether the sticker is judged by the next canvas.
    private var judgesAppearance: Bool { recipe.makesSticker && appearance == nil }

    /// How many frames are measured if only a mark moves.
    private static let judgedCount = 16

    /// Judges a sticker by its picture, unless its frames were judged during the survey.
    mutating func judge(_ sticker: Artwork) throws(Refusal) {
        guard judgesAppearance else { return }
        switch sticker {
        case .still(let canvas):
            appearance = Appearance(of: [(FrameAppearance(of: canvas.pixels), 0)])
        case .moving(let frames, let timeline):
            let step = (timeline.frames.count + Self.judgedCount - 1) / Self.judgedCount
            var judged: [(appearance: FrameAppearance, milliseconds: Int)] = []
            for frame in timeline.keeping(every: step).frames {
                let canvas = try frames.canvas(frame.source)
                judged.append((FrameAppearance(of: canvas.pixels), frame.milliseconds))
            }
            appearance = Appearance(of: judged)
        }
    }

    /// Judges an animation by the frames measured in its survey; each represents those up to the next one.
    private mutating func judge(_ timeline: Timeline, _ frames: AnimationSource) {
        guard judgesAppearance else { return }
        var judged: [(appearance: FrameAppearance, milliseconds: Int)] = []
        for frame in timeline.frames {
            if let measured = frames.appearances[frame.source] {
                judged.append((measured, frame.milliseconds))
            } else if !judged.isEmpty {
                judged[judged.count - 1].milliseconds += frame.milliseconds
            }
        }
        appearance = Appearance(of: judged)
    }

    /// Starts with a visible frame: consumers display it while the animation is not playing.
    private mutating func begunVisibly(
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
    private mutating func warnOfDamage() {
        guard let fault = damage?.faults.first else { return }
        steps.warnOnce(
            Warning("damage-accepted", "an operator accepted a damaged file: \(fault.detail)"))
    }

    /// Logs the contents of a header.
    private mutating func note(_ header: ImageHeader, since start: Double) {
        for warning in header.warnings { steps.warn(warning) }
        // A drawing has no size in pixels.
        let size = header.format == .svg ? "" : " \(header.size)"
        steps.note("open", since: start, "\(header.format.name)\(size), \(header.detail)")
    }
}

extension Refusal {
    fileprivate static func notAPicture(_ type: SniffedType, bytes: Int) -> Refusal {
        guard bytes > 0 else { return .emptyFile }
        let found = if case .foreign(let name) = type { name } else { "of no known picture type" }
        return Refusal(
            .unsupportedFormat, "the bytes are \(found), not \(ImageFormat.namesOfAll)",
            remedy: ImageFormat.remedy)
    }
}
