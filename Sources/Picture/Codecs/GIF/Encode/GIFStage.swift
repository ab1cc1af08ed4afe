import StickerRaster
import StickerValues

/// The shown picture, the next one, and the indices that lead from one to the other.
///
/// Pixels are represented as in `GIFColor`.
final class GIFStage {
    private typealias Canvas = UnsafeMutableBufferPointer<UInt32>

    private let size: PixelSize
    /// The picture to be shown, the one after it, and the newest one.
    private var picture: Canvas
    private var next: Canvas
    private var newest: Canvas
    /// The previously shown picture, without areas cleared since, and the colours used for it.
    private let before: Canvas
    private let shown: Canvas
    /// Places in the colour table for the last drawing, in rows as wide as the canvas.
    let indices: UnsafeMutableBufferPointer<UInt8>

    init(size: PixelSize) {
        self.size = size
        func canvas() -> Canvas {
            let canvas = Canvas.allocate(capacity: size.pixelCount)
            canvas.initialize(repeating: 0)
            return canvas
        }
        (picture, next, newest) = (canvas(), canvas(), canvas())
        (before, shown) = (canvas(), canvas())
        indices = .allocate(capacity: size.pixelCount)
        indices.initialize(repeating: 0)
    }

    deinit {
        for canvas in [picture, next, newest, before, shown] { canvas.deallocate() }
        indices.deallocate()
    }

    /// The task of a frame.
    struct Change {
        /// The rectangle around the pixels that change their colour.
        var drawn: PixelRectangle
        /// The rectangle around the pixels that must be transparent afterwards.
        var cleared: PixelRectangle
    }

    /// Takes a frame of the size of the canvas as the newest.
    func receive(_ frame: borrowing PixelBuffer, matte: SIMD3<UInt8>) {
        precondition(frame.size == size)
        frame.withUnsafeBytes { bytes in
            GIFColor.flatten(bytes.bindMemory(to: UInt32.self), onto: matte, into: newest)
        }
    }

    /// Whether the newest frame shows the same as the one before it.
    var isNewestTheSame: Bool { newest.elementsEqual(next) }

    /// Puts the newest frame after the picture.
    func adoptNewest() { swap(&next, &newest) }

    /// Moves on to the frame after the picture.
    func advance() { swap(&picture, &next) }

    /// Compares the picture with the shown one, and with the frame after it.
    ///
    /// GIF cannot draw transparency. A pixel that loses its colour has to lie in the area of the previous
    /// frame, which is cleared as a whole and then redrawn where it shows anything.
    func change(isLast: Bool) -> Change {
        var (drawn, cleared) = (PixelBounds(), PixelBounds())
        for y in 0..<size.height {
            let row = y * size.width
            for x in 0..<size.width where picture[row + x] != 0 {
                if picture[row + x] != before[row + x] { drawn.note(x, y) }
                if !isLast, next[row + x] == 0 { cleared.note(x, y) }
            }
        }
        return Change(drawn: drawn.rectangle, cleared: cleared.rectangle)
    }

    /// Calls `body` with the colour of each pixel of `area` that gets another one, until it returns
    /// false.
    @inline(__always)
    func forEachDrawn(in area: PixelRectangle, _ body: (UInt32) -> Bool) {
        for y in area.y..<(area.y + area.height) {
            let row = y * size.width
            for place in (row + area.x)..<(row + area.x + area.width)
            where picture[place] != before[place] {
                guard body(picture[place]) else { return }
            }
        }
    }

    /// Fills `indices` and records the shown picture.
    /// - Returns: the area of the frame; at least one pixel, as GIF requires.
    func draw(_ change: Change, with brush: GIFBrush) -> PixelRectangle {
        let bounds =
            switch brush {
            case .exact(let table): draw(in: change.drawn.union(change.cleared), table)
            case .mixed(let mixer): draw(in: change.drawn.union(change.cleared), mixer)
            }
        let area = bounds.rectangle.union(change.cleared)
        return area.isEmpty ? PixelRectangle(x: 0, y: 0, width: 1, height: 1) : area
    }

    /// Records that the area has been shown and is transparent from now on.
    func clear(_ area: PixelRectangle) {
        for y in area.y..<(area.y + area.height) {
            let row = (y * size.width + area.x)..<(y * size.width + area.x + area.width)
            before[row].update(repeating: 0)
            shown[row].update(repeating: 0)
        }
    }

    private func draw(in area: PixelRectangle, _ painter: some GIFPainting) -> PixelBounds {
        var bounds = PixelBounds()
        indices[0] = 0
        for y in area.y..<(area.y + area.height) {
            for x in area.x..<(area.x + area.width) {
                let place = y * size.width + x
                let color = picture[place]
                indices[place] = 0
                guard color != before[place] else { continue }
                before[place] = color
                let dot = painter.dot(for: color, x, y)
                guard dot.color != shown[place] else { continue }
                shown[place] = dot.color
                indices[place] = dot.place
                bounds.note(x, y)
            }
        }
        return bounds
    }
}

/// Chooses the place in a colour table for a pixel.
protocol GIFPainting {
    /// The place, and the colour there.
    func dot(for color: UInt32, _ x: Int, _ y: Int) -> (place: UInt8, color: UInt32)
}

extension FrameColorTable: GIFPainting {
    func dot(for color: UInt32, _ x: Int, _ y: Int) -> (place: UInt8, color: UInt32) {
        (place(of: color), color)
    }
}
