import StickerCodecs
import StickerContainers
import StickerRaster
import StickerValues

/// Draws marks in their sizes on a canvas.
///
/// Marks are as hostile as pictures: they are decoded by the same decoders, under narrower limits.
struct MarkDrawing {
    /// The most pixels of a mark's picture.
    private static let picturePixelsMax = 4_194_304

    let canvas: PixelSize
    /// Whether marks may change.
    let isMoving: Bool
    /// The most pixels that a mark may take, over all its frames.
    var pixelsMax: Int
    let limits: DecodeLimits
    let budget: WorkBudget

    /// A mark in its size; `nil` if it would be invisible.
    func draw(_ mark: Watermark) throws(Refusal) -> DrawnMark? {
        let mark = isMoving ? mark : mark.at(milliseconds: 0)
        switch mark.content {
        case .color(let color):
            return try draw(mark, own: nil) { size in
                var pixels = PixelBuffer(size: size)
                pixels.fill(color)
                return [DrawnMark.Frame(Canvas(pixels))]
            }
        case .raw(let file, let form):
            return try draw(mark, own: form.size) { size throws(Refusal) in
                let pixels = try PixelBuffer(file.content?.bytes ?? [], form)
                return [DrawnMark.Frame(Canvas(pixels.resampled(to: size)))]
            }
        case .text(_, let text):
            guard let text else {
                throw Refusal(
                    .unsupportedFormat, "its text was not drawn",
                    remedy: "restart stickerd; if that does not help, report a fault of stickerd")
            }
            return try draw(mark, own: mark.own(of: text, on: canvas)) { size throws(Refusal) in
                let pixels = try PixelBuffer(
                    [UInt8](text.rows), Watermark.RawPixels(size: text.size))
                return [DrawnMark.Frame(Canvas(pixels.resampled(to: size)))]
            }
        case .image(let file):
            let picture = try open(SourceBytes(file.content?.bytes ?? []))
            let header = picture.header
            let upright = header.orientation.transposes ? header.size.transposed : header.size
            return try draw(mark, own: upright) { size throws(Refusal) in
                try frames(of: picture, size)
            }
        }
    }

    /// A mark whose content has `own` pixels; `frames` draws it in a size.
    private func draw(
        _ mark: Watermark, own: PixelSize?,
        _ frames: (PixelSize) throws(Refusal) -> [DrawnMark.Frame]
    ) throws(Refusal) -> DrawnMark? {
        guard let size = mark.largestSize(own: own, on: canvas) else { return nil }
        try check(size, count: 1)
        let frames = try frames(size)
        try check(size, count: frames.count)
        return DrawnMark(mark, own: own, on: canvas, frames)
    }

    private func check(_ size: PixelSize, count: Int) throws(Refusal) {
        let pixels = size.pixelCount * count
        guard pixels > pixelsMax else { return }
        throw Refusal(
            .tooManyPixels, "it would be \(size) on \(canvas)",
            measured: "\((Marks.pixelsMax - pixelsMax + pixels).grouped) pixels",
            limit: "\(Marks.pixelsMax.grouped) pixels, all marks together",
            remedy: "give both width and height, or make the marks smaller or shorter")
    }

    // MARK: Pictures

    private func open(_ source: SourceBytes) throws(Refusal) -> OpenedPicture {
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
        limits.framePixelsMax = min(limits.framePixelsMax, Self.picturePixelsMax)
        return try Refusal.catching { try opening(source, limits, false, nil) }
    }

    /// The upright picture in a size; for an animation its frames, at most one more than the limit of pixels allows.
    private func frames(
        of picture: OpenedPicture, _ size: PixelSize
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
            let source = AnimationSource(decoder, drawing, budget: budget, clock: .thread)
            let framesMax = isMoving ? pixelsMax / size.pixelCount : 1
            guard framesMax > 1 else { return [DrawnMark.Frame(try source.canvas(0))] }
            var end = 0
            return try source.distinct(atMost: framesMax + 1).map { canvas, milliseconds in
                end += milliseconds
                return DrawnMark.Frame(canvas, until: end)
            }
        case .still(let decoder):
            var times = StageTimes(clock: .thread)
            let scaled = try Refusal.catching {
                try decoder.scaled(
                    by: [scale], color: ColorConversion(header), budget: budget, &times)
            }
            return [DrawnMark.Frame(try drawing.stages.apply(to: scaled[0], at: .still, &times))]
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
    ///
    /// - Throws: `Refusal` if they are not as many as the form says.
    init(
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
