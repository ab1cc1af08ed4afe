public import StickerModel

/// Tells pixel art from photos and from drawings with smooth edges, by all frames of a picture, row by row.
///
/// A picture of blocks of at least 2x2 equal pixels was enlarged on purpose and is pixel art, whatever its
/// colours. Any other has at most 128 pixels a side, and has to pass five tests.
///
/// In both cases its details have to be pixels, or such blocks: of all runs of equal pixels, in rows and columns, at least
/// 7 % have a length of one, and some of either. In sprites a third has. Flags, plain areas and mosaics of larger
/// cells have next to none, and little to blur. Of at most 48 pixels, each is a detail.
///
/// 1. **Hard outline.** At most 2 levels of translucency, as for a shadow or glass. An anti-aliased outline has
///    dozens, even at 16x16; one of nearly nothing but straight lines has 4.
/// 2. **Few colours.** At most 128, and at most half as many as pixels. Photos of 16x16 pixels have 160 or more.
/// 3. **Clear steps.** Of the steps between visible neighbours that differ, at most 40 % are faint, which is
///    4 of 255 levels or less; with more than 32 colours 5 %. Skies, gradients and noise have more.
/// 4. **Hard edges inside.** An edge is soft if the middle one of three pixels in a row or column lies between
///    the others, which differ by 24 levels or more. At most 40 % may be soft with more than
///    16 colours, 28 % with more than 32. With fewer, a ramp is a choice of the artist.
/// 5. **Colours with areas.** At most half of the colours are blends, found about as often in the middle of a
///    soft edge as at all. Of a smooth icon of two colours, nearly all others are.
///
/// The thresholds were set on one part of a collection of sprites, icons and emoji of games, small photos and
/// anti-aliased emoji, and judged on another; see "Pixel art" in ARCHITECTURE.md.
public struct PixelArtDetector {
    /// What was found.
    public enum Finding: Hashable, Sendable {
        /// To be enlarged by whole factors.
        case pixelArt(PixelArt)
        /// To stay smooth, and why, for people: `it has more than 128 colours`.
        case smooth(String)
    }

    /// The longer side in pixels of pixel art that was not enlarged.
    private static let sides = 8...128
    /// The same of art that was, before that: its blocks leave no doubt.
    private static let sidesInBlocks = 8...256
    private static let colorsMax = 128
    private static let translucenciesMax = 2
    /// Alpha below which nothing shows, and from which nothing shines through.
    private static let (alphaMin, alphaOpaque) = (UInt32(4), UInt32(252))
    /// The largest step that is faint, and the smallest difference across an edge, in levels.
    private static let (faintStep, edgeStep) = (Int32(4), Int32(24))
    /// The least percentage of runs that are one pixel long.
    private static let shortRunsMin = 7
    /// Pixels a side up to which each counts as a detail.
    private static let sideOfDetail = 48

    private let size: PixelSize
    private let layout: SampleLayout
    /// The last three rows, the newest last.
    private var rows: [Row] = []
    /// How many runs of equal pixels have each length, in rows and in columns.
    private var runs: (across: [Int], down: [Int])
    /// How long the runs of columns are so far.
    private var columnRuns: [Int]
    /// The largest block that all pixels so far consist of.
    private var block: Int
    /// For each colour, the number of its pixels, less one for each time that one is the middle of a soft edge.
    private var colors: [UInt32: Int] = [:]
    private var translucencies: Set<UInt32> = []
    private var visible = 0
    private var (steps, faintSteps, edges, softEdges) = (0, 0, 0, 0)

    /// Waits for frames of `size`, in `layout`.
    public init(size: PixelSize, layout: SampleLayout) {
        precondition(!layout.isInk, "inks are no pixels")
        (self.size, self.layout) = (size, layout)
        block = Self.commonDivisor(size.width, size.height)
        let none = Array(repeating: 0, count: size.longSide + 1)
        runs = (none, none)
        columnRuns = Array(repeating: 0, count: size.width)
    }

