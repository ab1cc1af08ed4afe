import Foundation
import StickerSystem
import StickerValues
import Testing

@testable import StickerStore

/// Side files as programs change them. The texts themselves are the business of `JSONTextTests`.
struct WordsFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Self.make(folder.file("drop/cats"))
    }

    private static func make(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    private func file(_ name: String = "a.png.sticker.json") throws -> WordsFile {
        try #require(
            WordsFile(
                SourceKey(
                    drop: folder.file("drop"), directory: Array("cats".utf8),
                    name: Array(name.utf8))))
    }

    private func set(_ title: String, in file: WordsFile, kept: StickerWords? = nil) throws {
        _ = try file.change(startingWith: kept) { _ in [("title", .string(title))] }
    }

    private func mode(_ path: String) throws -> UInt32 {
        var status = stat()
        try SystemCall.run("stat", path) { stat(folder.file(path), &status) }
        return status.st_mode & 0o777
    }

    @Test func newFileBeginsWithTheWordsThatWereKept() throws {
        var kept = StickerWords()
        (kept.emojis, kept.place, kept.listedAs) = (["👋"], 3, "b.png")

        try set("Hello", in: try file(), kept: kept)

        let text = try String(
            contentsOfFile: folder.file("drop/cats/a.png.sticker.json"), encoding: .utf8)
        #expect(text == "{\n    \"emojis\": [\"👋\"],\n    \"title\": \"Hello\"\n}\n")
    }

    @Test(arguments: [(0o755, 0o644), (0o775, 0o664)] as [(UInt32, UInt32)])
    func newFileMayBeWrittenByWhoeverMayWriteToTheFolder(_ folderMode: UInt32, _ wanted: UInt32)
        throws
    {
        chmod(folder.file("drop/cats"), folderMode)

        try set("Hello", in: try file())

        #expect(try mode("drop/cats/a.png.sticker.json") == wanted)
    }

    @Test func undoneFileKeepsTheWordsThatWereKept() throws {
        var kept = StickerWords()
        kept.title = "Kept"
        let file = try file()
        let change = try #require(
            try file.change(startingWith: kept) { _ in [("emojis", .array([.string("👋")]))] })

        let undone = try file.undo(change)

        #expect(try file.members()?["title"] == .string("Kept"))
        #expect(try file.members()?["emojis"] == nil)
        _ = try file.undo(undone)
        #expect(try file.members()?["emojis"] != nil)
    }

    @Test func lockThatNobodyGivesBackHoldsUpNobodyForever() throws {
        let lock = try FolderLock(folder.file("drop/cats"))
        #expect(throws: FileError.self) {
            try FolderLock(folder.file("drop/cats"), patience: .milliseconds(50))
        }
        withExtendedLifetime(lock) {}
    }

    @Test func fileKeepsItsPermissions() throws {
        try folder.write("{}", to: "drop/cats/a.png.sticker.json")
        chmod(folder.file("drop/cats/a.png.sticker.json"), 0o640)

        try set("Hello", in: try file())

        #expect(try mode("drop/cats/a.png.sticker.json") == 0o640)
    }

    @Test func folderThatIsALinkIsNotFollowed() throws {
        try Self.make(folder.file("elsewhere"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("drop/link"), withDestinationPath: folder.file("elsewhere"))
        let key = SourceKey(
            drop: folder.file("drop"), directory: Array("link".utf8),
            name: Array("a.png.sticker.json".utf8))
        let file = try #require(WordsFile(key))

        #expect(throws: WordsFileError.self) { try set("Hello", in: file) }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("elsewhere"))
        #expect(names == [])
    }

    @Test func fileThatIsALinkIsNotReplaced() throws {
        try folder.write("{}", to: "secret.json")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("drop/cats/a.png.sticker.json"),
            withDestinationPath: folder.file("secret.json"))

        #expect(throws: WordsFileError.unreadable) { try set("Hello", in: try file()) }
        #expect(try Data(contentsOf: URL(filePath: folder.file("secret.json"))).count == 2)
    }

    @Test func fileWithFaultsIsLeftAlone() throws {
        try folder.write("{\"title\": 5}", to: "drop/cats/a.png.sticker.json")
        do {
            try set("Hello", in: try file())
            Issue.record("it was written")
        } catch let WordsFileError.faulty(error) {
            #expect(error.faults.count == 1)
        }
    }

    @Test func wordsThatAreTooLongAreNotWritten() throws {
        do {
            try set(String(repeating: "x", count: 1000), in: try file())
            Issue.record("it was written")
        } catch let WordsFileError.wrong(error) {
            #expect("\(error.faults[0].fault)".contains("title"))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("drop/cats"))
        #expect(names == [])
    }

    @Test func twoWhoChangeAFileAtOnceLoseNothing() async throws {
        let file = try file("category.json")
        let keys = ["title", "description", "publisher", "licence"]

        try await withThrowingTaskGroup { group in
            for key in keys {
                group.addTask {
                    for round in 1...20 {
                        _ = try file.change { _ in [(key, .string("\(key) \(round)"))] }
                    }
                }
            }
            try await group.waitForAll()
        }

        let members = try #require(try file.members())
        #expect(keys.allSatisfy { members[$0] == .string("\($0) 20") })
    }

    @Test(arguments: ["a.png", "notes.txt"])
    func otherFilesHaveNoWords(name: String) {
        let key = SourceKey(drop: "/drop", directory: [], name: Array(name.utf8))
        #expect(WordsFile(key) == nil)
    }
}
