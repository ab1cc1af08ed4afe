import StickerCodecs
import StickerModel
import StickerRaster

/// The frames of a GIF as canvases of a sticker, any of them, as often as a search wants.
///
/// Frames are decoded in order and again from the start where an earlier one is asked for. Short
/// animations are kept in memory; of long ones only a few canvases are, whatever their length.
final class AnimationSource {
    /// A canvas that several can hold.
    final class Canvas {
        let pixels: PixelBuffer
        init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }
    }

    /// As many canvases as are kept: 1 MB each.
    private static let canvasesMax = 48

    private let fitted: PixelSize
    private let filter: StickerSettings.Resample
    private let steps: [Step]
    /// The time that all work on the animation may take.
    let budget: WorkBudget
    private let decoder: GIFDecoder
    private var decoded = -1
    private var kept: [Int: Canvas] = [:]
    private let keepsAll: Bool
    private var elapsed = 0
    private var time = FrameTime.still

    /// What the file says about itself.
    var header: ImageHeader { decoder.header }
    /// Plays; 0 means for ever.
    var loopCount: Int { decoder.loopCount }

    /// Opens a GIF whose frames are to fit inside `box`.
    init(
        _ source: SourceBytes, limits: DecodeLimits, inside box: PixelSize,
        filter: StickerSettings.Resample, budget: WorkBudget
    ) throws(CodecError) {
        self.filter = filter
        self.budget = budget
        decoder = try GIFDecoder(source, limits: limits)
        fitted = decoder.header.size.fitted(inside: box)
        steps = .sticker(orientation: decoder.header.orientation)
        keepsAll = decoder.frameCount <= Self.canvasesMax
    }

    /// Decodes everything once.
    ///
    /// - Returns: the frames that differ from the one before, and which of them show anything.
    func survey() throws(Refusal) -> (timeline: Timeline, isVisible: [Bool]) {
        var timeline = Timeline(frames: [])
        var isVisible: [Bool] = []
        var last: Canvas?
        for index in 0..<decoder.frameCount {
            let frame = try advance()
            let canvas = frame.changed.isEmpty && last != nil ? last : try draw()
            if let canvas, let last, canvas === last || canvas.pixels.showsSame(as: last.pixels) {
                timeline.frames[timeline.frames.count - 1].milliseconds += frame.delayMilliseconds
                continue
            }
            timeline.frames.append(
                Timeline.Frame(source: index, milliseconds: frame.delayMilliseconds))
            guard let canvas else { continue }
            isVisible.append(!canvas.pixels.isEmpty)
            if keepsAll { kept[index] = canvas }
            last = canvas
        }
        return (timeline, isVisible)
    }

    /// The canvas of frame `index` of the source.
    func canvas(_ index: Int) throws(Refusal) -> Canvas {
        try checkBudget()
        if let canvas = kept[index] { return canvas }
        if decoded > index { try restart() }
        while decoded < index { _ = try advance() }
        return try draw()
    }

    /// Keeps the canvases of these frames for as long as the source lives; for samples of long ones.
    func keep(_ indices: [Int]) throws(Refusal) {
        for index in indices.sorted() where kept[index] == nil && kept.count < Self.canvasesMax {
            kept[index] = try canvas(index)
        }
    }

    private func checkBudget() throws(Refusal) {
        do {
            try budget.check(.gif)
        } catch {
            throw Refusal(error)
        }
    }

    private func restart() throws(Refusal) {
        do {
            try decoder.rewind()
            decoded = -1
            elapsed = 0
        } catch {
            throw Refusal(error)
        }
    }

    private func advance() throws(Refusal) -> AnimationFrame {
        let next: AnimationFrame?
        do {
            try budget.check(.gif)
            next = try decoder.next()
        } catch {
            throw Refusal(error)
        }
        guard let frame = next else {
            throw Refusal(CodecError(.malformed, .gif, "a frame is missing"))
        }
        decoded += 1
        time = FrameTime(
            index: frame.index, startMilliseconds: elapsed,
            durationMilliseconds: frame.delayMilliseconds,
            totalMilliseconds: decoder.durationMilliseconds)
        elapsed += frame.delayMilliseconds
        return frame
    }

    /// Scales what the decoder shows now and brings it onto the canvas.
    private func draw() throws(Refusal) -> Canvas {
        let size = decoder.header.size
        let resampler = rowResampler(
            from: size, to: fitted, layout: .rgba8, hasAlpha: decoder.header.hasAlpha,
            filter: filter)
        let stride = size.width * 4
        decoder.withCanvas { pixels in
            for y in 0..<size.height {
                resampler.consume(
                    UnsafeRawBufferPointer(rebasing: pixels[(y * stride)...].prefix(stride)))
            }
        }
        return Canvas(try steps.apply(to: resampler.finish(), at: time))
    }
}
