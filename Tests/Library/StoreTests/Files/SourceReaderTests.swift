import Foundation
import Glibc
import StickerConfiguration
import StickerSystem
import StickerValues
import Testing

@testable import StickerStore

struct SourceReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(
        _ path: String, expected: FileVersion? = nil, bytesMax: Int = 1 << 20
    ) -> SourceReading {
        SourceReader.read(key(path, drop: folder.path), expected: expected, bytesMax: bytesMax)
    }

    private func version(_ path: String) throws -> FileVersion {
        guard case .read(_, _, let version) = read(path) else { throw Missing(path) }
        return version
    }

    @Test func fileIsReadWithItsHash() throws {
        let text = String(repeating: "some bytes ", count: 100_000)
        try folder.write(text, to: "cats/a.png")

        guard
            case .read(let bytes, let hash, let version) = read("cats/a.png", bytesMax: 1 << 21)
        else { throw Missing("not read") }

        #expect(hash == ContentHash(of: Array(text.utf8)))
        #expect(bytes.withUnsafeBytes { Array($0) } == Array(text.utf8))
        #expect(version.size == Int64(text.utf8.count))
    }

    @Test func emptyFileIsReadToo() throws {
        try folder.write("", to: "a.png")

        guard case .read(let bytes, let hash, _) = read("a.png") else { throw Missing("not read") }

        #expect(bytes.count == 0 && hash == ContentHash(of: []))
    }

    @Test func memoryCannotBeChangedAnyMore() throws {
        try folder.write("abc", to: "a.png")
        guard case .read(let bytes, _, _) = read("a.png") else { throw Missing("not read") }

        let result = bytes.withUnsafeBytes { memory in
            mprotect(
                UnsafeMutableRawPointer(mutating: memory.baseAddress), 1, PROT_READ | PROT_WRITE)
        }

        #expect(result == -1 && errno == EACCES)
    }

    @Test func anotherStateThanExpectedIsToldWithoutReading() throws {
        try folder.write("abc", to: "a.png")
        let old = try version("a.png")
        try folder.write("abcd", to: "a.png")

        guard case .changed(let now) = read("a.png", expected: old) else {
            throw Missing("not noticed")
        }

        #expect(now.size == 4 && now != old)
    }

    @Test func linksAreNotFollowed() throws {
        try folder.write("secret", to: "secret")
        try folder.write("abc", to: "cats/a.png")
        symlink(folder.file("secret"), folder.file("link.png"))
        symlink(folder.file("cats"), folder.file("linked"))

        guard case .notRegular = read("link.png") else { throw Missing("link followed") }
        guard case .notRegular = read("linked/a.png") else { throw Missing("folder link followed") }
    }

    @Test func nothingOutsideTheDropIsRead() throws {
        try folder.write("secret", to: "secret")
        try folder.write("abc", to: "drop/a.png")
        let key = SourceKey(
            drop: folder.file("drop"), directory: Array("..".utf8), name: Array("secret".utf8))

        guard case .notRegular = SourceReader.read(key, expected: nil, bytesMax: 100) else {
            throw Missing("left the drop")
        }
    }

    @Test(.timeLimit(.minutes(10))) func pipesFoldersAndSocketsDoNotBlock() throws {
        mkfifo(folder.file("pipe.png"), 0o644)
        mkdir(folder.file("folder.png"), 0o755)

        for path in ["pipe.png", "folder.png"] {
            guard case .notRegular = read(path) else { throw Missing("\(path) was read") }
        }
    }

    @Test func goneFileAndGoneFolderAreTold() throws {
        for path in ["none.png", "none/a.png"] {
            guard case .vanished = read(path) else { throw Missing("\(path) was found") }
        }
    }

    @Test func missingDropSaysNothingAboutItsFiles() throws {
        let key = key("a.png", drop: folder.file("unmounted"))

        guard case .away(ENOENT) = SourceReader.read(key, expected: nil, bytesMax: 100)
        else {
            throw Missing("blamed the file")
        }
    }

    @Test func troubleOfAShareIsNotBlamedOnTheFile() throws {
        let key = key("a.png", drop: folder.path)
        for errno in [ESTALE, ENOTCONN, ETIMEDOUT, EHOSTUNREACH] {
            let error = FileError(call: "read", path: key.display, errno: errno)
            guard case .away(errno) = SourceReader.sorted(error, of: key) else {
                throw Missing("blamed the file for \(errno)")
            }
        }
        let error = FileError(call: "read", path: key.display, errno: EIO)
        guard case .transient(EIO) = SourceReader.sorted(error, of: key) else {
            throw Missing("a bad sector is the file's own trouble")
        }
    }

    @Test func largeFileIsNotRead() throws {
        try folder.write("abcdef", to: "a.png")

        guard case .tooLarge(6) = read("a.png", bytesMax: 5) else { throw Missing("was read") }
        guard case .read = read("a.png", bytesMax: 6) else { throw Missing("was not read") }
    }

    @Test func writerThatStillHasItOpenIsNoticed() throws {
        try folder.write("abc", to: "a.png")
        let writer = open(folder.file("a.png"), O_WRONLY)
        defer { close(writer) }

        guard case .writerActive(let version) = read("a.png") else {
            throw Missing("writer not noticed")
        }

        #expect(version.size == 3)
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func fileWithoutPermissionIsUnreadable() throws {
        try folder.write("abc", to: "a.png")
        chmod(folder.file("a.png"), 0)

        guard case .unreadable(EACCES) = read("a.png") else { throw Missing("was read") }
    }

    /// While one thread puts whole files over the name, every read gives one of them whole, or says that
    /// it changed.
    @Test(.timeLimit(.minutes(10))) func replacedWhileReadIsNeverAMix() async throws {
        let size = 300_000
        let versions = [UInt8(ascii: "a"), UInt8(ascii: "b")].map {
            [UInt8](repeating: $0, count: size)
        }
        let hashes = Set(versions.map { ContentHash(of: $0) })
        let path = folder.file("a.png")
        try AtomicFile.replace(path, with: versions[0])
        let writer = Task.detached {
            for round in 0..<40 { try AtomicFile.replace(path, with: versions[round % 2]) }
        }

        for _ in 0..<200 {
            if case .read(let bytes, let hash, _) = read("a.png") {
                #expect(bytes.count == size && hashes.contains(hash))
            }
        }
        try await writer.value
    }

    /// A file that is rewritten in place is read whole or not at all.
    @Test(.timeLimit(.minutes(10))) func rewrittenInPlaceIsNeverAMix() async throws {
        let size = 300_000
        let versions = [UInt8(ascii: "a"), UInt8(ascii: "b")].map {
            [UInt8](repeating: $0, count: size)
        }
        let hashes = Set(versions.map { ContentHash(of: $0) })
        let path = folder.file("a.png")
        try AtomicFile.replace(path, with: versions[0])
        let writer = Task.detached {
            let file = open(path, O_WRONLY)
            defer { close(file) }
            for round in 0..<200 { _ = pwrite(file, versions[round % 2], size, 0) }
        }

        for _ in 0..<200 {
            if case .read(_, let hash, _) = read("a.png") { #expect(hashes.contains(hash)) }
        }
        await writer.value
    }
}
