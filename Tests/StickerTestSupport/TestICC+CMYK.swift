extension TestICC {
    /// A printing condition whose inks are duller than those that are multiplied out: cyan is
    /// L*a*b* (55, -37, -50), magenta (48, 74, -3), yellow (89, -5, 93).
    package static var inks: TestICC {
        TestICC(kind: "prtr", spaces: "CMYKLab ", tags: [("A2B0", inkTable)])
    }

    /// An `mft1` table from all corners of CMYK to L*a*b* (ICC.1:2010, clause 10.11), with curves that
    /// change nothing.
    private static var inkTable: [UInt8] {
        let one: [UInt8] = [0, 1, 0, 0]
        let zeros = [UInt8](repeating: 0, count: 12)
        let matrix = one + zeros + one + zeros + one
        let head = Array("mft1".utf8) + [0, 0, 0, 0, 4, 3, 2, 0] + matrix
        let curve = (0...255).map { UInt8($0) }
        let corners = (0..<16).flatMap { corner in
            lab((0..<4).map { Double(corner >> (3 - $0) & 1) })
        }
        return head + Array(repeating: curve, count: 4).joined() + corners
            + Array(repeating: curve, count: 3).joined()
    }

    /// The colour of some inks, in eight bits: inks that lie on one another darken.
    private static func lab(_ inks: [Double]) -> [UInt8] {
        let lightness = 100 - 45 * inks[0] - 52 * inks[1] - 11 * inks[2] - 84 * inks[3]
        let color = 1 - inks[3]
        let red = (74 * inks[1] - 37 * inks[0] - 5 * inks[2]) * color
        let yellow = (93 * inks[2] - 50 * inks[0] - 3 * inks[1]) * color
        return [max(0, lightness) * 2.55, red + 128, yellow + 128].map { UInt8($0.rounded()) }
    }
}
