import Dispatch
import Glibc
import StickerTestSupport
import Testing

@testable import StickerSystem

struct DescriptorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Array("abc".utf8), to: "cats/deep/a.png")
        symlink(folder.path("cats"), folder.path("linked"))
        symlink(folder.path("cats/deep/a.png"), folder.path("cats/link.png"))
    }

    /// How the size of a file below the folder is asked for.
    enum Way: CaseIterable {
        case openat2, byParts
    }

    private func size(_ path: String, _ way: Way) throws(FileError) -> Int64 {
        let root = try Descriptor(folder: folder.path)
        let bytes = Array(path.utf8)
        let file =
            switch way {
            case .openat2: try root.open(below: bytes, O_RDONLY, shown: path)
            case .byParts: try root.openByParts(bytes, O_RDONLY, shown: path)
            }
        return try FileStatus(file, path: path).size
    }

    @Test(arguments: Way.allCases)
    func filesAreOpenedBelowAFolderWithoutFollowingLinks(_ way: Way) throws {
        #expect(try size("cats/deep/a.png", way) == 3)
        #expect(throws: FileError.self) { try size("linked/deep/a.png", way) }
        #expect(throws: FileError.self) { try size("cats/link.png", way) }
        #expect(throws: FileError.self) { try size("cats/none.png", way) }
    }

    @Test(arguments: Way.allCases)
    func emptyPathIsTheFolderItself(_ way: Way) throws {
        let root = try Descriptor(folder: folder.path)
        let again =
            switch way {
            case .openat2: try root.open(below: [], O_RDONLY, shown: "")
            case .byParts: try root.openByParts([], O_RDONLY, shown: "")
            }

        let (first, second) = try (
            FileStatus(root, path: ""), FileStatus(again, path: "")
        )

        #expect(first.identity == second.identity && second.kind == .folder)
    }

    @Test func longWriteIsContinued() async throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        // Far more than a pipe holds, so that the kernel takes it in parts.
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
        let (reading, writing) = (ends[0], ends[1])
        let received = WaitableValue<[UInt8]?>(nil)
        DispatchQueue.global().async {
            let all = try? Descriptor(adopting: reading).readToEnd(path: "pipe")
            received.update { $0 = all }
        }

        try fill(writing, with: bytes)

        #expect(await received.wait { $0 != nil } == bytes)
    }

    /// The descriptor closes at the end, so that the reader comes to one, too.
    private func fill(_ descriptor: Int32, with bytes: [UInt8]) throws(FileError) {
        try Descriptor(adopting: descriptor).writeAll(bytes, path: "pipe")
    }

    @Test func firstBytesAreFewerWhereTheFileIsShorter() throws {
        let file = try Descriptor(folder.path("cats/deep/a.png"), O_RDONLY)

        let (few, many) = try (file.firstBytes(2, path: ""), file.firstBytes(9, path: ""))
        let all = try file.readToEnd(path: "")

        #expect(few == Array("ab".utf8))
        #expect(many == Array("abc".utf8) && all == many)
    }

    @Test func sealedMemoryCannotBeChanged() throws {
        let memory = try Descriptor.memory("test")
        try memory.writeAll([1, 2, 3], path: "test")
        let wasSealed = memory.isSealed

        try memory.seal("test")

        let isSealed = memory.isSealed
        #expect(!wasSealed && isSealed)
        let written = Glibc.write(memory.raw, "x", 1)
        #expect(written == -1 && errno == EPERM)
        let bytes = try memory.firstBytes(9, path: "test")
        #expect(bytes == [1, 2, 3])
    }
}
