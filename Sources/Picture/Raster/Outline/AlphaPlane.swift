import StickerValues

/// The alpha of a picture, 0...255, with zeros around it, so that neither a disc nor vectors need a special case at the
/// borders.
final class AlphaPlane {
    /// Neighbours in a row that are processed at once. Samples of 16 bits have room for products, and every processor
    /// compares them as signed numbers.
    typealias Vector = SIMD16<Int16>
    typealias Row = UnsafeMutablePointer<Int16>

    private let stride: Int
    private let margin: Int
    private let memory: Row

    /// Creates a plane of zeros.
    ///
    /// - Parameters:
    ///   - size: columns and rows.
    ///   - margin: columns on the left, and on the right beyond those of the last vector.
    init(size: PixelSize, margin: Int) {
        self.margin = margin
        stride = size.width + 2 * margin + Vector.scalarCount
        memory = .allocate(capacity: stride * size.height)
        memory.initialize(repeating: 0, count: stride * size.height)
    }

    deinit { memory.deallocate() }

    /// Row `y`, from the first column on.
    subscript(y: Int) -> Row { memory + y * stride + margin }
}

extension AlphaPlane.Row {
    /// The neighbours from column `x` on.
    subscript(vector x: Int) -> AlphaPlane.Vector {
        @inline(__always) get {
            UnsafeRawPointer(self + x).loadUnaligned(as: AlphaPlane.Vector.self)
        }
        @inline(__always) nonmutating set {
            UnsafeMutableRawPointer(self + x).storeBytes(of: newValue, as: AlphaPlane.Vector.self)
        }
    }
}

/// The larger of each two lanes; the library's version works lane by lane.
@inline(__always)
func larger(_ one: AlphaPlane.Vector, _ other: AlphaPlane.Vector) -> AlphaPlane.Vector {
    one.replacing(with: other, where: other .> one)
}
