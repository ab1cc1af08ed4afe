import StickerCodecs
import StickerRaster
public import StickerValues

/// Draws a page of a contact sheet: each sticker on backgrounds of chats, a strip of frames if it moves, and below it
/// its id and lint's warnings.
public struct SheetDrawing {
    private static let gap = 24
    private static let line = 20
    private static let paper = SIMD3<UInt8>(0xD9, 0xD9, 0xD9)
    private static let gray = SIMD3<UInt8>(repeating: 0x80)
    private static let ink = SIMD3<UInt8>(0x20, 0x20, 0x20)
    private static let alarm = SIMD3<UInt8>(0xC8, 0, 0)
    private static let advice = SIMD3<UInt8>(0x9A, 0x5A, 0)

    private let readers: PictureReaders
    private let limits: DecodeLimits
    private let page: SheetPage
    private let letters: [String: DrawnText]
    private let grounds: [SIMD3<UInt8>]
    /// The side of a sticker in pixels.
    private let tile: Int
    /// How many stickers are in a row.
    private var columns: Int { page.isCloseUp ? 1 : min(3, page.cells.count) }
    /// The side of a frame in the strip, which has twice as many as there are backgrounds.
    private var small: Int { tile / 2 }
    private var cellWidth: Int { tile * grounds.count }

    /// Creates the drawing of a page.
    ///
    /// - Parameters:
    ///   - page: its contents; at least one sticker.
    ///   - letters: the words on it, drawn; others are left out.
    ///   - readers: the decoders.
    ///   - limits: of each file.
    public init(
        _ page: SheetPage, _ letters: [String: DrawnText], readers: PictureReaders,
        limits: DecodeLimits
    ) {
        self.page = page
        self.letters = letters
        self.readers = readers
        self.limits = limits
        tile = page.isCloseUp ? 384 : 144
        let light = ChatGround.allCases.filter { !$0.isDark }.map(\.color)
        let dark = ChatGround.allCases.filter(\.isDark).map(\.color)
        grounds = light + (page.isCloseUp ? [Self.gray] : []) + dark
    }

    /// Draws the page.
    ///
    /// - Parameter source: the files of its stickers, one after another.
    /// - Returns: a PNG, and the files that could not be read; their places have a cross.
    /// - Throws: `Refusal` if memory is short.
    public func draw(
        _ source: SourceBytes
    ) throws(Refusal) -> (png: [UInt8], faults: [SheetPage.Fault]) {
        var canvas = SheetCanvas(size: size, Self.paper)
        var faults: [SheetPage.Fault] = []
        var start = 0
        for (index, cell) in page.cells.enumerated() {
            let end = min(source.count, start + cell.bytes)
            let file = source.withUnsafeBytes { SourceBytes(Array($0[start..<end])) }
            start = end
            let (x, y) = corner(of: index)
            do throws(Refusal) {
                try draw(file, moves: cell.moves, &canvas, x, y)
            } catch {
                let area = SheetArea(x: x, y: y, width: cellWidth, height: tile)
                canvas.fill(area, Self.alarm)
                faults.append(SheetPage.Fault(cell.identifier, error.detail))
            }
            label(cell, &canvas, x, y)
        }
        return (try Refusal.catching { try PNGEncoder.encode(canvas.pixels) }, faults)
    }

    // MARK: Places

    private var cellHeight: Int {
        let strip = page.cells.contains(where: \.moves) ? small : 0
        return tile + strip + 2 * Self.line
    }

    private var size: PixelSize {
        let rows = (page.cells.count + columns - 1) / columns
        return PixelSize(
            width: Self.gap + columns * (cellWidth + Self.gap),
            height: Self.gap + rows * (cellHeight + Self.gap))
    }

    private func corner(of index: Int) -> (x: Int, y: Int) {
        (
            Self.gap + index % columns * (cellWidth + Self.gap),
            Self.gap + index / columns * (cellHeight + Self.gap)
        )
    }

    // MARK: Stickers

