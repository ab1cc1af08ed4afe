import StickerCodecs
import StickerRaster
import StickerValues

/// The side files, made once, from the canvas of the first target, each with the marks of its role.
struct SideFiles {
    let run: PipelineRun
    let picture: Picture
    /// The picture without marks.
    let artwork: Artwork
    /// The sticker's contents, in its playing time.
    let shown: Artwork

    private var target: Target { run.recipe.targets[0] }

    /// The companion, the poster of an animation, thumbnails and the tray icon.
    func make(beside sticker: Rendition) throws(Refusal) -> [MadeFile] {
        // If the sticker is not a WebP, every consumer can show it.
        let wantsCompanion = run.recipe.settings.companions && sticker.format == .webp
        var files: [MadeFile] = []
        switch shown {
        case .still:
            if wantsCompanion { files.append(try companion(of: face(.companion))) }
        case .moving(let frames, let timeline):
            if wantsCompanion {
                files.append(try companion(of: worn(frames, by: .companion), timeline))
            }
            files.append(try poster(of: face(.poster)))
        }
        return files + (try smallStills(of: face(.thumbnail), tray: face(.tray)))
    }

    /// The still for a side file; for a moving picture, its first frame.
    private func face(_ role: StickerFile.Role) throws(Refusal) -> Canvas {
        switch shown {
        case .still(let canvas):
            guard let marks = ownMarks(on: role) else { return canvas }
            return try run.marks.put(marks, on: artwork.first, within: run.budget)
        case .moving(let frames, let timeline):
            return try worn(frames, by: role).canvas(timeline.frames[0].source)
        }
    }

    /// The frames of the sticker with the marks of a side file.
    private func worn(
        _ frames: any FrameSource, by role: StickerFile.Role
    ) throws(Refusal) -> any FrameSource {
        guard let marks = ownMarks(on: role), let marked = frames as? MarkedFrames else {
            return frames
        }
        return marked.wearing(
            try run.marks.drawn(
                marks, on: frames.canvasSize, moving: true, within: run.budget))
    }

    /// The marks on a side file; `nil` if they are those of the sticker.
    private func ownMarks(on role: StickerFile.Role) -> [Watermark]? {
        let recipe = run.recipe.wearing(moves: picture.moves)
        let marks = recipe.marks(on: role)
        return marks == recipe.marks(of: target) ? nil : marks
    }

    /// The sticker's picture for consumers without WebP.
    private func companion(of canvas: Canvas) throws(Refusal) -> MadeFile {
        let start = run.steps.now
        let bytes = try Refusal.catching {
            try run.budget.check(.png)
            return try PNGEncoder.encode(canvas.pixels, isFast: true)
        }
        run.steps.note("companion", since: start, "png \(bytes.count.grouped) B")
        return MadeFile(role: .companion, format: .png, size: canvas.pixels.size, bytes: bytes)
    }

    private func companion(
        of frames: any FrameSource, _ timeline: Timeline
    ) throws(Refusal) -> MadeFile {
        let start = run.steps.now
        let file = try GIFCompanion(matte: run.matte).make(timeline, of: frames)
        run.steps.note(
            "companion", since: start, "gif \(file.size) \(file.bytes.count.grouped) B")
        return file
    }

    /// The first frame of an animation, as a WebP under the limit for stills.
    private func poster(of canvas: Canvas) throws(Refusal) -> MadeFile {
        var rules = target.still ?? StillRules()
        rules.forms = [.webp]
        let search = StillSearch(
            canvas: canvas, target: target, rules: rules, budget: run.budget)
        let (poster, _) = try run.fit(.still(canvas), to: target, by: search, as: "poster")
        return MadeFile(role: .poster, format: .webp, size: canvas.pixels.size, bytes: poster.file)
    }

    /// The small stills of finished canvases.
    private func smallStills(of canvas: Canvas, tray: Canvas) throws(Refusal) -> [MadeFile] {
        let start = run.steps.now
        let settings = run.recipe.settings
        let art = picture.drawing(on: target.canvas, by: settings, moves: false).art
        let stills = SmallStills(settings: settings, budget: run.budget, art: art)
        let small = try run.steps.attempt("thumbnails", since: start) {
            try Refusal.catching { try stills.make(thumbnailsOf: canvas, trayOf: tray) }
        }
        run.steps.note(
            "thumbnails", since: start,
            small.map { "\($0.size) \($0.format.rawValue) \($0.bytes.count.grouped) B" }
                .joined(separator: "; "))
        return small
    }
}
