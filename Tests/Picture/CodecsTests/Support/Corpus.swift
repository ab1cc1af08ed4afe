import Foundation
import StickerValues
import Testing

/// Pictures from outside the repository, found through the environment.
enum Corpus {
    static let root = ProcessInfo.processInfo.environment["STICKERD_CORPUS"]
    static let isThere = root != nil
    static let hint: Comment = "set STICKERD_CORPUS to the folder of outside pictures"

    static func source(_ path: String) throws -> SourceBytes {
        SourceBytes(try bytes(path))
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        let root = try #require(root)
        return Array(try Data(contentsOf: URL(filePath: root).appending(path: path)))
    }

    /// The rows of a table with a head line, as fields by name.
    static func table(_ path: String) throws -> [[String: String]] {
        let lines = String(decoding: try bytes(path), as: UTF8.self).split(separator: "\n")
        let fields = lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        let head = try #require(fields.first).map(String.init)
        return fields.dropFirst().map { row in
            Dictionary(uniqueKeysWithValues: zip(head, row.map(String.init)))
        }
    }
}
