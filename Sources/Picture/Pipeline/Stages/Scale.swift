import StickerCodecs
import StickerRaster
import StickerValues

/// The wanted part of frames, its new size, and the filter.
struct Scale {
    /// The part of a frame as stored in its file, before it is set upright; `nil` for all of it.
    var part: PixelRectangle?
    /// The size after scaling, before it is set upright.
    let size: PixelSize
    let filter: ResampleFilter
    /// The enlargement of pixel art; `nil` for anything else.
    var factor: Int?
    /// The reason for this size and filter, for people; `nil` if they were set.
    var reason: String?

    /// For the job log.
    var shown: String { [self].shown }

    /// Whether a picture of `source` pixels is enlarged.
    func enlarges(_ source: PixelSize) -> Bool {
        size.width > source.width || size.height > source.height
    }

    /// A resampler for a frame of `source` pixels.
    ///
    /// - Parameters:
    ///   - source: the size of the delivered frame; for a part, that of the file.
    ///   - extent: the covered part; `nil` for all.
    ///   - layout: `.rgba8` or `.rgba16`.
    ///   - hasAlpha: whether any pixel can be other than opaque.
    /// - Returns: a resampler that waits for the first row of the whole frame.
    func resampler(
        from source: PixelSize, extent: PixelExtent? = nil, layout: SampleLayout, hasAlpha: Bool
    ) -> any RowResampling {
        let whole = rowResampler(
            from: part?.size ?? source, extent: part == nil ? extent : nil, to: size,
            layout: layout, hasAlpha: hasAlpha, filter: filter)
        return part.map { PartResampler(of: $0, layout, whole) } ?? whole
    }
}

extension Scale {
    /// The choice within a setting.
    ///
    /// - Parameters:
    ///   - part: the wanted part of the frame; `nil` for all of it.
    ///   - source: its size, as stored.
    ///   - box: its largest size on the canvas, before it is set upright.
    ///   - setting: the category's setting.
    ///   - finding: whether it is pixel art, if that was checked.
    init(
        part: PixelRectangle?, of source: PixelSize, into box: PixelSize,
        by setting: StickerSettings.Resample, _ finding: PixelArtDetector.Finding?
    ) {
        self.part = part
        let isEnlarged = box.width > source.width || box.height > source.height
        switch (setting, finding) {
        case (.auto, .pixelArt(let art)) where isEnlarged:
            factor = art.factor(inside: box)
            size = factor.map { art.size.enlarged($0) } ?? box
            filter = factor == nil ? .lanczos3 : .wholeFactor
            let waste = ", no multiple of which fills three quarters of the room"
            reason = art.shown + (factor == nil ? waste : "")
        case (.auto, .smooth(let why)) where isEnlarged:
            (size, filter) = (box, .lanczos3)
            reason = "no pixel art: \(why)" + Self.softness(of: source, in: box)
        case (.auto, _):
            (size, filter, reason) = (box, .lanczos3, isEnlarged ? nil : "not enlarged")
        case (.lanczos3, _): (size, filter, reason) = (box, .lanczos3, nil)
        case (.nearest, _): (size, filter, reason) = (box, .nearest, nil)
        }
    }

    /// A smooth picture with fewer than one pixel in this many, each way, looks soft.
    private static let softFrom = 3

    private static func softness(of source: PixelSize, in box: PixelSize) -> String {
        guard Self.softFrom * source.longSide <= box.longSide else { return "" }
        return "; it has only \(source) pixels, so it looks soft"
    }
}

extension [Scale] {
    /// For the job log.
    var shown: String {
        let sizes = map { scale in
            let cut = scale.part.map { "\($0.size) at \($0.x),\($0.y) to " } ?? ""
            let times = scale.factor.map { ", \($0) times as large" } ?? ""
            return "\(cut)\(scale.size) with \(scale.filter.name)\(times)"
        }
        let reasons = compactMap(\.reason).reduce(into: [String]()) { reasons, reason in
            if !reasons.contains(reason) { reasons.append(reason) }
        }
        return ([sizes.joined(separator: ", ")] + reasons).joined(separator: "; ")
    }
}

extension PixelArt {
    /// For the job log.
    fileprivate var shown: String {
        let colors = colors.map { " in \($0.counted("colour", "colours"))" } ?? ""
        let blocks = block > 1 ? ", stored in blocks of \(block)x\(block)" : ""
        return "pixel art of \(size)\(colors)\(blocks)"
    }
}

/// Passes on a part of each row, of the rows within it.
private final class PartResampler: RowResampling {
    private let part: PixelRectangle
    private let layout: SampleLayout
    private let inner: any RowResampling
    private var y = 0

    init(of part: PixelRectangle, _ layout: SampleLayout, _ inner: any RowResampling) {
        (self.part, self.layout, self.inner) = (part, layout, inner)
    }

    func consume(_ row: UnsafeRawBufferPointer) {
        defer { y += 1 }
        guard part.y..<part.y + part.height ~= y else { return }
        let pixel = layout.bytesPerPixel
        inner.consume(
            UnsafeRawBufferPointer(
                rebasing: row[(part.x * pixel)...].prefix(part.width * pixel)))
    }

    func finish() -> PixelBuffer { inner.finish() }
}
