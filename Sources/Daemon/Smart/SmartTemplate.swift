import StickerContainers
import StickerValues

/// An SVG with placeholders, in one or several styles.
///
/// `{{weekday}}` may be used in texts and attributes. An element with `data-style="dark"` is drawn only in this style;
/// a template without such elements has one style. `data-interval="15"` at the root is the minutes between two
/// positions of the hands of clocks.
public struct SmartTemplate: Sendable {
    /// A part of the file.
    private enum Piece: Sendable {
        /// Bytes of the file.
        case text(Range<Int>)
        case placeholder(Placeholder)
        /// The place of the language, in the tag of the root.
        case language
    }

    /// The names of the styles, in the order of the file; none if there is only one.
    public let styles: [String]
    /// The placeholders in use, in the order of the declaration.
    public let placeholders: [Placeholder]
    /// The minutes between two positions of the hands of clocks.
    public let intervalMinutes: Int

    private let bytes: [UInt8]
    private let pieces: [Piece]
    /// The elements that are drawn in only one style.
    private let styled: [(style: String, range: Range<Int>)]

    /// The allowed minutes of `data-interval`.
    public static let intervalRange = 1...1440
    /// Minutes between two positions of hands, unless the template says otherwise.
    public static let defaultInterval = 5
    /// The most styles; nobody taps through more.
    public static let stylesMax = 8
    /// The most placeholders of a template, in all its styles.
    public static let placeholdersMax = 500
    /// The most bytes of a file: each style is a copy of it.
    public static let bytesMax = 1 << 20
    /// The most elements that are drawn in only one style.
    public static let styledElementsMax = 500

    /// Finds placeholders and styles. Does not check that the file is a drawing.
    ///
    /// - Parameter bytes: an SVG.
    /// - Throws: `TemplateFault`, the first one.
    public init(_ bytes: [UInt8]) throws(TemplateFault) {
        guard bytes.count <= Self.bytesMax else {
            throw TemplateFault(
                line: 1,
                detail: "it has \(bytes.count.grouped) B, limit \(Self.bytesMax.grouped) B",
                remedy: "simplify it, or embed smaller pictures")
        }
        self.bytes = bytes
        let pieces = try Self.pieces(of: bytes)
        let found = Set(
            pieces.compactMap { if case .placeholder(let found) = $0 { found } else { nil } })
        placeholders = Placeholder.allCases.filter(found.contains)
        let rootEnd: Int?
        (styled, intervalMinutes, rootEnd) = try Self.elements(of: bytes)
        self.pieces = rootEnd.map { Self.pieces(pieces, withLanguageAt: $0) } ?? pieces
        guard styled.count <= Self.styledElementsMax else {
            throw TemplateFault(
                line: Self.line(of: styled[Self.styledElementsMax].range.lowerBound, in: bytes),
                detail: "it has \(styled.count.grouped) elements with data-style, limit "
                    + "\(Self.styledElementsMax)",
                remedy: "put those of a style into one")
        }
        for part in styled where part.style.wholeMatch(of: /[A-Za-z0-9._-]{1,40}/) == nil {
            throw TemplateFault(
                line: Self.line(of: part.range.lowerBound, in: bytes),
                detail: "a style is called \"\(FileName.escaped(String(part.style.prefix(60))))\"",
                remedy: "use 1 to 40 letters, digits, dots, hyphens and underscores")
        }
        styles = styled.reduce(into: []) { styles, part in
            if !styles.contains(part.style) { styles.append(part.style) }
        }
        guard styles.count <= Self.stylesMax else {
            throw TemplateFault(
                line: Self.line(of: styled[styled.count - 1].range.lowerBound, in: bytes),
                detail: "it has \(styles.count) styles, limit \(Self.stylesMax)",
                remedy: "leave some out")
        }
    }

    /// Whether it shows the weather.
    public var needsWeather: Bool { placeholders.contains { $0.cause == .weather } }

    /// The drawing of one style, with `values` for placeholders. Equal values give equal bytes.
    ///
    /// - Parameters:
    ///   - values: texts for all placeholders; missing ones are left empty.
    ///   - style: one of `styles`, or `nil` if there are none.
    ///   - language: of the values, in BCP 47: some languages draw shared letters differently. `nil` sets none, and a
    ///     file that names its language keeps it.
    /// - Returns: an SVG.
    public func filled(
        _ values: [Placeholder: String], style: String? = nil, language: String? = nil
    ) -> [UInt8] {
        let hidden = styled.filter { $0.style != style }.map(\.range)
        var filled: [UInt8] = []
        var place = 0
        for piece in pieces {
            switch piece {
            case .text(let range):
                append(range, without: hidden, to: &filled)
                place = range.upperBound
            case .placeholder(let placeholder):
                guard !hidden.contains(where: { $0.contains(place) }) else { continue }
                filled += Self.escaped(values[placeholder] ?? "").utf8
            case .language:
                filled += (language.map { " xml:lang=\"\(Self.escaped($0))\"" } ?? "").utf8
            }
        }
        return filled
    }

    private static func pieces(_ pieces: [Piece], withLanguageAt place: Int) -> [Piece] {
        let index = pieces.firstIndex { piece in
            if case .text(let range) = piece { range.contains(place) } else { false }
        }
        guard let index, case .text(let range) = pieces[index] else { return pieces }
        return pieces[..<index]
            + [.text(range.lowerBound..<place), .language, .text(place..<range.upperBound)]
            + pieces[(index + 1)...]
    }