    /// Whether nothing that follows can make it pixel art.
    public var isHopeless: Bool { block == 1 && finalRefusal != nil }

    /// What all rows so far say.
    public var finding: Finding {
        let art = PixelSize(width: size.width / block, height: size.height / block)
        if block > 1, Self.sidesInBlocks ~= art.longSide, isDetailed(in: block) {
            return .pixelArt(PixelArt(size: art, block: block))
        }
        if let reason = finalRefusal ?? refusal { return .smooth(reason) }
        return .pixelArt(PixelArt(size: size, colors: colors.count))
    }

    /// Takes row `y` of a frame: straight samples of the layout and width that were announced.
    public mutating func note(_ bytes: UnsafeRawBufferPointer, y: Int) {
        guard !isHopeless else { return }
        if y == 0 { rows = [] }
        if rows.count == 3 { rows.removeFirst() }
        let row = Row(bytes, layout, width: size.width)
        rows.append(row)
        noteRuns(row, y)
        notePixels(row)
        noteSteps(row)
    }

    // MARK: Measures

    private mutating func noteRuns(_ row: Row, _ y: Int) {
        var length = 1
        for x in 1..<size.width {
            if row.pixels[x] == row.pixels[x - 1] {
                length += 1
            } else {
                runs.across[length] += 1
                length = 1
                block = Self.commonDivisor(block, x)
            }
        }
        runs.across[length] += 1
        noteColumnRuns(row, y)
    }

    private mutating func noteColumnRuns(_ row: Row, _ y: Int) {
        for x in 0..<size.width {
            if y > 0, row.pixels[x] != rows[rows.count - 2].pixels[x] {
                endColumnRun(x)
                block = Self.commonDivisor(block, y)
            }
            columnRuns[x] += 1
            if y == size.height - 1 { endColumnRun(x) }
        }
    }

    private mutating func endColumnRun(_ x: Int) {
        runs.down[columnRuns[x]] += 1
        columnRuns[x] = 0
    }

    private mutating func notePixels(_ row: Row) {
        for pixel in row.pixels where pixel != 0 {
            visible += 1
            guard colors.count <= Self.colorsMax else { continue }
            colors[pixel, default: 0] += 1
            if pixel >> 24 < Self.alphaOpaque { translucencies.insert(pixel >> 24) }
        }
    }

    private mutating func noteSteps(_ row: Row) {
        for x in 1..<size.width { noteStep(row.levels[x - 1], row.levels[x]) }
        for x in 1..<max(1, size.width - 1) {
            noteEdge(row.levels[x - 1], row.levels[x], row.levels[x + 1], row.pixels[x])
        }
        guard rows.count > 1 else { return }
        let above = rows[rows.count - 2]
        for x in 0..<size.width { noteStep(above.levels[x], row.levels[x]) }
        guard rows.count > 2 else { return }
        for x in 0..<size.width {
            noteEdge(rows[0].levels[x], above.levels[x], row.levels[x], above.pixels[x])
        }
    }

    private mutating func noteStep(_ first: SIMD4<Int32>, _ second: SIMD4<Int32>) {
        guard first != second, first.w > 0, second.w > 0 else { return }
        steps += 1
        if Self.difference(first, second) <= Self.faintStep { faintSteps += 1 }
    }

    private mutating func noteEdge(
        _ first: SIMD4<Int32>, _ middle: SIMD4<Int32>, _ last: SIMD4<Int32>, _ pixel: UInt32
    ) {
        guard first != last else { return }
        let step = Self.difference(first, last)
        guard step >= Self.edgeStep else { return }
        edges += 1
        let isBetween = all((middle &- first) &* (last &- middle) .>= 0)
        guard isBetween else { return }
        let nearer = min(Self.difference(first, middle), Self.difference(middle, last))
        guard 10 * nearer > step else { return }
        softEdges += 1
        colors[pixel]? -= 1
    }

