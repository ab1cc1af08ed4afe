import StickerContainers

/// The fields of an ICC profile that matter here (ICC.1:2022, clauses 7.2 and 9.2.17).
package enum ICCProfile {
    /// The colours that pixels hold, or that a profile describes.
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

    /// What the profile says it describes; `nil` for other spaces and for anything that is not a profile.
    package static func space(_ profile: [UInt8]) -> Space? {
        profile.withUnsafeBytes { bytes in
            guard bytes.count >= 128, bytes.has("acsp", at: 36) else { return nil }
            if bytes.has("GRAY", at: 16) { return .gray }
            if bytes.has("RGB ", at: 16) { return .rgb }
            return bytes.has("CMYK", at: 16) ? .cmyk : nil
        }
    }

    /// The transfer that the profile states by number (H.273) in a `cicp` tag, which lcms2 does not know.
    static func transfer(_ profile: [UInt8]) -> Int? {
        profile.withUnsafeBytes { bytes in
            let count = min(bytes.bigEndian32(at: 128) ?? 0, 100)
            return (0..<count).lazy.map { 132 + 12 * $0 }
                .first { bytes.has("cicp", at: $0) }
                .flatMap { bytes.bigEndian32(at: $0 + 4) }
                .flatMap { bytes.has("cicp", at: $0) ? bytes.byte(at: $0 + 9).map(Int.init) : nil }
        }
    }
}
