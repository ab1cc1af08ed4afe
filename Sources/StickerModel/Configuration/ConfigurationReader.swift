/// One fault of a configuration file.
public struct ConfigurationFault: Hashable, Sendable, CustomStringConvertible {
    /// The JSON path, for example `sticker.marginPixels`; empty for the whole file.
    public var path: String
    /// What is wrong, with the value found and what is allowed.
    public var message: String

    /// For people: path and message.
    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

/// All faults of a configuration file together.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// At least one.
    public var faults: [ConfigurationFault]
    /// Whether the file could not be read for a reason that may pass; another start may succeed.
    public var mayPass = false

    /// Creates the error with at least one fault.
    public init(faults: [ConfigurationFault], mayPass: Bool = false) {
        self.faults = faults
        self.mayPass = mayPass
    }

    /// One fault per line.
    public var description: String { faults.map(\.description).joined(separator: "\n") }
}

/// What is found while a file is read.
final class Findings {
    var faults: [ConfigurationFault] = []
    /// The JSON paths of keys that the file leaves to their defaults.
    var absent: [String] = []

    func add(_ path: String, _ message: String) {
        faults.append(ConfigurationFault(path: path, message: message))
    }
}

/// Reads the keys of one JSON object into properties, noting wrong values and, at the end, unknown keys.
struct ConfigurationReader {
    private let members: [String: JSONValue]
    private let path: String
    private let findings: Findings
    private var known: [String] = []

    init(_ value: JSONValue, path: String, findings: Findings) {
        self.path = path
        self.findings = findings
        if case .object(let members) = value {
            self.members = members
        } else {
            members = [:]
            findings.add(path, "is \(value.shown), an object is needed")
        }
    }

