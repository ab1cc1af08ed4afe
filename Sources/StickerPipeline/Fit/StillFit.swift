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

    /// What `PixelBuffer.withCoarseRed` counts as, between libwebp's 80 and 100.
    private static let coarseRed = 90.0
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
        let encoder = WebPEncoder(canvas)
        if let found = try lossless(encoder, canvas) { return found }
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

    // MARK: Without loss

    /// The ladder: faster levels first, as long as the next may reach the target.
    ///
    /// What a step saves at most was measured on real stickers, see docs/benchmarks.md.
    private mutating func lossless(
        _ encoder: WebPEncoder, _ canvas: borrowing PixelBuffer
    ) throws(CodecError) -> Found? {
        let estimate = LosslessEstimate(canvas)
        guard estimate.hasPalette || isNear(estimate.bytes, 1.7) else { return nil }
        // With a palette, level 1 is as fast as level 0, and much smaller.
        if !estimate.hasPalette, isNear(estimate.bytes, 1) {
            if let found = try lossless(level: 0, encoder) { return found }
        }
        if let found = try lossless(level: 1, encoder) { return found }
        let level1 = smallest
        // What level 3 is better at is the edges of drawings.
        if isNear(level1, canvas.isOpaque ? 1.05 : 1.16) {
            if let found = try lossless(level: 3, encoder) { return found }
        }
        if isNear(smallest, 1.05) || (!canvas.isOpaque && isNear(level1, 1.22)) {
            if let found = try coarse(canvas) { return found }
        }
        for (nearness, saving) in [(80, 1.25), (60, 1.3)] where isNear(level1, saving) {
            if let found = try nearLossless(nearness, encoder) { return found }
        }
        return nil
    }

    private mutating func lossless(
        level: Int, _ encoder: WebPEncoder
    ) throws(CodecError) -> Found? {
        let file = try encoder.lossless(level: level)
        return note(file, Encoding(mode: .lossless), quality: Double(level))
    }

    private mutating func coarse(_ canvas: borrowing PixelBuffer) throws(CodecError) -> Found? {
        let file = try WebPEncoder(canvas.withCoarseRed()).lossless(level: 3)
        let quality = Self.coarseRed
        return note(file, Encoding(mode: .nearLossless, quality: quality), quality: quality)
    }

    private mutating func nearLossless(
        _ nearness: Int, _ encoder: WebPEncoder
    ) throws(CodecError) -> Found? {
        let file = try encoder.nearLossless(level: 1, nearness: nearness)
        let quality = Double(nearness)
        return note(file, Encoding(mode: .nearLossless, quality: quality), quality: quality)
    }

    /// Writes an attempt down; what was found if it fits.
    private mutating func note(
        _ file: [UInt8], _ encoding: Encoding, quality: Double
    ) -> Found? {
        attempts.append(
            FitAttempt(mode: encoding.mode, quality: quality, bytes: file.count))
        return file.count <= target ? Found(file: file, encoding: encoding) : nil
    }

    private var smallest: Int { attempts.map(\.bytes).min() ?? .max }

    private func isNear(_ bytes: Int, _ factor: Double) -> Bool {
        Double(bytes) <= Double(target) * factor
    }

    // MARK: With loss

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
