import Foundation
import Glibc
import StickerConfiguration
import StickerPackFiles
import StickerTestSupport
import StickerValues
import Testing

/// Faults of a folder that was named, with their remedies.
struct NamedFolderTests {
    private let folder: TemporaryFolder
    private var configuration: Configuration

    init() throws {
        folder = try TemporaryFolder()
        configuration = Configuration()
        configuration.drops = [DropFolder(path: folder.path("drop"))]
        configuration.out = folder.path("out")
        configuration.state = folder.path("state")
        for name in ["drop", "out", "state"] { try folder.makeFolder(name) }
    }

    private func refusal(_ path: String) -> String? {
        do throws(PackError) {
            try NamedFolder.make(folder.path(path), besides: configuration)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func folderIsMadeWithThoseAboveIt() throws {
        #expect(refusal("a/b") == nil && refusal("a/b") == nil)
        try NamedFolder.checkIsWritable(folder.path("a/b"))
    }

    @Test(arguments: ["file", "file/below", "file/far/below", "link", "link/below"])
    func whatIsInTheWayIsNamed(path: String) throws {
        try folder.write(Array("mine".utf8), to: "file")
        try #require(symlink(folder.path("nowhere"), folder.path("link")) == 0)

        let refusal = try #require(self.refusal(path))

        let obstacle = folder.path(path.hasPrefix("file") ? "file" : "link")
        #expect(
            refusal
                == "\(obstacle): not-a-folder: something other than a folder is in the way; "
                + "remove it, or name another folder with --to")
        #expect(FileManager.default.contents(atPath: folder.path("file")) == Data("mine".utf8))
    }

    @Test(arguments: ["out", "out/packs", "drop/cats", "state", ""])
    func folderOfTheLibraryIsRefused(path: String) throws {
        let refusal = try #require(self.refusal(path))
        #expect(refusal.contains(": bad-place: "))
        #expect(refusal.hasSuffix("overlap; name another folder"))
    }

    @Test func folderThatIsNotThereCannotBeWritten() throws {
        let error = #expect(throws: PackError.self) {
            try NamedFolder.checkIsWritable(folder.path("nowhere"))
        }
        #expect(
            error?.description
                == "\(folder.path("nowhere")): no-folder: there is no such folder; "
                + "make it, or name another with --to")
    }

    @Test(arguments: ["", "[]", "{\"wastickers\": 1", "{\"wastickers\": 1}"])
    func damagedListOfExportsIsNamedWithTheWayOut(list: String) throws {
        try folder.write(Array(list.utf8), to: "exports/.stickerd-export.json")
        let forms = ExportedForms(.whatsapp, CategoryID(rawValue: "cats"))

        let error = #expect(throws: PackError.self) {
            try forms.claim(["wastickers"], in: folder.path("exports"))
        }

        let path = folder.path("exports/.stickerd-export.json")
        #expect(error?.description.hasPrefix("\(path): bad-list: ") == true)
        #expect(error?.description.contains("; remove it and these folders, or name") == true)
        #expect(FileManager.default.contents(atPath: path) == Data(list.utf8))
    }
}
