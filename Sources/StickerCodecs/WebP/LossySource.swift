internal import CWebP
import StickerContainers
import StickerModel
import StickerRaster

/// A picture converted for lossy coding. The first file of an alpha quality is coded as a whole; further
/// ones code only the colours and join them with the alpha plane of the first.
final class LossySource {
    private let picture: WebPPicture
    private let size: PixelSize
    private let hasAlpha: Bool
    private var alphaChunks: [Int: [UInt8]] = [:]
    /// For the colours.
    let estimate: LossyEstimate

    /// Converts straight RGBA.
    init(_ buffer: borrowing PixelBuffer, budget: WorkBudget? = nil) throws(CodecError) {
        try budget?.check(.webp)
        let picture = try WebPPicture(YUVPicture(buffer), alphaOf: buffer)
        WebPCleanupTransparentArea(picture.pointer)
        picture.bound(by: budget)
        self.picture = picture
        size = buffer.size
        hasAlpha = !buffer.isOpaque
        estimate = LossyEstimate(picture.yuv)
    }

    /// The bytes of container and alpha plane; `nil` before the first file of this alpha quality.
    func fixedBytes(alphaQuality: Int) -> Int? {
        guard hasAlpha else { return RIFF.stillBytes }
        return alphaChunks[alphaQuality].map {
            RIFF.extendedStill(size: size, alpha: $0, color: []).count
        }
    }

    func encode(quality: Double, alphaQuality: Int) throws(CodecError) -> [UInt8] {
        guard hasAlpha else { return try picture.encode(Self.config(quality, alphaQuality)) }
        if let alpha = alphaChunks[alphaQuality] {
            let bare = try withoutAlpha { () throws(CodecError) in
                try picture.encode(Self.config(quality, alphaQuality))
            }
            let color = try Self.chunk("VP8 ", of: bare)
            return RIFF.extendedStill(size: size, alpha: alpha, color: color)
        }
        let whole = try picture.encode(Self.config(quality, alphaQuality))
        alphaChunks[alphaQuality] = try Self.chunk("ALPH", of: whole)
        return whole
    }

    private static func chunk(_ tag: String, of file: [UInt8]) throws(CodecError) -> [UInt8] {
        guard let chunk = RIFF.chunks(of: file)?.first(where: { $0.tag == tag }) else {
            throw CodecError(.encoder, .webp, "libwebp wrote a file without a chunk \(tag)")
        }
        return Array(file[chunk.payload])
    }

    /// Hides the alpha plane from libwebp during `body`.
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
