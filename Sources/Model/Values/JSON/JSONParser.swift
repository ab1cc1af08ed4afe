/// Where and why a text is not valid JSON.
package struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Counted from 1.
    package var line: Int
    /// Counted from 1, in characters.
    package var column: Int
    /// The expected text at this position.
    package var message: String

    package var description: String { "line \(line), column \(column): \(message)" }
}

/// Reads JSON (RFC 8259) strictly and reports where it is invalid: anyone editing a file by hand needs to know the
/// line, and whether a key appears twice, which Foundation's decoder does not report.
package struct JSONParser {
    private static let depthMax = 64
    private let text: [UInt8]
    private var position = 0
    /// The values that are searched for, if any.
    private var search: Search?

    /// Parses the single value of `text`, which is UTF-8 with or without a byte order mark.
    package static func parse(_ text: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        var parser = JSONParser(text: text)
        return try parser.document()
    }

    /// The lines, counted from 1, of the values at paths as in `JSONFault`; for a missing value, of the innermost one
    /// around it. The text must be one that `parse` accepts.
    ///
    /// Parses once more: storing the path of every value would take unbounded room.
    package static func lines(of paths: some Sequence<String>, in text: [UInt8]) -> [Int] {
        lines(at: searched(Array(paths), in: text).places, in: text)
    }

    /// The lines, counted from 1, of places in bytes from the start.
    package static func lines(at places: [Int], in text: [UInt8]) -> [Int] {
        var lines: [Int: Int] = [:]
        var (line, counted) = (1, 0)
        for place in Set(places).sorted() {
            line += text[counted..<place].count { $0 == UInt8(ascii: "\n") }
            counted = place
            lines[place] = line
        }
        return places.map { lines[$0] ?? 1 }
    }

    /// Where the items of a list begin, in a text that `parse` accepts; `place` is that of the list or its key.
    package static func places(
        ofItems items: Set<Int>, ofListAt place: Int, in text: [UInt8]
    ) -> [Int: Int] {
        var places: [Int: Int] = [:]
        var parser = JSONParser(text: text)
        parser.position = place
        if parser.peek() == UInt8(ascii: "\"") {
            _ = try? parser.string()
            _ = parser.take(":")
        }
        _ = parser.take("[")
        for index in 0...(items.max() ?? 0) {
            _ = parser.peek()
            if items.contains(index) { places[index] = parser.position }
            guard (try? parser.value(depth: 0)) != nil, parser.take(",") else { break }
        }
        return places
    }

    /// The range of the value at a path as in `JSONFault`, in a text that `parse` accepts; `nil` if it is missing. The
    /// empty path is that of the whole.
    package static func range(of path: String, in text: [UInt8]) -> Range<Int>? {
        searched([path], in: text).ranges[0]
    }

    private static func searched(_ paths: [String], in text: [UInt8]) -> Search {
        let search = Search(paths)
        var parser = JSONParser(text: text)
        parser.search = search
        _ = try? parser.document()
        return parser.search ?? search
    }

    private mutating func document() throws(JSONSyntaxError) -> JSONValue {
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        let value = try located(depth: 0)
        guard peek() == nil else { throw needed("the end of the file") }
        return value
    }

    private init(text: [UInt8]) { self.text = text }

    /// A value; its place is kept if it is searched for.
    private mutating func located(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        guard let found = search?.found, !found.isEmpty else { return try value(depth: depth) }
        _ = peek()
        let start = position
        let value = try value(depth: depth)
        for index in found { search?.ranges[index] = start..<position }
        return value
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        guard depth <= Self.depthMax else {
            throw fault("at most \(Self.depthMax) levels are read", at: position)
        }
        switch peek().map(Unicode.Scalar.init) {
        case "{"?: return try object(depth: depth)
        case "["?: return try array(depth: depth)
        case "\""?: return .string(try string())
        case "-"?, ("0"..."9")?: return try number()
        default: return try word()
        }
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        position += 1
        var members = JSONObject()
        guard !take("}") else { return .object(members) }
        repeat {
            guard peek() == UInt8(ascii: "\"") else { throw needed("a key in double quotes") }
            let start = position
            let key = try string()
            guard members.append(.init(key: key, value: .null, place: start)) else {
                throw fault(
                    "the key \"\(FileName.escaped(key.cutForMessages))\" appears a second time",
                    at: start)
            }
            guard take(":") else { throw needed("a colon") }
            let around = search?.enter(member: key, at: start)
            members.setLast(try located(depth: depth + 1))
            search?.leave(to: around)
        } while take(",")
        guard take("}") else { throw needed("a comma or }") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        position += 1
        var items: [JSONValue] = []
        guard !take("]") else { return .array(items) }
        repeat {
            _ = peek()
            let around = search?.enter(item: items.count, at: position)
            items.append(try located(depth: depth + 1))
            search?.leave(to: around)
        } while take(",")
        guard take("]") else { throw needed("a comma or ]") }
        return .array(items)
    }

    private mutating func word() throws(JSONSyntaxError) -> JSONValue {
        let words: [(String, JSONValue)] = [
            ("true", .bool(true)), ("false", .bool(false)), ("null", .null),
        ]
        guard let (word, value) = words.first(where: { text[position...].starts(with: $0.0.utf8) })
        else { throw needed("a value") }
        position += word.utf8.count
        return value
    }

    // MARK: Numbers

    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = position
        _ = skip("-")
        let leading = position
        var isRight =
            skipDigits() && (text[leading] != UInt8(ascii: "0") || position == leading + 1)
        if skip(".") { isRight = skipDigits() && isRight }
        if skip("e") || skip("E") {
            _ = skip("+") || skip("-")
            isRight = skipDigits() && isRight
        }
        let digits = String(decoding: text[start..<position], as: UTF8.self)
        guard isRight, let number = Double(digits), number.isFinite else {
            throw fault("\(digits.cutForMessages) is not a number that can be read", at: start)
        }
        return (Int(digits) ?? Int(exactly: number)).map(JSONValue.integer) ?? .number(number)
    }

    /// Returns whether there was at least one.
    private mutating func skipDigits() -> Bool {
        let start = position
        while position < text.count, (0x30...0x39).contains(text[position]) { position += 1 }
        return position > start
    }

    // MARK: Strings

    private mutating func string() throws(JSONSyntaxError) -> String {
        let start = position
        position += 1
        var bytes: [UInt8] = []
        while position < text.count, text[position] >= 0x20, text[position] != UInt8(ascii: "\"") {
            if skip("\\") {
                bytes += Array(String(try escape()).utf8)
            } else {
                bytes.append(text[position])
                position += 1
            }
        }
        guard skip("\"") else { throw fault("this text has no closing quote", at: start) }
        guard let string = String(validating: bytes, as: UTF8.self) else {
            throw fault("this text is not UTF-8", at: start)
        }
        guard bytes.count <= 2 * Self.marksMax || string.marksOnOneLetter <= Self.marksMax else {
            throw fault("at most \(Self.marksMax) marks are read on one letter", at: start)
        }
        return string
    }

    /// As many as a file name can have.
    private static let marksMax = 128

    /// Reads the rest of an escape after its backslash.
    private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let plain: [(Unicode.Scalar, Unicode.Scalar)] = [
            ("\"", "\""), ("\\", "\\"), ("/", "/"), ("b", "\u{8}"), ("f", "\u{C}"), ("n", "\n"),
            ("r", "\r"), ("t", "\t"),
        ]
        for (letter, scalar) in plain where skip(letter) { return scalar }
        let start = position
        guard skip("u"), let unit = skipHexadecimal() else {
            throw fault("a backslash must stand before one of \"\\/bfnrt or uXXXX", at: start)
        }
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, skip("\\"), skip("u"), let low = skipHexadecimal(),
            (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
        else { throw fault("half a surrogate pair", at: start) }
        return scalar
    }

    /// The value of four hexadecimal digits; `nil` if there are none.
    private mutating func skipHexadecimal() -> UInt32? {
        let digits = String(decoding: text[position...].prefix(4), as: UTF8.self)
        guard digits.count == 4, digits.allSatisfy(\.isHexDigit) else { return nil }
        position += 4
        return UInt32(digits, radix: 16)
    }

    // MARK: Bytes

    /// Skips white space and returns the next byte; `nil` at the end.
    private mutating func peek() -> UInt8? {
        while position < text.count {
            switch text[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            case let byte: return byte
            }
        }
        return nil
    }

    /// Skips white space, and `character` if it follows.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        _ = peek()
        return skip(character)
    }

    /// Skips `character` if it follows.
    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    // MARK: Faults

    private mutating func needed(_ what: String) -> JSONSyntaxError {
        let found = peek().map { _ in String(decoding: text[position...], as: UTF8.self).prefix(1) }
        let shown =
            found.map { "\"\(FileName.escaped(String($0).cutForMessages))\"" }
            ?? "the end of the file"
        return fault("\(what) is needed before \(shown)", at: position)
    }

    private func fault(_ message: String, at position: Int) -> JSONSyntaxError {
        let lines = text[..<position].split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let column = String(decoding: lines.last ?? [], as: UTF8.self).count + 1
        return JSONSyntaxError(line: lines.count, column: column, message: message)
    }
}

