import StickerRaster

/// Colours that a file states by numbers instead of a profile (ITU-T H.273, "CICP").
package struct CodedColor: Hashable {
    /// Why numbers cannot be used; one clause.
    struct Fault: Error {
        let clause: String
    }

    /// Red, green, blue and white by number; 2 means unspecified.
    package var primaries: Int
    /// The transfer from samples to light, by number; 2 means unspecified.
    package var transfer: Int
    /// The matrix from other samples to RGB: 0 for RGB. Decoders of YCbCr undo it and state nothing here.
    package var matrix = 0
    /// Whether samples range from 0 to their highest value.
    package var isFullRange = true

    /// Creates colours of full-range RGB.
    package init(primaries: Int, transfer: Int) {
        (self.primaries, self.transfer) = (primaries, transfer)
    }

    /// As browsers read PNG's cICP: all or nothing, with television transfers as its screens show them.
    func strictDescription() throws(Fault) -> ColorDescription {
        guard matrix == 0 else { throw Fault(clause: "PNG has RGB, not matrix \(matrix)") }
        guard isFullRange else { throw Fault(clause: "its samples have the narrow range of video") }
        return try description(primaries, transfer, Self.isTelevision(transfer) ? .television : nil)
    }

    /// As browsers read nclx: unspecified values are those of sRGB, and so are television transfers, because such
    /// pictures were made for the same screens.
    func lenientDescription() throws(Fault) -> ColorDescription {
        try description(
            primaries == 2 ? 1 : primaries, transfer == 2 ? 13 : transfer,
            Self.isTelevision(transfer) ? .sRGB : nil)
    }

    private func description(
        _ primaries: Int, _ transfer: Int, _ television: ToneCurve?
    ) throws(Fault) -> ColorDescription {
        guard let curve = television ?? ToneCurve(transfer: transfer) else {
            throw Fault(clause: "transfer \(transfer) is not known")
        }
        guard let points = Chromaticities(primaries: primaries) else {
            throw Fault(clause: "primaries \(primaries) are not known")
        }
        if points == .sRGB, curve == .sRGB { return .sRGB }
        guard let profile = points.profile(curve) else {
            throw Fault(clause: "there is no memory for a profile")
        }
        return .icc(profile)
    }

    /// BT.709, BT.601, IEC 61966-2-4 and BT.2020, which share one curve.
    private static func isTelevision(_ transfer: Int) -> Bool {
        [1, 6, 11, 14, 15].contains(transfer)
    }
}
