import StickerContainers
import StickerRaster
import StickerValues

/// Decides the meaning of stored samples, for every format, stills and animations alike.
///
/// The first usable fact counts. In PNG the order is cICP, iCCP, sRGB, gAMA with cHRM (PNG specification, third
/// edition, 4.3); in all other formats the profile goes before the numbers of nclx. An unusable fact is ignored with a
/// warning, and the next one counts. Brightness beyond white (PQ, HLG) is always refused: without tone mapping it would
/// look flat and gray.
struct ColorDecision {
    private let facts: ColorFacts
    /// The ignored facts, and why.
    private(set) var warnings: [Warning] = []

    init(_ facts: ColorFacts) { self.facts = facts }

    /// - Throws: `CodecError.unsupported` for brightness beyond white.
    mutating func color() throws(CodecError) -> ColorDescription {
        if facts.format == .png {
            if let color = try numbers() { return color }
            if let color = try profile() { return color }
            return facts.isSRGB ? .sRGB : gammaColor() ?? .sRGB
        }
        if let color = try profile() { return color }
        return try numbers() ?? .sRGB
    }

    // MARK: Numbers

    private mutating func numbers() throws(CodecError) -> ColorDescription? {
        guard let coded = facts.coded else { return nil }
        let isPNG = facts.format == .png
        try refuseBeyondWhite(coded.transfer, statedBy: facts.codedBy)
        guard !isPNG || coded != CodedColor(primaries: 2, transfer: 2) else { return nil }
        do throws(CodedColor.Fault) {
            return isPNG ? try coded.strictDescription() : try coded.lenientDescription()
        } catch {
            setAside("bad-color", facts.codedBy, error.clause)
            return nil
        }
    }

    private func refuseBeyondWhite(
        _ transfer: Int?, statedBy source: String
    ) throws(CodecError) {
        guard let transfer, let name = [16: "PQ", 18: "HLG"][transfer] else { return }
        throw CodecError(
            .unsupported, facts.format,
            "its colours are HDR, brighter than the white of sRGB (\(name), stated by \(source))")
    }

    // MARK: Profile

    private mutating func profile() throws(CodecError) -> ColorDescription? {
        switch facts.profile {
        case nil: return nil
        case .damaged(let why):
            setAside("bad-profile", "the colour profile", why)
            return nil
        case .whole(let bytes):
            if let fault = fault(in: bytes) {
                setAside("bad-profile", "the colour profile", fault)
                return nil
            }
            // lcms2 does not know it.
            let transfer = bytes.withUnsafeBytes { ICCOutline.transfer(in: $0) }
            try refuseBeyondWhite(transfer, statedBy: "the colour profile")
            return .icc(bytes)
        }
    }

    /// Gray pixels are stored as three equal samples, and may have a profile of either kind.
    private func fault(in profile: [UInt8]) -> String? {
        if let fault = profile.withUnsafeBytes({ ICCOutline.fault(in: $0) }) { return fault }
        guard let space = ICCProfile.space(profile) else {
            return "it is neither for gray nor for RGB nor for CMYK"
        }
        let isSuitable = space == facts.pixels || space == .rgb && facts.pixels == .gray
        return isSuitable ? nil : "it is for \(space.name), and the pixels are \(facts.pixels.name)"
    }

    // MARK: Gamma

    private mutating func gammaColor() -> ColorDescription? {
        guard let gamma = facts.gamma else {
            if let points = facts.chromaticities, !points.areNear(.sRGB) {
                setAside("bad-color", "cHRM", "without gAMA it does not say what samples mean")
            }
            return nil
        }
        // libpng's range; in PNG, 0 has no meaning.
        guard (16...625_000_000).contains(gamma) else {
            setAside("bad-color", "gAMA", "its value makes no sense (\(gamma))")
            return nil
        }
        let exponent = Double(gamma) / 100_000
        guard let points = facts.chromaticities else { return .gamma(exponent) }
        guard let profile = points.profile(ToneCurve(gamma: 1 / exponent)) else {
            setAside("bad-color", "cHRM", "its values describe no colours")
            return .gamma(exponent)
        }
        return .icc(profile)
    }

    private mutating func setAside(_ code: String, _ name: String, _ why: String) {
        warnings.append(Warning(code, "\(name) was set aside: \(why)"))
    }
}
