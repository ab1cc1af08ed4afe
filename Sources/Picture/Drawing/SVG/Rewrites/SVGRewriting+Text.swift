/// Texts in a form that librsvg can set.
extension SVGRewriting {
    func rewriteTexts() {
        // Browsers take nothing over of it.
        for element in elements where ["svg", "g", "use", "switch"].contains(element.name) {
            if element["baseline-shift"] != nil { change(element, "baseline-shift", to: nil) }
        }
        let texts = elements.filter { $0.isSVG && $0.name == "text" }
        if !texts.isEmpty || elements.contains(where: { Self.isMeasuredInLetters($0) }) {
            nameSize()
        }
        for element in texts {
            placeBaseline(of: element)
            placeSpacing(of: element)
            for part in element.all {
                shift(part, isText: part === element)
                keepSpaces(in: part)
                changeCase(in: part)
                placeLetters(of: part)
            }
            hideBaselines(of: element)
            if element["data-fit"] == nil { leaveOutEmoji(of: element) }
        }
    }

    private static func isMeasuredInLetters(_ element: SVGElement) -> Bool {
        element.attributes.contains { attribute in
            let before = attribute.value.hasSuffix("em") ? attribute.value.dropLast(2).last : nil
            return before.map { $0.isNumber || $0 == "." } ?? false
        }
            || element.declared.contains { $0.value.contains { $0.contains(unit: ["em"]) } }
    }

    /// The initial font size is 12 pixels in librsvg, and 16 in browsers.
    private func nameSize() {
        let value = root.value("font-size")?.first
        guard
            value == nil || value?.token(.percentage) != nil
                || value?.contains(unit: ["em", "ex"]) == true
        else { return }
        set(root, "font-size", CSSLength.text(root.style.fontSize) + "px")
    }

    /// Browsers count the space after the last letter, if the position of the first depends on it.
    private func placeSpacing(of text: SVGElement) {
        guard let value = inherited("letter-spacing", for: text),
            let space = text.style.pixels(value, for: "letter-spacing"), space != 0
        else { return }
        switch inherited("text-anchor", for: text)?.first?.ident {
        case "middle": move(text, -space / 2, 0)
        case "end": move(text, -space, 0)
        default: break
        }
    }

    private func move(_ text: SVGElement, _ x: Double, _ y: Double) {
        let move = "translate(\(CSSLength.text(x)) \(CSSLength.text(y)))"
        change(text, "transform", to: text["transform"].map { "\($0) \(move)" } ?? move)
    }

    // MARK: Lines

    /// The distance of each other baseline above the alphabetic one, in font sizes, for Inter, as Chromium computes it.
    private static let baselines: [String: Double] = [
        "middle": 0.273, "central": 0.364, "hanging": 0.775, "mathematical": 0.484,
        "text-before-edge": 0.969, "text-top": 0.969, "before-edge": 0.969,
        "text-after-edge": -0.242, "text-bottom": -0.242, "ideographic": -0.242,
        "after-edge": -0.242,
    ]

    private func placeBaseline(of text: SVGElement) {
        guard
            let shift = ownBaseline(of: text)
                ?? Self.baseline(inherited("dominant-baseline", for: text))
        else { return }
        move(text, 0, shift * text.style.fontSize)
    }

    private static func baseline(_ value: [CSSComponent]?) -> Double? {
        value?.first?.ident.flatMap { baselines[$0] }
    }

    /// Newer versions of librsvg know baselines themselves, and would shift texts twice.
    private func hideBaselines(of text: SVGElement) {
        let isMoved = Self.baseline(inherited("dominant-baseline", for: text)) != nil
        let parts = text.all
        guard isMoved || parts.contains(where: { ownBaseline(of: $0) != nil }) else { return }
        for part in parts {
            for (name, none) in [
                ("dominant-baseline", "auto"), ("alignment-baseline", "baseline"),
            ] where part.value(name) != nil {
                set(part, name, none)
            }
        }
        if isMoved, text.value("dominant-baseline") == nil {
            set(text, "dominant-baseline", "auto")
        }
    }

    private func ownBaseline(of part: SVGElement) -> Double? {
        Self.baseline(part.value("alignment-baseline"))
            ?? Self.baseline(part.value("dominant-baseline"))
    }

