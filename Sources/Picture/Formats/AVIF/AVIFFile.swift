internal import CAVIF
import StickerCodecs
import StickerContainers
import StickerRaster
import StickerValues

/// An AVIF file parsed by libavif, and its pictures. Corresponds to `avifDecoder`.
///
/// With one thread configured, libavif and dav1d start none, which a worker could not.
final class AVIFFile {
    /// The picture as it is stored: cropped, but neither turned nor converted.
    let header: ImageHeader
    let frameCount: Int
    /// The sum of all delays, in milliseconds.
    let durationMilliseconds: Int
    private let decoder: UnsafeMutablePointer<avifDecoder>
    /// libavif reads from it until the end.
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let crop: avifCropRect
    private let layout: SampleLayout

    /// - Throws: `CodecError` if the file breaks the format or `limits`.
    init(_ source: SourceBytes, limits: DecodeLimits) throws(CodecError) {
        let outline = source.withUnsafeBytes { bytes in
            HEIFOutline.end(bytes).flatMap { _ in HEIFOutline(bytes) }
        }
        guard let outline else { throw try Self.fault(inBoxesOf: source) }
        try limits.check(outline.size, .avif)
        let pixels = outline.size.pixelCount.multipliedReportingOverflow(by: outline.frames)
        try limits.check(
            frameCount: outline.frames, totalPixels: pixels.overflow ? .max : pixels.partialValue,
            .avif)
        // Planes of at most 16 bits, and the converted pixels.
        let depth = 8
        try limits.check(decoderBytes: outline.size.pixelCount * depth, .avif)
        guard let decoder = avifDecoderCreate() else {
            throw CodecError(.outOfMemory, .avif, "out of memory")
        }
        let bytes = source.withUnsafeBytes { file in
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: file.count)
            _ = copy.initialize(from: file)
            return copy
        }
        do throws(CodecError) {
            let parsed = try Self.parse(bytes, decoder, limits)
            (header, crop) = (parsed.header, parsed.crop)
        } catch {
            avifDecoderDestroy(decoder)
            bytes.deallocate()
            throw error
        }
        (self.decoder, self.bytes, layout) = (decoder, bytes, header.layout)
        frameCount = Int(decoder.pointee.imageCount)
        durationMilliseconds = Int((decoder.pointee.duration * 1000).rounded())
    }

    deinit {
        avifDecoderDestroy(decoder)
        bytes.deallocate()
    }

    /// Decodes the picture at `index` and calls `row` with every row of it, straight RGBA in the layout of the header.
    /// Returning to the first picture after a later one costs no more than going on.
    func decode(
        _ index: Int, row: (UnsafeRawBufferPointer) throws(CodecError) -> Void
    ) throws(CodecError) {
        try Self.check(avifDecoderNthImage(decoder, UInt32(index)))
        let image = decoder.pointee.image.pointee
        var rgb = avifRGBImage()
        avifRGBImageSetDefaults(&rgb, decoder.pointee.image)
        rgb.format = AVIF_RGB_FORMAT_RGBA
        rgb.depth = layout == .rgba16 ? 16 : 8
        let stride = Int(image.width) * layout.bytesPerPixel
        let memory = try LargeMemory(zeros: stride * Int(image.height), .avif)
        rgb.pixels = memory.bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        rgb.rowBytes = UInt32(stride)
        try Self.check(avifImageYUVToRGB(decoder.pointee.image, &rgb))
        guard Int(crop.x + crop.width) * layout.bytesPerPixel <= stride,
            crop.y + crop.height <= image.height
        else { throw CodecError(.malformed, .avif, "a frame has another size") }
        for y in 0..<Int(crop.height) {
            let start = (Int(crop.y) + y) * stride + Int(crop.x) * layout.bytesPerPixel
            let end = start + Int(crop.width) * layout.bytesPerPixel
            try row(UnsafeRawBufferPointer(rebasing: memory.bytes[start..<end]))
        }
    }

    /// How long the last decoded picture is shown, according to the file.
    var delayMilliseconds: Int { Int((decoder.pointee.imageTiming.duration * 1000).rounded()) }

    // MARK: Opening

    /// A file whose boxes end early is cut off; one without sizes is damaged.
    private static func fault(inBoxesOf source: SourceBytes) throws(CodecError) -> CodecError {
        source.withUnsafeBytes { HEIFOutline.end($0) } == nil
            ? CodecError(.truncated, .avif, "the file ends within a box")
            : CodecError(.malformed, .avif, "no picture in it has a size")
    }

    private static func parse(
        _ bytes: UnsafeMutableBufferPointer<UInt8>, _ decoder: UnsafeMutablePointer<avifDecoder>,
        _ limits: DecodeLimits
    ) throws(CodecError) -> (header: ImageHeader, crop: avifCropRect) {
        decoder.pointee.maxThreads = 1
        decoder.pointee.ignoreExif = 1  // the turns of AVIF are properties of the picture
        decoder.pointee.ignoreXMP = 1
        // libheif before 1.12 wrote no `pixi`, avif-serialize before 0.7.4 no `ispe` of the alpha; as in browsers.
        decoder.pointee.strictFlags &=
            ~(AVIF_STRICT_PIXI_REQUIRED.rawValue | AVIF_STRICT_ALPHA_ISPE_REQUIRED.rawValue)
        decoder.pointee.imageSizeLimit = UInt32(min(limits.framePixelsMax, 16384 * 16384))
        decoder.pointee.imageCountLimit = UInt32(limits.framesMax)
        try check(avifDecoderSetIOMemory(decoder, bytes.baseAddress, bytes.count))
        try check(avifDecoderParse(decoder))
        let image = decoder.pointee.image.pointee
        let size = PixelSize(width: Int(image.width), height: Int(image.height))
        try limits.check(size, .avif)
        // The outline may describe another track.
        let frames = Int(decoder.pointee.imageCount)
        let (pixels, overflow) = size.pixelCount.multipliedReportingOverflow(by: frames)
        try limits.check(frameCount: frames, totalPixels: overflow ? .max : pixels, .avif)
        let crop = try crop(image)
        let isWide = image.depth > 8
        let count = frames.counted("frame", "frames")
        var header = ImageHeader(
            format: .avif, size: PixelSize(width: Int(crop.width), height: Int(crop.height)),
            layout: isWide ? .rgba16 : .rgba8, orientation: Orientation(image),
            hasAlpha: decoder.pointee.alphaPresent != 0,
            detail: "\(image.depth) bit, \(count)")
        try header.describeColor(ColorFacts(image))
        return (header, crop)
    }

    /// The shown part (`clap`); the whole picture without one.
    private static func crop(_ image: avifImage) throws(CodecError) -> avifCropRect {
        let flags = image.transformFlags
        guard flags & UInt32(AVIF_TRANSFORM_CLAP.rawValue) != 0 else {
            return avifCropRect(x: 0, y: 0, width: image.width, height: image.height)
        }
        var (crop, clap) = (avifCropRect(), image.clap)
        var words = avifDiagnostics()
        guard
            avifCropRectConvertCleanApertureBox(
                &crop, &clap, image.width, image.height, image.yuvFormat, &words) != 0,
            crop.width > 0, crop.height > 0
        else { throw CodecError(.malformed, .avif, "its crop makes no sense") }
        return crop
    }

    private static func check(_ result: avifResult) throws(CodecError) {
        switch result {
        case AVIF_RESULT_OK: return
        case AVIF_RESULT_OUT_OF_MEMORY:
            throw CodecError(.outOfMemory, .avif, "no memory for its pixels")
        case AVIF_RESULT_TRUNCATED_DATA, AVIF_RESULT_IO_ERROR:
            throw CodecError(.truncated, .avif, "a picture lies outside the file")
        case AVIF_RESULT_NOT_IMPLEMENTED, AVIF_RESULT_UNSUPPORTED_DEPTH,
            AVIF_RESULT_NO_CODEC_AVAILABLE:
            throw CodecError(.unsupported, .avif, words(result))
        default:
            throw CodecError(.malformed, .avif, words(result))
        }
    }

    private static func words(_ result: avifResult) -> String {
        String(cString: avifResultToString(result)).lowercased()
    }
}

