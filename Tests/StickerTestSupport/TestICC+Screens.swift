extension TestICC {
    /// A screen of sRGB's primaries, whose samples are light to the power of 1 / `gamma`.
    package static func screen(gamma: Double) -> TestICC {
        let red = ("rXYZ", place(0.43607, 0.22249, 0.01392))
        let green = ("gXYZ", place(0.38515, 0.71687, 0.09708))
        let blue = ("bXYZ", place(0.14307, 0.06061, 0.71410))
        let curves = ["rTRC", "gTRC", "bTRC"].map { ($0, curve(gamma: gamma)) }
        return TestICC(tags: [red, green, blue] + curves)
    }

    /// A gray screen.
    package static func gray(gamma: Double) -> TestICC {
        TestICC(spaces: "GRAYXYZ ", tags: [("kTRC", curve(gamma: gamma))])
    }

    /// The tag that states colours by numbers (ICC.1:2022, 10.3).
    package static func numbers(primaries: UInt8, transfer: UInt8) -> (String, [UInt8]) {
        ("cicp", Array("cicp".utf8) + [0, 0, 0, 0, primaries, transfer, 0, 1])
    }

    private static func place(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
        Array("XYZ ".utf8) + [0, 0, 0, 0] + [x, y, z].flatMap { long(Int($0 * 65536)) }
    }

    private static func curve(gamma: Double) -> [UInt8] {
        let value = Int((gamma * 256).rounded())
        return Array("curv".utf8) + [0, 0, 0, 0] + long(1) + [
            UInt8(value >> 8), UInt8(value & 0xFF),
        ]
            + [0, 0]
    }
}
