import Foundation
import Glibc
import StickerSystem
import StickerTestSupport
import Testing

@testable import StickerPackFiles

struct ArchiveWriterTests {
    private let folder: TemporaryFolder
    private let items: [ArchiveItem]
    private let expected: [ArchivedFile]

    init() throws {
        folder = try TemporaryFolder()
        var random = SeededGenerator(seed: 1)
        let noise = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let picture = try folder.write(noise, to: "picture")
        items = [
            ArchiveItem("title.txt", .bytes(Array("Cats\n".utf8))),
            ArchiveItem("01.webp", file: picture),
            ArchiveItem("cats/grüße 😀.png", .bytes([1, 2, 3])),
            ArchiveItem("empty", .bytes([])),
        ]
        expected = [
            ArchivedFile(path: "title.txt", bytes: Array("Cats\n".utf8)),
            ArchivedFile(path: "01.webp", bytes: noise),
            ArchivedFile(path: "cats/grüße 😀.png", bytes: [1, 2, 3]),
            ArchivedFile(path: "empty", bytes: []),
        ]
    }

    @Test(arguments: ArchiveFormat.allCases)
    func whatIsWrittenIsRead(_ format: ArchiveFormat) throws {
        let result = try files(in: archive(items, format))

        #expect(result.files == expected && result.error == nil)
    }

    @Test(arguments: ArchiveFormat.allCases)
    func equalContentGivesEqualBytes(_ format: ArchiveFormat) throws {
        let first = try archive(items, format)
        utimes(folder.path("picture"), [timeval(tv_sec: 1, tv_usec: 0), timeval()])
        chmod(folder.path("picture"), 0o600)

        let second = try archive(items, format)
        let third = try archive(
            expected.map { ArchiveItem($0.path, .bytes($0.bytes)) }, format)

        #expect(first == second && first == third)
    }

    @Test(arguments: ArchiveFormat.allCases)
    func pipeReceivesTheSameBytes(_ format: ArchiveFormat) throws {
        let items = [ArchiveItem("a.png", .bytes([1, 2, 3]))]
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let reading = Descriptor(adopting: ends[0])

        try write(items, format, to: Descriptor(adopting: ends[1]))

        let received = try reading.readToEnd(path: "pipe")
        #expect(try received == archive(items, format))
    }

    /// The descriptor closes at the end, so that the reader comes to one, too.
    private func write(
        _ items: [ArchiveItem], _ format: ArchiveFormat, to file: consuming Descriptor
    ) throws {
        try ArchiveWriter.write(items, as: format, to: file, path: "pipe")
    }

    @Test(arguments: ArchiveFormat.allCases)
    func fiveThousandFilesStayInOrder(_ format: ArchiveFormat) throws {
        let items = (0..<5000).map { number in
            ArchiveItem("\(number * 7919 % 5000).png", .bytes(Array("\(number)".utf8)))
        }
        let limits = ArchiveLimits(entriesMax: 5000, fileBytesMax: 10, totalBytesMax: 20_000)

        let result = try files(in: archive(items, format), limits)

        #expect(result.error == nil)
        #expect(result.files.map(\.path) == items.map(\.path))
    }

    @Test func pythonReadsTheZIP() throws {
        let path = try folder.write(archive(items, .zip), to: "pack.zip")

        let entries = try OtherPrograms.read(path)

        #expect(entries.map(\.name) == expected.map(\.path))
        #expect(entries.allSatisfy { $0.stored == true && $0.mode == 0o100644 })
        #expect(entries.allSatisfy { $0.extra == 0 && $0.comment == 0 })
        #expect(entries.map(\.flags) == [0, 0, 1 << 11, 0])
        #expect(try OtherPrograms.dates(path) == ["[1980, 1, 1, 0, 0, 0]"])
    }

    @Test func pythonReadsTheTapeArchive() throws {
        let bytes = try archive(items, .tarGzip)
        let path = try folder.write(bytes, to: "pack.tar.gz")

        let entries = try OtherPrograms.read(path)

        #expect(entries.map(\.name) == expected.map(\.path))
        #expect(entries.allSatisfy { $0.regular == true && $0.mode == 0o644 && $0.pax == 0 })
        let nobody: [OtherPrograms.Owner] = [.number(0), .number(0), .name(""), .name("")]
        #expect(entries.allSatisfy { $0.owner == nobody })
        #expect(try OtherPrograms.dates(path) == ["315532800"])
        // Neither a time nor a name; the best compression, on Unix.
        #expect(bytes.prefix(10) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3])
    }

    @Test(arguments: ArchiveFormat.allCases, ["../a", "/a", "a//b", "a\\b", "", "a\nb", "a/./b"])
    func badNameIsRefusedBeforeAnythingIsWritten(_ format: ArchiveFormat, _ name: String) throws {
        let file = try Descriptor.memory("archive")
        let items = [ArchiveItem("good", .bytes([1])), ArchiveItem(name, .bytes([]))]

        let error = #expect(throws: ArchiveError.self) {
            try ArchiveWriter.write(items, as: format, to: file, path: "archive")
        }

        #expect(error?.code == .badName)
        #expect(try FileStatus(file, path: "").size == 0)
    }

    @Test func namesThatMeetAreRefused() {
        let error = #expect(throws: ArchiveError.self) {
            try archive([ArchiveItem("a", .bytes([])), ArchiveItem("A", .bytes([]))], .zip)
        }

        #expect(error?.code == .duplicateName && error?.entry == "A")
    }

    @Test func tapeArchiveHasNoRoomForAVeryLongName() {
        let name = String(repeating: "n", count: 101)

        let error = #expect(throws: ArchiveError.self) {
            try archive([ArchiveItem(name, .bytes([]))], .tarGzip)
        }

        #expect(error?.code == .longPath && error?.entry == name)
    }

    @Test(arguments: ArchiveFormat.allCases)
    func missingFileIsNamed(_ format: ArchiveFormat) {
        let items = [ArchiveItem("01.webp", file: folder.path("none"))]

        let error = #expect(throws: ArchiveError.self) { try archive(items, format) }

        #expect(error?.entry == "01.webp" && error?.cause?.errno == ENOENT)
    }

    @Test(arguments: ArchiveFormat.allCases)
    func fileThatGrowsIsNoticed(_ format: ArchiveFormat) throws {
        let path = try folder.write([1, 2, 3], to: "growing")
        let growing = ArchiveItem(
            "a",
            .file { () throws(FileError) in
                try Descriptor(path, O_WRONLY | O_APPEND).writeAll([4], path: path)
                return try Descriptor(path, O_RDONLY)
            })

        let error = #expect(throws: ArchiveError.self) { try archive([growing], format) }

        #expect(error?.code == .fileChanged && error?.entry == "a")
    }

    @Test(arguments: ArchiveFormat.allCases)
    func fullDiskIsAnErrorOfTheSystem(_ format: ArchiveFormat) throws {
        let full = try Descriptor("/dev/full", O_WRONLY)

        let error = #expect(throws: ArchiveError.self) {
            try ArchiveWriter.write(items, as: format, to: full, path: "/dev/full")
        }

        #expect(error?.code == .system && error?.cause?.kind == .noSpace)
    }
}
