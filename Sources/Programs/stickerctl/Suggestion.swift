import ArgumentParser
import StickerConfiguration
import StickerStore
import StickerValues

/// Suggests the intended name for a mistyped one.
enum Suggestion {
    /// The name most similar to `word`; `nil` if less than half of either matches.
    static func nearest(to word: String, among names: [String]) -> String? {
        let known = names.map { (name: $0, changes: changes(from: word, to: $0)) }
        guard let best = known.min(by: { $0.changes < $1.changes }) else { return nil }
        return best.changes * 2 <= max(word.count, best.name.count) ? best.name : nil
    }

    /// The number of characters to insert, remove or replace: the Levenshtein distance.
    private static func changes(from word: String, to name: String) -> Int {
        let name = Array(name)
        var row = Array(0...name.count)
        for (index, character) in word.enumerated() {
            var left = index + 1
            var next = [left]
            for column in name.indices {
                let replaced = row[column] + (name[column] == character ? 0 : 1)
                left = min(left + 1, row[column + 1] + 1, replaced)
                next.append(left)
            }
            row = next
        }
        return row[name.count]
    }
}

extension StickerctlCommand {
    /// One sentence about arguments with an unknown verb; `nil` for a known one, or none.
    static func complaint(about arguments: [String]) -> String? {
        var rest = arguments[...]
        var verbs = configuration.subcommands
        var known: [String] = []
        while !verbs.isEmpty {
            rest = withoutSharedOptions(rest)
            let names = verbs.compactMap { $0.configuration.commandName } + ["help"]
            guard let verb = rest.popFirst(), !verb.hasPrefix("-"), verb != "help" else {
                return nil
            }
            guard names.contains(verb) else { return complaint(about: verb, after: known, names) }
            known.append(verb)
            verbs =
                verbs.first { $0.configuration.commandName == verb }?
                .configuration.subcommands ?? []
        }
        return nil
    }

    private static func complaint(
        about verb: String, after known: [String], _ names: [String]
    ) -> String {
        let all = known.map { $0 + " " }.joined()
        let remedy =
            Suggestion.nearest(to: verb, among: names)
            .map { "did you mean: \(stickerctl: all + $0)" } ?? "see: \(stickerctl: all + "--help")"
        return "there is no verb \(all)\(FileName.escaped(verb)); \(remedy)"
    }

    private static func withoutSharedOptions(_ arguments: ArraySlice<String>) -> ArraySlice<String>
    {
        var rest = arguments
        while let first = rest.first,
            ["--personal", "--config"].contains(first) || first.hasPrefix("--config=")
        {
            rest = rest.dropFirst(first == "--config" ? 2 : 1)
        }
        return rest
    }
}

extension LibraryStore {
    /// Complains about a reason that no ended job can have.
    ///
    /// - Throws: exit code 2 after printing a line about it.
    func checkReason(_ reason: String?) throws {
        guard let reason else { return }
        let known =
            Refusal.Reason.allCases.map(\.rawValue) + CancelReason.allCases.map(\.rawValue)
        // Temporary failures have free texts as reasons, and other releases have other reasons.
        var filter = JobFilter()
        filter.reason = reason
        guard try !known.contains(reason) && operations.count(filter).jobs == 0 else { return }
        let remedy =
            Suggestion.nearest(to: reason, among: known).map { "did you mean \($0)?" }
            ?? "\(stickerctl: "status") lists those that there are"
        complain("there is no reason \(FileName.escaped(reason)); \(remedy)")
        throw ExitCode(2)
    }
}
