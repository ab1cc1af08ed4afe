import StickerCodecs
import StickerRaster
import StickerValues

/// The marks of a run: it draws each once for a size of canvas, and puts them over pictures.
final class Marks {
    /// The most pixels of all drawn marks, over all frames: 64 canvases of 512x512.
    static let pixelsMax = 16_777_216

    /// The parameters of a picture with marks.
    private struct WornKey: Hashable {
        var canvas: TargetCanvas
        var marks: [Watermark]
        /// The time limit of a still that moves by a mark.
        var millisecondsMax: Int?
    }

    /// The parameters of a drawn mark.
    private struct DrawnKey: Hashable {
        var mark: Watermark
        var canvas: PixelSize
        /// Whether it may change.
        var moves: Bool
    }

    private let limits: DecodeLimits
    private let steps: StepRecorder
    /// The drawn marks of the last size; `nil` for an invisible one.
    private var kept: [DrawnKey: DrawnMark?] = [:]
    /// The last pictures with marks.
    private var worn: [WornKey: Artwork] = [:]

    init(limits: DecodeLimits, steps: StepRecorder) {
        (self.limits, self.steps) = (limits, steps)
    }

    /// Releases all pictures with marks.
    func forgetPictures() { worn = [:] }

    // MARK: Pictures with marks

    /// A picture on the canvas of `target` with marks over it. They make a still move only if the target accepts
    /// moving stickers.
    func put(
        _ marks: [Watermark], on artwork: Artwork, for target: Target, within budget: WorkBudget
    ) throws(Refusal) -> Artwork {
        var key = WornKey(canvas: target.canvas, marks: marks)
        if !artwork.isMoving, marks.animate {
            key.millisecondsMax = target.moving?.millisecondsMax
        }
        if let known = worn[key] { return known }
        let result =
            switch artwork {
            case .still(let canvas):
                try put(marks, on: canvas, atMost: key.millisecondsMax, within: budget)
            case .moving(let frames, let timeline):
                try play(
                    drawn(marks, on: frames.canvasSize, moving: true, within: budget),
                    over: .moving(frames), timeline, within: budget)
            }
        // Frames are many canvases.
        if artwork.isMoving || result.isMoving { forgetPictures() }
        worn[key] = result
        return result
    }

    /// A still with its marks, which may make it move for at most `milliseconds`; 0 sets no limit, `nil` keeps it
    /// still.
    private func put(
        _ marks: [Watermark], on canvas: Canvas, atMost milliseconds: Int?,
        within budget: WorkBudget
    ) throws(Refusal) -> Artwork {
        guard let milliseconds else { return .still(try put(marks, on: canvas, within: budget)) }
        let drawn = try drawn(marks, on: canvas.pixels.size, moving: true, within: budget)
        var cycle = drawn.filter(\.animates).map(\.cycleMilliseconds).max() ?? 0
        cycle = min(cycle, milliseconds > 0 ? milliseconds : Watermark.millisecondsMax)
        guard cycle > 0 else { return .still(try put(marks, on: canvas, within: budget)) }
        let timeline = Timeline(still: 0, milliseconds: cycle)
        return try play(drawn, over: .still(canvas), timeline, within: budget)
    }

    /// A picture that lasts as long as `timeline`, with marks that change; they may hide everything that moves.
    private func play(
        _ drawn: [DrawnMark], over ground: MarkedFrames.Ground, _ timeline: Timeline,
        within budget: WorkBudget
    ) throws(Refusal) -> Artwork {
        let (moments, divided) = timeline.divided(by: drawn)
        let frames = MarkedFrames(ground, at: moments, marks: drawn, budget: budget)
        return try frames.moves() ? .moving(frames, divided) : .still(try frames.canvas(0))
    }

    /// A canvas with still marks.
    func put(
        _ marks: [Watermark], on canvas: Canvas, within budget: WorkBudget
    ) throws(Refusal) -> Canvas {
        guard !marks.isEmpty else { return canvas }
        let drawn = try drawn(marks, on: canvas.pixels.size, moving: false, within: budget)
        let start = steps.now
        let worn = canvas.wearing(drawn, at: 0)
        steps.note("marks", since: start, "\(worn.pixels.size)")
        return worn
    }

    // MARK: Drawn marks

    /// Marks in their sizes on `canvas`, without invisible ones; `moving` if they may change.
    func drawn(
        _ marks: [Watermark], on canvas: PixelSize, moving: Bool, within budget: WorkBudget
    ) throws(Refusal) -> [DrawnMark] {
        // Those of other canvases would fill the memory.
        kept = kept.filter { key, _ in key.canvas == canvas && key.moves == moving }
        var found: [DrawnMark] = []
        var drawing = MarkDrawing(
            canvas: canvas, isMoving: moving, pixelsMax: Self.pixelsMax, limits: limits,
            budget: budget)
        for mark in marks {
            guard let drawn = try drawn(mark, by: drawing) else { continue }
            drawing.pixelsMax -= drawn.pixelCount
            found.append(drawn)
        }
        return found
    }

    /// A mark that is drawn now or was before; `nil` if it is invisible.
    private func drawn(
        _ mark: Watermark, by drawing: MarkDrawing
    ) throws(Refusal) -> DrawnMark? {
        let key = DrawnKey(mark: mark, canvas: drawing.canvas, moves: drawing.isMoving)
        if let known = kept[key] { return known }
        let start = steps.now
        let result: DrawnMark?
        do throws(Refusal) {
            result = try drawing.draw(mark)
        } catch {
            throw error.of(mark)
        }
        kept[key] = .some(result)
        guard let result else { return nil }
        let name = FileName.escaped(mark.id)
        if case .text(_, let text?) = mark.content, let unknown = text.unknown {
            steps.warnOnce(unknown.warning(of: "the watermark \(name)"))
        }
        steps.note("mark", since: start, "\(name) \(result.shown) of \(drawing.canvas)")
        return result
    }

    /// Reports faults in the marks of a recipe: a check of a worker sends them without a picture.
    func warn(of recipe: Recipe, within budget: WorkBudget) {
        for target in recipe.targets {
            do throws(Refusal) {
                let canvas = target.canvas.size(for: .sticker)
                let marks = recipe.settings.watermarks
                for mark in try drawn(marks, on: canvas, moving: true, within: budget) {
                    guard let fault = mark.fault else { continue }
                    steps.warnOnce(Warning("watermark-cut", fault))
                }
            } catch {
                steps.warnOnce(Warning("bad-watermark", "\(error.detail); \(error.remedy)"))
            }
        }
    }
}

extension Refusal {
    /// The same refusal, about a mark.
    fileprivate func of(_ mark: Watermark) -> Refusal {
        var refusal = self
        refusal.detail = "the watermark \(FileName.escaped(mark.id)) cannot be drawn: \(detail)"
        return refusal
    }
}
