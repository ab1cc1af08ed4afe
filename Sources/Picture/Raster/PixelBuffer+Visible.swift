import StickerValues

extension PixelBuffer {
    /// The picture with `alpha` 255ths of its own alpha.
    public consuming func faded(to alpha: UInt8) -> PixelBuffer {
        guard alpha < 255 else { return self }
        var picture = self
        picture.withUnsafeMutableBytes { bytes in
            for offset in Swift.stride(from: 3, to: bytes.count, by: 4) {
                bytes[offset] = UInt8((Int(bytes[offset]) * Int(alpha) + 127) / 255)
            }
        }
        return picture
    }

    /// The visible part of the picture, without transparent rows and columns around it; `nil` if there is none.
    public consuming func cropped() -> PixelBuffer? {
        guard let (columns, rows) = visibleRectangle else { return nil }
        var part = PixelBuffer(size: PixelSize(width: columns.count, height: rows.count))
        let (width, rowBytes) = (size.width, columns.count * 4)
        part.withUnsafeMutableBytes { target in
            withUnsafeBytes { source in
                for y in 0..<rows.count {
                    let start = ((y + rows.lowerBound) * width + columns.lowerBound) * 4
                    let row = UnsafeRawBufferPointer(rebasing: source[start...].prefix(rowBytes))
                    UnsafeMutableRawBufferPointer(rebasing: target[(y * rowBytes)...])
                        .copyMemory(from: row)
                }
            }
        }
        return part
    }

    /// Whether every byte is 0: nothing was drawn.
    public var isBlank: Bool { withUnsafeBytes { $0.allSatisfy { $0 == 0 } } }

    /// The columns and rows of the visible part; `nil` if there is none.
    public var visibleRectangle: (columns: Range<Int>, rows: Range<Int>)? {
        var (left, right, top, bottom) = (size.width, -1, size.height, -1)
        withUnsafeBytes { bytes in
            for y in 0..<size.height {
                for x in 0..<size.width where bytes[y * stride + x * 4 + 3] > 0 {
                    (left, right) = (min(left, x), max(right, x))
                    (top, bottom) = (min(top, y), y)
                }
            }
        }
        return left <= right ? (left..<right + 1, top..<bottom + 1) : nil
    }
}
