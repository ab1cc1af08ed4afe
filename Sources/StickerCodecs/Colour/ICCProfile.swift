import StickerContainers

/// The fields of an ICC profile's header that matter here (ICC.1:2010, clause 7.2).
package enum ICCProfile {
    /// The colours a profile describes.
    package enum Space {
        case gray, rgb, cmyk
    }

    /// What the profile says it describes; `nil` for other spaces and for anything that is not a profile.
    package static func space(_ profile: [UInt8]) -> Space? {
        profile.withUnsafeBytes { bytes in
            guard bytes.count >= 128, bytes.has("acsp", at: 36) else { return nil }
            if bytes.has("GRAY", at: 16) { return .gray }
            if bytes.has("RGB ", at: 16) { return .rgb }
            return bytes.has("CMYK", at: 16) ? .cmyk : nil
        }
    }
}
