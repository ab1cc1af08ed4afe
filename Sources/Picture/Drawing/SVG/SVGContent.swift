import StickerContainers

/// The size of a drawing, and the fonts that it requests.
struct SVGContent {
    private(set) var elements = 0
    private var hasText = false
    private var families: [[String]] = []

    init(_ bytes: UnsafeRawBufferPointer) {
        for tag in XMLTags(bytes) where tag.kind != .end {
            elements += 1
            if tag.name.count == 4, bytes.has("text", at: tag.name.lowerBound) { hasText = true }
        }
        if hasText { families = Self.families(in: bytes) }
    }

    // MARK: Fonts

    /// Generic names, which leave the choice to the renderer.
    private static let general: Set<String> = [
        "sans-serif", "serif", "monospace", "cursive", "fantasy", "system-ui", "emoji", "sans",
        "inherit", "initial", "unset", "ui-sans-serif", "-apple-system",
    ]

    /// The first choices whose alternatives are all missing from the fonts.
    func missingFamilies(_ fonts: FontFolder?) -> [String] {
        guard let fonts else { return [] }
        return families.filter { names in
            !names.contains {
                Self.general.contains($0.lowercased()) || fonts.family(named: $0) != nil
            }
        }.compactMap(\.first)
    }

    /// Each list of names behind `font-family`, in attributes and style sheets alike.
    private static func families(in bytes: UnsafeRawBufferPointer) -> [[String]] {
        var found: [[String]] = []
        var at = 0
        while found.count < familiesMax,
            let place = bytes[at...].firstIndex(of: UInt8(ascii: "f"))
        {
            at = place + 1
            guard bytes.has("font-family", at: place) else { continue }
            let names = names(in: bytes[(place + 11)...].prefix(200))
            if !names.isEmpty, !found.contains(names) { found.append(names) }
        }
        return found
    }

    private static let familiesMax = 50

    private static func names(in bytes: Slice<UnsafeRawBufferPointer>) -> [String] {
        var text = Substring(String(decoding: bytes, as: UTF8.self)).drop { $0.isWhitespace }
        guard let sign = text.popFirst(), sign == ":" || sign == "=" else { return [] }
        text = text.drop { $0.isWhitespace }
        var ends: Set<Character> = [";", "}", "<", ">"]
        // In an attribute, the value ends at the quote.
        if sign == "=", let quote = text.popFirst() { ends = [quote] }
        return text.replacing("&quot;", with: "'").prefix { !ends.contains($0) }
            .split(separator: ",")
            .map { name in
                String(name.drop { " \t\n\r'\"".contains($0) })
                    .trimmingSuffix { " \t\n\r'\"".contains($0) }
            }
            .filter { !$0.isEmpty }
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The text without the characters at its end for which `isCut` is true.
    func trimmingSuffix(while isCut: (Character) -> Bool) -> String {
        var text = self[...]
        while let last = text.last, isCut(last) { text.removeLast() }
        return String(text)
    }
}
