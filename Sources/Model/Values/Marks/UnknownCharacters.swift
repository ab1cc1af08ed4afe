/// Characters in no installed font, drawn as boxes.
public struct UnknownCharacters: Hashable, Sendable, Codable {
    /// The characters, each once, by code point; at least one.
    public let text: String

    /// The most that are kept.
    private static let countMax = 1000
    /// The most that are named; others are counted.
    private static let namedMax = 8

    /// Takes characters; invisible ones need no font.
    ///
    /// - Returns: `nil` if none is left.
    public init?(_ scalars: some Sequence<Unicode.Scalar>) {
        let unknown = Set(scalars.lazy.filter(\.needsFont)).sorted().prefix(Self.countMax)
        guard !unknown.isEmpty else { return nil }
        text = String(String.UnicodeScalarView(unknown))
    }

    /// `no font has 世 (U+4E16), U+0378`.
    public var detail: String {
        let scalars = text.unicodeScalars
        let names = scalars.prefix(Self.namedMax).map(\.named).joined(separator: ", ")
        let more = scalars.count - Self.namedMax
        return "no font has \(names)\(more > 0 ? " and \(more) more" : "")"
    }

    /// The known Debian packages with fonts for them.
    public var packages: [String] {
        text.unicodeScalars.compactMap(\.fontPackage).reduce(into: []) { packages, package in
            if !packages.contains(package) { packages.append(package) }
        }
    }

    /// The remedy.
    public var remedy: String {
        let orphans = text.unicodeScalars.filter { $0.fontPackage == nil }
        var parts: [String] = []
        if !packages.isEmpty {
            let whose = packages.count == 1 ? "its" : "their"
            parts.append("install \(packages.joined(separator: " and ")) and add \(whose) fonts")
        }
        if let first = orphans.first {
            let more = orphans.count > 1 ? " and \(orphans.count - 1) more" : ""
            let form = orphans.count > 1 ? "without them" : "without it"
            parts.append(
                "no package is known for \(first.named)\(more), write \(form) or add a font")
        }
        return parts.joined(separator: "; ") + " (stickerd(8), Fonts)"
    }

    /// The code of warnings.
    public static let warningCode = "unknown-characters"

    /// The warning of a picture drawn with boxes.
    ///
    /// - Parameter place: their place, such as `the watermark words`; `nil` for the picture itself.
    /// - Returns: one sentence with its remedy.
    public func warning(of place: String? = nil) -> Warning {
        let start = place.map { "\($0): " } ?? ""
        return Warning(Self.warningCode, "\(start)\(detail); \(remedy)")
    }

    /// The refusal of a picture that must not be drawn with boxes.
    public var refusal: Refusal { Refusal(.unknownCharacters, detail, remedy: remedy) }
}

extension Unicode.Scalar {
    /// Whether it is visible.
    fileprivate var needsFont: Bool {
        !properties.isDefaultIgnorableCodePoint && !properties.isWhitespace
            && ![.control, .format, .lineSeparator, .paragraphSeparator, .surrogate]
                .contains(properties.generalCategory)
    }

    /// `世 (U+4E16)`, or only the number if it cannot be shown by itself.
    fileprivate var named: String {
        let digits = String(value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        let isBare = [
            Unicode.GeneralCategory.unassigned, .privateUse, .nonspacingMark, .spacingMark,
            .enclosingMark,
        ].contains(properties.generalCategory)
        return isBare ? code : "\(self) (\(code))"
    }

    /// As in Debian 12.
    fileprivate var fontPackage: String? {
        switch properties.generalCategory {
        case .unassigned, .privateUse: return nil
        default: break
        }
        if properties.isEmojiPresentation { return "a newer fonts-noto-color-emoji" }
        let isEastAsian = Self.eastAsian.contains { $0.contains(value) }
        return isEastAsian ? "fonts-noto-cjk" : "fonts-noto-core"
    }

    /// The blocks in fonts-noto-cjk but not in fonts-noto-core: Han, Kana, Bopomofo, Hangul, their punctuation and
    /// forms, and box-drawing lines.
    private static let eastAsian: [ClosedRange<UInt32>] = [
        0x1100...0x11FF, 0x2500...0x259F, 0x2E80...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97F,
        0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFE10...0xFE1F, 0xFE30...0xFE6F, 0xFF00...0xFFEF,
        0x1AFF0...0x1B16F, 0x1F200...0x1F2FF, 0x20000...0x3FFFF,
    ]
}
