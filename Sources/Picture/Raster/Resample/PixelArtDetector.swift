public import StickerValues

/// Distinguishes pixel art from photos and from drawings with smooth edges, by all frames of a picture.
///
/// A picture of blocks of at least 2x2 equal pixels was enlarged without smoothing, and is judged in its original size:
/// a sprite is a sprite again, and a photo a photo. It may have at most 128 pixels a side, or 256 such blocks.
///
/// 1. **Details.** They must be pixels: of all runs of equal pixels, in rows and columns, at least 7 % have a length of
///    one, and some of either. In sprites a third has. Flags, plain areas and mosaics of larger cells have next to
///    none, and little to blur. With at most 48 pixels a side, each is a detail; with that many blocks, some must be.
/// 2. **Hard outline.** Where alpha changes, few pixels lie between, unless it has only one or two levels besides none
///    and all, as for a shadow or glass; with more, over 40 % of it is opaque. In an anti-aliased outline a third lies
///    between, even at 16x16.
/// 3. **Colours with areas.** At most half of the colours are blends, found about as often in the middle of a soft edge
///    as at all. In a smooth icon of two colours, nearly all others are.
/// 4. **Few colours**, and the tests of `PixelArtLimits`, which are stricter the more there are, and much stricter
///    without a hard outline: a photo has none.
/// 5. **Hard edges inside.** An edge is soft if the middle one of three pixels in a row or column lies between the
///    others, which differ by 24 levels or more, and hard if it equals one of them. With many colours there must be
///    more hard ones, or nearly as many on transparency. With up to 16, a ramp is a choice of the artist.
///
/// The thresholds were set on collections of sprites, icons and emoji of games, small photos and anti-aliased emoji,
/// and tested on others; see docs/design/scaling.md.
public struct PixelArtDetector {
    /// The result.
    public enum Finding: Hashable, Sendable {
        /// Is enlarged by whole factors.
        case pixelArt(PixelArt)
        /// Stays smooth; the reason, for people: `it has more than 128 pixels a side`.
        case smooth(String)
    }

    /// The limits of the longer side in pixels, of a picture and of its size before it was enlarged.
    private static let (sideMin, sideMax, sideMaxInBlocks) = (8, 128, 256)
    private static let colorsMax = 1024
    /// The least percentage of runs that are one pixel long.
    private static let shortRunsMin = 7
    /// The largest side at which each pixel counts as a detail.
    private static let sideOfDetail = 48

    private let block: Int
    private let measures: PixelArtMeasures

    /// Reads a picture twice: first for blocks, then for the pixels of its original size.
    ///
    /// - Parameters:
    ///   - size: the size of every frame in pixels.
    ///   - layout: of the samples, which must not be inks.
    ///   - show: passes all rows of all frames, top to bottom: straight samples, and the number of the row. It may stop
    ///     once it gets `false`, and is called up to twice.
    /// - Returns: the finding.
    /// - Throws: the errors of `show`.
    public static func finding<Fault: Error>(
        of size: PixelSize, _ layout: SampleLayout,
        showing show: (_ goesOn: (UnsafeRawBufferPointer, Int) -> Bool) throws(Fault) -> Void
    ) throws(Fault) -> Finding {
        precondition(!layout.isInk, "inks are no pixels")
        if size.longSide < sideMin { return .smooth("it is too small to show anything") }
        var blocks = PixelBlocks(size: size)
        try show { row, y in
            blocks.note(row, layout, y: y)
            return blocks.side > 1
        }
        // Larger fields are those of a flag.
        let block = size.longSide / blocks.side < sideMin ? 1 : blocks.side
        let art = PixelSize(width: size.width / block, height: size.height / block)
        let sideMax = block > 1 ? sideMaxInBlocks : sideMax
        if art.longSide > sideMax { return .smooth("it has more than \(sideMax) pixels a side") }
        var measures = PixelArtMeasures(size: art, colorsMax: colorsMax)
        try show { row, y in
            guard measures.colors.count <= colorsMax else { return false }
            guard y % block == 0 else { return true }
            measures.note(
                PixelRow(row, layout, width: size.width, step: block), y: y / block)
            return true
        }
        return Self(block: block, measures: measures).finding
    }

    private var finding: Finding {
        if let reason = refusal {
            return .smooth(
                block > 1 ? "\(reason), with its blocks of \(block)x\(block) as pixels" : reason)
        }
        return .pixelArt(
            PixelArt(size: measures.size, block: block, colors: measures.colors.count))
    }

    // MARK: Tests

    private var isCutOut: Bool { measures.isCutOut }

    private var refusal: String? {
        let colors = measures.colors.count
        if colors > Self.colorsMax { return "it has more than \(Self.colorsMax.grouped) colours" }
        if !isDetailed {
            return "its details are larger than pixels"
        }
        if let reason = softOutline { return reason }
        let blends = measures.colors.values.count { $0.blends >= $0.pixels }
        let blendsMax = !isCutOut ? 50 : colors > 24 ? 55 : 65
        if colors > 2, 100 * blends > blendsMax * colors {
            return "\(blends) of \(colors) colours are blends"
        }
        if 100 * colors > (isCutOut ? 90 : 50) * measures.visible { return manyColors }
        return PixelArtLimits.limits(for: measures).refusal(of: measures) ?? softEdges
    }

    private var manyColors: String {
        "it has \(measures.colors.count.counted("colour", "colours")) in \(measures.visible.grouped) pixels"
    }

    /// Whether enough details are as small as pixels.
    private var isDetailed: Bool {
        let (across, down) = measures.shortRuns
        let hasAny = across > 0 && down > 0
        guard measures.size.longSide > Self.sideOfDetail else { return hasAny || block == 1 }
        return hasAny && 100 * (across + down) >= Self.shortRunsMin * measures.runs
    }

    private var softOutline: String? {
        let levels = measures.translucencies.count
        // Shadows of sprites fade, as those of Wesnoth do; their details are unlike those of icons.
        let isSprite =
            measures.visible >= 600 && measures.detail >= 12 && measures.sharpness >= 160
            && measures.edgeDensity >= 120
        let softMax = max(isSprite ? 25 : 5, levels > 2 ? 0 : 15)
        let soft = measures.softAlphaEdges.percent(of: measures.alphaEdges)
        if soft > Double(softMax) { return "\(Int(soft)) % of its outline is soft" }
        let isFaint = levels > 2 && 5 * measures.hardOutline <= 2 * measures.outline
        return isFaint ? "its outline is translucent" : nil
    }

    private var softEdges: String? {
        guard measures.softness > softEdgesMax else { return nil }
        return "\(Int(measures.softness)) % of its edges are soft"
    }

    /// The percentage of edges that may be soft.
    private var softEdgesMax: Double {
        let (colors, hard) = (measures.colors.count, measures.hardness)
        let (faint, details) = (measures.faintness, measures.detail)
        if isCutOut { return colors > 16 ? hard + 20 - faint : 100 }
        if colors <= 16 { return details >= 9 ? 80 : 50 }
        let isTile = block > 1 || measures.size.longSide <= 32
        let isSharp = measures.sharpness >= 170 && details >= 4
        return isTile && isSharp && faint <= 25 && hard >= 4 ? max(hard, 38) : hard
    }
}
