public import StickerModel
public import StickerRaster

/// Decodes one still picture row by row, so that a large one never has to be in memory whole.
///
/// Making one parses and checks the header against the limits; nothing large is allocated before.
public protocol StillDecoding {
    /// Parses the header and checks it.
    ///
    /// - Throws: `CodecError` where it breaks the format or the limits.
    init(_ source: SourceBytes, limits: DecodeLimits) throws(CodecError)

    /// What is known before the pixels.
    var header: ImageHeader { get }

    /// The size in which rows come when the picture's longer side need only be `side` pixels.
    ///
    /// Decoders that can scale for free return less than `header.size`, never less than `side`.
    func decodedSize(longSideAtLeast side: Int) -> PixelSize

    /// How much of a picture of `size` pixels is covered; less than all where scaling gave fractions.
    func extent(of size: PixelSize) -> PixelExtent

    /// Calls `row` once for every row of a picture of `size`, top to bottom.
    ///
    /// A row holds `size.width` pixels in `header.layout`. It is valid during the call only.
    /// - Throws: `CodecError`, also what `row` throws; rows delivered before it are worthless then.
    func decode(size: PixelSize, row: (UnsafeRawBufferPointer) throws(CodecError) -> Void)
        throws(CodecError)
}

extension StillDecoding {
    /// Every pixel.
    public func extent(of size: PixelSize) -> PixelExtent { PixelExtent(size) }
}
