import Foundation
import StickerTestSupport

/// A command that messages advise, as it stands in the source: `retry * --too-long=trim`, with a star for each value.
struct AdvisedCommand: Hashable, Sendable {
    let template: String

    /// All that the source has.
    static func all() throws -> Set<AdvisedCommand> {
        let folder = Repository.path("Sources")
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
        return try (files ?? []).filter { $0.hasSuffix(".swift") }.reduce(into: []) { all, file in
            let source = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            all.formUnion(commands(in: source))
        }
    }

    /// The literals behind the label of the interpolation, but for the example in its own comment.
    private static func commands(in source: String) -> [AdvisedCommand] {
        source.split(separator: "\n").filter { !$0.contains("///") }.flatMap { line in
            line.components(separatedBy: "\\(stickerctl: \"").dropFirst().map { text in
                AdvisedCommand(literal: text)
            }
        }
    }

    /// Reads a literal up to its end.
    private init(literal: String) {
        var (words, depth) = ("", 0)
        var rest = literal[...]
        while let character = rest.popFirst(), depth > 0 || character != "\"" {
            switch character {
            case "\\" where depth == 0:
                words += "*"
                depth = rest.popFirst() == "(" ? 1 : 0
            case "(" where depth > 0: depth += 1
            case ")" where depth > 0: depth -= 1
            case _ where depth == 0: words.append(character)
            default: break
            }
        }
        template = words
    }

    /// What it reads as at the beginning of a text `nil` if that begins with something else.
    fileprivate func match(_ text: String) -> String? {
        // Marks that end a sentence or a quotation are no part of a value.
        let value = #"(?:'(?:[^']|'\\'')*'|[^\s'";,)]*[^\s'";,.)](?: TEXT| WORD)?)"#
        let pattern = template.split(separator: "*", omittingEmptySubsequences: false)
            .map { NSRegularExpression.escapedPattern(for: String($0)) }.joined(separator: value)
        let range = text.range(
            of: "^\(pattern)(?![\\w-])", options: .regularExpression)
        return range.map { String(text[$0]) }
    }

    /// A command in a message.
    struct Met: Hashable, Sendable {
        let advised: AdvisedCommand
        /// The words behind `stickerctl`.
        let words: String
    }

    /// The commands in the texts of programs, each as the longest that it can be.
    static func met(in text: String, of all: Set<AdvisedCommand>) -> Set<Met> {
        var met: Set<Met> = []
        for rest in text.components(separatedBy: "stickerctl ").dropFirst() {
            let fits = all.compactMap { advised in
                advised.match(rest).map { Met(advised: advised, words: $0) }
            }
            // If two have the same words, the one with more of them in the source.
            let best = fits.max { one, other in
                (one.words.count, one.advised.template.count)
                    < (other.words.count, other.advised.template.count)
            }
            if let best { met.insert(best) }
        }
        return met
    }
}
