import Dispatch
import Foundation
import StickerConfiguration
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerWorkers

/// The layers of the lock that the system provides, and behaviour without them.
struct WorkerLockTests {
    private func withoutLandlock(
        in folder: TemporaryFolder, unsandboxed: Bool
    ) throws -> WorkerMaking {
        let program = folder.path("without-landlock")
        try FileManager.default.createSymbolicLink(
            atPath: program, withDestinationPath: Built.path("hostile-worker"))
        var configuration = WorkerConfiguration()
        configuration.unsandboxed = unsandboxed
        return WorkerMaking(program: program) { [configuration] in configuration }
    }

    @Test func nothingIsMadeWhereALayerIsMissing() throws {
        let folder = try TemporaryFolder()
        let maker = try withoutLandlock(in: folder, unsandboxed: false)

        let error = #expect(throws: WorkerUnavailable.self) { try maker.check() }
        let report = maker.make(
            try Art.still(), recipe: Recipe(settings: StickerSettings()), limits: DecodeLimits(),
            lane: .only)

        #expect(error?.description.contains("missing: Landlock") == true)
        #expect(error?.description.contains("worker.unsandboxed") == true)
        guard case .failure(.lacking) = report.result else {
            Issue.record("\(report.result)")
            return
        }
    }

    @Test func operatorMayDoWithoutALayer() throws {
        let folder = try TemporaryFolder()
        let maker = try withoutLandlock(in: folder, unsandboxed: true)

        #expect(try maker.check() == ["Landlock"])
        let report = maker.make(
            try Art.still(), recipe: Recipe(settings: StickerSettings()), limits: DecodeLimits(),
            lane: .only)
        #expect(throws: Never.self) { try report.result.get() }
    }

    @Test func wholeLockIsThereOnThisKernel() throws {
        let maker = WorkerMaking(program: Built.path("stickerd-worker")) { .init() }

        #expect(try maker.check().isEmpty)
    }

    /// Ahead of its owner, and of anything else of the machine.
    @Test func workerIsOfferedToTheKernelWhereMemoryRunsOut() {
        expectOfAWorker { process in
            let score = try? String(
                contentsOfFile: "/proc/\(process)/oom_score_adj", encoding: .utf8)
            return score == "1000\n"
        }
    }

    @Test(.enabled(if: getuid() == 0, "it takes root"))
    func workerThatRootStartedIsNobodyWithoutAnyRight() {
        expectOfAWorker { process in
            let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8))
            let lines = Set((status ?? "").components(separatedBy: "\n"))
            return lines.isSuperset(of: [
                "Uid:\t65534\t65534\t65534\t65534", "Gid:\t65534\t65534\t65534\t65534",
                "Groups:\t ", "CapInh:\t0000000000000000", "CapPrm:\t0000000000000000",
                "CapEff:\t0000000000000000", "CapAmb:\t0000000000000000", "NoNewPrivs:\t1",
                "Seccomp:\t2",
            ])
        }
    }

    /// Expects that `isTrue` comes true of a worker that is at work.
    private func expectOfAWorker(_ isTrue: @escaping @Sendable (String) -> Bool) {
        let isSeen = WaitableValue(false)
        // It is asked again and again while the worker works.
        let lane = WorkLane(isLarge: true) { _ in
            if workers().contains(where: isTrue) { isSeen.update { $0 = true } }
            return isSeen.value
        }
        _ = WorkerMaking(program: Built.path("hostile-worker")) { .init() }.make(
            SourceBytes(Array("hang".utf8)), recipe: Recipe(settings: StickerSettings()),
            limits: DecodeLimits(), lane: lane)
        #expect(isSeen.value)
    }

    /// The hostile workers of this process.
    private func workers() -> [String] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.filter { Int($0) != nil }.filter { process in
            // Processes end while they are looked at.
            guard
                let status = try? String(
                    contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            else { return false }
            return status.contains("Name:\thostile-worker\n")
                && status.contains("PPid:\t\(getpid())\n")
        }
    }
}

/// Workers share the memory that they may use.
struct MemoryBudgetTests {
    @Test func sumIsKept() async {
        let budget = MemoryBudget(available: 0)
        #expect(budget.take(60, of: 100) { false })
        #expect(budget.take(40, of: 100) { false })

        #expect(!budget.take(1, of: 100) { true })
        budget.giveBack(40)

        #expect(budget.take(1, of: 100) { true })
    }

    @Test func whoeverWaitsGetsItOnceItIsGivenBack() async {
        let budget = MemoryBudget(available: 0)
        #expect(budget.take(100, of: 100) { false })
        let isTired = WaitableValue(false)
        let second = inBackground { budget.take(50, of: 100) { isTired.value } }
        #expect(await waitUntil { budget.waiting == 1 })

        budget.giveBack(100)

        #expect(await second.wait { $0 != nil } == true)
        isTired.update { $0 = true }
    }

    /// A single job goes on whatever the limit is.
    @Test func oneIsAlwaysLetThrough() {
        let budget = MemoryBudget(available: 0)

        #expect(budget.take(1000, of: 100) { true })
        #expect(!budget.take(1, of: 100) { true })
    }

    @Test func nobodyPassesWhoWaitsLonger() async {
        let budget = MemoryBudget(available: 0)
        #expect(budget.take(60, of: 100) { false })
        let isTired = WaitableValue(false)
        let large = inBackground { budget.take(80, of: 100) { isTired.value } }
        // Until the large one has its ticket.
        #expect(await waitUntil { budget.waiting == 1 })

        #expect(!budget.take(10, of: 100) { true })
        isTired.update { $0 = true }

        #expect(await large.wait { $0 != nil } == false)
        #expect(budget.take(10, of: 100) { true })
    }
}

/// Does what blocks on a thread of its own: those of Swift's tasks, and of Dispatch, are few.
private func inBackground<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
) -> WaitableValue<Value?> {
    let result = WaitableValue<Value?>(nil)
    Thread {
        let value = body()
        result.update { $0 = value }
    }.start()
    return result
}
