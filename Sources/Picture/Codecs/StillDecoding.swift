public import StickerRaster
public import StickerValues

/// Decodes one still picture row by row, so that a large one is never in memory as a whole.
///
/// Creating a decoder parses the header and checks it against the limits; nothing large is allocated
/// before.
public protocol StillDecoding {
    /// Parses the header and checks it.
    ///
    /// - Throws: `CodecError` if it breaks the format or the limits.
    init(_ source: SourceBytes, limits: DecodeLimits) throws(CodecError)

    /// Known before decoding the pixels.
    var header: ImageHeader { get }

    /// The size of the delivered rows if the picture's longer side need only have `side` pixels.
    ///
    /// Decoders that can scale for free return less than `header.size`, but never less than `side`.
    func decodedSize(longSideAtLeast side: Int) -> PixelSize

    /// Whether the picture is a drawing, which `decode` delivers in any size, so that the required one is best.
    var isDrawnInAnySize: Bool { get }

    /// How much of a picture of `size` pixels is covered; less than all if scaling left fractions.
    func extent(of size: PixelSize) -> PixelExtent

    /// Calls `row` once for every row of a picture of `size`, top to bottom.
    ///
    /// A row holds `size.width` pixels in `header.layout`. It is valid only during the call.
    /// - Throws: `CodecError`, including those of `row`; rows delivered before that are worthless.
    func decode(size: PixelSize, row: (UnsafeRawBufferPointer) throws(CodecError) -> Void)
        throws(CodecError)
}

extension StillDecoding {
    /// The stored size.
    public func decodedSize(longSideAtLeast side: Int) -> PixelSize { header.size }

    /// Like nearly all pictures.
    public var isDrawnInAnySize: Bool { false }

    /// Every pixel.
    public func extent(of size: PixelSize) -> PixelExtent { PixelExtent(size) }
}
