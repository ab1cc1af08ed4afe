/// The findings of an audit: one clause per fault, limited to a useful number.
struct Faults {
    static let countMax = 20

    private(set) var clauses: [String] = []

    mutating func note(_ clause: String) {
        if clauses.count < Self.countMax { clauses.append(clause) }
    }
}