    private func draw(
        _ file: SourceBytes, moves: Bool, _ canvas: inout SheetCanvas, _ x: Int, _ y: Int
    ) throws(Refusal) {
        let square = TargetCanvas(width: tile, height: tile)
        let recipe = Recipe(
            settings: StickerSettings(), targets: [Target(name: "sheet", canvas: square)])
        let run = PipelineRun(recipe: recipe, readers: readers, limits: limits)
        switch try run.draw(try run.open(file), on: square) {
        case .still(let picture):
            drawFirst(picture.pixels, &canvas, x, y)
        case .moving(let frames, let timeline):
            drawFirst(try frames.canvas(timeline.frames[0].source).pixels, &canvas, x, y)
            if moves { try drawStrip(frames, timeline, &canvas, x, y + tile) }
        }
    }

    private func drawFirst(
        _ picture: borrowing PixelBuffer, _ canvas: inout SheetCanvas, _ x: Int, _ y: Int
    ) {
        for (index, ground) in grounds.enumerated() {
            canvas.paste(picture, x: x + index * tile, y: y, on: ground)
        }
    }

    /// Draws frames at equal time intervals, alternately on light and dark.
    private func drawStrip(
        _ frames: any FrameSource, _ timeline: Timeline, _ canvas: inout SheetCanvas, _ x: Int,
        _ y: Int
    ) throws(Refusal) {
        let count = cellWidth / small
        for index in 0..<count {
            let time = timeline.totalMilliseconds * (2 * index + 1) / (2 * count)
            let frame = try frames.canvas(timeline.frame(at: time).source).pixels
                .resampled(to: PixelSize(width: small, height: small))
            let ground = index.isMultiple(of: 2) ? ChatGround.lightWallpaper : .darkWallpaper
            canvas.paste(frame, x: x + index * small, y: y, on: ground.color)
        }
    }

    // MARK: Labels

    private func label(_ cell: SheetPage.Cell, _ canvas: inout SheetCanvas, _ x: Int, _ y: Int) {
        let baseline = y + tile + (cell.moves ? small : 0) + Self.line + 2
        write(cell.identifier.rawValue, &canvas, x: x, y: baseline, width: cellWidth, Self.ink)
        var left = x
        for mark in cell.marks {
            let isAdvice = mark.place == .edge
            let color = isAdvice ? Self.advice : Self.alarm
            canvas.frame(area(of: mark, x, y), width: isAdvice ? 2 : 4, color)
            left += write(
                mark.words, &canvas, x: left, y: baseline + Self.line, width: x + cellWidth - left,
                color)
        }
    }

    /// Writes words on a baseline, narrower if they would be too long.
    ///
    /// - Returns: the distance to the next words.
    @discardableResult
    private func write(
        _ words: String, _ canvas: inout SheetCanvas, x: Int, y: Int, width: Int,
        _ color: SIMD3<UInt8>
    ) -> Int {
        guard width > 0, let text = letters[words],
            let shape = try? PixelBuffer(
                [UInt8](text.rows), Watermark.RawPixels(size: text.size))
        else { return 0 }
        let size = PixelSize(width: min(width, text.size.width), height: text.size.height)
        canvas.ink(shape.resampled(to: size), x: x, y: y - text.rise, color)
        return size.width + Self.gap
    }

    /// Light backgrounds come first, then the dark ones.
    private func area(of mark: SheetPage.Mark, _ x: Int, _ y: Int) -> SheetArea {
        let half = cellWidth / 2
        return switch mark.place {
        case .light: SheetArea(x: x, y: y, width: half, height: tile)
        case .dark: SheetArea(x: x + half, y: y, width: half, height: tile)
        case .everywhere, .edge: SheetArea(x: x, y: y, width: cellWidth, height: tile)
        }
    }
}

extension Timeline {
    /// The frame shown at `milliseconds`.
    fileprivate func frame(at milliseconds: Int) -> Frame {
        var end = 0
        for frame in frames {
            end += frame.milliseconds
            if milliseconds < end { return frame }
        }
        return frames[frames.count - 1]
    }
}
