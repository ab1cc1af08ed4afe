import Synchronization

/// The outcome of a pressed button, for the page that follows.
struct Said: Sendable {
    /// One sentence.
    var sentence: String
    /// Undoes it, if that can be done.
    var undo: Int?
}

/// The outcomes of the last buttons: the address of a page carries only a number, so that nobody can make a page show
/// their own text.
final class Outcomes: Sendable {
    /// How many are kept.
    static let kept = 100

    private struct Outcome {
        var sentence: String
        var steps: [Step]
        var page: String
        var person: Person
    }

    private let state = Mutex<(last: Int, outcomes: [Int: Outcome])>((0, [:]))

    /// The number of outcomes so far.
    var count: Int { state.withLock { $0.last } }

    /// Keeps an outcome.
    ///
    /// - Parameters:
    ///   - sentence: says it.
    ///   - steps: what can be undone of it.
    ///   - page: the address of the page that shows it.
    ///   - person: who did it, and alone sees and undoes it.
    /// - Returns: its number.
    func keep(
        _ sentence: String, undoing steps: [Step] = [], on page: String = "/", by person: Person
    ) -> Int {
        state.withLock { state in
            state.last += 1
            state.outcomes[state.last] = Outcome(
                sentence: sentence, steps: steps, page: page, person: person)
            state.outcomes[state.last - Self.kept] = nil
            return state.last
        }
    }

    /// The outcome of a number; `nil` if it is not kept, or that of somebody else.
    func said(_ number: String?, to person: Person) -> Said? {
        guard let number = number.flatMap({ Int($0) }) else { return nil }
        return state.withLock { state in
            state.outcomes[number].flatMap { $0.person.name == person.name ? $0 : nil }.map {
                Said(sentence: $0.sentence, undo: $0.steps.isEmpty ? nil : number)
            }
        }
    }

    /// The steps of an outcome, to be undone once, and the page that shows them.
    func takeSteps(_ number: Int, by person: Person) -> (steps: [Step], page: String)? {
        state.withLock { state in
            guard let outcome = state.outcomes[number], !outcome.steps.isEmpty,
                outcome.person.name == person.name
            else { return nil }
            state.outcomes[number]?.steps = []
            return (outcome.steps, outcome.page)
        }
    }
}
