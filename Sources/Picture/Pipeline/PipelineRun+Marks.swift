import StickerCodecs
import StickerContainers
import StickerModel
import StickerRaster

/// The parameters of a picture with marks.
struct MarkedKey: Hashable {
    var canvas: TargetCanvas
    var marks: [Watermark]
    /// The time limit of a still that moves by a mark.
    var millisecondsMax: Int?
}

/// The parameters of a drawn mark.
struct DrawnKey: Hashable {
    var mark: Watermark
    var canvas: PixelSize
    /// Whether it may change.
    var moves: Bool
}

/// Marks are as hostile as pictures: they are decoded here, by the same decoders, under narrower limits.
extension PipelineRun {
    /// The most pixels of a mark's picture.
    private static let markPixelsMax = 4_194_304
    /// The most pixels of all drawn marks, over all frames: 64 canvases of 512x512.
    private static let drawnPixelsMax = 16_777_216

    /// The marks on the file for a target, once the picture is drawn.
    func marks(of target: Target) -> [Watermark] {
        recipe.wearing(moves: moves).marks(of: target)
    }

    /// The marks on a side file of a role, once the picture is drawn.
    func marks(on role: StickerFile.Role) -> [Watermark] {
        recipe.wearing(moves: moves).marks(on: role)
    }

    /// Whether a side file has the marks of the sticker.
    func wearsTheSame(_ role: StickerFile.Role, _ target: Target) -> Bool {
        marks(on: role) == marks(of: target)
    }

    /// The contents of a file for `target`: the picture with its marks over it.
    ///
    /// - Parameters:
    ///   - artwork: the picture without marks.
    ///   - target: the target of the file. A mark makes a still move only if the target accepts moving stickers.
    /// - Returns: the picture with its marks.
    /// - Throws: `Refusal` if a mark cannot be drawn.
    mutating func marked(_ artwork: Artwork, for target: Target) throws(Refusal) -> Artwork {
        guard !recipe.settings.watermarks.isEmpty else { return artwork }
        let marks = marks(of: target)
        var key = MarkedKey(canvas: target.canvas, marks: marks)
        if case .still = artwork, marks.animate {
            key.millisecondsMax = target.moving?.millisecondsMax
        }
        if let known = marked[key] { return known }
        let worn: Artwork
        switch artwork {
        case .still(let canvas):
            worn = try marked(canvas, with: marks, atMost: key.millisecondsMax)
            if case .moving = worn { marked = [:] }
        case .moving(let frames, let timeline):
            worn = try marked(frames, timeline, with: marks)
            // They are many canvases.
            marked = [:]
        }
        marked[key] = worn
        return worn
    }

    /// A still with its marks, which may make it move for at most `milliseconds`; 0 sets no limit, `nil` keeps it
    /// still.
    private mutating func marked(
        _ canvas: Canvas, with marks: [Watermark], atMost milliseconds: Int?
    ) throws(Refusal) -> Artwork {
        guard let milliseconds else { return .still(try still(canvas, wearing: marks)) }
        let drawn = try drawn(marks, on: canvas.pixels.size, moving: true)
        var cycle = drawn.filter(\.animates).map(\.cycleMilliseconds).max() ?? 0
        cycle = min(cycle, milliseconds > 0 ? milliseconds : Watermark.millisecondsMax)
        guard cycle > 0 else { return .still(try still(canvas, wearing: marks)) }
        let (moments, timeline) = Timeline(still: 0, milliseconds: cycle).divided(by: drawn)
        let frames = MarkedFrames(.still(canvas), at: moments, marks: drawn, budget: budget)
        return try frames.moves() ? .moving(frames, timeline) : .still(try frames.canvas(0))
    }

    private mutating func marked(
        _ frames: any FrameSource, _ timeline: Timeline, with marks: [Watermark]
    ) throws(Refusal) -> Artwork {
        let drawn = try drawn(marks, on: frames.canvasSize, moving: true)
        let (moments, divided) = timeline.divided(by: drawn)
        let marked = MarkedFrames(.moving(frames), at: moments, marks: drawn, budget: budget)
        // A mark may hide everything that moves.
        return try marked.moves() ? .moving(marked, divided) : .still(try marked.canvas(0))
    }

    /// A canvas with still marks.
    mutating func still(
        _ canvas: Canvas, wearing marks: [Watermark]
    ) throws(Refusal) -> Canvas {
        guard !marks.isEmpty else { return canvas }
        let drawn = try drawn(marks, on: canvas.pixels.size, moving: false)
        let start = steps.now
        let worn = canvas.wearing(drawn, at: 0)
        steps.note("marks", since: start, "\(worn.pixels.size)")
        return worn
    }

