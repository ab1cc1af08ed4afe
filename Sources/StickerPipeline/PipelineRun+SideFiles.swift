import StickerCodecs
import StickerModel
import StickerRaster

/// The side files, made once and from the canvas of the first target.
extension PipelineRun {
    /// The companion, the poster of an animation, thumbnails and the tray icon.
    mutating func sideFiles(
        of artwork: Artwork, _ sticker: Rendition, _ target: Target
    ) throws(Refusal) -> [MadeFile] {
        // If the sticker is not a WebP, every consumer can show it.
        let wantsCompanion = recipe.settings.companions && sticker.format == .webp
        switch artwork {
        case .still(let canvas):
            let companion = wantsCompanion ? [try companion(of: canvas.pixels)] : []
            return companion + (try smallStills(of: canvas.pixels))
        case .moving(let frames, let timeline):
            let timeline = sticker.timeline ?? timeline
            var files = wantsCompanion ? [try companion(timeline, frames)] : []
            let first = try frames.canvas(timeline.frames[0].source)
            files.append(try poster(of: first.pixels, target))
            return files + (try smallStills(of: first.pixels))
        }
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
        _ timeline: Timeline, _ frames: AnimationSource
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

    /// The small stills of a finished canvas.
    private mutating func smallStills(
        of canvas: borrowing PixelBuffer
    ) throws(Refusal) -> [MadeFile] {
        let start = steps.now
        let small: [MadeFile]
        do {
            small = try Refusal.catching {
                try SmallStills(settings: recipe.settings, budget: budget).make(from: canvas)
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
