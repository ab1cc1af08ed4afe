import StickerCodecs
import StickerModel
import StickerRaster

/// Finds the best WebP of a still under a number of bytes.
///
/// Without loss if that fits, which a probe of 5 ms foretells, or nearly so; else with loss, the quality lowered
/// only as far as the limit demands, and the alpha plane's only after that.
struct StillFit {
    /// What a search found.
    struct Found {
        var file: [UInt8]
        var encoding: Encoding
    }

    /// Below this quality of the colours the alpha plane is looked at, too.
    private static let qualityWanted = 75.0

    /// The largest file allowed.
    let target: Int
    /// The lowest quality allowed.
    let qualityMin: Int
    /// Everything that was tried, in order.
    private(set) var attempts: [FitAttempt] = []

    init(target: Int, qualityMin: Int) {
        self.target = target
        self.qualityMin = qualityMin
    }

    /// The best file, or `nil` where none fits above the floor.
    mutating func search(_ canvas: borrowing PixelBuffer) throws(CodecError) -> Found? {
        let encoder = try WebPEncoder(canvas)
        if let found = try lossless(encoder) { return found }
        guard !canvas.isOpaque else { return try lossy(encoder, 100) }
        return try lossyWithAlpha(encoder, canvas)
    }

    /// The alpha plane takes bytes away from the colours. Where their quality got low, a coarser plane
    /// may look better, or worse: the score decides.
    private mutating func lossyWithAlpha(
        _ encoder: WebPEncoder, _ canvas: borrowing PixelBuffer
    ) throws(CodecError) -> Found? {
        let exact = try lossy(encoder, 100)
        if let exact, exact.encoding.quality ?? 0 >= Self.qualityWanted { return exact }
        guard let coarse = try lossy(encoder, 50) else {
            if let exact { return exact }
            return try lossy(encoder, 0)
        }
        guard let exact else { return coarse }
        let reference = PerceptualReference(canvas)
        let exactPicture = try WebPDecoder.still(exact.file)
        let coarsePicture = try WebPDecoder.still(coarse.file)
        let isBetter = reference.score(of: coarsePicture) > reference.score(of: exactPicture)
        return isBetter ? coarse : exact
    }

    /// Level 1 shrinks the file by up to 1.6 on real stickers and level 6 by 1.15 more, so where the
    /// smallest known is farther above the target, none is tried.
    private mutating func lossless(_ encoder: WebPEncoder) throws(CodecError) -> Found? {
        for (level, worthBelow) in [(0, Double.infinity), (1, 1.7), (6, 1.1)] {
            guard attempts.isEmpty || isWorthwhile(smallest, worthBelow) else { break }
            let file = try encoder.lossless(level: level)
            attempts.append(
                FitAttempt(mode: .lossless, quality: Double(level), bytes: file.count))
            if file.count <= target {
                return Found(file: file, encoding: Encoding(mode: .lossless))
            }
        }
        return try nearLossless(encoder)
    }

    /// Near-lossless looks better than lossy where it fits; what it saves is known well enough to
    /// try only what will fit.
    private mutating func nearLossless(_ encoder: WebPEncoder) throws(CodecError) -> Found? {
        // Where only level 0 is known, level 1 would be smaller by a third.
        let expected = attempts.count > 1 ? Double(smallest) : Double(smallest) / 1.3
        for (nearness, ratio) in [(80, 0.80), (60, 0.67)] where isWorthwhile(expected, 1 / ratio) {
            let file = try encoder.nearLossless(level: 1, nearness: nearness)
            let quality = Double(nearness)
            attempts.append(
                FitAttempt(mode: .nearLossless, quality: quality, bytes: file.count))
            if file.count <= target {
                return Found(
                    file: file, encoding: Encoding(mode: .nearLossless, quality: quality))
            }
        }
        return nil
    }

    private var smallest: Double { Double(attempts.map(\.bytes).min() ?? 0) }

    private func isWorthwhile(_ bytes: Double, _ factor: Double) -> Bool {
        bytes <= Double(target) * factor
    }

    private mutating func lossy(
        _ encoder: WebPEncoder, _ alphaQuality: Int
    ) throws(CodecError) -> Found? {
        var files: [Double: [UInt8]] = [:]
        var tried: [FitAttempt] = []
        let search = QualitySearch(target: target, qualities: Double(qualityMin)...100)
        let best = try search.best(measure: { (quality) throws(CodecError) in
            let file = try encoder.lossy(quality: quality, alphaQuality: alphaQuality)
            tried.append(
                FitAttempt(
                    mode: .lossy, quality: quality, alphaQuality: alphaQuality, bytes: file.count))
            if file.count <= target { files[quality] = file }
            return (file.count, encoder.alphaBytes(quality: alphaQuality))
        })
        attempts += tried
        guard let best, let file = files[best] else { return nil }
        return Found(
            file: file, encoding: Encoding(mode: .lossy, quality: (best * 100).rounded() / 100))
    }
}
