/// The pictures and targets that the marks of a look may name.
public struct LookRules: Hashable, Sendable {
    /// The size of each picture of the folder of marks in bytes, by name; `nil` if the configuration names no folder.
    public var marks: [String: Int]?
    /// The names of all targets.
    public var targets: [String]

    /// Creates rules.
    public init(marks: [String: Int]?, targets: [String]) {
        (self.marks, self.targets) = (marks, targets)
    }

    /// Why a mark cannot show the picture of this name; `nil` if it can.
    func fault(ofMark name: String) -> String? {
        guard let marks else {
            return "the configuration has no folder of marks; an operator names one as marks"
        }
        guard marks[name] == nil else { return nil }
        let names = marks.keys.sorted()
        let known =
            names.isEmpty
            ? "it has no pictures" : "it has \(names.map(FileName.escaped).joined(separator: ", "))"
        return "the folder of marks has no \(FileName.escaped(name.cutForMessages)); \(known)"
    }
}