extension ColorFacts {
    /// The profile, and the numbers of nclx; without chroma planes the pixels are gray.
    fileprivate init(_ image: avifImage) {
        let isGray = image.yuvFormat == AVIF_PIXEL_FORMAT_YUV400
        self.init(.avif, pixels: isGray ? .gray : .rgb)
        coded = CodedColor(
            primaries: Int(image.colorPrimaries), transfer: Int(image.transferCharacteristics))
        if image.icc.size > 0 {
            profile = Profile(UnsafeRawBufferPointer(start: image.icc.data, count: image.icc.size))
        }
    }
}

extension Orientation {
    /// The orientation of a picture with `irot` and `imir`: it is turned first, then mirrored (ISO/IEC 23000-22,
    /// 7.3.6.7).
    fileprivate init(_ image: avifImage) {
        let flags = image.transformFlags
        let isTurned = flags & UInt32(AVIF_TRANSFORM_IROT.rawValue) != 0
        let isMirrored = flags & UInt32(AVIF_TRANSFORM_IMIR.rawValue) != 0
        let turns = isTurned ? Int(image.irot.angle & 3) : 0  // against the clock
        switch (turns, isMirrored, cavif_mirror_axis(image.imir)) {
        case (0, false, _): self = .up
        case (1, false, _): self = .left
        case (2, false, _): self = .down
        case (_, false, _): self = .right
        case (0, _, 0): self = .downMirrored
        case (0, _, _): self = .upMirrored
        case (1, _, 0): self = .leftMirrored
        case (1, _, _): self = .rightMirrored
        case (2, _, 0): self = .upMirrored
        case (2, _, _): self = .downMirrored
        case (_, _, 0): self = .rightMirrored
        default: self = .leftMirrored
        }
    }
}