    /// Marks in their sizes on `canvas`, without invisible ones; `moving` if they may change.
    mutating func drawn(
        _ marks: [Watermark], on canvas: PixelSize, moving: Bool
    ) throws(Refusal) -> [DrawnMark] {
        var found: [DrawnMark] = []
        var pixelsLeft = Self.drawnPixelsMax
        // Those of other canvases would fill the memory.
        for key in drawnMarks.keys where key.canvas != canvas || key.moves != moving {
            drawnMarks[key] = nil
        }
        for mark in marks {
            let key = DrawnKey(mark: mark, canvas: canvas, moves: moving)
            let drawn: DrawnMark?
            if let known = drawnMarks[key] {
                drawn = known
            } else {
                let start = steps.now
                do throws(Refusal) {
                    drawn = try draw(mark, on: canvas, moving: moving, pixelsLeft)
                } catch {
                    throw error.of(mark)
                }
                drawnMarks[key] = .some(drawn)
                if let drawn {
                    warnOfBoxes(in: mark)
                    steps.note(
                        "mark", since: start,
                        "\(FileName.escaped(mark.id)) \(drawn.shown) of \(canvas)")
                }
            }
            guard let drawn else { continue }
            pixelsLeft -= drawn.pixelCount
            found.append(drawn)
        }
        return found
    }

    private mutating func warnOfBoxes(in mark: Watermark) {
        guard case .text(_, let text?) = mark.content, let unknown = text.unknown else { return }
        steps.warnOnce(unknown.warning(of: "the watermark \(FileName.escaped(mark.id))"))
    }

    /// Reports faults in the marks of the recipe: a check of a worker sends them without a picture.
    mutating func warnOfMarks() {
        let marks = recipe.settings.watermarks
        for target in recipe.targets {
            do throws(Refusal) {
                let canvas = target.canvas.size(for: .sticker)
                for mark in try drawn(marks, on: canvas, moving: true) {
                    guard let fault = mark.fault else { continue }
                    steps.warnOnce(Warning("watermark-cut", fault))
                }
            } catch {
                steps.warnOnce(Warning("bad-watermark", "\(error.detail); \(error.remedy)"))
            }
        }
    }

    /// `nil` if it would be invisible.
    private func draw(
        _ mark: Watermark, on canvas: PixelSize, moving: Bool, _ pixelsMax: Int
    ) throws(Refusal) -> DrawnMark? {
        let mark = moving ? mark : mark.at(milliseconds: 0)
        func drawn(
            own: PixelSize?, _ draw: (PixelSize) throws(Refusal) -> [DrawnMark.Frame]
        ) throws(Refusal) -> DrawnMark? {
            guard let size = mark.largestSize(own: own, on: canvas) else { return nil }
            func check(_ pixels: Int) throws(Refusal) {
                guard pixels > pixelsMax else { return }
                throw Refusal(
                    .tooManyPixels, "it would be \(size) on \(canvas)",
                    measured: "\((Self.drawnPixelsMax - pixelsMax + pixels).grouped) pixels",
                    limit: "\(Self.drawnPixelsMax.grouped) pixels, all marks together",
                    remedy: "give both width and height, or make the marks smaller or shorter")
            }
            try check(size.pixelCount)
            let frames = try draw(size)
            try check(size.pixelCount * frames.count)
            return DrawnMark(mark, own: own, on: canvas, frames)
        }
        switch mark.content {
        case .color(let color):
            return try drawn(own: nil) { size in
                var pixels = PixelBuffer(size: size)
                pixels.fill(color)
                return [DrawnMark.Frame(Canvas(pixels))]
            }
        case .raw(let file, let form):
            return try drawn(own: form.size) { size throws(Refusal) in
                let pixels = try PixelBuffer(file.content?.bytes ?? [], form)
                return [DrawnMark.Frame(Canvas(pixels.resampled(to: size)))]
            }
        case .text(_, let text):
            guard let text else {
                throw Refusal(
                    .unsupportedFormat, "its text was not drawn",
                    remedy: "restart stickerd; if that does not help, report a fault of stickerd")
            }
            return try drawn(own: mark.own(of: text, on: canvas)) { size throws(Refusal) in
                let pixels = try PixelBuffer(
                    [UInt8](text.rows), Watermark.RawPixels(size: text.size))
                return [DrawnMark.Frame(Canvas(pixels.resampled(to: size)))]
            }
        case .image(let file):
            let picture = try open(mark: SourceBytes(file.content?.bytes ?? []))
            let header = picture.header
            let upright = header.orientation.transposes ? header.size.transposed : header.size
            return try drawn(own: upright) { size throws(Refusal) in
                let framesMax = moving ? pixelsMax / size.pixelCount : 1
                return try draw(picture, size, framesMax: framesMax)
            }
        }
    }

