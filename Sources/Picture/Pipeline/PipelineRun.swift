import StickerCodecs
import StickerRaster
import StickerValues

/// How a picture becomes its files, for stills and animations alike.
///
/// This file is the order of the steps: `make` for a picture, `finish` and `encode` for each of its targets, `Drawing`
/// for each frame. A step is a function in an extension. The run itself is constant: findings are kept in the picture.
struct PipelineRun {
    let recipe: Recipe
    let readers: PictureReaders
    let limits: DecodeLimits
    /// Whether only the file of the first target is wanted.
    let isStickerAlone: Bool
    /// The log.
    let steps: StepRecorder
    /// The drawn marks.
    let marks: Marks
    /// The time limit of everything, or of a share of the work.
    private(set) var budget: WorkBudget

    init(
        recipe: Recipe, readers: PictureReaders = .common, limits: DecodeLimits,
        isStickerAlone: Bool = true, steps: StepRecorder = StepRecorder(clock: .thread)
    ) {
        self.recipe = recipe
        self.readers = readers
        self.limits = limits
        self.isStickerAlone = isStickerAlone
        self.steps = steps
        marks = Marks(limits: limits, steps: steps)
        budget = WorkBudget(limits)
    }

    /// From the bytes of a picture to all its files.
    func make(_ source: SourceBytes) throws(Refusal) -> MadeSticker {
        let picture = try open(source)
        picture.part = try trim(picture)
        picture.pixelArt = recognize(picture)
        var made = MadeSticker(animated: false, files: [])
        var sticker: Rendition?
        if recipe.makesSticker { (made, sticker) = try makeSticker(of: picture) }
        if !isStickerAlone { addRenditions(of: picture, beside: sticker, to: &made) }
        return made
    }

    /// The file for the first target, which is the sticker, and the side files.
    private func makeSticker(
        of picture: Picture
    ) throws(Refusal) -> (made: MadeSticker, sticker: Rendition) {
        let target = recipe.targets[0]
        let artwork = try draw(picture, on: target.canvas)
        let (sticker, shown) = try rendition(of: artwork, in: picture, for: target)
        let appearance = try Appearance(of: shown, drawnAs: artwork)
        var made = MadeSticker(
            animated: sticker.isMoving, files: [sticker.file(.sticker, for: target)],
            appearance: appearance)
        if !isStickerAlone {
            let played = try shown.played(by: sticker.timeline)
            made.files += try SideFiles(
                run: self, picture: picture, artwork: artwork, shown: played
            ).make(beside: sticker)
        }
        return (made, sticker)
    }

    /// The file for a target, and its contents: `artwork` with marks over it.
    func finish(
        _ artwork: Artwork, wearing watermarks: [Watermark], for target: Target
    ) throws(Refusal) -> (file: Rendition, shown: Artwork) {
        let shown = try mark(artwork, with: watermarks, for: target)
        return (try encode(shown, for: target), shown)
    }

    /// The file for a target with these contents.
    func encode(_ shown: Artwork, for target: Target) throws(Refusal) -> Rendition {
        let limited = try limit(shown, to: target)
        let (sticker, attempts) = try fit(limited, to: target)
        return try verify(sticker, of: attempts, against: limited, for: target)
    }

    /// The same run with a part of the remaining time, so that one part cannot use up the others' time.
    func share(of parts: Int) -> PipelineRun {
        var run = self
        run.budget = budget.share(of: parts)
        return run
    }
}

extension Drawing {
    /// The path of a frame from its decoded rows onto a canvas. Colour and scale work row by row while the decoder
    /// delivers; the later stages see the whole frame. Stages without effect are left out.
    init(
        of header: ImageHeader, part: PixelRectangle? = nil,
        _ finding: PixelArtDetector.Finding? = nil, on canvas: TargetCanvas,
        by settings: StickerSettings, moves: Bool
    ) {
        let (stored, transposes) = (part?.size ?? header.size, header.orientation.transposes)
        let upright = transposes ? stored.transposed : stored
        let border = settings.outline.disc(on: canvas)?.radius ?? 0
        var inner = canvas
        inner.marginPixels += border
        let box = inner.drawn(upright)
        scale = Scale(
            part: part, of: stored, into: transposes ? box.transposed : box,
            by: settings.resample, finding)
        canvasSize = inner.size(for: upright)
        let drawn = transposes ? scale.size.transposed : scale.size
        stages = [
            .orient(header.orientation),
            moves ? nil : .tint(settings.tint),
            .outline(settings.outline, on: canvas),
            .place(drawn.grown(by: border), on: canvasSize),
        ].compactMap(\.self)
        art = scale.factor.map { PixelArt(blocksOf: $0, in: drawn) }
    }
}
