public import StickerRaster
public import StickerValues

/// Encodes an animation to GIF through giflib, frame by frame, playing forever.
///
/// Alpha becomes 1 bit: pixels with an alpha of 128 or more are shown, composed on a matte colour; the
/// others are not. Each frame stores the rectangle that changed. Frames of up to 255 colours keep them
/// exactly; others get a palette computed for them and ordered dithering, which leaves still areas still.
/// Frames last at least 20 ms, shorter ones are merged, and all frames together last as long as
/// requested, rounded to 10 ms. Nothing but pixels and times is written.
///
/// Memory: five canvases and the file, whatever the number of frames.
public final class GIFEncoder: AnimationEncoding {
    /// Browsers slow down frames that are shorter than this; in hundredths of a second.
    private static let delayMin = 2
    /// The longest delay that the format has room for.
    private static let delayMax = 65535
    /// Longer sides are refused; companions are small.
    private static let sideMax = 2048

    private let size: PixelSize
    private let matte: SIMD3<UInt8>
    private let stepMin: Int
    private let writer: GIFWriter
    private let stage: GIFStage
    private var colors: GIFColorPlan
    private var elapsedMilliseconds = 0
    /// When the current picture begins, in hundredths of a second; `nil` if there is none yet.
    private var pictureStart: Int?
    private var candidate: Candidate?

    /// The newest frame: it becomes a picture unless it is too short and another one replaces it.
    private struct Candidate {
        var start: Int
        var milliseconds: Int
    }

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - size: the canvas, 1...2048 pixels a side.
    ///   - matte: red, green and blue of the background that half-transparent pixels are composed on.
    ///   - frameMillisecondsMin: shorter frames are merged; less than 20 counts as 20.
    ///   - colorsMax: the most colours of a frame, 1...255.
    ///   - bytesMax: the encoder gives up on a file that grows larger.
    /// - Throws: `CodecError.badDimensions`, or `.outOfMemory`.
    public init(
        size: PixelSize, matte: SIMD3<UInt8>, frameMillisecondsMin: Int = 20,
        colorsMax: Int = 255, bytesMax: Int = .max
    ) throws(CodecError) {
        precondition(1...255 ~= colorsMax)
        colors = GIFColorPlan(colorsMax: colorsMax)
        guard 1...Self.sideMax ~= size.width, 1...Self.sideMax ~= size.height else {
            throw CodecError(
                .badDimensions, .gif, "has a canvas whose size does not suit a GIF",
                measured: "\(size) px",
                limit: "1 to \(Self.sideMax) px a side")
        }
        self.size = size
        self.matte = matte
        stepMin = max(Self.delayMin, (frameMillisecondsMin + 9) / 10)
        writer = try GIFWriter(size: size, bytesMax: bytesMax)
        stage = GIFStage(size: size)
    }

    /// Whether the file outgrew `bytesMax`; further frames are then ignored.
    public var isTooLarge: Bool { writer.isTooLarge }

    /// Frames written so far; all of them once the file is finished.
    public private(set) var frameCount = 0
    /// The time that the written frames take.
    public private(set) var durationMilliseconds = 0

    /// Adds the next frame: straight RGBA of the whole canvas.
    ///
    /// - Throws: `CodecError` if the size differs or giflib fails.
    public func add(
        frame: borrowing PixelBuffer, durationMilliseconds: Int
    ) throws(CodecError) {
        guard frame.size == size else {
            throw CodecError(.encoder, .gif, "a frame of \(frame.size) on a canvas of \(size)")
        }
        let newest = Candidate(
            start: hundredths(elapsedMilliseconds), milliseconds: max(0, durationMilliseconds))
        elapsedMilliseconds += newest.milliseconds
        guard !isTooLarge else { return }
        stage.receive(frame, matte: matte)
        guard let candidate else { return adopt(newest) }
        if stage.isNewestTheSame {
            self.candidate?.milliseconds += newest.milliseconds
        } else if newest.start - candidate.start >= stepMin {
            try settle(candidate)
            adopt(newest)
        } else if newest.milliseconds > candidate.milliseconds {
            // The longest of several frames too short to tell apart is shown for the time of all.
            adopt(Candidate(start: candidate.start, milliseconds: newest.milliseconds))
        }
    }

    /// Ends the file; nothing can be added afterwards.
    ///
    /// - Returns: the whole file, or `nil` if it outgrew `bytesMax`.
    /// - Throws: `CodecError.noFrames` if no frame was added, or giflib's error.
    public func finish() throws(CodecError) -> [UInt8]? {
        guard let candidate else {
            throw CodecError(.noFrames, .gif, "an animation needs a frame")
        }
        let end = hundredths(elapsedMilliseconds)
        if pictureStart == nil || end - candidate.start >= stepMin { try settle(candidate) }
        if let start = pictureStart {
            try write(delay: max(end - start, Self.delayMin), isLast: true)
        }
        (self.candidate, pictureStart) = (nil, nil)
        return try writer.finish(colors: colors.shared)
    }

    /// The picture as a GIF can show it: pixels with an alpha of 128 or more, made opaque on `matte`, without the
    /// others.
    public static func shown(
        _ picture: borrowing PixelBuffer, on matte: SIMD3<UInt8>
    ) -> PixelBuffer {
        var shown = PixelBuffer(size: picture.size)
        shown.withUnsafeMutableBytes { target in
            picture.withUnsafeBytes { pixels in
                GIFColor.flatten(
                    pixels.bindMemory(to: UInt32.self), onto: matte,
                    into: target.bindMemory(to: UInt32.self))
            }
        }
        return shown
    }

    private func adopt(_ newest: Candidate) {
        stage.adoptNewest()
        candidate = newest
    }

    /// The candidate is now certain to be the next picture, so the previous one can be written.
    private func settle(_ candidate: Candidate) throws(CodecError) {
        if let start = pictureStart { try write(delay: candidate.start - start, isLast: false) }
        stage.advance()
        pictureStart = candidate.start
    }

    private func write(delay: Int, isLast: Bool) throws(CodecError) {
        guard !isTooLarge else { return }
        let delay = min(delay, Self.delayMax)
        let change = stage.change(isLast: isLast)
        let choice = colors.choose(for: stage, change.drawn)
        let area = stage.draw(change, with: choice.brush)
        let clears = !change.cleared.isEmpty
        try writer.write(
            GIFWriter.Frame(
                area: area, colors: choice.colors, isShared: choice.isShared, clears: clears,
                delay: delay),
            stage.indices)
        frameCount += 1
        durationMilliseconds += delay * 10
        if clears { stage.clear(area) }
    }

    private func hundredths(_ milliseconds: Int) -> Int { (milliseconds + 5) / 10 }
}
