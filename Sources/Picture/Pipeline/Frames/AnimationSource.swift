import StickerCodecs
import StickerRaster
import StickerValues

extension AnimationDecoding {
    /// Decodes every frame to find the visible part of all frames.
    ///
    /// - Returns: the part; `nil` for the whole frame, or if nothing is visible.
    func artArea(
        budget: WorkBudget, accepting damage: AcceptedDamage?
    ) throws(CodecError) -> PixelRectangle? {
        guard header.hasAlpha else { return nil }
        var area = ArtArea(size: header.size, layout: .rgba8)
        let stride = header.size.width * 4
        var frames = 0
        do {
            while let frame = try next() {
                try budget.check(header.format)
                frames += 1
                guard frames == 1 || !frame.changed.isEmpty else { continue }
                withCanvas { pixels in
                    for y in 0..<header.size.height {
                        let row = pixels[(y * stride)...].prefix(stride)
                        area.note(UnsafeRawBufferPointer(rebasing: row), y: y)
                    }
                }
            }
        } catch {
            // The animation ends before the damaged frame, and the damage is noted there.
            guard damage != nil, frames > 0 else { throw error }
        }
        return area.part
    }
}

extension AnimationDecoding {
    /// Decodes frames until it is clear whether all of them are pixel art.
    ///
    /// - Parameters:
    ///   - part: the relevant part; `nil` for the whole frame.
    ///   - budget: the time limit.
    /// - Returns: the finding.
    /// - Throws: `CodecError` if a frame cannot be decoded, or not in time.
    func pixelArt(
        in part: PixelRectangle?, budget: WorkBudget
    ) throws(CodecError) -> PixelArtDetector.Finding {
        let area = part ?? PixelRectangle(all: header.size)
        let width = header.size.width
        return try PixelArtDetector.finding(of: area.size, .rgba8) { note throws(CodecError) in
            try rewind()
            var (frames, goesOn) = (0, true)
            while goesOn, let frame = try next() {
                try budget.check(header.format)
                frames += 1
                guard frames == 1 || !frame.changed.isEmpty else { continue }
                withCanvas { pixels in
                    for y in 0..<area.height where goesOn {
                        let start = ((area.y + y) * width + area.x) * 4
                        let row = pixels[start...].prefix(area.width * 4)
                        goesOn = note(UnsafeRawBufferPointer(rebasing: row), y)
                    }
                }
            }
        }
    }
}

/// The frames of an animation as sticker canvases, with random access.
///
/// Frames are decoded in order, and from the start again for an earlier one. Short animations are kept in memory; of
/// long ones, only a few canvases are kept, whatever their length.
final class AnimationSource: FrameSource {
    /// The most canvases in memory: 1 MB each.
    private static let canvasesMax = 48
    /// About how many frames are measured for the appearance.
    private static let judgedCount = 16

    private let drawing: Drawing
    /// The drawing time so far, by stage.
    private(set) var times: StageTimes
    /// The damage of the file, if accepted: then it ends before the first unreadable frame.
    var damage: AcceptedDamage?
    /// The time limit of the current work.
    var budget: WorkBudget
    private let decoder: any AnimationDecoding
    private var decoded = -1
    private var kept: [Int: Canvas] = [:]
    private let keepsAll: Bool
    private var elapsed = 0
    private var time = FrameTime.still

    /// The appearance of some frames, by frame of the source.
    private(set) var appearances: [Int: FrameAppearance] = [:]

    /// The size of every canvas in pixels.
    var canvasSize: PixelSize { drawing.canvasSize }
    /// The file's header.
    var header: ImageHeader { decoder.header }
    /// Whether any pixel of the file can be other than opaque.
    var hasAlpha: Bool { decoder.header.hasAlpha }
    /// How often it is played; 0 means forever.
    var loopCount: Int { decoder.loopCount }

    init(
        _ decoder: any AnimationDecoding, _ drawing: Drawing, budget: WorkBudget,
        clock: StepClock
    ) {
        self.decoder = decoder
        self.drawing = drawing
        self.budget = budget
        times = StageTimes(clock: clock)
        keepsAll = decoder.frameCount <= Self.canvasesMax
    }

    /// Decodes everything once.
    ///
    /// - Parameter marks: the marks with which to measure the appearance, at every few frames, and at those up to the
    ///   first visible one; `nil` to measure nothing.
    /// - Returns: the frames that differ from the previous one, and which of them are visible.
    /// - Throws: `Refusal` if a frame cannot be decoded.
    func survey(
        judgingWith marks: [DrawnMark]? = nil
    ) throws(Refusal) -> (timeline: Timeline, isVisible: [Bool]) {
        // Another canvas may have been drawn before.
        try restart()
        var timeline = Timeline(frames: [])
        var isVisible: [Bool] = []
        var last: Canvas?
        for index in 0..<decoder.frameCount {
            guard let frame = try nextWhole() else {
                // The decoder's canvas shows part of the damaged frame.
                try restart()
                break
            }
            let canvas = frame.changed.isEmpty && last != nil ? last : try draw()
            if let canvas, let last, canvas === last || canvas.pixels.showsSame(as: last.pixels) {
                timeline.frames[timeline.frames.count - 1].milliseconds += frame.delayMilliseconds
                continue
            }
            timeline.frames.append(
                Timeline.Frame(source: index, milliseconds: frame.delayMilliseconds))
            guard let canvas else { continue }
            if let marks { measure(canvas, marks, isBegun: isVisible.contains(true)) }
            isVisible.append(!canvas.pixels.isEmpty)
            if keepsAll { kept[index] = canvas }
            last = canvas
        }
        return (timeline, isVisible)
    }

