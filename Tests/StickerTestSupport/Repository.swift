public import Foundation

/// The repository that holds the tests.
public enum Repository {
    /// The absolute path of one of its files, `config.json` for example.
    public static func path(_ relative: String) -> String {
        URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: relative).path
    }

    /// The content of one of its files.
    ///
    /// - Throws: what reading the file throws.
    public static func data(_ relative: String) throws -> Data {
        try Data(contentsOf: URL(filePath: path(relative)))
    }

    /// The paths of the documents in one of its folders, `docs/design` for example.
    ///
    /// - Throws: what listing the folder throws.
    public static func documents(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(folder))
            .filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
    }
}
