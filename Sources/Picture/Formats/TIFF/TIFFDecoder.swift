import CTIFF
package import StickerCodecs
import StickerContainers
package import StickerRaster
package import StickerValues

/// Decodes the first page of a TIFF through libtiff: gray, palette, RGB, CMYK and CIE Lab with integers of up to 16
/// bits, gray, RGB and CMYK also of 32, gray and RGB with floating-point numbers, and YCbCr of 8 bits; in strips or
/// tiles, with any compression that libtiff has. Reduced copies of other pages are skipped.
///
/// One row of tiles, or one strip, is in memory at a time. 16 bits stay 16 bits, 32 become 16; alpha is delivered
/// straight, however it is stored. A single unspecified extra sample is straight alpha unless it is constant, which
/// requires reading all pixels. Other variants of TIFF are refused by name.
package struct TIFFDecoder: StillDecoding {
    /// Known before decoding the pixels.
    package let header: ImageHeader
    private let form: TIFFForm
    /// The directory that is read, counted from 0.
    private let directory: Int
    private let source: SourceBytes
    private let limits: DecodeLimits

    /// Reads the directories, and the pixels if alpha can only be detected there.
    /// - Throws: `CodecError` if they break the format or `limits`.
    package init(_ source: SourceBytes, limits: DecodeLimits) throws(CodecError) {
        self.source = source
        self.limits = limits
        (header, form, directory) = try source.withUnsafeBytes { bytes throws(CodecError) in
            guard let outline = TIFFOutline(bytes) else {
                throw CodecError(.malformed, .tiff, "there is no directory with a size")
            }
            try limits.check(outline.size, .tiff)
            guard outline.isWhole else {
                throw CodecError(.truncated, .tiff, "the file ends before the picture does")
            }
            let reader = try TIFFReader(bytes, directory: outline.directory, limits)
            guard reader.size == outline.size else {
                throw CodecError(.malformed, .tiff, "it has two sizes")
            }
            var form = try TIFFForm(reader.info)
            try limits.check(
                decoderBytes: try reader.bandBytes() + outline.size.width * 8, .tiff)
            if let sample = form.doubtful, try reader.varies(sample) { form.acceptDoubtfulAlpha() }
            return (try ImageHeader(reader, form, pages: outline.pages), form, outline.directory)
        }
    }

    /// Decodes all rows; see `StillDecoding`.
    package func decode(
        size: PixelSize, row: (UnsafeRawBufferPointer) throws(CodecError) -> Void
    ) throws(CodecError) {
        precondition(size == header.size)
        try source.withUnsafeBytes { bytes throws(CodecError) in
            let reader = try TIFFReader(bytes, directory: directory, limits)
            let palette = form.kind == .palette ? try TIFFPalette(reader.info) : nil
            let pixels = try LargeMemory(zeros: size.width * form.layout.bytesPerPixel, .tiff)
            try reader.unpackRows { samples throws(CodecError) in
                form.draw(samples, palette, onto: pixels.bytes)
                try row(UnsafeRawBufferPointer(pixels.bytes))
                return true
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
        // Lab needs no profile.
        if form.kind != .lab { facts.profile = reader.profile }
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
