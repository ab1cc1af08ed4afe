import Foundation
import Glibc
import StickerConfiguration
import StickerSystem
import StickerValues
import Testing

@testable import StickerStore

struct AtomicFileTests {
    /// Nobody can read the new content who could not read the old, at no moment.
    @Test func whatIsPrivateIsPrivateWhileItIsRewritten() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "a")
        let path = folder.file("a")
        chmod(path, 0o640)
        func mode(_ name: String) -> UInt32 {
            var status = stat()
            return stat(folder.file(name), &status) == 0 ? status.st_mode & 0o777 : 0
        }
        func hidden() throws -> String {
            try #require(try folder.files().first { $0.hasPrefix(PendingFile.prefix) })
        }

        let file = try PendingFile(for: path, mode: 0o600)
        let name = try hidden()
        #expect(mode(name) == 0o600)
        try file.takeRights(of: path)
        try file.write([2], keepsRights: true)
        #expect(mode(name) == 0o640)
        file.discard()

        try AtomicFile.rewrite(path, with: Array("new".utf8))
        #expect(mode("a") == 0o640)
        #expect(try folder.contents("a") == Array("new".utf8))
    }

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
