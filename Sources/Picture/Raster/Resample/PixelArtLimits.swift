import StickerValues

/// Limits for pixel art by its number of colours.
///
/// Photos reduced to few colours, as in GIF, differ from tiles without an outline in three ways: their colours change
/// gradually, are used about equally often, and are few for the number of pixels.
struct PixelArtLimits {
    /// The change of the colours' change, in percent of the change: 200 between areas, 173 in noise, less than 150 in
    /// smoothly scaled pictures.
    var sharpnessMin = 0.0
    /// The percentage of steps that are faint.
    var faintMax = 60.0
    /// The percentage of pixels that equal their neighbours.
    var equalMax = 100.0
    /// Edges per 100 pixels.
    var edgesMin = 1.0
    /// The percentage of pixels that stand out from both neighbours in a row or column.
    var detailMin = 0.0
    /// The percentage of pixels with the eight most frequent colours.
    var mainColorsMin = 0.0
    /// Pixels per colour, without those of a plain background.
    var pixelsMax = Double.infinity

    /// For art that fills its rectangle, by the number of its colours.
    private static let byColors: [(colors: Int, limits: Self)] = [
        (8, Self()),
        (16, Self(sharpnessMin: 144, detailMin: 1, mainColorsMin: 66, pixelsMax: 125)),
        (
            64,
            Self(sharpnessMin: 153, faintMax: 30, detailMin: 1, mainColorsMin: 45, pixelsMax: 66)
        ),
        (256, Self(sharpnessMin: 153, faintMax: 30, detailMin: 1, mainColorsMin: 15)),
        (.max, Self(sharpnessMin: 170, faintMax: 30, detailMin: 1)),
    ]
    /// A picture with more pixels than a tile of 32x32.
    private static let manyPixels = 1100

    /// The limits for a picture.
    static func limits(for measures: PixelArtMeasures) -> Self {
        measures.isCutOut ? cutOut(measures) : full(measures)
    }

    /// For art on transparency. Smooth drawings with a hard-cut outline, as GIF needs it, are still blurred inside:
    /// with more than 16 colours, gradual changes and large areas must be offset by sharp ones and by details.
    private static func cutOut(_ measures: PixelArtMeasures) -> Self {
        let colors = measures.colors.count
        guard colors > 16 else {
            let isSmall = colors <= 8 && measures.visible <= 300 * colors
            return Self(equalMax: isSmall ? 100 : 80)
        }
        return Self(
            sharpnessMin: 152 + measures.faintness,
            equalMax: measures.sharpness + measures.detail - 110, detailMin: 1)
    }

    private static func full(_ measures: PixelArtMeasures) -> Self {
        let colors = measures.colors.count
        var limits = byColors.first { colors <= $0.colors }?.limits ?? Self()
        if colors > 16, measures.drawn > manyPixels { limits.pixelsMax /= 2 }
        // A smooth icon on a plain background.
        let isCrisp = measures.sharpness >= 175 && measures.softness <= 17
        if colors > 32, measures.equality >= 40, !isCrisp { limits.faintMax = 10 }
        return limits
    }

    /// Why it is no pixel art, for people.
    func refusal(of measures: PixelArtMeasures) -> String? {
        let colors = measures.colors.count
        if measures.steps + measures.outline == 0 { return "it is plain" }
        if measures.edgeDensity < edgesMin { return "it has hardly any edges" }
        if measures.faintness > faintMax {
            return "\(Int(measures.faintness)) % of its changes of colour are faint"
        }
        if measures.sharpness < sharpnessMin { return "its colours change gradually" }
        if measures.detail < detailMin { return "it has hardly any details of one pixel" }
        if measures.equality > equalMax { return "its areas are large and smooth" }
        if measures.mainColors < mainColorsMin {
            return "it uses its colours about equally, as a photo does"
        }
        if Double(measures.drawn) > pixelsMax * Double(colors) {
            return
                "it has only \(colors) colours in \(measures.drawn.grouped) pixels, as a reduced photo"
        }
        return nil
    }
}

extension PixelArtMeasures {
    /// The share of steps that are faint, in percent.
    var faintness: Double { faintSteps.percent(of: steps) }
    /// The change of the colours' change, in percent of the change.
    var sharpness: Double { bend.percent(of: slope) }
    /// The share of pixels that equal their neighbours, in percent.
    var equality: Double { (pairs - steps).percent(of: pairs) }
    /// Edges per 100 pixels.
    var edgeDensity: Double { edges.percent(of: visible) }
    /// The share of pixels that stand out from both neighbours, in percent.
    var detail: Double { details.percent(of: triples) }
    /// The share of edges that are soft, in percent.
    var softness: Double { softEdges.percent(of: edges) }
    /// The share of edges that are hard, in percent.
    var hardness: Double { exactEdges.percent(of: edges) }
    /// The share of pixels with the eight most frequent colours, in percent.
    var mainColors: Double {
        colors.values.map(\.pixels).sorted(by: >).prefix(8).reduce(0, +).percent(of: visible)
    }
    /// The number of visible pixels, without those of a plain background.
    var drawn: Int {
        let most = colors.values.map(\.pixels).max() ?? 0
        return most.percent(of: visible) >= 40 ? visible - most : visible
    }
}

extension Int {
    /// The percentage of `whole`; 0 if that is 0.
    func percent(of whole: Int) -> Double { whole == 0 ? 0 : 100 * Double(self) / Double(whole) }
}
