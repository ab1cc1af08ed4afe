import StickerCodecs
import StickerModel
import StickerRaster

/// The part of frames that is wanted, the size that it is scaled to, and the filter.
struct Scale {
    /// The part of a frame as stored in its file, before it is set upright; `nil` for all of it.
    var part: PixelRectangle?
    /// The size that the part is scaled to, before it is set upright.
    let size: PixelSize
    let filter: StickerSettings.Resample

    /// For the job log.
    var shown: String {
        let cut = part.map { "\($0.size) at \($0.x),\($0.y) to " } ?? ""
        return "\(cut)\(size) with \(filter.rawValue)"
    }

    /// A resampler for a frame of `source` pixels.
    ///
    /// - Parameters:
    ///   - source: the size in which the frame is delivered; if a part is wanted, that of the file.
    ///   - extent: how much of that is covered; `nil` for all.
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

/// Hands a part of each row on, and of the rows those that lie in it.
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
