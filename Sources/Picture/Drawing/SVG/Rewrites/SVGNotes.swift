import StickerValues

/// Differences from the drawing's intent, in the order of discovery.
struct SVGNotes {
    enum Kind { case leftOut, differs, font }

    private(set) var leftOut: [String] = []
    private(set) var differing: [String] = []
    private var fonts: [String] = []
    private var known: [Kind: Set<String>] = [:]

    /// Adds one, once.
    mutating func add(_ kind: Kind, _ what: String) {
        guard known[kind, default: []].insert(what).inserted else { return }
        switch kind {
        case .leftOut: leftOut.append(what)
        case .differs: differing.append(what)
        case .font: fonts.append("\"\(what)\"")
        }
    }

    /// For people.
    var warnings: [Warning] {
        var warnings: [Warning] = []
        if !leftOut.isEmpty {
            warnings.append(
                Warning(
                    "svg-left-out",
                    "not drawn: \(Self.list(leftOut)); embed pictures, and draw everything else as shapes"
                ))
        }
        if !differing.isEmpty {
            warnings.append(
                Warning(
                    "svg-differs",
                    "may look different in a browser: \(Self.list(differing)); compare, and draw it as "
                        + "shapes if it matters"))
        }
        if !fonts.isEmpty {
            warnings.append(
                Warning(
                    "font-replaced",
                    "there is no font \(Self.list(fonts)), so another was used; convert text to "
                        + "paths, or add the font (stickerd(8), Fonts)"))
        }
        return warnings
    }

    private static func list(_ words: [String]) -> String {
        let more = words.count > 4 ? " and \(words.count - 4) more" : ""
        return "\(words.prefix(4).joined(separator: ", "))\(more)"
    }
}