    private func open(mark source: SourceBytes) throws(Refusal) -> OpenedPicture {
        // The same in every program, whatever formats it supports.
        guard case .picture(let format) = ImageFormat.sniff(source),
            let opening = PictureReaders.common[format]
        else {
            throw Refusal(
                .unsupportedFormat,
                "it is no \(ImageFormat.names(of: PictureReaders.common.formats.union([.svg])))",
                remedy: "export it as PNG")
        }
        var limits = limits
        limits.framePixelsMax = min(limits.framePixelsMax, Self.markPixelsMax)
        do {
            return try opening(source, limits, false, nil)
        } catch {
            throw Refusal(error)
        }
    }

    /// The upright picture in a size; for an animation its frames, at most one more than `framesMax`.
    private func draw(
        _ picture: OpenedPicture, _ size: PixelSize, framesMax: Int
    ) throws(Refusal) -> [DrawnMark.Frame] {
        let header = picture.header
        let scale = Scale(
            part: nil, size: header.orientation.transposes ? size.transposed : size,
            filter: .lanczos3)
        let drawing = Drawing(
            scale: scale, canvasSize: size,
            stages: [.orient(header.orientation)].compactMap(\.self))
        switch picture {
        case .animation(let decoder):
            let source = AnimationSource(
                decoder, drawing, budget: budget, clock: steps.clock)
            guard framesMax > 1 else { return [DrawnMark.Frame(try source.canvas(0))] }
            var end = 0
            return try source.distinct(atMost: framesMax + 1).map { canvas, milliseconds in
                end += milliseconds
                return DrawnMark.Frame(canvas, until: end)
            }
        case .still(let decoder):
            var times = StageTimes(clock: steps.clock)
            let scaled: [Canvas]
            do {
                scaled = try decoder.scaled(
                    by: [scale], color: ColorConversion(header), budget: budget, &times)
            } catch {
                throw Refusal(error)
            }
            return [
                DrawnMark.Frame(try drawing.stages.apply(to: scaled[0], at: .still, &times))
            ]
        }
    }
}

extension Watermark {
    /// The pixels of a text: with a size of its own, as many as its font needs on this canvas.
    fileprivate func own(of text: DrawnText, on canvas: PixelSize) -> PixelSize {
        let hasSize = at(milliseconds: 0)
        guard imgly == nil, hasSize.width == nil, hasSize.height == nil else { return text.size }
        let scale = Double(canvas.longSide) / Double(MarkText.canvasSide) / text.scale
        func scaled(_ side: Int) -> Int { max(1, Int((Double(side) * scale).rounded())) }
        return PixelSize(width: scaled(text.size.width), height: scaled(text.size.height))
    }

    /// A size that it never exceeds in either direction; `nil` if it would be invisible.
    fileprivate func largestSize(own: PixelSize?, on canvas: PixelSize) -> PixelSize? {
        // Between two keyframes it is never larger than in both.
        let times = keyframes.isEmpty ? [0] : keyframes.map(\.milliseconds)
        let marks = times.map { at(milliseconds: $0) }
        let sizes = marks.map { WatermarkPlacement(of: $0, own: own, on: canvas).size }
        let size = PixelSize(
            width: sizes.map(\.width).max() ?? 0, height: sizes.map(\.height).max() ?? 0)
        let isVisible = marks.contains { $0.opacity > 0 } && size.width > 0 && size.height > 0
        return isVisible ? size : nil
    }
}

extension PixelBuffer {
    /// Creates a buffer from pixels without a header.
    fileprivate init(
        _ bytes: [UInt8], _ form: Watermark.RawPixels
    ) throws(Refusal) {
        let (size, stride) = (form.size, form.size.width * 4)
        guard size.pixelCount <= bytes.count, size.pixelCount * 4 == bytes.count else {
            throw Refusal(
                .corrupt, "\(size) pixels of 4 bytes are not \(bytes.count.grouped) bytes",
                remedy: "give the width and height that the file has")
        }
        self.init(size: size)
        withUnsafeMutableBytes { own in
            for y in 0..<size.height {
                let row = form.isFlipped ? size.height - 1 - y : y
                for x in 0..<stride { own[y * stride + x] = bytes[row * stride + x] }
            }
        }
        if form.isPremultiplied { unpremultiply() }
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