    /// The frames that differ from the previous one, with their times; their canvases are not kept.
    ///
    /// - Parameter count: how many are wanted; later ones are not decoded.
    /// - Returns: the frames from the first on.
    /// - Throws: `Refusal` if one cannot be decoded.
    func distinct(
        atMost count: Int
    ) throws(Refusal) -> [(canvas: Canvas, milliseconds: Int)] {
        try restart()
        var frames: [(canvas: Canvas, milliseconds: Int)] = []
        while decoded + 1 < decoder.frameCount {
            let frame = try advance()
            let same = frame.changed.isEmpty ? frames.last?.canvas : nil
            let canvas = if let same { same } else { try draw() }
            let last = frames.last?.canvas
            if let last, canvas === last || canvas.pixels.showsSame(as: last.pixels) {
                frames[frames.count - 1].milliseconds += frame.delayMilliseconds
            } else {
                guard frames.count < count else { break }
                frames.append((canvas, frame.delayMilliseconds))
            }
        }
        return frames
    }

    /// Measures a frame of a survey if it is one of the selected.
    private func measure(_ canvas: Canvas, _ marks: [DrawnMark], isBegun: Bool) {
        let index = time.index
        let step = max(1, decoder.frameCount / Self.judgedCount)
        let isDue = appearances.keys.max().map { index >= $0 + step } ?? true
        guard isDue || !isBegun else { return }
        let worn = canvas.wearing(marks, at: time.startMilliseconds)
        appearances[index] = FrameAppearance(of: worn.pixels)
    }

    /// The measured frames of a timeline; each represents those up to the next one.
    func judged(in timeline: Timeline) -> [(appearance: FrameAppearance, milliseconds: Int)] {
        var judged: [(appearance: FrameAppearance, milliseconds: Int)] = []
        for frame in timeline.frames {
            if let measured = appearances[frame.source] {
                judged.append((measured, frame.milliseconds))
            } else if !judged.isEmpty {
                judged[judged.count - 1].milliseconds += frame.milliseconds
            }
        }
        return judged
    }

    /// The canvas of frame `index` of the source.
    func canvas(_ index: Int) throws(Refusal) -> Canvas {
        try checkBudget()
        if let canvas = kept[index] { return canvas }
        if decoded > index { try restart() }
        while decoded < index { _ = try advance() }
        return try draw()
    }

    /// The canvas of frame `index` of the source, with another drawing.
    func canvas(_ index: Int, by other: Drawing) throws(Refusal) -> Canvas {
        try checkBudget()
        try restart()
        while decoded < index { _ = try advance() }
        return try draw(by: other)
    }

    /// Keeps the canvases of these frames for as long as the source lives; for samples of long
    /// animations.
    func keep(_ indices: [Int]) throws(Refusal) {
        for index in indices.sorted() where kept[index] == nil && kept.count < Self.canvasesMax {
            kept[index] = try canvas(index)
        }
    }

    private func checkBudget() throws(Refusal) {
        try Refusal.catching { try budget.check(header.format) }
    }

    private func restart() throws(Refusal) {
        try Refusal.catching { try decoder.rewind() }
        (decoded, elapsed) = (-1, 0)
    }

    private func advance() throws(Refusal) -> AnimationFrame {
        try Refusal.catching { try decodeNext() }
    }

    /// The next frame; `nil` if it has accepted damage.
    private func nextWhole() throws(Refusal) -> AnimationFrame? {
        do {
            return try decodeNext()
        } catch {
            guard let damage, decoded >= 0 else { throw Refusal(error) }
            try Refusal.catching { try damage.accept(error) }
            return nil
        }
    }

    private func decodeNext() throws(CodecError) -> AnimationFrame {
        let start = times.now
        defer { times.add("decode", since: start) }
        try budget.check(header.format)
        guard let frame = try decoder.next() else {
            throw CodecError(.malformed, header.format, "a frame is missing")
        }
        decoded += 1
        time = FrameTime(
            index: frame.index, startMilliseconds: elapsed,
            durationMilliseconds: frame.delayMilliseconds,
            totalMilliseconds: decoder.durationMilliseconds)
        elapsed += frame.delayMilliseconds
        return frame
    }

    /// Scales the decoder's current frame and draws it onto the canvas.
    private func draw(by other: Drawing? = nil) throws(Refusal) -> Canvas {
        let drawing = other ?? drawing
        let start = times.now
        let size = decoder.header.size
        let resampler = drawing.scale.resampler(
            from: size, layout: .rgba8, hasAlpha: decoder.header.hasAlpha)
        let stride = size.width * 4
        decoder.withCanvas { pixels in
            for y in 0..<size.height {
                resampler.consume(
                    UnsafeRawBufferPointer(rebasing: pixels[(y * stride)...].prefix(stride)))
            }
        }
        let scaled = resampler.finish()
        times.add("scale", since: start, drawing.scale.shown)
        return Canvas(try drawing.stages.apply(to: scaled, at: time, &times))
    }
}
