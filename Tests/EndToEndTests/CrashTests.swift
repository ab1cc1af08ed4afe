import Foundation
import StickerTestSupport
import Testing

extension EndToEnd {
    /// The daemon dies in the middle of anything, and the next start sets it right.
    ///
    /// With STICKERD_SLOW_CHECKS=1 at every single call that changes a file, else at a sample.
    struct CrashTests {
        @Test func deathAtAnyCallLosesNothing() async throws {
            let trial = try await Trial()
            let (result, calls) = try await trial.undisturbed()

            try await kill(trial, at: Sample.numbers(of: calls, 25, seed: 1), calls.count, result)
        }

        @Test func deathDuringTheVeryFirstStartLosesNothing() async throws {
            let trial = try await Trial(isFirstStart: true)
            let (result, calls) = try await trial.undisturbed()
            // While the database is made it has another journal than ever after.
            let journal = calls.indices.filter { calls[$0].path.hasSuffix("-journal") }
            let making = try #require(journal.first)...(try #require(journal.last) + 1)
            let numbers = Sample.numbers(of: calls, 8, seed: 2) + making.map { $0 + 1 }

            try await kill(trial, at: Set(numbers).sorted(), calls.count, result)
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

        private func kill(
            _ trial: Trial, at numbers: [Int], _ count: Int, _ result: Trial.Result
        ) async throws {
            try await inParallel(numbers) { number in
                let stage = try trial.stage("kill \(number)")
                let faults = trial.faults(stage)
                let death = try await stage.drain(
                    environment: faults.environment(.kill(at: number)))
                let last = try faults.calls().last.map { "killed at \(number): \($0)" } ?? "no call"

                // The order of calls differs a little between runs, and so does their number.
                #expect(death.signal == SIGKILL || number > count - 20, "\(number): \(death)")
                #expect(trial.complaints(of: stage) == [], "\(last)")
                try await trial.expect(result, of: stage, after: last)
            }
        }
    }
}

extension Trial {
    /// What a run leads to that nobody disturbs, and the calls it makes.
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
        #expect(try await result(stage) == expected, "after \(what)")
    }
}
