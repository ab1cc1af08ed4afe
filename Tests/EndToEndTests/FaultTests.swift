import Foundation
import Glibc
import StickerTestSupport
import Testing

extension EndToEnd {
    /// Single system calls fail: nothing is half published, and what comes out in the end is the same.
    ///
    /// With STICKERD_SLOW_CHECKS=1 at every single call, else at a sample.
    struct FaultTests {
        @Test(arguments: [EIO, ENOSPC, EMFILE, EACCES])
        func failureOfAnyCallChangesNothingInTheEnd(error: Int32) async throws {
            let trial = try await Trial()
            let (result, calls) = try await trial.undisturbed(isReading: true)
            let numbers = Sample.numbers(of: calls, 10, seed: UInt64(error)).filter { number in
                // A file that may not be read is refused, and that is right.
                error != EACCES || calls[number - 1].name != "read"
            }

            try await inParallel(numbers.map { .fail(at: $0, error) }) { fault in
                try await disturb(trial, fault, result)
            }
        }

        @Test func daemonRestsWhileTheDiskIsFullAndResumesByItself() async throws {
            let workshop = try Workshop()
            try workshop.put(try Art.png(1), "cats/tom.png")
            #expect(try await workshop.drain().exitCode == 0)
            let pictures = "\(workshop.out)/_"
            let faults = Faults(root: pictures, trace: workshop.folder.path("trace"))
            // The start itself asks that folder once; then no picture can be written for a while.
            let fault = Faults.Fault.fail(at: 2, ENOSPC, count: 3)
            let daemon = try await workshop.start(environment: faults.environment(fault))
            defer { daemon.send(SIGTERM) }

            for number in 2...6 { try workshop.put(try Art.png(number), "cats/\(number).png") }

            try await daemon.says("No space left on device")
            let library = try await workshop.published("all") { $0.names.count == 6 }
            #expect(library.complaints() == [])
            try await daemon.says("resumed")
            #expect(daemon.errors.components(separatedBy: "error paused").count == 2)
            #expect(try await workshop.jobs().filter { $0.state != "completed" } == [])
        }

        @Test func drainGivesUpWhereNothingCanBeWritten() async throws {
            let workshop = try Workshop()
            try workshop.put(try Art.png(1), "cats/tom.png")
            #expect(try await workshop.drain().exitCode == 0)
            try workshop.put(try Art.png(2), "cats/kit.png")
            let faults = Faults(root: "\(workshop.out)/_", trace: workshop.folder.path("trace"))

            let fault = Faults.Fault.fail(at: 2, ENOSPC, count: 1_000_000)
            let drain = try await workshop.drain(environment: faults.environment(fault))

            #expect(drain.exitCode == 1)
            #expect(try faults.calls().count < 20)
            #expect(try await workshop.drain().exitCode == 0)
            #expect(try Library(below: workshop.out).names == ["kit.png", "tom.png"])
        }

        @Test(arguments: [EIO, ENOSPC])
        func seriesOfFailuresChangesNothingInTheEnd(error: Int32) async throws {
            let trial = try await Trial()
            let (result, calls) = try await trial.undisturbed()
            let numbers = Sample.numbers(of: calls, 4, seed: 40 + UInt64(error))

            try await inParallel(numbers.map { .fail(at: $0, error, count: 12) }) { fault in
                try await disturb(trial, fault, result)
            }
        }
    }
}

/// Drains once with a fault, whose exit code must be honest, and where that says so once more.
private func disturb(
    _ trial: Trial, _ fault: Faults.Fault, _ result: Trial.Result
) async throws {
    let stage = try trial.stage("\(fault)")
    let faults = trial.faults(stage, isReading: true)

    let drain = try await stage.drain(environment: faults.environment(fault))

    let broken = try faults.calls().dropFirst(fault.number - 1).first
    let call = broken.map { "\($0)" } ?? "none"
    let what: Comment =
        "\(fault), \(call), exit \(drain.exitCode ?? -1), signal \(drain.signal ?? 0): \(drain.errors)"
    #expect(trial.complaints(of: stage) == [], what)
    let cannotRun = broken?.path.hasSuffix("config.json") == true ? [1, EX_CONFIG] : [1]
    #expect(drain.exitCode == Trial.exitCode || cannotRun.contains(drain.exitCode ?? -1), what)
    if drain.exitCode == Trial.exitCode {
        #expect(try await trial.result(stage).differences(from: result) == [], what)
    }
    try await trial.expect(result, of: stage, after: "\(what)")
}
