import StickerCodecs
import StickerModel
import StickerRaster

/// The input of side files.
struct SideArt {
    /// The picture without marks.
    let bare: Artwork
    /// The sticker's contents, in its playing time.
    let shown: Artwork
    /// The target whose rules the sticker follows.
    let target: Target
    /// The pixel art on it, upright, with its blocks on the canvas; `nil` if it is none.
    let pixels: PixelArt?
}

/// The side files, made once, from the canvas of the first target.
extension PipelineRun {
    /// The companion, the poster of an animation, thumbnails and the tray icon, each with the marks of its role.
    mutating func sideFiles(
        of art: SideArt, beside sticker: Rendition
    ) throws(Refusal) -> [MadeFile] {
        // If the sticker is not a WebP, every consumer can show it.
        let wantsCompanion = recipe.settings.companions && sticker.format == .webp
        var files: [MadeFile] = []
        switch art.shown {
        case .still:
            if wantsCompanion { files.append(try companion(of: face(.companion, art).pixels)) }
        case .moving(let frames, let timeline):
            if wantsCompanion {
                files.append(try companion(timeline, worn(frames, by: .companion, art)))
            }
            files.append(try poster(of: face(.poster, art).pixels, art.target))
        }
        return files
            + (try smallStills(
                of: face(.thumbnail, art), tray: face(.tray, art), showing: art.pixels))
    }

    /// The still for a side file; for a moving picture, its first frame.
    private mutating func face(
        _ role: StickerFile.Role, _ art: SideArt
    ) throws(Refusal) -> Canvas {
        switch art.shown {
        case .still(let canvas):
            if wearsTheSame(role, art.target) { return canvas }
            return try still(try art.bare.first, wearing: marks(on: role))
        case .moving(let frames, let timeline):
            return try worn(frames, by: role, art).canvas(timeline.frames[0].source)
        }
    }

    /// The frames of the sticker with the marks of a side file.
    private mutating func worn(
        _ frames: any FrameSource, by role: StickerFile.Role, _ art: SideArt
    ) throws(Refusal) -> any FrameSource {
        guard !wearsTheSame(role, art.target), let marked = frames as? MarkedFrames else {
            return frames
        }
        return marked.wearing(
            try drawn(marks(on: role), on: frames.canvasSize, moving: true))
    }

    /// The sticker's picture for consumers without WebP.
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

    private mutating func companion(
        _ timeline: Timeline, _ frames: any FrameSource
    ) throws(Refusal) -> MadeFile {
        let start = steps.now
        let file = try GIFCompanion(matte: matte).make(timeline, of: frames)
        steps.note("companion", since: start, "gif \(file.size) \(file.bytes.count.grouped) B")
        return file
    }

    /// The first frame of an animation, as a WebP under the limit for stills.
    private mutating func poster(
        of canvas: borrowing PixelBuffer, _ target: Target
    ) throws(Refusal) -> MadeFile {
        var rules = target.still ?? StillRules()
        rules.forms = [.webp]
        let poster = try fit(canvas, target, rules, step: "poster").sticker
        return MadeFile(role: .poster, format: .webp, size: canvas.size, bytes: poster.file)
    }

    /// The small stills of finished canvases.
    private mutating func smallStills(
        of canvas: Canvas, tray: Canvas, showing art: PixelArt?
    ) throws(Refusal) -> [MadeFile] {
        let start = steps.now
        let small: [MadeFile]
        do {
            small = try Refusal.catching {
                try SmallStills(settings: recipe.settings, budget: budget, art: art).make(
                    thumbnailsOf: canvas, trayOf: tray)
            }
        } catch {
            steps.note("thumbnails", since: start, error.detail)
            throw error
        }
        steps.note(
            "thumbnails", since: start,
            small.map { "\($0.size) \($0.format.rawValue) \($0.bytes.count.grouped) B" }
                .joined(separator: "; "))
        return small
    }
}
