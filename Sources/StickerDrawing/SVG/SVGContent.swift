import StickerContainers
import StickerModel

/// What a drawing asks for and does not get.
struct SVGContent {
    private(set) var elements = 0
    private var hasText = false
    private var leftOut: [String] = []
    private var families: [[String]] = []

    init(_ bytes: UnsafeRawBufferPointer) {
        for tag in XMLTags(bytes) where tag.kind != .end {
            elements += 1
            note(String(decoding: bytes[tag.name], as: UTF8.self), tag, bytes)
        }
        if hasText { families = Self.families(in: bytes) }
    }

    private mutating func note(
        _ name: String, _ tag: XMLTags.Tag, _ bytes: UnsafeRawBufferPointer
    ) {
        switch name {
        case "text": hasText = true
        case "script": leaveOut("scripts")
        case "foreignObject": leaveOut("pages within it")
        case "animate", "animateColor", "animateMotion", "animateTransform", "set":
            leaveOut("its motion")
        case "image", "feImage", "use":
            for attribute in XMLAttributes(bytes, of: tag) where bytes.has("href", of: attribute) {
                let target = String(decoding: bytes[attribute.value].prefix(80), as: UTF8.self)
                if !Self.isDrawn(target, by: name) { leaveOut(Self.shown(target)) }
            }
        default: break
        }
    }

    private static func isDrawn(_ target: String, by element: String) -> Bool {
        if target.hasPrefix("#") || target.isEmpty { return true }
        let lower = target.drop { $0.isWhitespace }.lowercased()
        return element != "use"
            && ["png", "jpeg", "jpg"].contains { lower.hasPrefix("data:image/\($0)") }
    }

    private static func shown(_ target: String) -> String {
        let name = target.unicodeScalars.prefix(60)
            .map { $0.properties.generalCategory == .control ? " " : Character($0) }
        return target.hasPrefix("data:")
            ? "an embedded picture that is neither PNG nor JPEG" : "\"\(String(name))\""
    }

    private mutating func leaveOut(_ what: String) {
        if !leftOut.contains(what) { leftOut.append(what) }
    }

    /// What was left out, or replaced by what the folder `fonts` has, for people.
    func warnings(fonts: String?) -> [Warning] {
        var warnings: [Warning] = []
        if !leftOut.isEmpty {
            let more = leftOut.count > 4 ? " and \(leftOut.count - 4) more" : ""
            warnings.append(
                Warning(
                    "svg-left-out",
                    "not drawn: \(leftOut.prefix(4).joined(separator: ", "))\(more); embed "
                        + "pictures as PNG or JPEG, and draw everything else as shapes"))
        }
        let missing = missingFamilies(fonts)
        if !missing.isEmpty {
            warnings.append(
                Warning(
                    "font-replaced",
                    "there is no font \(missing.prefix(4).map { "\"\($0)\"" }.joined(separator: ", ")), "
                        + "so another was taken; convert text to paths, or add the font "
                        + "(stickerd(8), Fonts)"))
        }
        return warnings
    }

    // MARK: Fonts

    /// Names that leave the choice to whoever draws.
    private static let general: Set<String> = [
        "sans-serif", "serif", "monospace", "cursive", "fantasy", "system-ui", "emoji", "sans",
        "inherit", "initial", "unset", "ui-sans-serif", "-apple-system",
    ]

    /// The first choices of which no alternative is there.
    private func missingFamilies(_ folder: String?) -> [String] {
        guard !families.isEmpty, let folder, let fonts = try? FontFolder(folder) else { return [] }
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
        // In an attribute, what follows the quote is no longer the value.
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
    /// The text without what `isCut` tells of at its end.
    func trimmingSuffix(while isCut: (Character) -> Bool) -> String {
        var text = self[...]
        while let last = text.last, isCut(last) { text.removeLast() }
        return String(text)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func has(_ name: StaticString, of attribute: (name: Range<Int>, value: Range<Int>))
        -> Bool
    {
        attribute.name.count == name.utf8CodeUnitCount && has(name, at: attribute.name.lowerBound)
    }
}
