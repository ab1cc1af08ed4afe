internal import CWebP
public import StickerRaster
import StickerValues

/// Encodes one still picture to WebP as often as a search requires, doing shared work once.
///
/// The colours are converted to YUV once, see `YUVPicture`, and the alpha plane is coded once; further lossy encodes
/// code only the VP8 chunk. Only pixels are written.
public final class WebPEncoder {
    private let buffer: PixelBuffer
    private let isExact: Bool
    private let budget: WorkBudget?
    private var argb: WebPPicture?
    private var rounder: ResidualRounder?
    private var lossySource: LossySource?

    /// Takes a copy of `buffer`, straight RGBA; `budget` bounds the time of all encodes.
    ///
    /// Lossy files keep colours where alpha is 0 if `exact`, because decoders smooth them into the visible pixels
    /// beside; otherwise they are replaced by the cheapest ones to code.
    public init(
        _ buffer: borrowing PixelBuffer, exact: Bool = false, budget: WorkBudget? = nil
    ) {
        self.buffer = buffer.copy()
        isExact = exact
        self.budget = budget
    }

    /// Encodes without loss: every visible pixel keeps its exact value.
    ///
    /// - Parameter level: 0 (5 ms for a sticker) to 6 (100 ms); libwebp's lossless preset.
    /// - Returns: a whole file.
    /// - Throws: `CodecError` if libwebp fails.
    public func lossless(level: Int) throws(CodecError) -> [UInt8] {
        let argb = if let argb { argb } else { try WebPPicture(buffer) }
        self.argb = argb
        return try Self.lossless(argb, level: level, budget: budget)
    }

    /// Encodes losslessly after small changes of colours that save bytes, see `ResidualRounder`.
    ///
    /// - Parameters:
    ///   - level: 1 to 3; as for `lossless`.
    ///   - steps: How much is rounded.
    /// - Returns: a whole file.
    /// - Throws: `CodecError` if libwebp fails.
    public func nearLossless(level: Int, steps: ResidualSteps) throws(CodecError) -> [UInt8] {
        let rounder = rounder ?? ResidualRounder(buffer)
        self.rounder = rounder
        let rounded = rounder.rounded(by: steps, tile: Self.tile(level: level, of: buffer.size))
        return try Self.lossless(WebPPicture(rounded), level: level, budget: budget)
    }

    /// The side of the squares of pixels that libwebp predicts alike: 64 at level 1, 32 at level 2, 16 at level 3, and
    /// twice as long if there were more than 2,600 of them.
    private static func tile(level: Int, of size: PixelSize) -> Int {
        precondition(1...3 ~= level)
        func tiles(_ side: Int) -> Int {
            ((size.width + side - 1) / side) * ((size.height + side - 1) / side)
        }
        var tile = 128 >> level
        while tile < 64, tiles(tile) > 2600 { tile *= 2 }
        return tile
    }

    private static func lossless(
        _ picture: WebPPicture, level: Int, budget: WorkBudget?
    ) throws(CodecError) -> [UInt8] {
        var config = WebPConfig()
        WebPConfigInit(&config)
        guard WebPConfigLosslessPreset(&config, Int32(level)) != 0 else {
            throw CodecError(.encoder, .webp, "no lossless level \(level)")
        }
        picture.bound(by: budget)
        return try picture.encode(config)
    }

    /// Encodes with loss, method 4.
    ///
    /// - Parameters:
    ///   - quality: 0-100, fractions count.
    ///   - alphaQuality: 100 codes the alpha plane without loss.
    /// - Returns: a whole file.
    /// - Throws: `CodecError` if libwebp fails.
    public func lossy(quality: Double, alphaQuality: Int = 100) throws(CodecError) -> [UInt8] {
        try source().encode(quality: quality, alphaQuality: alphaQuality)
    }

    /// The payload of the `VP8 ` chunk of a lossy file: its colours alone.
    ///
    /// - Throws: `CodecError` if libwebp fails.
    public func lossyColor(
        quality: Double, filter: LoopFilter = .normal
    ) throws(CodecError) -> [UInt8] {
        try source().color(quality: quality, filter: filter)
    }

    /// The payload of the `ALPH` chunk of a lossy file, without coding its colours; `nil` if the picture is
    /// opaque.
    ///
    /// - Throws: `CodecError` if libwebp fails.
    public func lossyAlpha(quality: Int) throws(CodecError) -> [UInt8]? {
        try source().alpha(quality: quality)
    }

    /// The bytes of lossy files that do not depend on the quality of colours: container and alpha plane.
    /// `nil` for pictures with alpha before the first file of this alpha quality.
    public func fixedBytes(alphaQuality: Int) -> Int? {
        lossySource?.fixedBytes(alphaQuality: alphaQuality)
    }

    /// Estimates the bytes of the colours without encoding them.
    ///
    /// - Throws: `CodecError` if libwebp fails.
    public func estimate() throws(CodecError) -> LossyEstimate { try source().estimate }

    private func source() throws(CodecError) -> LossySource {
        if let lossySource { return lossySource }
        let source = try LossySource(buffer, exact: isExact, budget: budget)
        lossySource = source
        return source
    }
}