    /// Shifts a part of a text by its baseline, and by `baseline-shift` keywords.
    private func shift(_ part: SVGElement, isText: Bool) {
        let size = part.style.fontSize
        if !isText, part.value("baseline-shift") == nil, let own = ownBaseline(of: part),
            let parent = part.parent
        {
            let outer = Self.baseline(inherited("dominant-baseline", for: parent)) ?? 0
            set(part, "baseline-shift", CSSLength.text((outer - own) * size) + "px")
        }
        switch part.value("baseline-shift")?.first?.ident {
        // Half the height of the line.
        case "super": set(part, "baseline-shift", CSSLength.text(0.605 * size) + "px")
        case "sub": set(part, "baseline-shift", CSSLength.text(-0.605 * size) + "px")
        default: break
        }
    }

    // MARK: Words

    private func keepSpaces(in part: SVGElement) {
        guard let word = part.value("white-space")?.first?.ident else { return }
        guard ["pre", "pre-wrap", "break-spaces"].contains(word) else { return }
        part.attributes.removeAll { $0.name == "space" && $0.prefix == "xml" }
        part.attributes.append(.init(name: "space", prefix: "xml", value: "preserve"))
        note(.differs, "spaces between words that are kept")
        isChanged = true
    }

    private func changeCase(in part: SVGElement) {
        guard let word = inherited("text-transform", for: part)?.first?.ident,
            ["uppercase", "lowercase", "capitalize"].contains(word)
        else { return }
        part.children = part.children.map { child in
            guard case .text(let text) = child else { return child }
            switch word {
            case "uppercase": return .text(text.uppercased())
            case "lowercase": return .text(text.lowercased())
            default: return .text(Self.capitalized(text))
            }
        }
        isChanged = true
    }

    private static func capitalized(_ text: String) -> String {
        var (result, isStart) = ("", true)
        for character in text {
            result += isStart ? character.uppercased() : String(character)
            isStart = character.isWhitespace
        }
        return result
    }

    // MARK: Letters

    /// Splits a text into parts with positions, as librsvg ignores those of single letters.
    private func placeLetters(of part: SVGElement) {
        let names = ["x", "y", "dx", "dy"]
        let lists = names.map { part.numbers($0) }
        guard lists.contains(where: { $0.count > 1 }), part.name == "text" || part.name == "tspan"
        else { return }
        guard part.elements.isEmpty else {
            return note(.differs, "positions of single letters across parts of a text")
        }
        let letters = Array(Self.collapsed(part.text))
        // The space between two letters may differ from that around each.
        if lists[2].count > 1 { note(.differs, "distances between single letters (dx)") }
        guard takes(min(letters.count, lists.map(\.count).max() ?? 0)) else { return }
        var runs: [SVGElement] = []
        for (index, letter) in letters.enumerated() {
            let places = lists.indices.filter { lists[$0].count > index }
            if !places.isEmpty || runs.isEmpty {
                let run = SVGElement("tspan", like: part)
                for place in places { run[names[place]] = CSSLength.text(lists[place][index]) }
                runs.append(run)
            }
            runs[runs.count - 1].append(String(letter))
        }
        for name in names { part[name] = nil }
        part.children = []
        for run in runs { part.append(run) }
        isChanged = true
    }

    // MARK: Emoji

    /// Removes emoji: their font has pictures, and librsvg draws only outlines, which leaves specks. Blanks as wide as
    /// an emoji of Noto Color Emoji, 1.25 font sizes, keep the letters in place.
    private func leaveOutEmoji(of text: SVGElement) {
        for part in text.all where part.text.contains(where: Self.isEmoji) {
            part.children = part.children.map { child in
                guard case .text(let text) = child else { return child }
                return .text(
                    text.reduce(into: "") { $0 += Self.isEmoji($1) ? "\u{2003}\u{2005}" : "\($1)" })
            }
            note(.leftOut, "emoji in text")
            isChanged = true
        }
    }

    private static func isEmoji(_ character: Character) -> Bool {
        let scalars = character.unicodeScalars
        // The selectors choose between a character and a picture.
        guard !scalars.contains("\u{FE0E}") else { return false }
        return scalars.contains { $0.properties.isEmojiPresentation || $0 == "\u{FE0F}" }
    }

    private static func collapsed(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
