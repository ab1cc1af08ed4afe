import Foundation
import StickerTestSupport
import Testing

/// Archives that Python's `zipfile` and `tarfile` make and read; see `Tests/Independent/archives.py`.
enum OtherPrograms {
    /// An entry of an archive, as Python sees it.
    struct Entry: Decodable, Hashable {
        var name: String
        var sha256: String
        var mode: Int
        /// In a ZIP.
        var stored: Bool?
        var flags: Int?
        var extra: Int?
        var comment: Int?
        /// In a tape archive.
        var regular: Bool?
        var owner: [Owner]?
        var pax: Int?
    }

    /// A number or a name.
    enum Owner: Decodable, Hashable {
        case number(Int)
        case name(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else {
                self = .name(try container.decode(String.self))
            }
        }
    }

    /// The entries of an archive, after its checksums were found to be right.
    static func read(_ archive: String) throws -> [Entry] {
        try run("read", archive).split(separator: "\n").map {
            try JSONDecoder().decode(Entry.self, from: Data($0.utf8))
        }
    }

    /// The dates of all entries, as Python prints them.
    static func dates(_ archive: String) throws -> Set<String> {
        let lines = try run("read", archive).split(separator: "\n")
        return Set(
            lines.compactMap { line in
                line.firstMatch(of: /"date": (\[[^\]]*\]|[0-9]+)/).map { String($0.1) }
            })
    }

    /// Lets Python write into `folder`.
    @discardableResult
    static func run(_ verb: String, _ path: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [Repository.path("Tests/Independent/archives.py"), verb, path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }
}
