import Foundation
import StickerModel
import StickerStore
import Testing

struct RunningJobsTests {
    private func id(_ number: Int64) -> JobID { JobID(rawValue: number) }

    /// Writes the number of a signal as the daemon does when it crashes.
    private func crash(_ folder: TemporaryFolder) throws {
        var bytes = try folder.contents(RunningJobs.fileName)
        bytes[63] = 11
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file(RunningJobs.fileName)))
    }

    @Test func whatWasReadAtACrashIsKnownAfterwards() throws {
        let folder = try TemporaryFolder()
        let before = RunningJobs(state: folder.path)
        for number in 1...4 { before.begin(id(Int64(number))) }
        before.end(id(2))
        before.wait(id(3), isWaiting: true)
        before.wait(id(4), isWaiting: true)
        before.wait(id(4), isWaiting: false)
        try before.looking(at: 7) {
            try crash(folder)
            let after = RunningJobs(state: folder.path)
            #expect(after.crash() == RunningJobs.Crash(jobs: [id(1), id(4)], outputs: [7]))
        }
        #expect(
            RunningJobs(state: folder.path).crash() == RunningJobs.Crash(jobs: [id(1), id(4)]))
    }

    @Test func deathFromOutsideBlamesNobody() throws {
        let folder = try TemporaryFolder()
        RunningJobs(state: folder.path).begin(id(1))

        #expect(RunningJobs(state: folder.path).crash() == nil)
    }

    @Test func anotherStartOfTheMachineBlamesNobody() throws {
        let folder = try TemporaryFolder()
        RunningJobs(state: folder.path).begin(id(1))
        try crash(folder)

        let after = RunningJobs(state: folder.path)

        #expect(after.crash() != nil)
        #expect(after.crash(ifSameBoot: "another") == nil)
        #expect(after.crash(ifSameBoot: "") == nil)
    }

    @Test func firstJobOfAProcessForgetsThoseOfTheLast() throws {
        let folder = try TemporaryFolder()
        RunningJobs(state: folder.path).begin(id(1))
        try crash(folder)

        RunningJobs(state: folder.path).begin(id(2))

        #expect(RunningJobs(state: folder.path).crash() == nil)
        try crash(folder)
        #expect(RunningJobs(state: folder.path).crash() == RunningJobs.Crash(jobs: [id(2)]))
    }

    @Test(arguments: [0, 1, 63, 64, 65, 1000, 2111, 2113, 5000])
    func fileOfAnotherLengthBlamesNobody(length: Int) throws {
        let folder = try TemporaryFolder()
        RunningJobs(state: folder.path).begin(id(1))
        try crash(folder)
        var bytes = try folder.contents(RunningJobs.fileName)
        #expect(bytes.count == 2112)
        bytes = Array(bytes.prefix(length)) + [UInt8](repeating: 1, count: max(0, length - 2112))
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file(RunningJobs.fileName)))

        #expect(RunningJobs(state: folder.path).crash() == nil)
    }

    @Test func noisePutInItsPlaceBlamesNobody() throws {
        let folder = try TemporaryFolder()
        try Data(repeating: 0xFF, count: 2112).write(
            to: URL(fileURLWithPath: folder.file(RunningJobs.fileName)))

        #expect(RunningJobs(state: folder.path).crash() == nil)
    }

    @Test func folderThatCannotBeWrittenBlamesNobody() throws {
        let jobs = RunningJobs(state: "/nowhere/at/all")

        jobs.begin(id(1))
        jobs.end(id(1))

        #expect(jobs.crash() == nil)
    }

    @Test func moreJobsThanThereIsRoomForRunUnnoted() throws {
        let folder = try TemporaryFolder()
        let jobs = RunningJobs(state: folder.path)

        for number in 1...300 { jobs.begin(id(Int64(number))) }
        for number in 1...299 { jobs.end(id(Int64(number))) }
        try crash(folder)

        #expect(RunningJobs(state: folder.path).crash() == RunningJobs.Crash())
    }
}
