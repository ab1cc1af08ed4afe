import CWebP
import StickerCodecs
import StickerRaster
import StickerValues

/// The best possible result of a still: every form is encoded, at any cost.
struct FullSearch {
    /// The highest score of all files that fit; `nil` if none does.
    private(set) var score: Double?
    private let judge: PerceptualReference
    private let bytesMax: Int

    /// Encodes `canvas` in lossless, near-lossless and lossy files with at most `bytesMax` bytes.
    init(_ canvas: borrowing PixelBuffer, bytesMax: Int) throws {
        judge = PerceptualReference(canvas)
        self.bytesMax = bytesMax
        let encoder = WebPEncoder(canvas)
        for level in [1, 3, 6] { try add(encoder.lossless(level: level)) }
        // A lossless file that fits cannot be improved.
        guard score == nil else { return }
        for (green, others) in FormTable.steps {
            let steps = ResidualSteps(green: green, others: others)
            try add(encoder.nearLossless(level: 3, steps: steps))
        }
        for nearness in [80, 60, 40, 20] { try add(Self.nearLossless(canvas, nearness)) }
        for colors in [256, 192, 128, 96, 64] {
            try add(WebPEncoder(canvas.reduced(toColors: colors)).lossless(level: 3))
        }
        // Coarser planes do not help a picture whose colours are at their best.
        for alphaQuality in [100, 78, 72, 70, 50]
        where try addLossy(encoder, alphaQuality: alphaQuality) == 100 { break }
    }

    /// libwebp's own near-lossless coding, of smaller files in more time.
    private static func nearLossless(_ canvas: borrowing PixelBuffer, _ nearness: Int) -> [UInt8] {
        var config = WebPConfig()
        var picture = WebPPicture()
        var writer = WebPMemoryWriter()
        WebPConfigInit(&config)
        WebPConfigLosslessPreset(&config, 3)
        config.near_lossless = Int32(nearness)
        WebPPictureInit(&picture)
        WebPMemoryWriterInit(&writer)
        (picture.use_argb, picture.writer) = (1, WebPMemoryWrite)
        (picture.width, picture.height) = (Int32(canvas.size.width), Int32(canvas.size.height))
        return withUnsafeMutablePointer(to: &writer) { writer in
            picture.custom_ptr = UnsafeMutableRawPointer(writer)
            let stride = Int32(canvas.stride)
            canvas.withUnsafeBytes { bytes in
                _ = WebPPictureImportRGBA(
                    &picture, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), stride)
            }
            WebPEncode(&config, &picture)
            defer {
                WebPPictureFree(&picture)
                WebPMemoryWriterClear(writer)
            }
            return [UInt8](
                UnsafeBufferPointer(start: writer.pointee.mem, count: writer.pointee.size))
        }
    }

    private mutating func add(_ file: [UInt8]) throws {
        guard file.count <= bytesMax else { return }
        score = max(score ?? 0, judge.score(of: try WebPDecoder.still(file)))
    }

    /// Adds the file of the highest quality that fits, to half a step, if any.
    ///
    /// - Returns: that quality.
    private mutating func addLossy(_ encoder: WebPEncoder, alphaQuality: Int) throws -> Double? {
        func encode(_ quality: Double) throws -> [UInt8] {
            try encoder.lossy(quality: quality, alphaQuality: alphaQuality)
        }
        let best = try encode(100)
        if best.count <= bytesMax {
            try add(best)
            return 100
        }
        var (fits, isTooLarge) = (0.0, 100.0)
        while isTooLarge - fits > 0.5 {
            let quality = (fits + isTooLarge) / 2
            if try encode(quality).count <= bytesMax {
                fits = quality
            } else {
                isTooLarge = quality
            }
        }
        guard fits > 0 else { return nil }
        try add(encode(fits))
        return fits
    }
}
