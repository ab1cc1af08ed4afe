/// A recurring task.
enum Chore: String, CaseIterable {
    case place, memory, database, operatorsChanges, redo, fonts, moments, uploads, renewal, graces,
        packs, repair, unreadable, deletions, cleaning, faults,
        alive

    /// How many rounds of half a second pass between two runs.
    fileprivate var rounds: Int {
        switch self {
        case .operatorsChanges, .redo, .moments, .uploads, .faults: 1
        case .graces, .packs: 2
        case .place, .database, .repair: 4
        case .memory, .fonts, .renewal: 10
        case .unreadable, .deletions, .alive: 120
        case .cleaning: 7200
        }
    }

    /// The same after a failure: fewer, as failures with an outside cause are soon over.
    fileprivate var roundsAfterFailure: Int { min(rounds, 8) }
}

/// When each chore is due, and which chores fail.
struct ChoreList {
    private var round = 0
    private var next: [Chore: Int] = [.memory: 9, .cleaning: Chore.cleaning.rounds]
    private var failures: [Chore: String] = [:]

    /// Begins a round and returns the chores to be done in it.
    mutating func due() -> [Chore] {
        let due = Chore.allCases.filter { next[$0, default: 0] <= round }
        for chore in due { next[chore] = round + chore.rounds }
        round += 1
        return due
    }

    /// Makes a chore due in the next round.
    mutating func hurry(_ chore: Chore) { next[chore] = round }

    /// The first failure in the order of the chores; `nil` if everything works.
    var trouble: String? { Chore.allCases.lazy.compactMap { failures[$0] }.first }

    /// Notes that a chore was done.
    mutating func succeeded(_ chore: Chore) { failures[chore] = nil }

    /// Notes why a chore failed; it is due again sooner than usual.
    mutating func failed(_ chore: Chore, _ error: String) {
        next[chore] = round - 1 + chore.roundsAfterFailure
        failures[chore] = error
    }
}
