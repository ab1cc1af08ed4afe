import StickerCodecs
import StickerModel
import StickerRaster

/// What a still could have been at best: every form is encoded, whatever that costs.
struct FullSearch {
    /// The highest score of all files that fit; `nil` if none does.
    private(set) var score: Double?
    private let judge: PerceptualReference
    private let bytesMax: Int

    /// Tries lossless, near-lossless and lossy files of `canvas` with at most `bytesMax` bytes.
    init(_ canvas: borrowing PixelBuffer, bytesMax: Int) throws {
        judge = PerceptualReference(canvas)
        self.bytesMax = bytesMax
        let encoder = WebPEncoder(canvas)
        for level in [1, 3, 6] { try add(encoder.lossless(level: level)) }
        // Whoever fits without loss has nothing to gain.
        guard score == nil else { return }
        try add(WebPEncoder(canvas.withCoarseRed()).lossless(level: 3))
        for nearness in [80, 60, 40, 20] {
            try add(encoder.nearLossless(level: 3, nearness: nearness))
        }
        try addLossy(encoder)
    }

    private mutating func add(_ file: [UInt8]) throws {
        guard file.count <= bytesMax else { return }
        score = max(score ?? 0, judge.score(of: try WebPDecoder.still(file)))
    }

    /// Adds the file of the highest quality that fits, to half a step.
    private mutating func addLossy(_ encoder: WebPEncoder) throws {
        let best = try encoder.lossy(quality: 100)
        if best.count <= bytesMax { return try add(best) }
        var (fits, isTooLarge) = (0.0, 100.0)
        while isTooLarge - fits > 0.5 {
            let quality = (fits + isTooLarge) / 2
            if try encoder.lossy(quality: quality).count <= bytesMax {
                fits = quality
            } else {
                isTooLarge = quality
            }
        }
        try add(encoder.lossy(quality: fits))
    }
}
