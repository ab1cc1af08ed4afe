import Foundation
import Glibc
import StickerModel
import StickerStore
import StickerSystem
import Testing

struct AtomicFileTests {
    @Test func fileIsReplacedWhole() throws {
        let folder = try TemporaryFolder()
        try folder.write("old and longer", to: "a.json")

        try AtomicFile.replace(folder.file("a.json"), with: Array("new".utf8))

        #expect(try folder.contents("a.json") == Array("new".utf8))
        #expect(try folder.files() == ["a.json"])
    }

    @Test func everyoneMayReadWhateverTheMask() throws {
        let folder = try TemporaryFolder()
        let before = umask(0o077)
        defer { umask(before) }

        try AtomicFile.replace(folder.file("a.json"), with: [1])

        var status = stat()
        #expect(stat(folder.file("a.json"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o644)
    }

    @Test func missingFolderIsNamed() throws {
        let folder = try TemporaryFolder()

        let error = #expect(throws: FileError.self) {
            try AtomicFile.replace(folder.file("none/a.json"), with: [1])
        }

        #expect(error?.kind == .vanished && error?.errno == ENOENT)
    }

    @Test func failedRenameLeavesTheOldFileAndNoTemporary() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "a.json/inner")

        let error = #expect(throws: FileError.self) {
            try AtomicFile.replace(folder.file("a.json"), with: [1])
        }

        #expect(error?.call == "rename" && error?.kind == .other)
        #expect(try folder.files() == ["a.json/inner"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can mount a small file system"))
    func fullDiskLeavesTheOldFileAndNoTemporary() throws {
        let folder = try TemporaryFolder()
        guard let disk = SmallDisk(at: folder.path, kilobytes: 64) else { return }
        defer { disk.unmount() }
        try folder.write("old", to: "a.json")

        let error = #expect(throws: FileError.self) {
            try AtomicFile.replace(
                folder.file("a.json"), with: [UInt8](repeating: 1, count: 100_000))
        }

        #expect(error?.kind == .noSpace && error?.errno == ENOSPC)
        #expect(try folder.contents("a.json") == Array("old".utf8))
        #expect(try folder.files() == ["a.json"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can mount a small file system"))
    func fullDiskLeavesNoTemporaryOfAGroupOfObjects() throws {
        let folder = try TemporaryFolder()
        guard let disk = SmallDisk(at: folder.path, kilobytes: 64) else { return }
        defer { disk.unmount() }
        let objects = try ObjectStore(out: folder.path)

        let error = #expect(throws: FileError.self) {
            _ = try objects.place([
                NewObject(bytes: [1, 2, 3], format: .webp),
                NewObject(bytes: [UInt8](repeating: 1, count: 100_000), format: .png),
            ])
        }

        #expect(error?.kind == .noSpace)
        #expect(try folder.files().isEmpty)
    }
}

/// A file system in memory with little room.
private struct SmallDisk {
    private let path: String

    /// Mounts it; `nil` where the container forbids that.
    init?(at path: String, kilobytes: Int) {
        let options = Array("size=\(kilobytes)k".utf8CString)
        guard mount("none", path, "tmpfs", 0, options) == 0 else { return nil }
        self.path = path
    }

    func unmount() { umount2(path, 2) }  // MNT_DETACH
}
