import CLCMS
package import StickerModel
package import StickerRaster

/// Colours that a file tells by numbers instead of a profile (ITU-T H.273, "CICP").
package enum CodedColor {
    /// What the numbers of primaries and transfer mean; 2 means that nothing is said.
    ///
    /// The transfers of television (BT.709, BT.601, BT.2020) count as that of sRGB, as in browsers: pictures
    /// that state them were made for the same screens. Brightness beyond white (PQ, HLG) is refused: without
    /// tone mapping it would look flat and grey.
    ///
    /// - Throws: `CodecError.unsupported` for what is not read.
    package static func description(
        primaries: Int, transfer: Int, _ format: ImageFormat
    ) throws(CodecError) -> ColorDescription {
        let exponent: Double?
        switch transfer {
        case 1, 2, 6, 13, 14, 15: exponent = nil
        case 4: exponent = 2.2
        case 5: exponent = 2.8
        case 8: exponent = 1
        case 16, 18:
            throw CodecError(
                .unsupported, format, "it is brighter than white (\(transfer == 16 ? "PQ" : "HLG"))"
            )
        default:
            throw CodecError(.unsupported, format, "its brightness is of kind \(transfer)")
        }
        if exponent == nil, primaries == 1 || primaries == 2 { return .sRGB }
        guard let chromaticities = chromaticities(primaries) else {
            throw CodecError(.unsupported, format, "its primary colours are of kind \(primaries)")
        }
        guard let profile = profile(chromaticities, exponent) else {
            throw CodecError(.outOfMemory, format, "no memory for a colour profile")
        }
        return .icc(profile)
    }

    /// x and y of red, green, blue and white.
    private static func chromaticities(_ primaries: Int) -> [(x: Double, y: Double)]? {
        let daylight = (x: 0.3127, y: 0.3290)
        switch primaries {
        case 1, 2: return [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06), daylight]
        case 5: return [(0.64, 0.33), (0.29, 0.60), (0.15, 0.06), daylight]
        case 6, 7: return [(0.630, 0.340), (0.310, 0.595), (0.155, 0.070), daylight]
        case 9: return [(0.708, 0.292), (0.170, 0.797), (0.131, 0.046), daylight]
        case 11: return [(0.680, 0.320), (0.265, 0.690), (0.150, 0.060), (0.314, 0.351)]
        case 12: return [(0.680, 0.320), (0.265, 0.690), (0.150, 0.060), daylight]
        default: return nil
        }
    }

    /// A profile for them; with the curve of sRGB if there is no exponent.
    private static func profile(
        _ points: [(x: Double, y: Double)], _ exponent: Double?
    ) -> [UInt8]? {
        let parameters = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
        let curve =
            exponent.map { cmsBuildGamma(nil, $0) }
            ?? cmsBuildParametricToneCurve(nil, 4, parameters)
        guard let curve else { return nil }
        defer { cmsFreeToneCurve(curve) }
        func point(_ index: Int) -> cmsCIExyY {
            cmsCIExyY(x: points[index].x, y: points[index].y, Y: 1)
        }
        var white = point(3)
        var primaries = cmsCIExyYTRIPLE(Red: point(0), Green: point(1), Blue: point(2))
        var curves: [OpaquePointer?] = [curve, curve, curve]
        guard let profile = cmsCreateRGBProfile(&white, &primaries, &curves) else { return nil }
        defer { cmsCloseProfile(profile) }
        var count: cmsUInt32Number = 0
        guard cmsSaveProfileToMem(profile, nil, &count) != 0, count > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        return cmsSaveProfileToMem(profile, &bytes, &count) != 0 ? bytes : nil
    }
}