    mutating func integer(_ key: String, _ target: inout Int, in range: ClosedRange<Int>) {
        guard let value = take(key) else { return }
        guard case .integer(let number) = value, range.contains(number) else {
            return fault(
                key, value, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        target = number
    }

    mutating func number(_ key: String, _ target: inout Double, in range: ClosedRange<Double>) {
        guard let value = take(key) else { return }
        guard let number = value.asNumber, range.contains(number) else {
            return fault(key, value, "a number from \(range.shown)")
        }
        target = number
    }

    mutating func numbers(
        _ key: String, _ target: inout [Double], in range: ClosedRange<Double>, countMax: Int
    ) {
        guard let value = take(key) else { return }
        let wanted =
            "up to \(countMax) numbers from \(range.shown)"
        guard case .array(let items) = value, items.count <= countMax else {
            return fault(key, value, wanted)
        }
        let numbers = items.compactMap(\.asNumber).filter { range.contains($0) }
        guard numbers.count == items.count else { return fault(key, value, wanted) }
        target = numbers
    }

    mutating func bool(_ key: String, _ target: inout Bool) {
        guard let value = take(key) else { return }
        guard case .bool(let flag) = value else { return fault(key, value, "true or false") }
        target = flag
    }

    mutating func string(
        _ key: String, _ target: inout String, _ wanted: String, where isRight: (String) -> Bool
    ) {
        guard let value = take(key) else { return }
        guard case .string(let text) = value, isRight(text) else {
            return fault(key, value, wanted)
        }
        target = text
    }

    mutating func optionalString(
        _ key: String, _ target: inout String?, _ wanted: String,
        where isRight: (String) -> Bool
    ) {
        guard let value = take(key) else { return }
        switch value {
        case .null: target = nil
        case .string(let text) where isRight(text): target = text
        default: fault(key, value, wanted)
        }
    }

    mutating func strings(
        _ key: String, _ target: inout [String], _ wanted: String,
        where isRight: ([String]) -> Bool
    ) {
        guard let value = take(key) else { return }
        guard case .array(let items) = value else { return fault(key, value, wanted) }
        let texts = items.compactMap { item in
            if case .string(let text) = item { text } else { nil }
        }
        guard texts.count == items.count, isRight(texts) else { return fault(key, value, wanted) }
        target = texts
    }

    /// Reads a list of folders: paths, or objects with a path and a name.
    mutating func drops(
        _ key: String, _ target: inout [DropFolder], isPath: (String) -> Bool
    ) {
        guard let value = take(key) else { return }
        let wanted = "a list of 1 to 64 different folders"
        guard case .array(let items) = value, (1...64).contains(items.count) else {
            return fault(key, value, wanted)
        }
        let drops = items.enumerated().compactMap { index, item -> DropFolder? in
            switch item {
            case .string(let path): return isPath(path) ? DropFolder(path: path) : nil
            case .object:
                var reader = ConfigurationReader(
                    item, path: "\(subpath(key))[\(index)]", findings: findings)
                let drop = reader.drop(isPath: isPath)
                reader.finish()
                return drop
            default: return nil
            }
        }
        let names = drops.compactMap(\.name)
        guard drops.count == items.count, Set(drops.map(\.path)).count == drops.count else {
            return fault(key, value, wanted)
        }
        guard Set(names).count == names.count else {
            return note(key, "two folders have the same name")
        }
        target = drops
    }

    private mutating func drop(isPath: (String) -> Bool) -> DropFolder {
        var drop = DropFolder(path: "")
        string("path", &drop.path, "a folder", where: isPath)
        optionalString(
            "name", &drop.name, "1 to 60 of the characters a-z, 0-9, _ and -",
            where: Self.isDropName)
        if members["path"] == nil { note("path", "is missing") }
        return drop
    }

    private static func isDropName(_ text: String) -> Bool {
        (1...60).contains(text.utf8.count)
            && text.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789_-".utf8.contains($0) }
    }

    /// Reads a list of different names that are all in `known`, at least one.
    mutating func names(_ key: String, _ target: inout [String], of known: [String]) {
        guard let value = take(key) else { return }
        let wanted = "a list of distinct names out of \(known.joined(separator: ", "))"
        guard case .array(let items) = value, !items.isEmpty else {
            return fault(key, value, wanted)
        }
        let names = items.compactMap { item in
            if case .string(let text) = item { text } else { nil }
        }
        guard names.count == items.count, Set(names).count == names.count else {
            return fault(key, value, wanted)
        }
        let unknown = names.filter { !known.contains($0) }
        for name in unknown {
            let hint = known.hint(for: name) ?? "known here: \(known.joined(separator: ", "))"
            findings.add(subpath(key), "there is no \"\(FileName.escaped(name))\"; \(hint)")
        }
        if unknown.isEmpty { target = names }
    }

    /// Reads one of several words; `older` are spellings of earlier releases, which are still accepted.
    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String, _ target: inout Choice, older: [String: Choice] = [:]
    ) where Choice.RawValue == String {
        guard let value = take(key) else { return }
        guard case .string(let text) = value, let choice = Choice(rawValue: text) ?? older[text]
        else {
            let all = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            return fault(key, value, "one of \(all)")
        }
        target = choice
    }

    /// Reads a list of different choices, at least one.
    mutating func choices<Choice: RawRepresentable & CaseIterable & Hashable>(
        _ key: String, _ target: inout [Choice]
    ) where Choice.RawValue == String {
        guard let value = take(key) else { return }
        let all = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        guard case .array(let items) = value else {
            return fault(key, value, "a list of \(all)")
        }
        let choices = items.compactMap { item in
            if case .string(let text) = item { Choice(rawValue: text) } else { nil }
        }
        guard !items.isEmpty, choices.count == items.count, Set(choices).count == choices.count
        else { return fault(key, value, "a list of distinct values from \(all)") }
        target = choices
    }

    mutating func object(_ key: String, _ read: (inout ConfigurationReader) -> Void) {
        guard let value = take(key) else { return }
        var reader = ConfigurationReader(value, path: subpath(key), findings: findings)
        read(&reader)
        reader.finish()
    }

    mutating func objects(
        _ key: String, _ wantedName: String, where isRightName: (String) -> Bool,
        _ read: (String, inout ConfigurationReader) -> Void
    ) {
        guard let value = take(key) else { return }
        guard case .object(let members) = value else { return fault(key, value, "an object") }
        for (name, member) in members.sorted(by: { $0.key < $1.key }) {
            let path = "\(subpath(key)).\(FileName.escaped(name))"
            if !isRightName(name) { findings.add(path, "the key is not \(wantedName)") }
            var reader = ConfigurationReader(member, path: path, findings: findings)
            read(name, &reader)
            reader.finish()
        }
    }

    mutating func array<Item>(
        _ key: String, _ target: inout [Item], countMax: Int,
        _ read: (inout ConfigurationReader) -> Item
    ) {
        guard let value = take(key) else { return }
        guard case .array(let items) = value, items.count <= countMax else {
            return fault(key, value, "a list of at most \(countMax) objects")
        }
        target = items.enumerated().map { index, item in
            var reader = ConfigurationReader(
                item, path: "\(subpath(key))[\(index)]", findings: findings)
            defer { reader.finish() }
            return read(&reader)
        }
    }

    /// Whether `read` finds no fault.
    mutating func isSound(_ read: (inout ConfigurationReader) -> Void) -> Bool {
        let before = findings.faults.count
        read(&self)
        return findings.faults.count == before
    }

    /// Notes a fault that appears only when several keys are considered together.
    func note(_ key: String, _ message: String) { findings.add(subpath(key), message) }

    /// Reports every key that was not asked for, and notes the known keys that are missing.
    func finish() {
        findings.absent += known.filter { members[$0] == nil }.map(subpath)
        for key in members.keys.sorted() where !known.contains(key) {
            let hint =
                known.hint(for: key) ?? "known here: \(known.sorted().joined(separator: ", "))"
            findings.add(subpath(FileName.escaped(key)), "unknown key; \(hint)")
        }
    }

    private mutating func take(_ key: String) -> JSONValue? {
        known.append(key)
        return members[key]
    }

    private func fault(_ key: String, _ value: JSONValue, _ wanted: String) {
        findings.add(subpath(key), "is \(value.shown), allowed is \(wanted)")
    }

    private func subpath(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}

extension JSONValue {
    fileprivate var asNumber: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}

extension [String] {
    /// A question that names the word meant by `text`: one that differs in few letters for its length, or that
    /// begins with it.
    public func hint(for text: String) -> String? {
        let distances = map { (word: $0, distance: text.distance(to: $0)) }
        let near = distances.min { $0.distance < $1.distance }.flatMap { near in
            near.distance <= Swift.min(3, Swift.max(1, text.count / 3)) ? near.word : nil
        }
        let meant =
            near
            ?? first { text.count >= 3 && $0.lowercased().hasPrefix(text.lowercased()) }
        return meant.map { "did you mean \"\($0)\"?" }
    }
}

extension String {
    /// The least number of letters to insert, remove, replace or swap with the next one (optimal string
    /// alignment), for "did you mean".
    fileprivate func distance(to other: String) -> Int {
        let (own, target) = (Array(lowercased()), Array(other.lowercased()))
        var rows = [Array(0...target.count)]
        for i in own.indices {
            var row = [i + 1]
            for j in target.indices {
                let replaced = rows[i][j] + (own[i] == target[j] ? 0 : 1)
                var least = Swift.min(replaced, rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, own[i] == target[j - 1], own[i - 1] == target[j] {
                    least = Swift.min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[own.count][target.count]
    }
}

extension ClosedRange<Double> {
    /// `0.1 to 300`, without needless decimals.
    fileprivate var shown: String {
        [lowerBound, upperBound].map { bound in
            bound == bound.rounded() ? "\(Int(bound))" : "\(bound)"
        }.joined(separator: " to ")
    }
}
