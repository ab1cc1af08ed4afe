public import StickerRaster
public import StickerValues

/// Decides which parts each frame of a lossy animation must draw.
///
/// A pixel is redrawn once it differs by more than a tolerance from the value it was last drawn from, not from the
/// previous frame, so that slow changes do not add up.
public struct PatchPlanner: ~Copyable {
    /// In levels, of premultiplied colours and of alpha. Quality 90 changes more; and where a frame is clear, no trace
    /// of an earlier one may remain.
    private static let strictTolerance = 1
    /// For translucent pixels: redrawing one requires redrawing everything around it as well.
    private static let tolerance = 5

    /// The value that every pixel was last drawn from.
    private var meant: PixelBuffer
    /// Patches so far.
    private var count = 0

    /// Begins with a transparent canvas.
    public init(size: PixelSize) { meant = PixelBuffer(size: size) }

    /// The patch for the next frame; `nil` if the shown picture is close enough.
    ///
    /// The first frame is drawn completely, and so is the next one with any difference: an animation needs two frames.
    public mutating func patch(for frame: borrowing PixelBuffer) -> AnimationPatch? {
        precondition(frame.size == meant.size, "all frames have the size of the canvas")
        var search = PatchSearch(size: frame.size)
        if count == 0 {
            search.takeAll()
        } else {
            search.compare(
                frame, with: meant, strictTolerance: count == 1 ? 0 : Self.strictTolerance,
                tolerance: count == 1 ? 0 : Self.tolerance)
        }
        guard let patch = search.patch(of: frame) else { return nil }
        note(patch, frame)
        count += 1
        return patch
    }

    private mutating func note(_ patch: AnimationPatch, _ frame: borrowing PixelBuffer) {
        let (area, columns, width) = (patch.area, frame.size.squareColumns, frame.size.width)
        meant.withUnsafeMutableBytes { meant in
            frame.withUnsafeBytes { frame in
                let meant = meant.bindMemory(to: UInt32.self)
                let frame = frame.bindMemory(to: UInt32.self)
                for y in area.y..<(area.y + area.height) {
                    for x in area.x..<(area.x + area.width) {
                        let square = y / AnimationPatch.side * columns + x / AnimationPatch.side
                        let pixel = frame[y * width + x]
                        guard !patch.isBlended || (patch.drawn[square] && pixel >> 24 == 255)
                        else { continue }
                        meant[y * width + x] = pixel
                    }
                }
            }
        }
    }
}

/// The search for changes between two pictures.
private struct PatchSearch {
    /// Above this percentage, all squares of a patch are drawn: holes have edges, which cost more than they save (noise
    /// in every frame of a film).
    private static let percentMax = 80

    private let size: PixelSize
    private var bounds = PixelBounds()
    private var drawn: [Bool]
    private var canBlend = true

    init(size: PixelSize) {
        self.size = size
        drawn = Array(repeating: false, count: size.squareColumns * size.squareRows)
    }

    mutating func takeAll() {
        bounds.note(0, 0)
        bounds.note(size.width - 1, size.height - 1)
        canBlend = false
    }

    mutating func compare(
        _ frame: borrowing PixelBuffer, with meant: borrowing PixelBuffer, strictTolerance: Int,
        tolerance: Int
    ) {
        let (width, columns) = (size.width, size.squareColumns)
        frame.withUnsafeBytes { frame in
            meant.withUnsafeBytes { meant in
                let frame = frame.bindMemory(to: UInt32.self)
                let meant = meant.bindMemory(to: UInt32.self)
                for index in 0..<size.pixelCount where frame[index] != meant[index] {
                    let alpha = frame[index] >> 24
                    let isStrict = alpha == 255 || alpha == 0
                    guard
                        difference(frame[index], meant[index])
                            > (isStrict ? strictTolerance : tolerance)
                    else { continue }
                    let (x, y) = (index % width, index / width)
                    if alpha < 255 { canBlend = false }
                    drawn[y / AnimationPatch.side * columns + x / AnimationPatch.side] = true
                    bounds.note(x, y)
                }
            }
        }
    }

    /// The largest difference of alpha and of the premultiplied colours, rounded up: at least 1 for any visible
    /// difference.
    private func difference(_ a: UInt32, _ b: UInt32) -> Int {
        let (alphaA, alphaB) = (Int(a >> 24), Int(b >> 24))
        var largest = abs(alphaA - alphaB)
        for shift: UInt32 in [0, 8, 16] {
            let (colorA, colorB) = (Int(a >> shift & 255), Int(b >> shift & 255))
            largest = max(largest, (abs(colorA * alphaA - colorB * alphaB) + 254) / 255)
        }
        return largest
    }

    /// The patch around all differences; `nil` if there are none.
    consuming func patch(of frame: borrowing PixelBuffer) -> AnimationPatch? {
        let found = bounds.rectangle
        guard !found.isEmpty else { return nil }
        let area = PixelRectangle(
            x: found.x & ~1, y: found.y & ~1, width: found.width + (found.x & 1),
            height: found.height + (found.y & 1))
        let isFull = drawn.count { $0 } * 100 > squares(in: area).count * Self.percentMax
        if !canBlend || isFull {
            canBlend = false
            for square in squares(in: area) { drawn[square] = true }
        }
        return AnimationPatch(
            area: area, isBlended: canBlend, drawn: drawn, detail: detail(of: frame))
    }

    /// The places of all squares that `area` touches.
    private func squares(in area: PixelRectangle) -> [Int] {
        let (side, columns) = (AnimationPatch.side, size.squareColumns)
        return (area.y / side...(area.y + area.height - 1) / side).flatMap { row in
            (area.x / side...(area.x + area.width - 1) / side).map { row * columns + $0 }
        }
    }

    private func detail(of frame: borrowing PixelBuffer) -> [Float] {
        let (side, columns) = (AnimationPatch.side, size.squareColumns)
        return frame.withUnsafeBytes { bytes in
            drawn.indices.map { square in
                guard drawn[square] else { return 0 }
                let (left, top) = (square % columns * side, square / columns * side)
                var sum = 0
                for y in top..<min(top + side, size.height) {
                    let row = y * size.width
                    for x in left..<(min(left + side, size.width) - 1) {
                        let pixel = (row + x) * 4
                        sum += abs(Int(bytes[pixel + 1]) - Int(bytes[pixel + 5]))
                        sum += abs(Int(bytes[pixel + 3]) - Int(bytes[pixel + 7]))
                    }
                }
                return Float(sum)
            }
        }
    }
}