    // MARK: Tests

    /// A refusal that no further row takes back.
    private var finalRefusal: String? {
        if size.longSide > Self.sides.upperBound {
            return "it has more than \(Self.sides.upperBound) pixels a side"
        }
        if translucencies.count > Self.translucenciesMax {
            return "its outline is soft, with more than \(Self.translucenciesMax) levels of alpha"
        }
        return colors.count > Self.colorsMax ? "it has more than \(Self.colorsMax) colours" : nil
    }

    private var refusal: String? {
        if size.longSide < Self.sides.lowerBound { return "it is too small to show anything" }
        if steps + edges == 0 { return "it is plain" }
        if size.longSide > Self.sideOfDetail, !isDetailed(in: 1) {
            return "its details are larger than pixels"
        }
        if colors.count * 2 > visible {
            return "it has \(colors.count) colours in \(visible) pixels"
        }
        let allowed = Self.percentAllowed(colors: colors.count)
        if 100 * faintSteps > allowed.faint * steps {
            return "\(100 * faintSteps / steps) % of its steps of colour are faint"
        }
        if 100 * softEdges > allowed.soft * edges {
            return "\(100 * softEdges / edges) % of its edges are soft"
        }
        let blends = colors.values.count { $0 <= 0 }
        return 2 * blends > colors.count ? "\(blends) of \(colors.count) colours are blends" : nil
    }

    /// Whether enough details are as small as blocks of a size.
    private func isDetailed(in block: Int) -> Bool {
        let (across, down) = (runs.across[block], runs.down[block])
        let all = runs.across.reduce(0, +) + runs.down.reduce(0, +)
        return across > 0 && down > 0 && 100 * (across + down) >= Self.shortRunsMin * all
    }

    /// How many steps may be faint, and how many edges soft.
    private static func percentAllowed(colors: Int) -> (faint: Int, soft: Int) {
        switch colors {
        case ...16: (40, 100)
        case ...32: (40, 40)
        default: (5, 28)
        }
    }

    private static func difference(_ one: SIMD4<Int32>, _ other: SIMD4<Int32>) -> Int32 {
        let change = one &- other
        return max(
            max(abs(change.x), abs(change.y)), max(abs(change.z), abs(change.w)))
    }

    private static func commonDivisor(_ one: Int, _ other: Int) -> Int {
        other == 0 ? one : commonDivisor(other, one % other)
    }

    /// A row as it is compared.
    private struct Row {
        /// Straight RGBA, alpha in the highest byte; 0 where nothing shows.
        let pixels: [UInt32]
        /// The same, premultiplied.
        let levels: [SIMD4<Int32>]

        init(_ bytes: UnsafeRawBufferPointer, _ layout: SampleLayout, width: Int) {
            pixels = (0..<width).map { Self.pixel(bytes, layout, $0) }
            levels = pixels.map { pixel in
                let straight = unsafeBitCast(pixel.littleEndian, to: SIMD4<UInt8>.self)
                let level = SIMD4<Int32>(truncatingIfNeeded: straight)
                var premultiplied = level &* level.w / 255
                premultiplied.w = level.w
                return premultiplied
            }
        }

        private static func pixel(
            _ bytes: UnsafeRawBufferPointer, _ layout: SampleLayout, _ x: Int
        ) -> UInt32 {
            let pixel: UInt32
            if layout == .rgba16 {
                let wide = bytes.loadUnaligned(fromByteOffset: x * 8, as: SIMD4<UInt16>.self)
                let rounded = (SIMD4<UInt32>(truncatingIfNeeded: wide) &+ 128) / 257
                let straight = SIMD4<UInt8>(truncatingIfNeeded: rounded)
                pixel = unsafeBitCast(straight, to: UInt32.self)
            } else {
                pixel = bytes.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self)
            }
            let own = UInt32(littleEndian: pixel)
            return own >> 24 < alphaMin ? 0 : own
        }
    }
}
