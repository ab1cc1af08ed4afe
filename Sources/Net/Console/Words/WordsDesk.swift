import StickerHTTP
import StickerStore
import StickerValues

/// Where words are edited: in the side files of drops that the console may write to, by forms that say what they showed
/// before. What somebody else changed since then stays.
struct WordsDesk: Sendable {
    /// Fields of one side file, filled in.
    struct Entry: Sendable {
        let file: WordsFile
        /// The content of a new file.
        var kept: StickerWords?
        let fields: [WordsField]
        /// The text that each field showed and the one it holds now, by key; `nil` to replace any text.
        var texts: [String: (was: String?, now: String)]
    }

    /// The result of saving some entries.
    struct Result: Sendable {
        var changes: [WordsFile.Change] = []
        var failures: [(entry: Entry, error: WordsFileError)] = []
    }

    /// The most categories that one field sets a publisher for.
    static let categoriesMax = 200

    /// The drops with side files that may be written.
    let drops: Set<String>

    /// The side file at `key`; `nil` if it is not to be edited here.
    func file(_ key: SourceKey?) -> WordsFile? {
        guard let key, drops.contains(key.drop) else { return nil }
        return WordsFile(key)
    }

    /// Why the words of a side file are not edited here, for people.
    func obstacle(_ key: SourceKey?) -> String? {
        guard let key else { return "Without a file there are no words beside it." }
        guard drops.contains(key.drop) else {
            return "Words are edited here once console.drops names \(key.drop)."
        }
        return WordsFile(key) == nil
            ? "The name of the file is no text, or too long for a side file; rename it to give it words."
            : nil
    }

    /// Writes what was filled in: of each file everything, or nothing.
    func save(_ entries: [Entry]) -> Result {
        var result = Result()
        for entry in entries {
            do throws(WordsFileError) {
                if let change = try save(entry) { result.changes.append(change) }
            } catch {
                result.failures.append((entry, error))
            }
        }
        return result
    }

    private func save(_ entry: Entry) throws(WordsFileError) -> WordsFile.Change? {
        try entry.file.change(startingWith: entry.kept) { members throws(WordsFileError) in
            var changes: [(key: String, value: JSONValue?)] = []
            var contested: [String] = []
            for field in entry.fields {
                guard let (was, now) = entry.texts[field.key], was != now else { continue }
                let present = field.text(of: members[field.key])
                if present == now { continue }
                guard was == nil || present == was else {
                    contested.append(field.key)
                    continue
                }
                changes.append((field.key, field.value(of: now)))
            }
            guard contested.isEmpty else { throw .contested(contested) }
            return changes
        }
    }
}

extension WordsFileError {
    /// One sentence, with a remedy.
    func sentence(_ file: WordsFile) -> String {
        let name = FileName.escaped(FileName.display(file.key.relativePath))
        return switch self {
        case .unreadable: "\(name) cannot be read now; save again in a moment"
        case .faulty(let faults):
            "\(name) has faults, which have to be corrected in it first: "
                + faults.faults.map(\.description).joined(separator: "; ")
        case .wrong(let faults):
            "\(name): " + faults.faults.map { "\($0.fault)" }.joined(separator: "; ")
                + "; nothing was written"
        case .tooLarge:
            "\(name) would have more than \(file.kind.bytesMax.grouped) B; nothing was written"
        case .absent(let key): "\(name) says nothing about \(FileName.escaped(key))"
        case .changed: "\(name) was changed since, and stays as it is"
        case .contested(let keys):
            "\(keys.joined(separator: ", ")) of \(name): changed since by somebody else; see what is "
                + "there now, and save again to replace it"
        case .unwritable(let error):
            "\(error); let the user of the console write there, see stickerd-console(8)"
        }
    }
}
