internal import CWebP
import StickerContainers
import StickerRaster
import StickerValues

/// A picture converted for lossy coding. The first file of an alpha quality is coded as a whole; further
/// ones code only the colours and join them with the alpha plane of the first.
final class LossySource {
    private let picture: WebPPicture
    private let size: PixelSize
    private let hasAlpha: Bool
    private let isExact: Bool
    private var alphaChunks: [Int: [UInt8]] = [:]
    /// For the colours.
    let estimate: LossyEstimate

    /// Converts straight RGBA; unless it is `exact`, colours where alpha is 0 are made cheap to code.
    init(
        _ buffer: borrowing PixelBuffer, exact: Bool = false, budget: WorkBudget? = nil
    ) throws(CodecError) {
        try budget?.check(.webp)
        isExact = exact
        // The conversion omits invisible colours.
        let yuv = exact ? YUVPicture(buffer.withoutAlpha()) : YUVPicture(buffer)
        let picture = try WebPPicture(yuv, alphaOf: buffer)
        if !exact { WebPCleanupTransparentArea(picture.pointer) }
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

    /// The VP8 chunk alone.
    func color(quality: Double, filter: LoopFilter = .normal) throws(CodecError) -> [UInt8] {
        let bare = try withoutAlpha { () throws(CodecError) in
            try picture.encode(config(quality, 100, filter))
        }
        return try Self.chunk("VP8 ", of: bare)
    }

    /// The ALPH chunk alone; `nil` if the picture is opaque.
    func alpha(quality: Int) throws(CodecError) -> [UInt8]? {
        guard hasAlpha else { return nil }
        if let chunk = alphaChunks[quality] { return chunk }
        // libwebp codes no alpha plane without colours, but flat ones take no time.
        let whole = try picture.withFlatColors { () throws(CodecError) in
            try picture.encode(config(0, quality))
        }
        let chunk = try Self.chunk("ALPH", of: whole)
        alphaChunks[quality] = chunk
        return chunk
    }

    func encode(quality: Double, alphaQuality: Int) throws(CodecError) -> [UInt8] {
        guard hasAlpha else { return try picture.encode(config(quality, alphaQuality)) }
        if let alpha = alphaChunks[alphaQuality] {
            return RIFF.extendedStill(size: size, alpha: alpha, color: try color(quality: quality))
        }
        let whole = try picture.encode(config(quality, alphaQuality))
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
        let (colorspace, alpha) = (picture.pointer.pointee.colorspace, picture.pointer.pointee.a)
        picture.pointer.pointee.colorspace = WEBP_YUV420
        // libwebp checks the plane, not the colour space.
        picture.pointer.pointee.a = nil
        defer {
            picture.pointer.pointee.colorspace = colorspace
            picture.pointer.pointee.a = alpha
        }
        return try body()
    }

    private func config(
        _ quality: Double, _ alphaQuality: Int, _ filter: LoopFilter = .normal
    ) -> WebPConfig {
        var config = WebPConfig()
        WebPConfigInit(&config)
        config.quality = Float(quality)
        config.method = 4
        config.alpha_quality = Int32(alphaQuality)
        config.exact = isExact ? 1 : 0
        config.thread_level = 0
        config.filter_type = filter == .simple ? 0 : 1
        return config
    }
}

extension PixelBuffer {
    /// The same colours, opaque.
    fileprivate func withoutAlpha() -> PixelBuffer {
        var opaque = copy()
        opaque.withUnsafeMutableBytes { bytes in
            for index in Swift.stride(from: 3, to: bytes.count, by: 4) { bytes[index] = 255 }
        }
        return opaque
    }
}
