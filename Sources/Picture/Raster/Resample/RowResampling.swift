public import StickerValues

/// The part of a picture to scale, from its top left, in pixels and fractions of them.
public struct PixelExtent: Hashable, Sendable {
    /// Columns.
    public var width: Double
    /// Rows.
    public var height: Double

    /// Creates a part of `width` columns and `height` rows.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// Creates the extent of a whole picture of `size`.
    public init(_ size: PixelSize) {
        self.init(width: Double(size.width), height: Double(size.height))
    }
}

/// Changes the size of a picture whose rows come one by one, top to bottom.
public protocol RowResampling: AnyObject {
    /// Reads the next row: straight RGBA of the announced layout and width.
    func consume(_ row: UnsafeRawBufferPointer)

    /// The picture in its new size, straight RGBA. Every row must have been consumed.
    func finish() -> PixelBuffer
}

/// The resampler for a filter.
///
/// - Parameters:
///   - source: the size of the incoming picture.
///   - extent: the part that fills the target; `nil` for all.
///   - target: the size wanted.
///   - layout: `.rgba8` or `.rgba16`.
///   - hasAlpha: whether any pixel can be other than opaque.
///   - filter: the filter.
/// - Returns: a resampler before its first row.
public func rowResampler(
    from source: PixelSize, extent: PixelExtent? = nil, to target: PixelSize, layout: SampleLayout,
    hasAlpha: Bool, filter: ResampleFilter
) -> any RowResampling {
    if source == target, layout == .rgba8 { return RowCopier(size: source) }
    return switch filter {
    case .lanczos3:
        LanczosResampler(
            from: source, extent: extent ?? PixelExtent(source), to: target, layout: layout,
            hasAlpha: hasAlpha)
    case .nearest: NearestResampler(from: source, to: target, layout: layout)
    case .wholeFactor:
        NearestResampler(from: source, to: target, layout: layout, clearsInvisible: true)
    }
}

extension PixelBuffer {
    /// The picture scaled to `target` with Lanczos3, straight alpha.
    public borrowing func resampled(to target: PixelSize) -> PixelBuffer {
        let resampler = LanczosResampler(
            from: size, extent: PixelExtent(size), to: target, layout: .rgba8)
        let stride = stride
        let height = size.height
        withUnsafeBytes { bytes in
            for y in 0..<height {
                resampler.consume(
                    UnsafeRawBufferPointer(rebasing: bytes[(y * stride)...].prefix(stride)))
            }
        }
        return resampler.finish()
    }
}
