import Foundation
import StickerTestSupport

/// The statements that stand in the sources of the store, as the constant parts of their texts.
enum StatementLiterals {
    /// A statement of the source.
    struct Literal {
        /// Where it stands.
        var file: String
        /// The texts between the parts that are filled in, in order.
        var parts: [String]

        /// Whether `statement` was made of it.
        func matches(_ statement: String) -> Bool {
            var rest = Substring(statement)
            for part in parts {
                guard let range = rest.range(of: part) else { return false }
                rest = rest[range.upperBound...]
            }
            return true
        }
    }

    /// Every literal below `Sources/Library/Store` that begins like a statement; the tables themselves
    /// and pragmas are left out.
    static func all() throws -> [Literal] {
        let folder = Repository.path("Sources/Library/Store")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
        return try files.filter { $0.hasSuffix(".swift") && !$0.hasSuffix("Schema.swift") }
            .flatMap { file in
                let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
                return literals(of: text).filter(isStatement).map {
                    Literal(file: file, parts: parts(of: $0))
                }
            }
    }

    /// White space as single blanks.
    static func normal(_ text: String) -> String {
        text.replacing("\\\n", with: " ").split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
    }

    private static func isStatement(_ text: String) -> Bool {
        ["SELECT ", "INSERT ", "UPDATE ", "DELETE "].contains { normal(text).hasPrefix($0) }
    }

    private static func literals(of text: String) -> [String] {
        let parts = text.components(separatedBy: "\"\"\"").enumerated()
        let long = parts.filter { $0.offset % 2 == 1 }.map(\.element)
        let lines = parts.filter { $0.offset % 2 == 0 }.flatMap {
            $0.element.split(separator: "\n")
        }
        let short = lines.flatMap { line in
            line.components(separatedBy: "\"").enumerated()
                .filter { $0.offset % 2 == 1 }.map(\.element)
        }
        return long + short
    }

    /// Splits at `\(...)`, whatever brackets are inside.
    private static func parts(of literal: String) -> [String] {
        var parts: [String] = []
        var rest = Substring(literal)
        while let start = rest.range(of: "\\(") {
            parts.append(String(rest[..<start.lowerBound]))
            var depth = 1
            var end = start.upperBound
            while depth > 0, end < rest.endIndex {
                if rest[end] == "(" { depth += 1 }
                if rest[end] == ")" { depth -= 1 }
                end = rest.index(after: end)
            }
            rest = rest[end...]
        }
        return (parts + [String(rest)]).map(normal).filter { !$0.isEmpty }
    }
}
