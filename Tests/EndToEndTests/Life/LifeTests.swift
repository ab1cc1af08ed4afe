import Foundation
import Testing

extension EndToEnd {
    /// Long random sequences of what happens to drop folders and to the daemon. Whenever nothing is left to be
    /// done, a reader must find exactly what a simple model foretells: ids, order, words, contents, and no encode
    /// too many.
    ///
    /// STICKERD_LIFE_SEED, STICKERD_LIFE_RUNS and STICKERD_LIFE_STEPS tell the first seed, how many there are, and
    /// how long each sequence is.
    struct LifeTests {
        private static func setting(_ name: String, _ value: Int) -> Int {
            ProcessInfo.processInfo.environment["STICKERD_LIFE_\(name)"].flatMap(Int.init) ?? value
        }

        static let seeds: [Int] = {
            let first = setting("SEED", 1)
            return Array(first..<first + setting("RUNS", 4))
        }()

        @Test(arguments: seeds)
        func whatIsPublishedIsWhatTheModelForetells(seed: Int) async throws {
            let steps = Self.setting("STEPS", 100)
            let run = try LifeRun()
            var generator = LifeGenerator(seed: UInt64(seed))
            do {
                while run.operations.count < steps {
                    try await run.take(generator.next(run.model))
                }
                try await run.run([])
            } catch let failure as LifeRun.Failure {
                await report(failure, of: run.operations, seed)
            }
            say(
                "life: seed \(seed): \(run.operations.count) operations, compared \(run.settles) times, "
                    + "\(run.encodes) encodes, \(run.model.stickers.count) stickers")
        }

        private func report(_ failure: LifeRun.Failure, of operations: [Operation], _ seed: Int)
            async
        {
            say("life: seed \(seed) fails at operation \(failure.steps) and is shortened now")
            let last = operations.dropLast().lastIndex(of: .settle) ?? 0
            say(failure.differences.joined(separator: "\n"))
            say("what was done since it was right:\n\(Array(operations[last...]).code)")
            var shrinker = LifeShrinker(operations, failure)
            await shrinker.shrink()
            let text = """
                seed \(seed) fails; \(shrinker.replays) replays led from \(operations.count) to \
                \(shrinker.operations.count) operations:
                \(shrinker.operations.code)
                \(shrinker.differences.joined(separator: "\n"))
                """
            say(text)
            Issue.record("\(text)")
        }

        /// Standard output would keep it back until the end.
        private func say(_ text: String) {
            FileHandle.standardError.write(Data("\(text)\n".utf8))
        }
    }
}
