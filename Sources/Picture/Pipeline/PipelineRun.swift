import StickerCodecs
import StickerModel
import StickerRaster

/// One picture on its way to its files. `make` and `drawing` read like the specification, for stills and
/// animations alike.
struct PipelineRun {
    let recipe: Recipe
    let readers: PictureReaders
    let limits: DecodeLimits
    /// The time limit of the current work: everything, or for further targets their share of the rest.
    var budget: WorkBudget
    /// The damage of the file, if the format and the recipe allow it.
    var damage: AcceptedDamage?
    /// Whether only the file of the first target is wanted.
    let isStickerAlone: Bool
    var steps: StepRecorder
    /// The drawn part of the picture, as stored in its file; `nil` for the whole picture.
    var part: PixelRectangle?
    /// Whether the drawn part is pixel art, if that was checked.
    var pixelArt: PixelArtDetector.Finding?
    /// The format according to the bytes, once known.
    var format: ImageFormat?
    /// Whether the picture is known to move, because a drawn part did.
    var moves = false
    /// The last drawn pictures, for the next target with the same canvas.
    var drawn: [TargetCanvas: Artwork] = [:]
    /// The last drawn pictures with marks.
    var marked: [MarkedKey: Artwork] = [:]
    /// The drawn marks; `nil` for an invisible one.
    var drawnMarks: [DrawnKey: DrawnMark?] = [:]
    /// The appearance of the first drawn canvas, which is that of the first target if the sticker is made.
    var appearance: Appearance?

    init(
        recipe: Recipe, readers: PictureReaders, limits: DecodeLimits, isStickerAlone: Bool,
        steps: StepRecorder
    ) {
        self.recipe = recipe
        self.readers = readers
        self.limits = limits
        budget = WorkBudget(limits)
        self.isStickerAlone = isStickerAlone
        self.steps = steps
    }

    /// The path of a picture: open, trim, recognize, draw, then for each target mark, fit and verify, and make the side files.
    mutating func make(_ source: SourceBytes) throws(Refusal) -> MadeSticker {
        let picture = try open(source)
        try trim(picture)
        recognize(picture)
        guard recipe.makesSticker else {
            var made = MadeSticker(animated: false, files: [])
            makeRenditions(of: picture, beside: [:], &made)
            return made
        }
        let first = recipe.targets[0]
        let artwork = try draw(picture, on: first.canvas)
        let (sticker, shown) = try markedRendition(of: artwork, for: first)
        try judge(shown)
        var made = MadeSticker(
            animated: sticker.isMoving, files: [sticker.file(.sticker, for: first)],
            appearance: appearance)
        guard !isStickerAlone else { return made }
        let art = SideArt(
            bare: artwork, shown: try shown.played(by: sticker.timeline), target: first,
            pixels: drawing(of: picture.header, on: first.canvas, moves: moves).art)
        made.files += try sideFiles(of: art, beside: sticker)
        makeRenditions(of: picture, beside: [RenditionKey(recipe, first): sticker], &made)
        return made
    }

    /// Makes the renditions for further targets; one that cannot be made does not hold up the others.
    private mutating func makeRenditions(
        of picture: OpenedPicture, beside known: [RenditionKey: Rendition],
        _ made: inout MadeSticker
    ) {
        // Targets with the same rules and marks share a file.
        var renditions = known
        let whole = budget
        for (index, target) in recipe.targets.enumerated().dropFirst() {
            budget = whole.share(of: recipe.targets.count - index)
            let key = RenditionKey(recipe, target)
            do throws(Refusal) {
                if renditions[key] == nil {
                    if moves, target.moving == nil {
                        throw Refusal.takesNone(of: target, moves: true)
                    }
                    let artwork = try draw(picture, on: target.canvas)
                    renditions[key] = try markedRendition(of: artwork, for: target).file
                }
            } catch {
                let shortfall = Shortfall(target: target.name, error)
                steps.note("shortfall", since: steps.now, "\(target.name): \(shortfall.explained)")
                made.shortfalls.append(shortfall)
            }
            if let rendition = renditions[key] {
                made.files.append(rendition.file(.rendition, for: target))
            }
        }
    }

    /// The path of a frame from its decoded rows onto a canvas. Colour and scale work row by row while the decoder
    /// delivers; the later stages see the whole frame. Stages without effect are left out.
    func drawing(of header: ImageHeader, on canvas: TargetCanvas, moves: Bool) -> Drawing {
        let (settings, stored) = (recipe.settings, part?.size ?? header.size)
        let upright = header.orientation.transposes ? stored.transposed : stored
        var inner = canvas
        let border = settings.outline.disc(on: canvas)?.radius ?? 0
        inner.marginPixels += border
        let (box, canvasSize) = (inner.drawn(upright), inner.size(for: upright))
        let transposes = header.orientation.transposes
        let scale = Scale(
            part: part, of: stored, into: transposes ? box.transposed : box,
            by: settings.resample, pixelArt)
        let drawn = transposes ? scale.size.transposed : scale.size
        return Drawing(
            scale: scale, canvasSize: canvasSize,
            stages: [
                .orient(header.orientation),
                moves ? nil : .tint(settings.tint),
                .outline(settings.outline, on: canvas),
                .place(drawn.grown(by: border), on: canvasSize),
            ].compactMap(\.self),
            art: scale.factor.map { PixelArt(blocksOf: $0, in: drawn) })
    }
}
