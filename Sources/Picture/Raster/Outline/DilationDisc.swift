/// The disc that dilates a shape: its coverage of each pixel around its middle.
public struct DilationDisc: Hashable, Sendable {
    /// One row of the disc, from the middle outwards; the left half is the same.
    struct Row: Hashable {
        /// Fully covered pixels beside the middle one; -1 if not even that is.
        var whole: Int
        /// The coverage of the pixels beyond those, in 128ths.
        var rim: [Int16]
    }

    /// The rows from the middle one down; those above are the same.
    let rows: [Row]

    /// Pixels by which a shape grows on every side.
    public var radius: Int { rows.count - 1 }

    /// Creates a disc.
    ///
    /// A pixel ends half a pixel from its middle, so that `radius + 1 - d` of one at distance `d` is covered: a
    /// horizontal or vertical edge moves by exactly `radius`.
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
