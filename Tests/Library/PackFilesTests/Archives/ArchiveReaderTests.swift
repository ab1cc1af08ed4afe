import Foundation
import Glibc
import StickerSystem
import StickerTestSupport
import Testing

@testable import StickerPackFiles

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

    // MARK: Names of other charsets

    /// A ZIP of these names as a program for Windows writes it that knows no UTF-8.
    private func legacy(_ names: [[UInt8]]) throws -> [UInt8] {
        let items = names.enumerated().map { number, name in
            let digits = String(number + 1)
            let zeros = String(repeating: "0", count: name.count - digits.count)
            return ArchiveItem(zeros + digits, .bytes(Array("\(number)".utf8)))
        }
        var bytes = try archive(items, .zip)
        for (item, name) in zip(items, names) {
            let path = Array(item.path.utf8)
            for place in bytes.indices.dropLast(path.count - 1)
            where bytes[place..<(place + path.count)].elementsEqual(path) {
                let header =
                    place - (bytes[..<place].suffix(46).starts(with: Self.record) ? 46 : 30)
                guard header >= 0, bytes[header...].starts(with: [0x50, 0x4B]) else { continue }
                bytes.replaceSubrange(place..<(place + path.count), with: name)
                if bytes[header...].starts(with: Self.record) { bytes[header + 5] = 0 }
            }
        }
        return bytes
    }

    private static let record: [UInt8] = [0x50, 0x4B, 1, 2]

    /// 表 ends in the byte of a backslash.
    @Test func namesInShiftJISAreRead() throws {
        let names: [[UInt8]] = [
            [0x94, 0x4C, 0x5C, 0x95, 0x5C, 0x2E, 0x70, 0x6E, 0x67],  // 猫\表.png
            Array("plain.png".utf8), Array("ü-cat.png".utf8),
            [0xB6, 0xBA, 0x2F, 0x87, 0x40, 0x2E, 0x70, 0x6E, 0x67],  // ｶｺ/①.png
        ]

        let result = try files(in: legacy(names))

        #expect(result.error == nil)
        #expect(result.files.map(\.path) == ["猫/表.png", "plain.png", "ü-cat.png", "ｶｺ/①.png"])
        #expect(
            result.files.map { String(decoding: $0.bytes, as: UTF8.self) } == ["0", "1", "2", "3"])
    }

    /// As one alone, the second would be text in Shift-JIS, too.
    @Test func namesInTheCharsetOfDOSAreRead() throws {
        let names: [[UInt8]] = [
            [0x99, 0x2E, 0x70, 0x6E, 0x67, 0xFF], [0x66, 0x81, 0x72, 0x2E, 0x70, 0x6E, 0x67],
        ]

        let result = try files(in: legacy(names))

        #expect(result.error == nil && result.files.map(\.path) == ["Ö.png\u{A0}", "für.png"])
    }

    /// Each alone is text in Shift-JIS.
    @Test(
        arguments: [
            ([0x66, 0x81, 0x72], "für"), ([0x4D, 0x81, 0x6C, 0x6C, 0x65, 0x72], "Müller"),
            ([0x73, 0x63, 0x68, 0x94, 0x6E], "schön"), ([0x8E, 0x72, 0x67, 0x65, 0x72], "Ärger"),
            ([0x6E, 0x69, 0xA4, 0x6F], "niño"),
            ([0x63, 0x68, 0x83, 0x74, 0x65, 0x61, 0x75], "château"),
        ] as [([UInt8], String)])
    func nameOfEuropeIsNotJapanese(name: [UInt8], text: String) throws {
        let result = try files(in: legacy([name + Array(".png".utf8)]))
        #expect(result.files.map(\.path) == ["\(text).png"])
    }

    @Test func backslashesOfWindowsDivideFolders() throws {
        let names = ["cats\\wave.png", "cats\\more\\a.png", "cats/b\\c.png", "empty\\"]

        let result = try files(in: legacy(names.map { Array($0.utf8) }))

        #expect(result.error == nil)
        #expect(result.files.map(\.path) == ["cats/wave.png", "cats/more/a.png", "cats/b/c.png"])
    }

    @Test(arguments: ["..\\up.png", "cats\\..\\..\\up.png", "\\up.png", "a\\\\b.png"])
    func backslashesLeadNowhereElse(_ name: String) throws {
        #expect(try files(in: legacy([Array(name.utf8)])).error?.code == .badName)
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
