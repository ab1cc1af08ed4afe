import Foundation
import StickerModel
import StickerStore
import Testing

struct RunningJobsTests {
    private func ids(_ numbers: Int64...) -> Set<JobID> { Set(numbers.map(JobID.init)) }

    @Test func jobsThatRanAtADeathAreKnownAfterwards() throws {
        let folder = try TemporaryFolder()
        let before = RunningJobs(state: folder.path)
        for number in 1...3 { before.begin(JobID(rawValue: Int64(number))) }
        before.end(JobID(rawValue: 2))

        let after = RunningJobs(state: folder.path)

        #expect(after.ids() == ids(1, 3))
    }

    @Test func anotherStartOfTheMachineBlamesNobody() throws {
        let folder = try TemporaryFolder()
        RunningJobs(state: folder.path).begin(JobID(rawValue: 1))

        let after = RunningJobs(state: folder.path)

        #expect(after.ids(ifSameBoot: "another") == [])
        #expect(after.ids(ifSameBoot: "") == [])
    }

    @Test func whatWasRecordedIsForgotten() throws {
        let folder = try TemporaryFolder()
        RunningJobs(state: folder.path).begin(JobID(rawValue: 1))

        RunningJobs(state: folder.path).clear()
        let cleared = RunningJobs(state: folder.path)
        cleared.begin(JobID(rawValue: 7))

        #expect(cleared.ids() == [])
        #expect(RunningJobs(state: folder.path).ids() == ids(7))
    }

    @Test func firstJobOfAProcessForgetsThoseOfTheLast() throws {
        let folder = try TemporaryFolder()
        RunningJobs(state: folder.path, boot: "earlier").begin(JobID(rawValue: 1))

        RunningJobs(state: folder.path).begin(JobID(rawValue: 2))

        #expect(RunningJobs(state: folder.path).ids() == ids(2))
    }

    @Test(arguments: [0, 1, 63, 64, 65, 1000, 2111, 2113, 5000])
    func fileOfAnotherLengthBlamesNobody(length: Int) throws {
        let folder = try TemporaryFolder()
        RunningJobs(state: folder.path).begin(JobID(rawValue: 1))
        var bytes = try folder.contents(RunningJobs.fileName)
        #expect(bytes.count == 2112)
        bytes = Array(bytes.prefix(length)) + [UInt8](repeating: 1, count: max(0, length - 2112))
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file(RunningJobs.fileName)))

        let after = RunningJobs(state: folder.path)

        #expect(after.ids() == [])
    }

    @Test func noisePutInItsPlaceBlamesNobody() throws {
        let folder = try TemporaryFolder()
        try Data(repeating: 0xFF, count: 2112).write(
            to: URL(fileURLWithPath: folder.file(RunningJobs.fileName)))

        #expect(RunningJobs(state: folder.path).ids() == [])
    }

    @Test func folderThatCannotBeWrittenBlamesNobody() throws {
        let jobs = RunningJobs(state: "/nowhere/at/all")

        jobs.begin(JobID(rawValue: 1))
        jobs.end(JobID(rawValue: 1))

        #expect(jobs.ids() == [])
    }

    @Test func moreJobsThanThereIsRoomForRunUnnoted() throws {
        let folder = try TemporaryFolder()
        let jobs = RunningJobs(state: folder.path)

        for number in 1...300 { jobs.begin(JobID(rawValue: Int64(number))) }
        for number in 1...299 { jobs.end(JobID(rawValue: Int64(number))) }

        #expect(RunningJobs(state: folder.path).ids() == [])
    }
}
