import Foundation
import StickerStore
import StickerSystem
import Testing

struct CrashFileTests {
    /// Writes what the handler of a signal writes.
    private func crash(_ folder: TemporaryFolder, reading: Reading) throws {
        var bytes = try folder.contents(CrashFile.fileName)
        bytes.replaceSubrange(
            64..., with: withUnsafeBytes(of: reading.rawValue) { [UInt8]($0) })
        try write(bytes, folder)
    }

    private func write(_ bytes: [UInt8], _ folder: TemporaryFolder) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file(CrashFile.fileName)))
    }

    private func start(_ folder: TemporaryFolder) {
        CrashFile(state: folder.path).noteCrashes()
    }

    private func left(_ folder: TemporaryFolder) -> Reading? {
        CrashFile(state: folder.path).crash()
    }

    @Test(
        arguments: [
            .job(1), .job(.max), .output(1), .output(7_000_000_000), .file(0), .file(.max >> 2),
        ] as [Reading])
    func whatWasReadAtACrashIsKnownAfterwards(reading: Reading) throws {
        let folder = try TemporaryFolder()
        start(folder)

        try crash(folder, reading: reading)

        #expect(left(folder) == reading)
    }

    @Test func deathFromOutsideBlamesNobody() throws {
        let folder = try TemporaryFolder()
        start(folder)

        #expect(left(folder) == nil)
    }

    @Test func anotherStartOfTheMachineBlamesNobody() throws {
        let folder = try TemporaryFolder()
        start(folder)
        try crash(folder, reading: .job(1))

        let after = CrashFile(state: folder.path)

        #expect(after.crash() != nil)
        #expect(after.crash(ifSameBoot: "another") == nil)
        #expect(after.crash(ifSameBoot: "") == nil)
    }

    @Test func nextStartForgetsTheCrash() throws {
        let folder = try TemporaryFolder()
        start(folder)
        try crash(folder, reading: .job(1))

        start(folder)

        #expect(left(folder) == nil)
    }

    @Test(arguments: [0, 1, 63, 64, 65, 71, 73, 2112, 5000])
    func fileOfAnotherLengthBlamesNobody(length: Int) throws {
        let folder = try TemporaryFolder()
        start(folder)
        try crash(folder, reading: .job(1))
        let bytes = try folder.contents(CrashFile.fileName)
        #expect(bytes.count == 72)

        try write(
            Array(bytes.prefix(length)) + [UInt8](repeating: 1, count: max(0, length - 72)), folder)

        #expect(left(folder) == nil)
    }

    @Test func noisePutInItsPlaceBlamesNobody() throws {
        let folder = try TemporaryFolder()

        try write([UInt8](repeating: 0xFF, count: 72), folder)

        #expect(left(folder) == nil)
    }

    @Test func folderThatCannotBeWrittenBlamesNobody() throws {
        let file = CrashFile(state: "/nowhere/at/all")
        file.noteCrashes()
        #expect(file.crash() == nil)
    }
}
