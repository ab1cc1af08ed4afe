import FoundationEssentials
public import Testing

/// Pictures and tables from outside the repository, found through the environment variable
/// `STICKERD_CORPUS`.
public enum Corpus {
    /// The absolute path of the corpus, `nil` where the variable is not set.
    public static let path: String? = {
        let value = ProcessInfo.processInfo.environment["STICKERD_CORPUS"] ?? ""
        return value.isEmpty ? nil : value
    }()

    /// The absolute path of one of its folders, `bad` or `pngsuite` for example.
    ///
    /// `nil` where there is none; the reason is recorded as an issue when the corpus as a whole is
    /// there, because a misspelt name would otherwise pass as a skipped test.
    public static func folder(named name: String) -> String? {
        guard let path else { return nil }
        let folder = "\(path)/\(name)"
        guard FileManager.default.fileExists(atPath: folder) else {
            Issue.record("STICKERD_CORPUS names \(path), which has no folder \(name)")
            return nil
        }
        return folder
    }

    /// The rows of a tab-separated table below the corpus, each by column name; none without it.
    ///
    /// - Throws: what reading the file throws.
    public static func table(_ relativePath: String) throws -> [[String: String]] {
        guard let path else { return [] }
        let text = try String(contentsOfFile: "\(path)/\(relativePath)", encoding: .utf8)
        var lines = text.split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        let columns = lines.removeFirst()
        return lines.map { fields in
            Dictionary(zip(columns, fields)) { first, _ in first }
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test, with a hint, where no corpus is at hand.
    public static var needsCorpus: Self {
        .enabled(
            if: Corpus.path != nil,
            "set STICKERD_CORPUS to the folder of outside test pictures to run this test")
    }
}
