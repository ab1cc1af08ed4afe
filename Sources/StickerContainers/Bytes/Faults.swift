/// What an audit found: a clause for each fault, as many as are of use.
struct Faults {
    private static let countMax = 20

    private(set) var clauses: [String] = []

    mutating func note(_ clause: String) {
        if clauses.count < Self.countMax { clauses.append(clause) }
    }
}
