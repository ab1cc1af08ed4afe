/// The disc by which a shape is dilated: how much it covers of each pixel around its middle.
public struct DilationDisc: Hashable, Sendable {
    /// One row of the disc, from the middle outwards; the left half is the same.
    struct Row: Hashable {
        /// Pixels beside the middle one that are covered whole; -1 if not even that is.
        var whole: Int
        /// What is covered of the pixels beyond those, in 128ths.
        var rim: [Int16]
    }

    /// The rows from the middle one outwards; those above are the same.
    let rows: [Row]

    /// Pixels by which a shape grows on every side.
    public var radius: Int { rows.count - 1 }

    /// Creates a disc.
    ///
    /// A pixel is a shape that ends half a pixel from its middle, so that of one at distance `d`, `radius + 1 - d` is
    /// covered: an edge across or down moves by exactly `radius`.
    ///
    /// - Parameter radius: in pixels, above 0.
    public init(radius: Int) {
        precondition(radius > 0, "a disc has a radius")
        rows = (0...radius).map { y in
            let covered = (0...radius).map { x in
                let distance = Double(x * x + y * y).squareRoot()
                return Int16(min(max(Double(radius) + 1 - distance, 0), 1) * 128)
            }
            let whole = covered.prefix { $0 == 128 }.count
            return Row(whole: whole - 1, rim: Array(covered[whole...].prefix { $0 > 0 }))
        }
    }
}
