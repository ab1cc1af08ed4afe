import Dispatch
import Synchronization

/// How much faster two workers are than one.
struct Pace {
    private static let rounds = 3

    /// Wall-clock seconds of one worker divided by those of two, one number for each round.
    let speedups: Figures

    init(files: [String]) {
        speedups = Figures(
            (0..<Self.rounds).map { _ in
                let one = Self.wall(files, workers: 1)
                return one / Self.wall(files, workers: 2)
            })
    }

    private static func wall(_ files: [String], workers: Int) -> Double {
        let next = Atomic(0)
        let start = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: workers) { _ in
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < files.count else { return }
                // Refusals were reported when the pictures were added.
                _ = try? Trial(path: files[index])
            }
        }
        return (ContinuousClock.now - start) / .seconds(1)
    }
}
