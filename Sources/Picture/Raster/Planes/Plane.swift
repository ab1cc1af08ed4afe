/// Eight neighbouring samples of a row.
typealias Lanes = SIMD8<Float>

/// Samples in memory, from the first column on.
typealias Row = UnsafeMutablePointer<Float>

/// Rows of samples, each with room on both sides, so that neither filters nor vectors need a special
/// case at the borders.
///
/// A row is `margin` samples, `width` samples, padding up to a multiple of 16, and `margin` samples.
/// The samples are uninitialized at first.
final class Plane: @unchecked Sendable {
    // Unchecked because a plane is written only by its creator, before it is shared.
    static let margin = 8

    let width: Int
    let height: Int
    /// `width` rounded up to a multiple of 16.
    let paddedWidth: Int
    private let stride: Int
    private let memory: Row

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        paddedWidth = (width + 15) & ~15
        stride = paddedWidth + 2 * Self.margin
        memory = .allocate(capacity: stride * height)
    }

    deinit { memory.deallocate() }

    subscript(y: Int) -> Row { memory + (y * stride + Self.margin) }

    /// The start columns of vectors, from the first column to the end of the padding.
    var vectors: StrideTo<Int> { Swift.stride(from: 0, to: paddedWidth, by: Lanes.scalarCount) }

    /// The start columns of vectors, margins included.
    var vectorsWithMargins: StrideTo<Int> {
        let margin = Self.margin
        return Swift.stride(from: -margin, to: paddedWidth + margin, by: Lanes.scalarCount)
    }

    /// Repeats the last sample of row `y` in its padding.
    func repeatEnd(ofRow y: Int) {
        let row = self[y]
        (row + width).update(repeating: row[width - 1], count: paddedWidth - width)
    }

    /// Sets margins and padding of row `y` to 0.
    func clearMargins(ofRow y: Int) {
        let row = self[y]
        (row - Self.margin).update(repeating: 0, count: Self.margin)
        (row + width).update(repeating: 0, count: paddedWidth - width + Self.margin)
    }
}

extension Row {
    /// The eight samples from column `x` on.
    subscript(lanes x: Int) -> Lanes {
        @inline(__always) get { UnsafeRawPointer(self + x).loadUnaligned(as: Lanes.self) }
        @inline(__always) nonmutating set {
            UnsafeMutableRawPointer(self + x).storeBytes(of: newValue, as: Lanes.self)
        }
    }
}

/// Negative lanes replaced by 0.
@inline(__always)
func atLeast0(_ value: Lanes) -> Lanes {
    value.replacing(with: 0, where: value .< 0)
}