    private func append(
        _ range: Range<Int>, without hidden: [Range<Int>], to filled: inout [UInt8]
    ) {
        var start = range.lowerBound
        // They are in order, and none contains another.
        for gap in hidden where gap.overlaps(range) {
            filled += bytes[start..<max(start, gap.lowerBound)]
            start = min(range.upperBound, gap.upperBound)
        }
        filled += bytes[start..<range.upperBound]
    }

    /// In ASCII, whatever the encoding of the file.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&", "<", ">", "\"", "'": escaped += "&#\(scalar.value);"
            case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
            default: escaped += "&#\(scalar.value);"
            }
        }
        return escaped
    }

    // MARK: Reading

    private static func pieces(of bytes: [UInt8]) throws(TemplateFault) -> [Piece] {
        var pieces: [Piece] = []
        var (start, at) = (0, 0)
        while at + 1 < bytes.count {
            guard bytes[at] == UInt8(ascii: "{"), bytes[at + 1] == UInt8(ascii: "{") else {
                at += 1
                continue
            }
            let rest = bytes[(at + 2)...].prefix(nameBytesMax + 2)
            guard
                let end = rest.indices.dropLast().first(where: {
                    rest[$0] == UInt8(ascii: "}") && rest[$0 + 1] == UInt8(ascii: "}")
                })
            else {
                throw TemplateFault(
                    line: line(of: at, in: bytes), detail: "a {{ is not closed by }}",
                    remedy: "close it, or write &#123;{ for two braces")
            }
            let name = String(decoding: rest[..<end], as: UTF8.self)
            guard let placeholder = Placeholder(rawValue: name) else {
                throw TemplateFault(
                    line: line(of: at, in: bytes),
                    detail: "there is no {{\(FileName.escaped(name))}}",
                    remedy: "use one of \(names)")
            }
            guard pieces.count < 2 * placeholdersMax else {
                throw TemplateFault(
                    line: line(of: at, in: bytes),
                    detail: "it has more than \(placeholdersMax) placeholders",
                    remedy: "write each text once")
            }
            pieces.append(.text(start..<at))
            pieces.append(.placeholder(placeholder))
            (start, at) = (end + 2, end + 2)
        }
        pieces.append(.text(start..<bytes.count))
        return pieces
    }

    private static let nameBytesMax = 40
    private static let names = Placeholder.allCases.map { "{{\($0.rawValue)}}" }
        .joined(separator: ", ")

    private static func elements(
        of bytes: [UInt8]
    ) throws(TemplateFault) -> (
        styled: [(style: String, range: Range<Int>)], interval: Int, rootEnd: Int?
    ) {
        var scan = ElementScan()
        bytes.withUnsafeBytes { scan.run(over: $0) }
        if let nested = scan.nested {
            throw TemplateFault(
                line: line(of: nested, in: bytes),
                detail: "an element with data-style lies in another one",
                remedy: "put it beside the other")
        }
        guard let interval = scan.interval else {
            return (scan.styled, defaultInterval, scan.rootEnd)
        }
        guard let minutes = Int(interval), intervalRange.contains(minutes) else {
            throw TemplateFault(
                line: 1, detail: "data-interval is \"\(FileName.escaped(interval))\"",
                remedy: "write a number of minutes from \(intervalRange.lowerBound) to "
                    + "\(intervalRange.upperBound)")
        }
        return (scan.styled, minutes, scan.rootEnd)
    }

    private static func line(of place: Int, in bytes: [UInt8]) -> Int {
        1 + bytes[..<place].count { $0 == UInt8(ascii: "\n") }
    }
}

/// The elements with template attributes.
private struct ElementScan {
    var styled: [(style: String, range: Range<Int>)] = []
    var interval: String?
    /// The end of the root's name, unless the root has a language.
    var rootEnd: Int?
    private var hasRoot = false
    /// The position of an element with a style inside another one.
    var nested: Int?
    private var (depth, styledDepth) = (0, 0)

    mutating func run(over bytes: UnsafeRawBufferPointer) {
        var tags = XMLTags(bytes)
        while let tag = tags.next() {
            if tag.kind == .end {
                depth -= 1
                if styledDepth > 0, depth < styledDepth {
                    close(at: tags.offset)
                }
                continue
            }
            if !hasRoot {
                hasRoot = true
                rootEnd = value("lang", of: tag, bytes) == nil ? tag.name.upperBound : nil
            }
            if depth == 0, interval == nil {
                interval = value("data-interval", of: tag, bytes)
            }
            if let style = value("data-style", of: tag, bytes) {
                open(style, tag, bytes, end: tags.offset)
            }
            if tag.kind == .start { depth += 1 }
        }
        // A file with an unclosed element is no drawing, and is refused later.
        if styledDepth > 0 { close(at: bytes.count) }
    }

    private mutating func open(
        _ style: String, _ tag: XMLTags.Tag, _ bytes: UnsafeRawBufferPointer, end: Int
    ) {
        let start =
            bytes[..<tag.name.lowerBound].lastIndex(of: UInt8(ascii: "<")) ?? tag.name.lowerBound
        guard styledDepth == 0 else {
            nested = nested ?? start
            return
        }
        styled.append((style, start..<end))
        if tag.kind == .start { styledDepth = depth + 1 }
    }

    private mutating func close(at end: Int) {
        let last = styled.count - 1
        styled[last].range = styled[last].range.lowerBound..<end
        styledDepth = 0
    }

    private func value(
        _ name: StaticString, of tag: XMLTags.Tag, _ bytes: UnsafeRawBufferPointer
    ) -> String? {
        XMLAttributes(bytes, of: tag).first {
            $0.name.count == name.utf8CodeUnitCount && bytes.has(name, at: $0.name.lowerBound)
        }.map { String(decoding: bytes[$0.value], as: UTF8.self) }
    }
}
