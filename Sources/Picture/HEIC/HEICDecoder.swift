internal import CHEIF
package import StickerCodecs
import StickerContainers
package import StickerRaster
package import StickerValues

/// Decodes the main picture of a HEIC file through libheif and libde265: 8 to 12 bits, grids, alpha, profile. libheif
/// turns, mirrors and crops it, so EXIF is ignored.
///
/// libde265 always starts threads, and hangs where it may not: only a worker with the profile for threads can use this.
package struct HEICDecoder: StillDecoding {
    /// Known before decoding the pixels.
    package let header: ImageHeader
    private let source: SourceBytes

    /// Loads the decoder, which some systems have as a plug-in of libheif. Must be called once by a process that will
    /// be locked, while it may open files and has one thread; other processes need not call it.
    package static func load() { cheif_load_decoder() }

    /// Parses the boxes.
    /// - Throws: `CodecError` if they break the format or `limits`.
    package init(_ source: SourceBytes, limits: DecodeLimits) throws(CodecError) {
        self.source = source
        header = try source.withUnsafeBytes { bytes throws(CodecError) in
            guard HEIFOutline.end(bytes) != nil else {
                throw CodecError(.truncated, .heic, "the file ends within a box")
            }
            guard let outline = HEIFOutline(bytes) else {
                throw CodecError(.malformed, .heic, "no picture in it has a size")
            }
            try limits.check(outline.size, .heic)
            try Self.check(HEIFItems(bytes), limits)
            let file = try HEICFile(bytes)
            var header = ImageHeader(file)
            try limits.check(header.size, .heic)
            // Planes of the decoder, the picture assembled from tiles, and the converted pixels.
            let bytesPerPixel = header.layout == .rgba16 ? 14 : 7
            try limits.check(decoderBytes: outline.size.pixelCount * bytesPerPixel, .heic)
            // This may decode the picture.
            try header.describe(file, frames: outline.frames)
            return header
        }
    }

    /// Refuses a picture assembled from more than four times its allowed pixels: a tile may be used often, and be
    /// larger than its shown part.
    private static func check(_ items: HEIFItems, _ limits: DecodeLimits) throws(CodecError) {
        guard let pixels = items.pixels else {
            throw CodecError(.malformed, .heic, "its pictures are derived from one another")
        }
        let limit = 4 * limits.framePixelsMax
        guard pixels > limit else { return }
        throw CodecError(
            .tooComplex, .heic, "it is put together of too many pixels",
            measured: "\(pixels.grouped) px",
            limit: "\(limit.grouped) px (4 x limits.framePixelsMax)")
    }

    /// Decodes all rows; see `StillDecoding`.
    package func decode(
        size: PixelSize, row: (UnsafeRawBufferPointer) throws(CodecError) -> Void
    ) throws(CodecError) {
        precondition(size == header.size)
        try source.withUnsafeBytes { bytes throws(CodecError) in
            let picture = try HEICPicture(try HEICFile(bytes), header.layout)
            guard picture.size == size else {
                throw CodecError(.malformed, .heic, "it has two sizes")
            }
            let count = size.width * header.layout.bytesPerPixel
            let memory = try LargeMemory(zeros: count, .heic)
            for y in 0..<size.height {
                try picture.copy(row: y, to: memory.bytes)
                try row(UnsafeRawBufferPointer(memory.bytes))
            }
        }
    }
}

extension ImageHeader {
    fileprivate init(_ file: borrowing HEICFile) {
        let bits = file.bits
        self.init(
            format: .heic, size: file.size, layout: bits > 8 ? .rgba16 : .rgba8,
            hasAlpha: file.hasAlpha, detail: "\(bits) bit\(file.hasAlpha ? " with alpha" : "")")
    }

    /// Adds colours and warnings.
    fileprivate mutating func describe(
        _ file: borrowing HEICFile, frames: Int
    ) throws(CodecError) {
        try describeColor(try file.colorFacts())
        if frames > 1 {
            warnings.append(Warning("first-page", "the film in it was left out"))
        } else if file.pictureCount > 1 {
            warnings.append(
                Warning("first-page", "the main one of \(file.pictureCount) pictures was taken"))
        }
    }
}
