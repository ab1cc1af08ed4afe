import Foundation
import Glibc
import StickerArchives
import StickerSystem
import StickerTestSupport
import Testing

struct ArchiveReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String) throws -> Descriptor {
        try Descriptor(folder.path(name), O_RDONLY)
    }

    @Test(arguments: ["plain.zip", "plain.tar", "plain.tar.gz"])
    func archivesOfOtherProgramsAreRead(_ name: String) throws {
        try OtherPrograms.run("write", folder.path)

        let result = try files(in: file(name))

        #expect(result.error == nil)
        #expect(result.files.map(\.path) == ["a.png", "cats/ü.png", "empty"])
        #expect(result.files.map(\.bytes.count) == [700, 10240, 0])
    }

    /// Every archive of `Tests/Independent/archives.py`: names that lead out of the folder or meet, links
    /// and devices, bombs, lies, and formats that are not read.
    @Test func hostileArchivesAreRefused() throws {
        try OtherPrograms.run("hostile", folder.path)
        let list = try String(contentsOfFile: folder.path("list.tsv"), encoding: .utf8)
        let cases = list.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        try #require(cases.count > 100)

        for fields in cases {
            let result = try files(in: file(fields[0]))

            let code = result.error?.code.rawValue
            #expect(code == fields[1], "\(fields[0]): \(result.error?.description ?? "read")")
            let bytes = result.files.reduce(0) { $0 + $1.bytes.count }
            #expect(bytes <= ArchiveLimits.test.totalBytesMax, "\(fields[0])")
        }
    }

    @Test func errorNamesEntryFiguresAndRemedy() throws {
        let limits = ArchiveLimits(entriesMax: 9, fileBytesMax: 99, totalBytesMax: 999)
        let items = [
            ArchiveItem("a", .bytes([1])),
            ArchiveItem("b", .bytes(Array(repeating: 0, count: 100))),
        ]

        let result = try files(in: archive(items, .zip), limits)

        #expect(result.files.map(\.path) == ["a"])
        #expect(
            result.error?.description == "b: the file is too large (more than 99 B; allowed: 99 B);"
                + " leave it out or make it smaller")
    }

    @Test func limitsThemselvesAreAllowed() throws {
        let limits = ArchiveLimits(
            entriesMax: 2, fileBytesMax: 3, totalBytesMax: 4, pathBytesMax: 5, depthMax: 2)
        let items = [ArchiveItem("a/b.c", .bytes([1, 2, 3])), ArchiveItem("d", .bytes([4]))]

        for format in ArchiveFormat.allCases {
            #expect(try files(in: archive(items, format), limits).error == nil)
        }
    }

    @Test(arguments: ArchiveFormat.allCases)
    func archiveWithoutFilesHasNone(_ format: ArchiveFormat) throws {
        let result = try files(in: archive([], format))

        #expect(result.error == nil && result.files.isEmpty)
    }

    @Test func thereIsNothingAfterAnError() throws {
        let memory = try Descriptor.memory("archive")
        let bytes = try archive(
            [ArchiveItem("long", .bytes([])), ArchiveItem("b", .bytes([]))], .zip)
        try memory.writeAll(bytes, path: "archive")
        var limits = ArchiveLimits.test
        limits.pathBytesMax = 1
        var reader = try ArchiveReader(memory, path: "archive", limits: limits)

        var code: ArchiveError.Code?
        do throws(ArchiveError) { _ = try reader.next() } catch { code = error.code }

        #expect(code == .longPath)
        let next = try reader.next()
        #expect(next == nil)
    }

    @Test func pipeIsRefused() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        close(ends[1])

        #expect(files(in: Descriptor(adopting: ends[0])).error?.code == .notAnArchive)
    }
}
