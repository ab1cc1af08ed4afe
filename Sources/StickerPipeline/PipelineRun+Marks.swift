import StickerCodecs
import StickerContainers
import StickerModel
import StickerRaster

/// Marks are as hostile as pictures: decoded here, by the same decoders, under narrower limits.
extension PipelineRun {
    /// No mark has more pixels as a picture, and all together as they are drawn: 16 cover a canvas of 512x512.
    private static let markPixelsMax = 4_194_304

    /// The marks of the recipe, in the sizes in which they are drawn on `canvas`.
    mutating func marks(on canvas: PixelSize) throws(Refusal) -> [DrawnMark] {
        if let known = marks[canvas] { return known }
        var drawn: [DrawnMark] = []
        var pixelsLeft = Self.markPixelsMax
        for mark in recipe.settings.watermarks {
            let start = steps.now
            do throws(Refusal) {
                guard let pixels = try draw(mark, on: canvas, pixelsLeft) else { continue }
                drawn.append(pixels)
                let size = pixels.pixels.pixels.size
                pixelsLeft -= size.pixelCount
                steps.note(
                    "mark", since: start,
                    "\(FileName.escaped(mark.id)) \(size) at \(pixels.x),\(pixels.y) of \(canvas)")
            } catch {
                throw error.of(mark)
            }
        }
        marks[canvas] = drawn
        return drawn
    }

    /// Says what is wrong with the marks of the recipe: whoever checks a worker sends them without a picture.
    mutating func warnOfMarks() {
        for target in recipe.targets {
            do throws(Refusal) {
                _ = try marks(on: target.canvas.size(for: .sticker))
            } catch {
                steps.warnOnce(Warning("bad-watermark", "\(error.detail); \(error.remedy)"))
            }
        }
    }

    /// `nil` if nothing of it would be seen.
    private func draw(
        _ mark: Watermark, on canvas: PixelSize, _ pixelsMax: Int
    ) throws(Refusal) -> DrawnMark? {
        switch mark.content {
        case .color(let color):
            guard let place = try place(mark, own: nil, on: canvas, pixelsMax) else { return nil }
            var pixels = PixelBuffer(size: place.size)
            pixels.fill(color)
            return DrawnMark(mark, Canvas(pixels), place)
        case .raw(let file, let form):
            guard let place = try place(mark, own: form.size, on: canvas, pixelsMax) else {
                return nil
            }
            let pixels = try PixelBuffer(file.content?.bytes ?? [], form)
            let resampler = rowResampler(
                from: form.size, to: place.size, layout: .rgba8, hasAlpha: true, filter: .lanczos3)
            pixels.withUnsafeBytes { bytes in
                for y in 0..<form.size.height {
                    let row = bytes[(y * form.size.width * 4)...].prefix(form.size.width * 4)
                    resampler.consume(UnsafeRawBufferPointer(rebasing: row))
                }
            }
            return DrawnMark(mark, Canvas(resampler.finish()), place)
        case .image(let file):
            let picture = try open(mark: SourceBytes(file.content?.bytes ?? []))
            let header = picture.header
            let upright =
                header.orientation.transposes ? header.size.transposed : header.size
            guard let place = try place(mark, own: upright, on: canvas, pixelsMax) else {
                return nil
            }
            return DrawnMark(mark, try draw(picture, place.size), place)
        }
    }

    private func place(
        _ mark: Watermark, own: PixelSize?, on canvas: PixelSize, _ pixelsMax: Int
    ) throws(Refusal) -> WatermarkPlacement? {
        let place = WatermarkPlacement(of: mark, own: own, on: canvas)
        guard !place.isEmpty, mark.opacity > 0 else { return nil }
        guard place.size.pixelCount <= pixelsMax else {
            throw Refusal(
                .tooManyPixels, "it would be \(place.size) on \(canvas)",
                measured: "\(place.size.pixelCount.grouped) pixels",
                limit: "\(Self.markPixelsMax.grouped) pixels, all marks together",
                remedy: "give both width and height, or make the marks smaller")
        }
        return place
    }

    private func open(mark source: SourceBytes) throws(Refusal) -> OpenedPicture {
        guard case .picture(let format) = ImageFormat.sniff(source), let opening = readers[format]
        else {
            throw Refusal(
                .unsupportedFormat, "it is no PNG, JPEG, GIF, WebP or BMP",
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

    /// The picture in a size, upright; of an animation the first frame.
    private func draw(_ picture: OpenedPicture, _ size: PixelSize) throws(Refusal) -> Canvas {
        let header = picture.header
        let scale = Scale(
            part: nil, size: header.orientation.transposes ? size.transposed : size,
            filter: .lanczos3)
        let drawing = Drawing(
            scale: scale, canvasSize: size,
            stages: [.orient(header.orientation)].compactMap(\.self))
        switch picture {
        case .animation(let decoder):
            return try AnimationSource(decoder, drawing, budget: budget, clock: steps.clock)
                .canvas(0)
        case .still(let decoder):
            var times = StageTimes(clock: steps.clock)
            let scaled: [Canvas]
            do {
                scaled = try decoder.scaled(
                    by: [scale], color: ColorConversion(header), budget: budget, &times)
            } catch {
                throw Refusal(error)
            }
            return try drawing.stages.apply(to: scaled[0], at: .still, &times)
        }
    }
}

extension DrawnMark {
    fileprivate init(_ mark: Watermark, _ pixels: Canvas, _ place: WatermarkPlacement) {
        self.pixels = pixels
        (x, y) = (place.x, place.y)
        opacity = Int((mark.opacity * 255).rounded())
    }
}

extension PixelBuffer {
    /// Reads pixels without a header.
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
    /// The same said of a mark.
    fileprivate func of(_ mark: Watermark) -> Refusal {
        var refusal = self
        refusal.detail = "the watermark \(FileName.escaped(mark.id)) cannot be drawn: \(detail)"
        return refusal
    }
}
