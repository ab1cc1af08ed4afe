import Glibc
import StickerTestSupport

/// Carries operations out on the model and on the real programs, and compares the two whenever nothing is left to
/// be done.
final class LifeRun {
    /// The product and the model disagree.
    struct Failure: Error {
        /// How many operations were carried out until then.
        var steps: Int
        var differences: [String]
    }

    private(set) var model = LifeModel(drops: LifeStage.drops)
    /// The operations carried out.
    private(set) var operations: [Operation] = []
    private(set) var settles = 0
    private(set) var encodes = 0
    private let stage: LifeStage
    /// How long a running daemon may take until everything is as it must be.
    private let limit: Duration
    private var verified: Set<String> = []

    /// Pictures that stay, so that no drop is ever empty. The titles of their categories tell when the daemon has
    /// seen all that was done before.
    private static let anchors = ["anchor", "pier"]

    init(limit: Duration = .seconds(30)) throws {
        self.limit = limit
        stage = try LifeStage()
        for (number, place) in zip(LifeStage.drops, Self.anchors).enumerated() {
            let path = "\(place.0)/\(place.1)/\(place.1).png"
            try carryOutOnFiles(.write(number + 1, path))
        }
    }

    /// Carries out those of the operations that make sense, and compares at the end.
    ///
    /// - Throws: `Failure` if the product does anything else than the model.
    func run(_ operations: [Operation]) async throws {
        for operation in operations { try await take(operation) }
        try await take(.settle)
        try await finish()
    }

    /// Carries an operation out if it makes sense now.
    func take(_ operation: Operation) async throws {
        guard model.permits(operation) else { return }
        operations.append(operation)
        do {
            try await carryOut(operation)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(steps: operations.count, differences: ["\(error)"])
        }
    }

    private func carryOut(_ operation: Operation) async throws {
        if operation == .settle { try await settle() }
        try carryOutOnFiles(operation)
        switch operation {
        case .start: try await stage.start()
        case .stop: try await stage.end(by: SIGTERM)
        case .kill: try await stage.end(by: SIGKILL)
        case .rebuild: try await stage.rebuild()
        case .moveDrop: try stage.configure(drops: model.drops)
        default: break
        }
    }

    private func carryOutOnFiles(_ operation: Operation) throws {
        try stage.carryOut(operation)
        model.apply(operation)
    }

    // MARK: Comparing

    private func settle() async throws {
        settles += 1
        if model.isRunning {
            try await waitUntilSettled()
        } else {
            try await stage.drain()
            try compare()
        }
        try await compareEncodes()
    }

    private func waitUntilSettled() async throws {
        for folder in model.directories where Self.anchors.contains(folder.lastComponent) {
            try carryOutOnFiles(.entitle(folder, "settled \(settles) times"))
        }
        let end = ContinuousClock.now + limit
        while true {
            do {
                try compare()
                let status = try await stage.workshop.status()
                guard status.waiting + status.working + status.missing == 0 else {
                    throw failure(["left to be done: \(status)"])
                }
                return try compare()
            } catch {
                guard ContinuousClock.now < end else { throw error }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    private func failure(_ differences: [String]) -> Failure {
        Failure(steps: operations.count, differences: differences)
    }

    private func compare() throws {
        let published = try stage.published()
        var settled = model
        let differences = settled.differences(from: published) + missingFiles(published.library)
        guard differences.isEmpty else { throw failure(differences) }
        model = settled
    }

    /// Files that a manifest names and that are not there, or hold something else.
    private func missingFiles(_ library: Library) -> [String] {
        library.complaints(besides: &verified)
    }

    private func compareEncodes() async throws {
        let published = Set(model.published)
        let bounds = model.ledger.bounds(published)
        // The log follows what is published.
        let isEnough = await waitUntil(upTo: limit) { stage.encodes - encodes >= bounds.lowerBound }
        let new = stage.encodes - encodes
        encodes += new
        guard isEnough, bounds.contains(new) else {
            throw failure(["encodes: \(new), expected \(bounds)"])
        }
        model.ledger.settle(published)
    }

    private func finish() async throws {
        if model.isRunning { try await take(.stop) }
        let complaints = try Library(everyManifestBelow: stage.workshop.out).complaints()
        let litter = Library.litter(below: stage.workshop.out).map { "litter: \($0)" }
        guard complaints + litter == [] else { throw failure(complaints + litter) }
    }
}
