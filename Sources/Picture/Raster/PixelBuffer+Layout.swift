public import StickerValues

extension PixelBuffer {
    /// The picture set upright: EXIF `orientation` undone.
    public consuming func oriented(_ orientation: Orientation) -> PixelBuffer {
        guard orientation != .up else { return self }
        let (width, height) = (size.width, size.height)
        var upright = PixelBuffer(size: orientation.transposes ? size.transposed : size)
        for y in 0..<upright.size.height {
            for x in 0..<upright.size.width {
                let (column, row) =
                    switch orientation {
                    case .up: (x, y)
                    case .upMirrored: (width - 1 - x, y)
                    case .down: (width - 1 - x, height - 1 - y)
                    case .downMirrored: (x, height - 1 - y)
                    case .leftMirrored: (y, x)
                    case .right: (y, height - 1 - x)
                    case .rightMirrored: (width - 1 - y, height - 1 - x)
                    case .left: (width - 1 - y, x)
                    }
                upright[x, y] = self[column, row]
            }
        }
        return upright
    }

    /// The picture centred on a transparent canvas that is at least as large.
    ///
    /// An odd remainder goes to the right and to the bottom.
    public consuming func centered(on canvas: PixelSize) -> PixelBuffer {
        guard canvas != size else { return self }
        precondition(size.width <= canvas.width && size.height <= canvas.height)
        var placed = PixelBuffer(size: canvas)
        let left = (canvas.width - size.width) / 2
        let top = (canvas.height - size.height) / 2
        let (rows, bytes) = (size.height, stride)
        placed.withUnsafeMutableBytes { target in
            withUnsafeBytes { source in
                for y in 0..<rows {
                    let start = ((y + top) * canvas.width + left) * 4
                    let row = UnsafeRawBufferPointer(rebasing: source[(y * bytes)...].prefix(bytes))
                    UnsafeMutableRawBufferPointer(rebasing: target[start...].prefix(bytes))
                        .copyMemory(from: row)
                }
            }
        }
        return placed
    }

    /// Whether everything visible is one opaque rectangle.
    public var isFramedRectangle: Bool {
        withUnsafeBytes { bytes in
            var (left, right, top, bottom, count) = (size.width, -1, size.height, -1, 0)
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let alpha = bytes[y * stride + x * 4 + 3]
                    guard alpha > 0 else { continue }
                    if alpha < 255 { return false }
                    (left, right) = (min(left, x), max(right, x))
                    (top, bottom) = (min(top, y), max(bottom, y))
                    count += 1
                }
            }
            return count > 0 && count == (right - left + 1) * (bottom - top + 1)
        }
    }

    /// Whether `other`, of the same size, has the same alpha everywhere.
    public borrowing func hasAlpha(of other: borrowing PixelBuffer) -> Bool {
        precondition(size == other.size, "only pictures of one size can be compared")
        return withUnsafeBytes { own in
            other.withUnsafeBytes { others in
                Swift.stride(from: 3, to: own.count, by: 4).allSatisfy { own[$0] == others[$0] }
            }
        }
    }

    /// Whether every pixel is opaque.
    public var isOpaque: Bool {
        withUnsafeBytes { bytes in
            Swift.stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
        }
    }

    /// Whether every pixel is fully transparent.
    public var isEmpty: Bool {
        withUnsafeBytes { bytes in
            Swift.stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 0 }
        }
    }
}
