import Foundation
import StickerSystem
import StickerTestSupport
import Testing

@testable import StickerConfiguration
@testable import StickerStore
@testable import StickerValues

/// The folder of marks, read with the configuration.
struct MarkFolderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("one", to: "marks/logo.png")
        try folder.write(#"{"marks": "marks"}"#, to: "config.json")
    }

    private func read() throws -> [String: FileContent] {
        let path = folder.file("config.json")
        let file = try ConfigurationFile.parse(try folder.contents("config.json"), at: path)
        return try file.readingFiles().configuration.marks?.pictures ?? [:]
    }

    private func faults() -> [String] {
        do {
            _ = try read()
            return []
        } catch {
            return (error as? ConfigurationError)?.faults.map(\.description) ?? ["\(error)"]
        }
    }

    @Test func onlyPicturesInTheFolderItselfAreMarks() throws {
        try folder.write("no mark", to: "marks/README.md")
        try folder.write("hidden", to: "marks/.logo.png")
        try folder.write("below", to: "marks/more/bar.png")
        try folder.write("secret", to: "secret.png")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("marks/link.png"),
            withDestinationPath: folder.file("secret.png"))

        let pictures = try read()

        #expect(Array(pictures.keys) == ["logo.png"])
        #expect(pictures["logo.png"]?.hash == ContentHash(of: Array("one".utf8)))
    }

    @Test func tooLargeAndTooManyAreFaults() throws {
        try folder.write(
            String(repeating: "a", count: WatermarkFile.bytesMax + 1), to: "marks/large.png")
        #expect(
            faults() == ["marks: large.png has more than 1,000,000 B; make it smaller"])
        try folder.write("", to: "marks/large.png")
        for number in 0..<MarkFolder.countMax {
            try folder.write("\(number)", to: "marks/\(number).png")
        }
        #expect(faults() == ["marks: has more than 64 pictures"])
    }

    @Test func missingFolderIsAFault() throws {
        try folder.write(#"{"marks": "nowhere"}"#, to: "config.json")

        #expect(faults().first?.hasPrefix("marks: ") == true)
    }
}
