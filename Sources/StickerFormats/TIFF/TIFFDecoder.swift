import CTIFF
package import StickerCodecs
import StickerContainers
package import StickerModel
package import StickerRaster

/// Decodes the first page of a TIFF through libtiff: gray, palette, RGB and CMYK with 1 to 16 bits a
/// sample, in strips or tiles, with any compression that libtiff has.
///
/// One row of tiles, or one strip, is in memory at a time. 16 bits stay 16 bits; alpha is delivered
/// straight, whichever way it is stored. Whatever else TIFF allows (floats, CIE Lab, YCbCr outside of
/// JPEG) is refused in words.
package struct TIFFDecoder: StillDecoding {
    /// What is known before the pixels.
    package let header: ImageHeader
    private let source: SourceBytes
    private let limits: DecodeLimits

    /// Reads the first directory.
    /// - Throws: `CodecError` if it breaks the format or `limits`.
    package init(_ source: SourceBytes, limits: DecodeLimits) throws(CodecError) {
        self.source = source
        self.limits = limits
        header = try source.withUnsafeBytes { bytes throws(CodecError) in
            guard let outline = TIFFOutline(bytes) else {
                throw CodecError(.malformed, .tiff, "there is no directory with a size")
            }
            try limits.check(outline.size, .tiff)
            guard outline.isWhole else {
                throw CodecError(.truncated, .tiff, "the file ends before the picture does")
            }
            let reader = try TIFFReader(bytes, limits)
            guard reader.size == outline.size else {
                throw CodecError(.malformed, .tiff, "it has two sizes")
            }
            let form = try TIFFForm(reader.info)
            try limits.check(
                decoderBytes: try reader.bandBytes() + outline.size.width * 8, .tiff)
            return try ImageHeader(reader, form, pages: outline.pages)
        }
    }

    /// Always the stored size.
    package func decodedSize(longSideAtLeast side: Int) -> PixelSize { header.size }

    /// Decodes all rows; see `StillDecoding`.
    package func decode(
        size: PixelSize, row: (UnsafeRawBufferPointer) throws(CodecError) -> Void
    ) throws(CodecError) {
        precondition(size == header.size)
        try source.withUnsafeBytes { bytes throws(CodecError) in
            let reader = try TIFFReader(bytes, limits)
            let form = try TIFFForm(reader.info)
            let palette = form.kind == .palette ? try TIFFPalette(reader.info) : nil
            let samples = UnsafeMutableBufferPointer<UInt16>.allocate(
                capacity: size.width * form.samples)
            defer { samples.deallocate() }
            let pixels = try LargeMemory(zeros: size.width * form.layout.bytesPerPixel, .tiff)
            let band = try LargeMemory(zeros: try reader.bandBytes(), .tiff)
            for y in 0..<size.height {
                if y % reader.unitHeight == 0 { try reader.read(bandAt: y, into: band.bytes) }
                reader.unpack(y, of: band.bytes, into: samples)
                form.draw(samples, palette, onto: pixels.bytes)
                try row(UnsafeRawBufferPointer(pixels.bytes))
            }
        }
    }
}

extension ImageHeader {
    fileprivate init(
        _ reader: borrowing TIFFReader, _ form: TIFFForm, pages: Int
    ) throws(CodecError) {
        let compression = TIFFForm.compression(reader.info.compression)
        self.init(
            format: .tiff, size: reader.size, layout: form.layout,
            orientation: Orientation(rawValue: Int(reader.info.orientation)) ?? .up,
            hasAlpha: form.alpha != nil,
            detail: "\(reader.info.bits) bit \(form.name), \(compression)")
        var facts = ColorFacts(.tiff, pixels: form.pixels)
        facts.profile = reader.profile
        try describeColor(facts)
        if pages > 1 {
            let count = pages < TIFFOutline.pagesMax ? "\(pages)" : "\(pages) or more"
            warnings.append(Warning("first-page", "the first of \(count) pages was taken"))
        }
        if form.hasUnknownSamples {
            warnings.append(
                Warning("unknown-samples", "samples that are neither colour nor alpha were ignored")
            )
        }
    }
}
