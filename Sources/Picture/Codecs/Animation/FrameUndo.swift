import StickerValues

/// The treatment of a frame's area after it has been shown.
enum FrameDisposal {
    /// It stays.
    case keep
    /// It becomes transparent.
    case clear
    /// The pixels before the frame come back.
    case restore
}

/// The change to the canvas before the next frame is drawn.
struct FrameUndo {
    private let area: PixelRectangle
    /// The pixels to restore, row by row; `nil` to clear the area.
    private let saved: LargeMemory?

    /// Creates an undo that does nothing.
    init() {
        area = .empty
        saved = nil
    }

    /// Saves the part of `canvas` needed after a frame that covers `area`.
    init(
        _ disposal: FrameDisposal, _ area: PixelRectangle, _ canvas: borrowing AnimationCanvas
    ) throws(CodecError) {
        let isUndone = disposal != .keep && !area.isEmpty
        self.area = isUndone ? area : .empty
        saved = isUndone && disposal == .restore ? try Self.pixels(of: area, canvas) : nil
    }

    private static func pixels(
        of area: PixelRectangle, _ canvas: borrowing AnimationCanvas
    ) throws(CodecError) -> LargeMemory {
        let rowBytes = area.width * 4
        let memory = try LargeMemory(zeros: area.height * rowBytes, canvas.format)
        for y in 0..<area.height {
            let row = UnsafeMutableRawBufferPointer(
                rebasing: memory.bytes[(y * rowBytes)..<((y + 1) * rowBytes)])
            row.copyMemory(
                from: UnsafeRawBufferPointer(canvas.row(area.y + y, from: area.x, area.width)))
        }
        return memory
    }

    /// Applies the undo.
    /// - Returns: the area that changed.
    func apply(to canvas: borrowing AnimationCanvas) -> PixelRectangle {
        let rowBytes = area.width * 4
        for y in 0..<max(0, area.height) {
            let row = canvas.row(area.y + y, from: area.x, area.width)
            if let start = saved?.bytes.baseAddress {
                row.copyMemory(
                    from: UnsafeRawBufferPointer(start: start + y * rowBytes, count: rowBytes))
            } else {
                row.initializeMemory(as: UInt8.self, repeating: 0)
            }
        }
        return area
    }
}
