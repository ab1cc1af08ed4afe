/// Finds a short sequence of operations that still fails, by leaving out ever smaller parts of it (Zeller and
/// Hildebrandt: "Simplifying and isolating failure-inducing input", 2002).
struct LifeShrinker {
    /// The shortest sequence so far, and what goes wrong in it.
    private(set) var operations: [Operation]
    private(set) var differences: [String]
    private(set) var replays = 0
    private let replaysMax: Int
    private let deadline: ContinuousClock.Instant

    /// At most `replaysMax` sequences are replayed, and none is begun after `limit`.
    init(
        _ operations: [Operation], _ failure: LifeRun.Failure, replaysMax: Int = 150,
        limit: Duration = .seconds(600)
    ) {
        self.operations = operations
        differences = failure.differences
        self.replaysMax = replaysMax
        deadline = .now + limit
    }

    /// Leaves out what is not needed for the failure.
    mutating func shrink() async {
        var size = max(1, operations.count / 2)
        while !isOver {
            let isShorter = await leaveOut(size)
            guard size > 1 || isShorter else { return }
            if !isShorter { size = max(1, size / 2) }
        }
    }

    private var isOver: Bool { replays >= replaysMax || ContinuousClock.now >= deadline }

    /// Leaves out every part of so many operations that is not needed.
    ///
    /// - Returns: whether there was one.
    private mutating func leaveOut(_ size: Int) async -> Bool {
        var isShorter = false
        var end = operations.count
        while end > 0, !isOver {
            let start = max(0, end - size)
            var candidate = operations
            candidate.removeSubrange(start..<end)
            end = start
            guard let failure = await failure(of: candidate) else { continue }
            (operations, differences) = (failure.operations, failure.differences)
            end = min(end, operations.count)
            isShorter = true
        }
        return isShorter
    }

    /// The fault that a sequence leads to in fresh folders; `nil` if there is none.
    private mutating func failure(
        of candidate: [Operation]
    ) async -> (operations: [Operation], differences: [String])? {
        replays += 1
        do {
            let run = try LifeRun(limit: .seconds(10))
            do {
                try await run.run(candidate)
                return nil
            } catch let failure as LifeRun.Failure {
                guard run.operations.count <= candidate.count + 1 else { return nil }
                return (run.operations, failure.differences)
            }
        } catch {
            return nil
        }
    }
}
