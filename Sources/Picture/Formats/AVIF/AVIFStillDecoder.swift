package import StickerCodecs
package import StickerRaster
package import StickerValues

/// Decodes still AVIF through libavif and dav1d: 8 to 12 bits, alpha, crop, turns, profile.
package struct AVIFStillDecoder: StillDecoding {
    private let file: AVIFFile

    /// Parses the boxes.
    /// - Throws: `CodecError` if they break the format or `limits`.
    package init(_ source: SourceBytes, limits: DecodeLimits) throws(CodecError) {
        file = try AVIFFile(source, limits: limits)
    }

    init(_ file: AVIFFile) { self.file = file }

    /// Known before decoding the pixels.
    package var header: ImageHeader { file.header }

    /// Decodes all rows; see `StillDecoding`.
    package func decode(
        size: PixelSize, row: (UnsafeRawBufferPointer) throws(CodecError) -> Void
    ) throws(CodecError) {
        precondition(size == header.size)
        try file.decode(0, row: row)
    }
}
