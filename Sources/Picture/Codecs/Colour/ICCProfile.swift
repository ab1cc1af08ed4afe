import StickerContainers

/// The fields of an ICC profile that matter here (ICC.1:2022, clause 7.2).
package enum ICCProfile {
    /// The colour space of pixels, or of a profile.
    package enum Space {
        case gray, rgb, cmyk

        /// For people.
        var name: String {
            switch self {
            case .gray: "gray"
            case .rgb: "RGB"
            case .cmyk: "CMYK"
            }
        }
    }

    /// The profile's colour space; `nil` for other spaces and for invalid profiles.
    package static func space(_ profile: [UInt8]) -> Space? {
        profile.withUnsafeBytes { bytes in
            guard bytes.count >= 128, bytes.has("acsp", at: 36) else { return nil }
            if bytes.has("GRAY", at: 16) { return .gray }
            if bytes.has("RGB ", at: 16) { return .rgb }
            return bytes.has("CMYK", at: 16) ? .cmyk : nil
        }
    }
}
