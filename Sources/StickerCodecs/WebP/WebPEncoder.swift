internal import CWebP
import StickerModel
public import StickerRaster

/// Encodes one still picture to WebP as often as a search wants, doing shared work once.
///
/// The colours are converted to YUV once, see `YUVPicture`, and the alpha plane is coded once; further
/// lossy encodes code only the VP8 chunk. Nothing but pixels is written.
public final class WebPEncoder {
    private let buffer: PixelBuffer
    private let hasAlpha: Bool
    private var argb: WebPPicture?
    private var yuv: LossySource?

    /// Takes a copy of `buffer`, straight RGBA.
    public init(_ buffer: borrowing PixelBuffer) {
        hasAlpha = !buffer.isOpaque
        self.buffer = buffer.copy()
    }

    /// Encodes without loss: every pixel that shows anything keeps its exact value.
    ///
    /// - Parameter level: 0 (5 ms for a sticker) to 6 (100 ms); libwebp's lossless preset.
    /// - Returns: a whole file.
    /// - Throws: `CodecError` where libwebp fails.
    public func lossless(level: Int) throws(CodecError) -> [UInt8] {
        try lossless(level: level, nearness: 100)
    }

    /// Encodes with small changes of colours that compress better without loss; alpha stays exact.
    ///
    /// - Parameters:
    ///   - level: as for `lossless`.
    ///   - nearness: libwebp's `near_lossless`, 0...99; higher is nearer. 80, 60 and 40 take about
    ///     80, 67 and 56 % of the lossless size.
    /// - Returns: a whole file.
    /// - Throws: `CodecError` where libwebp fails.
    public func nearLossless(level: Int, nearness: Int) throws(CodecError) -> [UInt8] {
        try lossless(level: level, nearness: nearness)
    }

    private func lossless(level: Int, nearness: Int) throws(CodecError) -> [UInt8] {
        var config = WebPConfig()
        WebPConfigInit(&config)
        guard WebPConfigLosslessPreset(&config, Int32(level)) != 0 else {
            throw CodecError(.encoder, .webp, "no lossless level \(level)")
        }
        config.near_lossless = Int32(nearness)
        if argb == nil { argb = try WebPPicture(buffer) }
        guard let argb else { preconditionFailure("it was just set") }
        return try argb.encode(config)
    }

    /// Encodes with loss, method 4.
    ///
    /// - Parameters:
    ///   - quality: 0-100, fractions count.
    ///   - alphaQuality: 100 codes the alpha plane without loss.
    /// - Returns: a whole file.
    /// - Throws: `CodecError` where libwebp fails.
    public func lossy(quality: Double, alphaQuality: Int = 100) throws(CodecError) -> [UInt8] {
        if yuv == nil { yuv = try LossySource(buffer, hasAlpha: hasAlpha) }
        guard let yuv else { preconditionFailure("it was just set") }
        return try yuv.encode(quality: quality, alphaQuality: alphaQuality)
    }

    /// The bytes of the alpha plane in lossy files of this alpha quality; 0 before the first of them.
    public func alphaBytes(quality: Int) -> Int { yuv?.alphaBytes(quality: quality) ?? 0 }
}

/// A picture converted for lossy coding, with its coded alpha planes.
private final class LossySource {
    private let picture: WebPPicture
    private let hasAlpha: Bool
    private let size: PixelSize
    private var alphaChunks: [Int: [UInt8]] = [:]

    init(_ buffer: borrowing PixelBuffer, hasAlpha: Bool) throws(CodecError) {
        picture = try WebPPicture(YUVPicture(buffer), alphaOf: buffer)
        size = buffer.size
        self.hasAlpha = hasAlpha
        WebPCleanupTransparentArea(picture.pointer)
    }

    func encode(quality: Double, alphaQuality: Int) throws(CodecError) -> [UInt8] {
        guard hasAlpha else { return try picture.encode(Self.config(quality, alphaQuality)) }
        if let alpha = alphaChunks[alphaQuality] {
            let bare = try withoutAlpha { () throws(CodecError) in
                try picture.encode(Self.config(quality, alphaQuality))
            }
            guard let color = RIFF.chunks(of: bare)?.first(where: { $0.tag == "VP8 " }) else {
                throw CodecError(.encoder, .webp, "libwebp wrote a file without a VP8 chunk")
            }
            return RIFF.extendedStill(size: size, alpha: alpha, color: Array(bare[color.payload]))
        }
        let whole = try picture.encode(Self.config(quality, alphaQuality))
        if let chunk = RIFF.chunks(of: whole)?.first(where: { $0.tag == "ALPH" }) {
            alphaChunks[alphaQuality] = Array(whole[chunk.payload])
        }
        return whole
    }

    func alphaBytes(quality: Int) -> Int { alphaChunks[quality]?.count ?? 0 }

    /// Hides the alpha plane from libwebp for the length of `body`.
    private func withoutAlpha(
        _ body: () throws(CodecError) -> [UInt8]
    ) throws(CodecError) -> [UInt8] {
        let colorspace = picture.pointer.pointee.colorspace
        picture.pointer.pointee.colorspace = WEBP_YUV420
        defer { picture.pointer.pointee.colorspace = colorspace }
        return try body()
    }

    private static func config(_ quality: Double, _ alphaQuality: Int) -> WebPConfig {
        var config = WebPConfig()
        WebPConfigInit(&config)
        config.quality = Float(quality)
        config.method = 4
        config.alpha_quality = Int32(alphaQuality)
        config.thread_level = 0
        return config
    }
}
