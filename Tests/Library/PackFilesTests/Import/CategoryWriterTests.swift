import Foundation
import Glibc
import StickerPacks
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerPackFiles

/// Categories appear whole or not at all.
struct CategoryWriterTests {
    private let folder: TemporaryFolder
    private let category: CategoryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("drop")
        try folder.write(Array("Cats".utf8), to: "source/title.txt")
        for number in 0..<5 {
            try folder.write(TestPNG.file([TestPNG.header(8, 8)]), to: "source/\(number).png")
        }
        let tree = try SourceTree(folder.path("source"), limits: ImportLimits())
        var loader = PackLoader(tree)
        category = try loader.folder(of: try PackFinder.packs(in: tree).packs[0])
    }

    private var drop: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path("drop")) }
    }

    private func fault(_ writer: CategoryWriter) -> ImportFault? {
        do throws(ImportFault) { try writer.write(category) } catch { return error }
        return nil
    }

    @Test func interruptedImportLeavesNothing() throws {
        for limit in 0...5 {
            var left = limit
            let writer = CategoryWriter(drop: folder.path("drop")) {
                left -= 1
                return left < 0
            }

            let fault = fault(writer)

            #expect(fault?.rule == .interrupted)
            #expect(try drop == [])
        }
    }

    /// Everything is under a hidden name until it is whole.
    @Test func nothingCanBeSeenBeforeItIsWhole() throws {
        var seen: [String] = []
        let path = folder.path("drop")
        let writer = CategoryWriter(drop: path) {
            seen += (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            return false
        }

        try writer.write(category)

        #expect(seen.count == 6)
        #expect(seen.allSatisfy { FileKind.isIgnoredName(Array($0.utf8)) })
        #expect(try drop == ["Cats"])
    }

    @Test func failingImportLeavesNothing() throws {
        var category = category
        category.name = String(repeating: "n", count: 300)
        #expect(throws: ImportFault.self) {
            try CategoryWriter(drop: folder.path("drop")).write(category)
        }
        #expect(try drop == [])
    }

    /// Somebody makes the folder while it is written.
    @Test func folderThatAppearsMeanwhileIsNotReplaced() throws {
        let place = folder.path("drop/Cats")
        let writer = CategoryWriter(drop: folder.path("drop")) {
            mkdir(place, 0o755)
            return false
        }

        #expect(fault(writer)?.rule == .categoryExists)
        #expect(try drop == ["Cats"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: place) == [])
    }

    /// The lock of a killed import is gone, that of one at work is not.
    @Test func whatAKilledImportLeftIsRemoved() throws {
        try folder.write([1], to: "drop/.import-1-1/0.png")
        try folder.write([1], to: "drop/.import-2-2/0.png")
        try folder.write([1], to: "drop/.imported/0.png")
        let other = open(folder.path("drop/.import-2-2"), O_RDONLY | O_DIRECTORY)
        defer { close(other) }
        #expect(flock(other, LOCK_EX | LOCK_NB) == 0)

        try CategoryWriter(drop: folder.path("drop")).write(category)

        #expect(try Set(drop) == ["Cats", ".import-2-2", ".imported"])
    }

    @Test func dropThatIsNotThereIsRefused() throws {
        #expect(fault(CategoryWriter(drop: folder.path("nothing")))?.rule == .notWritten)
    }
}
