import StickerValues

/// Counts over all frames of a small picture, to detect pixel art.
struct PixelArtMeasures {
    /// The least alpha of an opaque pixel.
    private static let alphaOpaque = UInt32(252)
    /// The fewest steps from transparent to visible that make an outline.
    private static let outlineMin = 4
    /// The largest faint step, the smallest difference across an edge, and that of a detail, in levels.
    private static let (faintStep, edgeStep, detailStep) = (Int32(4), Int32(24), Int32(16))

    /// How often a colour occurs, and how often as the middle of a soft edge.
    struct ColorUse {
        var pixels = 0
        var blends = 0
    }

    /// The size of the picture, in its own pixels.
    let size: PixelSize
    /// The most colours counted.
    let colorsMax: Int
    /// The visible colours.
    private(set) var colors: [UInt32: ColorUse] = [:]
    /// The levels of alpha between transparent and opaque.
    private(set) var translucencies: Set<UInt32> = []
    /// The number of visible pixels.
    private(set) var visible = 0
    /// Pairs of visible neighbours, those that differ, and those that hardly do.
    private(set) var (pairs, steps, faintSteps) = (0, 0, 0)
    /// Triples of visible pixels in a row or column, and those whose middle one differs from both others.
    private(set) var (triples, details) = (0, 0)
    /// Triples of pixels in a row or column whose outer ones differ clearly; those with a middle between the two, and
    /// those with a middle equal to one of them.
    private(set) var (edges, softEdges, exactEdges) = (0, 0, 0)
    /// The same for alpha alone.
    private(set) var (alphaEdges, softAlphaEdges) = (0, 0)
    /// Steps from transparent to visible, and those to opaque.
    private(set) var (outline, hardOutline) = (0, 0)
    /// Whether every frame has a transparent background, unlike nearly all photos.
    private(set) var isCutOut = true
    /// The sums of the colours' change from pixel to pixel, and of the change of that.
    private(set) var (slope, bend) = (0, 0)
    /// The number of runs of equal pixels, and of those in rows and in columns of one pixel.
    private(set) var runs = 0
    private(set) var shortRuns = (across: 0, down: 0)

    /// The last three rows, the newest last.
    private var rows: [(pixels: [UInt32], levels: [SIMD4<Int32>])] = []
    private var columnRuns: [Int]
    /// The counts of visible and outline before the current frame.
    private var before = (visible: 0, outline: 0)

    /// Creates empty counts for frames of `size`.
    init(size: PixelSize, colorsMax: Int) {
        (self.size, self.colorsMax) = (size, colorsMax)
        columnRuns = Array(repeating: 0, count: size.width)
    }

    /// Adds row `y` of a frame.
    mutating func note(_ row: PixelRow, y: Int) {
        if y == 0 { (rows, before) = ([], (visible, outline)) }
        if rows.count == 3 { rows.removeFirst() }
        rows.append((row.pixels, row.levels))
        notePixels(row.pixels)
        noteRuns(row.pixels, y)
        for x in 1..<max(1, size.width) { noteStep(at(0, x - 1), at(0, x)) }
        for x in 2..<max(2, size.width) { noteEdge(at(0, x - 2), at(0, x - 1), at(0, x)) }
        for x in 0..<size.width where y > 0 { noteStep(at(1, x), at(0, x)) }
        for x in 0..<size.width where y > 1 { noteEdge(at(2, x), at(1, x), at(0, x)) }
        guard y == size.height - 1, visible > before.visible else { return }
        if outline - before.outline < Self.outlineMin { isCutOut = false }
    }

    /// The pixel in column `x`, `above` rows above the newest.
    private func at(_ above: Int, _ x: Int) -> Pixel {
        let row = rows[rows.count - 1 - above]
        return Pixel(color: row.pixels[x], levels: row.levels[x])
    }

    private mutating func notePixels(_ pixels: [UInt32]) {
        for pixel in pixels where pixel != 0 {
            visible += 1
            if pixel >> 24 < Self.alphaOpaque { translucencies.insert(pixel >> 24) }
            if colors.count <= colorsMax { colors[pixel, default: ColorUse()].pixels += 1 }
        }
    }

    private mutating func noteRuns(_ pixels: [UInt32], _ y: Int) {
        var length = 0
        for x in 0..<size.width {
            length += 1
            if x == size.width - 1 || pixels[x] != pixels[x + 1] {
                runs += 1
                if length == 1 { shortRuns.across += 1 }
                length = 0
            }
            if y > 0, pixels[x] != at(1, x).color { endColumnRun(x) }
            columnRuns[x] += 1
            if y == size.height - 1 { endColumnRun(x) }
        }
    }

    private mutating func endColumnRun(_ x: Int) {
        runs += 1
        if columnRuns[x] == 1 { shortRuns.down += 1 }
        columnRuns[x] = 0
    }

    private mutating func noteStep(_ first: Pixel, _ second: Pixel) {
        guard first.isVisible, second.isVisible else {
            guard first.isVisible != second.isVisible else { return }
            outline += 1
            let alpha = max(first.color, second.color) >> 24
            if alpha >= Self.alphaOpaque { hardOutline += 1 }
            return
        }
        pairs += 1
        guard first.levels != second.levels else { return }
        steps += 1
        if first.levels.difference(to: second.levels) <= Self.faintStep { faintSteps += 1 }
    }

    private mutating func noteEdge(_ first: Pixel, _ middle: Pixel, _ last: Pixel) {
        noteAlpha(first.levels.w, middle.levels.w, last.levels.w)
        noteBend(first, middle, last)
        let step = first.levels.difference(to: last.levels)
        guard step >= Self.edgeStep else { return }
        edges += 1
        if middle.color == first.color || middle.color == last.color { exactEdges += 1 }
        let isBetween = all(
            (middle.levels &- first.levels) &* (last.levels &- middle.levels) .>= 0)
        guard isBetween else { return }
        let nearer = min(
            first.levels.difference(to: middle.levels), middle.levels.difference(to: last.levels))
        guard 10 * nearer > step else { return }
        softEdges += 1
        colors[middle.color]?.blends += 1
    }

    private mutating func noteBend(_ first: Pixel, _ middle: Pixel, _ last: Pixel) {
        guard first.isVisible, middle.isVisible, last.isVisible else { return }
        triples += 1
        let (before, after) = (middle.levels &- first.levels, middle.levels &- last.levels)
        slope += Int(before.largest)
        bend += Int((before &+ after).largest)
        let step = Self.detailStep
        let isBrighter = (before .>= step) .& (after .>= step)
        let isDarker = (before .<= -step) .& (after .<= -step)
        if any(isBrighter .| isDarker) { details += 1 }
    }

    private mutating func noteAlpha(_ first: Int32, _ middle: Int32, _ last: Int32) {
        let (low, high) = (min(first, last), max(first, last))
        guard high - low >= Self.edgeStep else { return }
        alphaEdges += 1
        let margin = (high - low) / 10
        if low + margin < middle, middle < high - margin { softAlphaEdges += 1 }
    }

    /// A pixel for comparison.
    private struct Pixel {
        /// Straight RGBA, alpha in the highest byte; 0 if invisible.
        let color: UInt32
        /// The same, premultiplied.
        let levels: SIMD4<Int32>

        var isVisible: Bool { color != 0 }
    }
}

extension SIMD4<Int32> {
    /// The largest difference of a channel.
    fileprivate func difference(to other: Self) -> Int32 { (self &- other).largest }

    /// The value farthest from zero, without its sign.
    fileprivate var largest: Int32 {
        let (low, high) = (self.min(), self.max())
        return Swift.max(-low, high)
    }
}
