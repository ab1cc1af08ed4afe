/// Something that is done again and again.
enum Chore: String, CaseIterable {
    case space, memory, operatorsChanges, redo, graces, repair, unreadable, cleaning

    /// After so many rounds of half a second it is done again.
    fileprivate var rounds: Int {
        switch self {
        case .operatorsChanges, .redo: 1
        case .graces: 2
        case .space, .repair: 4
        case .memory: 10
        case .unreadable: 120
        case .cleaning: 7200
        }
    }

    /// The same after a failure: what is rare is not put off for so long.
    fileprivate var roundsAfterFailure: Int { min(rounds, 120) }
}

/// When each chore is due, and which of them fail.
struct ChoreList {
    /// What is worth a line in the log.
    enum News: Hashable {
        case failing(Chore, String)
        case working(Chore)
    }

    private var round = 0
    private var next: [Chore: Int] = [.memory: 9, .cleaning: 1]
    private var failures: [Chore: String] = [:]

    /// Begins a round: the chores to be done in it.
    mutating func due() -> [Chore] {
        let due = Chore.allCases.filter { next[$0, default: 0] <= round }
        for chore in due { next[chore] = round + chore.rounds }
        round += 1
        return due
    }

    /// The first success after failures is news.
    mutating func succeeded(_ chore: Chore) -> News? {
        failures.removeValue(forKey: chore).map { _ in .working(chore) }
    }

    /// The first of several failures is news; chores that fail for the same reason share the line.
    mutating func failed(_ chore: Chore, _ error: String) -> News? {
        next[chore] = round - 1 + chore.roundsAfterFailure
        let isKnown = failures[chore] != nil || failures.values.contains(error)
        failures[chore] = error
        return isKnown ? nil : .failing(chore, error)
    }
}
