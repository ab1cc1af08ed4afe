import StickerModel
import StickerRaster

/// What has to happen to the canvas before the next frame is drawn.
struct GIFUndo {
    private var area = PixelRectangle(x: 0, y: 0, width: 0, height: 0)
    /// The pixels to put back, row by row; empty where the area is to be cleared.
    private var saved: [UInt32] = []

    /// Nothing has to happen.
    init() {}

    /// Remembers what `canvas` needs once a frame that covers `area` has been shown.
    init(_ disposal: GIFSummary.Disposal, _ area: PixelRectangle, _ canvas: borrowing PixelBuffer) {
        guard disposal != .keep, !area.isEmpty else { return }
        self.area = area
        guard disposal == .restore else { return }
        saved.reserveCapacity(area.width * area.height)
        let width = canvas.size.width
        canvas.withUnsafeBytes { bytes in
            let pixels = bytes.assumingMemoryBound(to: UInt32.self)
            for y in area.y..<(area.y + area.height) {
                saved += pixels[(y * width + area.x)..<(y * width + area.x + area.width)]
            }
        }
    }

    /// Does it.
    /// - Returns: the area that changed.
    func apply(to canvas: inout PixelBuffer) -> PixelRectangle {
        let width = canvas.size.width
        canvas.withUnsafeMutableBytes { bytes in
            let pixels = bytes.assumingMemoryBound(to: UInt32.self)
            for y in 0..<area.height {
                for x in 0..<area.width {
                    let old = saved.isEmpty ? 0 : saved[y * area.width + x]
                    pixels[(area.y + y) * width + area.x + x] = old
                }
            }
        }
        return area
    }
}
