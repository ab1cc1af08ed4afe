import CLCMS

/// The places of red, green, blue and white in the CIE 1931 diagram.
package struct Chromaticities: Hashable {
    /// One place.
    package struct Point: Hashable {
        package var x, y: Double

        package init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
    }

    package var red, green, blue, white: Point

    package init(red: Point, green: Point, blue: Point, white: Point) {
        (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
    }

    private init(_ red: Point, _ green: Point, _ blue: Point, _ white: Point = daylight) {
        self.init(red: red, green: green, blue: blue, white: white)
    }

    private static let daylight = Point(0.3127, 0.3290)
    private static let lamp = Point(0.310, 0.316)

    /// Those of sRGB.
    package static let sRGB = Chromaticities(
        Point(0.64, 0.33), Point(0.30, 0.60), Point(0.15, 0.06))

    /// Those with a number of H.273, table 2; `nil` for unsupported ones.
    package init?(primaries: Int) {
        switch primaries {
        case 1: self = .sRGB
        case 4: self.init(Point(0.67, 0.33), Point(0.21, 0.71), Point(0.14, 0.08), Self.lamp)
        case 5: self.init(Point(0.64, 0.33), Point(0.29, 0.60), Point(0.15, 0.06))
        case 6, 7: self.init(Point(0.630, 0.340), Point(0.310, 0.595), Point(0.155, 0.070))
        case 8:
            self.init(Point(0.681, 0.319), Point(0.243, 0.692), Point(0.145, 0.049), Self.lamp)
        case 9: self.init(Point(0.708, 0.292), Point(0.170, 0.797), Point(0.131, 0.046))
        case 10: self.init(Point(1, 0), Point(0, 1), Point(0, 0), Point(1.0 / 3, 1.0 / 3))
        case 11:
            self.init(
                Point(0.680, 0.320), Point(0.265, 0.690), Point(0.150, 0.060), Point(0.314, 0.351))
        case 12: self.init(Point(0.680, 0.320), Point(0.265, 0.690), Point(0.150, 0.060))
        case 22: self.init(Point(0.630, 0.340), Point(0.295, 0.605), Point(0.155, 0.077))
        default: return nil
        }
    }

    private var points: [Point] { [red, green, blue, white] }

    /// Whether no coordinate differs by more than 0.001, which is less than can be seen.
    func areNear(_ other: Chromaticities) -> Bool {
        zip(points, other.points).allSatisfy {
            abs($0.x - $1.x) <= 0.001 && abs($0.y - $1.y) <= 0.001
        }
    }

    /// Whether they are inside the diagram's square, and the three colours form a triangle.
    private var makeSense: Bool {
        let isInside = points.allSatisfy { (0...1).contains($0.x) && (0...1).contains($0.y) }
        let (toGreen, toBlue) = (
            Point(green.x - red.x, green.y - red.y), Point(blue.x - red.x, blue.y - red.y)
        )
        let area = toGreen.x * toBlue.y - toGreen.y * toBlue.x
        return isInside && white.y > 0 && abs(area) > 1e-6
    }

    /// An ICC profile of these colours with `curve`; `nil` if they make no sense.
    func profile(_ curve: ToneCurve) -> [UInt8]? {
        guard makeSense, let curve = curve.made() else { return nil }
        defer { cmsFreeToneCurve(curve) }
        func place(_ point: Point) -> cmsCIExyY { cmsCIExyY(x: point.x, y: point.y, Y: 1) }
        var white = place(white)
        var primaries = cmsCIExyYTRIPLE(Red: place(red), Green: place(green), Blue: place(blue))
        var curves: [OpaquePointer?] = [curve, curve, curve]
        guard let profile = cmsCreateRGBProfile(&white, &primaries, &curves) else { return nil }
        defer { cmsCloseProfile(profile) }
        var count: cmsUInt32Number = 0
        guard cmsSaveProfileToMem(profile, nil, &count) != 0, count > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        return cmsSaveProfileToMem(profile, &bytes, &count) != 0 ? bytes : nil
    }
}
