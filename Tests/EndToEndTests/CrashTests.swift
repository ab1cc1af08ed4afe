import Foundation
import Glibc
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// The daemon dies in the middle of anything, and the next start sets it right.
    ///
    /// With STICKERD_SLOW_CHECKS=1 at every single call that changes a file, else at a sample.
    struct CrashTests {
        @Test func deathAtAnyCallLosesNothing() async throws {
            let trial = try await Trial()
            let (result, calls) = try await trial.undisturbed()

            try await kill(trial, at: Sample.numbers(of: calls, 25, seed: 1), result)
        }

        @Test func deathDuringTheVeryFirstStartLosesNothing() async throws {
            let trial = try await Trial(isFirstStart: true)
            let (result, calls) = try await trial.undisturbed()
            // While the database is made it has another journal than ever after.
            let journal = calls.indices.filter { calls[$0].path.hasSuffix("-journal") }
            let making = try #require(journal.first)...(try #require(journal.last) + 1)
            let numbers = Sample.numbers(of: calls, 8, seed: 2) + making.map { $0 + 1 }

            try await kill(trial, at: Set(numbers).sorted(), result)
        }

        @Test func threeDeathsInARowLoseNothing() async throws {
            let trial = try await Trial()
            let (result, calls) = try await trial.undisturbed()
            var numbers = SeededGenerator(seed: 3)
            let rounds = (0..<(Sample.isComplete ? 100 : 4)).map { _ in
                (0..<3).map { _ in Int.random(in: 1...calls.count, using: &numbers) }
            }

            try await inParallel(rounds) { deaths in
                let stage = try trial.stage("deaths \(deaths)")
                for number in deaths {
                    let faults = trial.faults(stage)
                    _ = try await stage.drain(environment: faults.environment(.kill(at: number)))
                    #expect(trial.complaints(of: stage) == [], "after one of \(deaths)")
                }
                try await trial.expect(result, of: stage, after: "\(deaths)")
            }
        }

        @Test func watchingDaemonThatDiesAgainAndAgainLosesNothing() async throws {
            let workshop = try Workshop()
            let art = try (0..<8).map { try Art.png($0) }
            let witness = Witness(below: workshop.out)
            var dropped = 0
            for round in 1...5 {
                let daemon = try await workshop.start()
                for _ in 0..<40 {
                    try workshop.put(art[dropped % 8], "cats/\(dropped % 3)/\(dropped).png")
                    dropped += 1
                }
                // It dies while most of them wait, and more come while nobody looks.
                try await workshop.jobs("at work") { jobs in
                    jobs.count { $0.state == "completed" } > (round - 1) * 45
                }
                daemon.send(SIGKILL)
                #expect(try await daemon.ending().signal == SIGKILL)
                for _ in 0..<5 {
                    try workshop.replace("late \(dropped).png", with: art[dropped % 8])
                    dropped += 1
                }
            }

            #expect(try await workshop.drain().exitCode == 0)

            let library = try Library(below: workshop.out)
            #expect(library.stickers.count == dropped)
            #expect(Set(library.stickers.map(\.identifier)).count == dropped)
            #expect(library.complaints() == [])
            #expect(Library.litter(below: workshop.out) == [])
            let jobs = try await workshop.jobs()
            #expect(jobs.filter { $0.state == "completed" }.count == dropped)
            #expect(jobs.filter { !$0.isFinal } == [])
            #expect(witness.testimony().complaints == [])
        }

        @Test func stoppedDaemonLeavesNothingHalfDone() async throws {
            let workshop = try Workshop()
            for number in 0..<60 { try workshop.put(try Art.png(number), "cats/\(number).png") }
            let daemon = try await workshop.start()
            try await workshop.jobs("at work") { $0.contains { $0.state == "completed" } }

            daemon.send(SIGTERM)

            #expect(try await daemon.ending().exitCode == 0)
            let jobs = try await workshop.jobs()
            #expect(jobs.filter { $0.state == "executing" } == [])
            let done = jobs.count { $0.state == "completed" }
            let library = try Library(below: workshop.out)
            #expect(library.stickers.count == done)
            #expect(library.complaints() == [])
            #expect(Library.litter(below: workshop.out) == [])
            #expect(try await workshop.drain().exitCode == 0)
            #expect(try Library(below: workshop.out).stickers.count == 60)
        }

        private func kill(
            _ trial: Trial, at numbers: [Int], _ result: Trial.Result
        ) async throws {
            try await inParallel(numbers) { number in
                let stage = try trial.stage("kill \(number)")
                let faults = trial.faults(stage)
                let death = try await stage.drain(
                    environment: faults.environment(.kill(at: number)))
                let made = try faults.calls()
                let last = made.last.map { "killed at \(number): \($0)" } ?? "no call"

                // The order of calls differs a little between runs, and so does their number.
                #expect(death.signal == SIGKILL || made.count < number, "\(number): \(death)")
                #expect(trial.complaints(of: stage) == [], "\(last)")
                try await trial.expect(result, of: stage, after: last)
            }
        }
    }
}

extension Trial {
    /// The result of an undisturbed run, and its calls.
    func undisturbed(isReading: Bool = false) async throws -> (Result, [Faults.Call]) {
        let stage = try stage("undisturbed")
        let faults = faults(stage, isReading: isReading)
        let drain = try await stage.drain(environment: faults.environment())
        #expect(drain.exitCode == Self.exitCode)
        #expect(complaints(of: stage) == [])
        #expect(try leftovers(of: stage) == [])
        let result = try await result(stage)
        #expect(result.stickers.count == 8)
        return (result, try faults.calls())
    }

    /// Starts again and expects the result of an undisturbed run.
    func expect(_ expected: Result, of stage: Workshop, after what: String) async throws {
        let recovery = try await stage.drain()
        #expect(recovery.exitCode == Self.exitCode, "after \(what): \(recovery.errors)")
        #expect(complaints(of: stage) == [], "after \(what)")
        #expect(try leftovers(of: stage) == [], "after \(what)")
        let differences = try await result(stage).differences(from: expected)
        #expect(differences == [], "after \(what): \(recovery.errors)")
    }
}
