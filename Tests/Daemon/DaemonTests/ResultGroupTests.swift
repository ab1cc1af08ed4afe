import StickerStore
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerDaemon

struct ResultGroupTests {
    private let folder: TemporaryFolder
    private let objects: ObjectStore
    private let start = ContinuousClock.now

    init() throws {
        folder = try TemporaryFolder()
        objects = try ObjectStore(out: folder.path)
    }

    private func result(_ number: Int, isBulk: Bool = true, bytes: Int = 1) throws -> JobResult {
        var job = ClaimedJob(
            id: JobID(rawValue: Int64(number)),
            source: SourceKey(drop: "/drop", directory: [], name: Array("a.png".utf8)),
            version: FileVersion(inode: 1, size: 1, mtime: 1, ctime: 1), origin: .scan,
            attempt: 1, ageMilliseconds: 0, category: CategoryID(rawValue: "cats"),
            sticker: nil)
        job.isBulk = isBulk
        let content = [UInt8](repeating: UInt8(number), count: bytes)
        return JobResult(
            finished: FinishedJob(job: job, outcome: .yielded(isForeseen: true), log: StepLog()),
            staged: try objects.stage([NewObject(bytes: content, format: .webp)]))
    }

    @Test func backlogGathersForAWhile() throws {
        var group = ResultGroup()
        let count = Int(ResultGroup.wait / ResultGroup.quiet)
        for number in 0..<count {
            let time = start + ResultGroup.quiet * number
            #expect(group.take(at: time - .milliseconds(1), isLast: false) == nil)
            group.add(try result(number), at: time)
        }

        let taken = group.take(at: start + ResultGroup.wait, isLast: false)

        #expect(taken?.count == count)
        #expect(group.results.isEmpty)
    }

    @Test func nobodyIsWaitedForOnceItIsQuiet() throws {
        var group = ResultGroup()
        group.add(try result(1), at: start)

        #expect(group.take(at: start + ResultGroup.quiet - .milliseconds(1), isLast: false) == nil)
        #expect(group.take(at: start + ResultGroup.quiet, isLast: false)?.count == 1)
    }

    @Test func nobodyWaitsOnceNothingElseRuns() throws {
        var group = ResultGroup()
        group.add(try result(1), at: start)

        #expect(group.take(at: start, isLast: true)?.count == 1)
        #expect(group.take(at: start, isLast: true) == nil)
    }

    @Test func freshFileTakesAllWithItAtOnce() throws {
        var group = ResultGroup()
        group.add(try result(1), at: start)
        group.add(try result(2, isBulk: false), at: start)
        let taken = group.take(at: start, isLast: false)
        group.add(try result(3), at: start)

        #expect(taken?.count == 2)
        #expect(group.take(at: start, isLast: false) == nil)
    }

    @Test func fullGroupWaitsForNobody() throws {
        var group = ResultGroup()
        group.add(try result(1, bytes: ResultGroup.bytesMax - 1), at: start)
        #expect(!group.isFull && group.take(at: start, isLast: false) == nil)

        group.add(try result(2), at: start)

        #expect(group.isFull)
        #expect(group.take(at: start, isLast: false)?.count == 2)
        #expect(!group.isFull)
    }
}
