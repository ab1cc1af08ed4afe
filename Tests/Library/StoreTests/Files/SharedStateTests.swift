import Foundation
import StickerValues
import Testing

@testable import StickerStore

/// The database in a folder that a group may change, as the service has it.
struct SharedStateTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try makeFolder("state")
    }

    private var database: String { folder.file("state/\(LibraryStore.fileName)") }

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder.file(name), withIntermediateDirectories: false)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func set(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test func databaseIsTheGroupsWhereItsFolderIs() throws {
        try set(0o2770, folder.file("state"))

        let store = try LibraryStore(path: database)
        _ = try store.operations.setPaused(true, category: nil)

        for suffix in ["", "-wal", "-shm"] {
            #expect(try mode(database + suffix) == 0o660, "\(suffix)")
        }
        let lock = try StateLock.take(state: folder.file("state"))
        #expect(try mode(folder.file("state/lock")) == 0o640)
        withExtendedLifetime((lock, store)) {}
    }

    /// As after an upgrade, with a log that was not merged.
    @Test func databaseOfAnEarlierReleaseIsShared() throws {
        try set(0o700, folder.file("state"))
        let old = try LibraryStore(path: database)
        _ = try old.operations.setPaused(true, category: nil)
        for suffix in ["", "-wal", "-shm"] {
            #expect(try (mode(database + suffix) ?? 0o777) & 0o020 == 0, "\(suffix)")
            // A second connection would give the files of the first other rights, and break its locks.
            let copy = folder.file("copy\(suffix)")
            try FileManager.default.copyItem(atPath: database + suffix, toPath: copy)
        }
        try old.close()
        try makeFolder("new")
        for suffix in ["", "-wal", "-shm"] {
            let name = folder.file("new/\(LibraryStore.fileName)\(suffix)")
            try FileManager.default.moveItem(atPath: folder.file("copy\(suffix)"), toPath: name)
            try set(0o644, name)
        }
        try set(0o2770, folder.file("new"))

        let store = try LibraryStore(path: folder.file("new/\(LibraryStore.fileName)"))

        #expect(try store.operations.pauses().all)
        for suffix in ["", "-wal", "-shm"] {
            let path = folder.file("new/\(LibraryStore.fileName)\(suffix)")
            #expect(try mode(path) == 0o660, "\(suffix)")
        }
    }
}