extension String {
    /// The most marks on one letter. Comparing texts sorts them, in quadratic time.
    package var marksOnOneLetter: Int {
        var (run, most) = (0, 0)
        for scalar in unicodeScalars {
            let isMark =
                !scalar.isASCII && scalar.properties.canonicalCombiningClass != .notReordered
            run = isMark ? run + 1 : 0
            most = max(most, run)
        }
        return most
    }
}

/// Follows paths into a text while it is parsed.
private struct Search {
    private let paths: [[UInt8]]
    /// Where the innermost value around the end of each path begins, including its key.
    private(set) var places: [Int]
    /// The range of the value at the end of each path.
    var ranges: [Range<Int>?]
    private var way: Way

    /// The paths that lead through the present value.
    struct Way {
        var paths: [Int]
        /// How many of their bytes are matched so far.
        var matched = 0
    }

    init(_ paths: [String]) {
        self.paths = paths.map { Array($0.utf8) }
        places = paths.map { _ in 0 }
        ranges = paths.map { _ in nil }
        way = Way(paths: Array(paths.indices))
    }

    /// The paths that end at the present value.
    var found: [Int] { way.paths.filter { paths[$0].count == way.matched } }

    /// Enters a member of the present value.
    ///
    /// - Returns: the state to restore afterwards.
    mutating func enter(member key: String, at start: Int) -> Way {
        enter(start) { ($0 ? "" : ".") + FileName.escaped(key) }
    }

    /// Enters an item of the present value.
    mutating func enter(item: Int, at start: Int) -> Way { enter(start) { _ in "[\(item)]" } }

    mutating func leave(to around: Way?) { if let around { way = around } }

    private mutating func enter(_ start: Int, _ step: (_ isFirst: Bool) -> String) -> Way {
        let around = way
        way.paths.removeAll { paths[$0].count == around.matched }
        guard !way.paths.isEmpty else { return around }
        // The steps of a text are no longer than the text, however long the paths.
        let step = Array(step(around.matched == 0).utf8)
        way.matched += step.count
        way.paths = way.paths.filter { Self.leads(paths[$0], by: step, from: around.matched) }
        for index in way.paths { places[index] = start }
        return around
    }

    /// Whether a path continues with `step` after its first `matched` bytes. Called for every member of a file.
    private static func leads(_ path: [UInt8], by step: [UInt8], from matched: Int) -> Bool {
        let end = matched + step.count
        guard path.count >= end else { return false }
        if path.count > end {
            guard path[end] == UInt8(ascii: ".") || path[end] == UInt8(ascii: "[") else {
                return false
            }
        }
        var index = 0
        while index < step.count, path[matched + index] == step[index] { index += 1 }
        return index == step.count
    }
}
