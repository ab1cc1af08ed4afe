/// Reads the keys of one JSON object into properties, noting wrong values and, at the end, unknown keys.
package struct ObjectReader {
    package let members: JSONObject
    /// The JSON path of the object; a closure, as few paths of a large file are needed.
    private let path: () -> String
    /// The keys that lead to the object, from the root.
    private let way: [String]
    /// Where the object, or its key, begins in the text.
    private let place: Int
    package let findings: Findings
    /// Every requested key, also in order.
    private var known: Set<String> = []
    private var words: [String] = []

    package init(
        _ value: JSONValue, path: @autoclosure @escaping () -> String, way: [String] = [],
        at place: Int = 0, findings: Findings
    ) {
        self.path = path
        self.way = way
        self.place = place
        self.findings = findings
        if case .object(let members) = value {
            self.members = members
        } else {
            members = [:]
            findings.add(.noObject(value, path()), at: place, gap: way)
        }
    }

    package mutating func integer(_ key: String, _ target: inout Int, in range: ClosedRange<Int>) {
        guard let value = take(key) else { return }
        guard case .integer(let number) = value, range.contains(number) else {
            return fault(
                key, value, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        target = number
    }

    package mutating func number(
        _ key: String, _ target: inout Double, in range: ClosedRange<Double>
    ) {
        guard let value = take(key) else { return }
        guard let number = value.asNumber, range.contains(number) else {
            return fault(key, value, "a number from \(range.shown)")
        }
        target = number
    }

    package mutating func optionalNumber(
        _ key: String, _ target: inout Double?, in range: ClosedRange<Double>
    ) {
        guard let value = take(key) else { return }
        if value == .null {
            target = nil
        } else if let number = value.asNumber, range.contains(number) {
            target = number
        } else {
            fault(key, value, "null or a number from \(range.shown)")
        }
    }

    package mutating func numbers(
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

    package mutating func bool(_ key: String, _ target: inout Bool) {
        guard let value = take(key) else { return }
        guard case .bool(let flag) = value else { return fault(key, value, "true or false") }
        target = flag
    }

    package mutating func string(
        _ key: String, _ target: inout String, _ wanted: String, where isRight: (String) -> Bool
    ) {
        guard let value = take(key) else { return }
        guard case .string(let text) = value, isRight(text) else {
            return fault(key, value, wanted)
        }
        target = text
    }

    package mutating func optionalString(
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

    package mutating func strings(
        _ key: String, _ target: inout [String], _ wanted: String,
        where isRight: ([String]) -> Bool
    ) {
        guard let value = take(key) else { return }
        guard case .array(let items) = value else { return fault(key, value, wanted) }
        let texts = items.compactMap(\.asText)
        guard texts.count == items.count, isRight(texts) else { return fault(key, value, wanted) }
        target = texts
    }

    /// Reads a list of texts; a wrong one is named. `wanted` and `element` describe the allowed values; `read` returns
    /// `nil` for a wrong one.
    package mutating func list<Element>(
        _ key: String, _ target: inout [Element], _ wanted: String, each element: String,
        _ read: (String) -> Element?
    ) {
        guard let value = take(key) else { return }
        let sound = elements(key, value, wanted, element) { $0.asText.flatMap(read) }
        if let sound { target = sound }
    }

    /// Reads the list `value`: a wrong element loses only itself, or the list if no other is left. Elements beyond
    /// `countMax` are wrong as well. `list` and `element` describe the allowed values; `read` returns `nil` for a wrong
    /// one.
    ///
    /// - Returns: the valid elements; `nil` if the list is lost.
    package func elements<Element>(
        _ key: String, _ value: JSONValue, _ list: String, _ element: String,
        countMax: Int = .max, _ read: (JSONValue) -> Element?
    ) -> [Element]? {
        guard case .array(let items) = value else {
            fault(key, value, list)
            return nil
        }
        var (sound, wrong): ([Element], [Int]) = ([], [])
        for (index, item) in items.enumerated() {
            guard let element = read(item) else {
                wrong.append(index)
                continue
            }
            if index < countMax { sound.append(element) }
        }
        let isLost = sound.isEmpty && !wrong.isEmpty
        let place = place(of: key)
        if items.count > countMax {
            findings.add(
                JSONFault(
                    path: subpath(key), found: "a list of \(items.count.grouped)", allowed: list),
                at: place, gap: nil)
        }
        for index in wrong {
            let gap = isLost && index == wrong[0] ? way + [key] : nil
            findings.add(
                JSONFault(
                    path: "\(subpath(key))[\(index)]", found: Self.shown(items[index], of: key),
                    allowed: element), at: place, item: index, gap: gap)
        }
        return isLost ? nil : sound
    }

    /// Reads a list of different names that are all in `known`, at least one unless it can be empty.
    package mutating func names(
        _ key: String, _ target: inout [String], of known: [String], canBeEmpty: Bool = false
    ) {
        guard let value = take(key) else { return }
        let wanted = "a list of distinct names out of \(known.joined(separator: ", "))"
        guard case .array(let items) = value, canBeEmpty || !items.isEmpty else {
            return fault(key, value, wanted)
        }
        let names = items.compactMap(\.asText)
        guard names.count == items.count, Set(names).count == names.count else {
            return fault(key, value, wanted)
        }
        let unknown = names.filter { !known.contains($0) }
        for name in unknown {
            let hint = known.hint(for: name) ?? "known here: \(known.joined(separator: ", "))"
            note(key, "there is no \"\(FileName.escaped(name))\"; \(hint)")
        }
        if unknown.isEmpty { target = names }
    }

    /// Reads one of several words; `older` are spellings of earlier releases, which are still accepted.
    package mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String, _ target: inout Choice, older: [String: Choice] = [:]
    ) where Choice.RawValue == String {
        guard let value = take(key) else { return }
        guard let choice = value.asText.flatMap({ Choice(rawValue: $0) ?? older[$0] }) else {
            return fault(key, value, "one of \(Self.list(Choice.allCases))")
        }
        target = choice
    }

    /// Reads a list of different choices, at least one.
    package mutating func choices<Choice: RawRepresentable & CaseIterable & Hashable>(
        _ key: String, _ target: inout [Choice]
    ) where Choice.RawValue == String {
        guard let value = take(key) else { return }
        let all = Self.list(Choice.allCases)
        guard case .array(let items) = value else {
            return fault(key, value, "a list of \(all)")
        }
        let choices = items.compactMap { $0.asText.flatMap(Choice.init) }
        guard !items.isEmpty, choices.count == items.count, Set(choices).count == choices.count
        else { return fault(key, value, "a list of distinct values from \(all)") }
        target = choices
    }

    private static func list(_ choices: some Sequence<some RawRepresentable<String>>) -> String {
        choices.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    }

    package mutating func object(_ key: String, _ read: (inout ObjectReader) -> Void) {
        guard let value = take(key) else { return }
        let path = subpath(key)
        var reader = ObjectReader(
            value, path: path, way: way + [key], at: place(of: key), findings: findings)
        read(&reader)
        reader.finish()
    }

    package mutating func objects(
        _ key: String, _ wantedName: String, where isRightName: (String) -> Bool,
        _ read: (String, inout ObjectReader) -> Void
    ) {
        guard let value = take(key) else { return }
        guard case .object(let members) = value else { return fault(key, value, "an object") }
        var gap: [String]? = way + [key]
        let around = subpath(key)
        for member in members {
            let name = member.key
            if !isRightName(name) {
                let message = "the key is not \(wantedName)"
                findings.add(
                    JSONFault(path: "\(around).\(Self.shown(name))", message: message),
                    at: member.place, gap: gap)
                gap = nil
            }
            // A value that is no object is a fault of its own, and has no keys to read.
            var reader = ObjectReader(
                member.value, path: "\(around).\(Self.shown(name))",
                way: way + [key, name], at: member.place, findings: findings)
            guard case .object = member.value else { continue }
            read(name, &reader)
            reader.finish()
        }
    }

    package mutating func array<Item>(
        _ key: String, _ target: inout [Item], countMax: Int,
        _ read: (inout ObjectReader) -> Item
    ) {
        guard let value = take(key) else { return }
        guard case .array(let items) = value, items.count <= countMax else {
            return fault(key, value, "a list of at most \(countMax) objects")
        }
        let path = subpath(key)
        target = items.enumerated().map { index, item in
            // A fault in an item loses the list.
            var reader = ObjectReader(
                item, path: "\(path)[\(index)]", way: way + [key], at: place(of: key),
                findings: findings)
            defer { reader.finish() }
            return read(&reader)
        }
    }

    /// Reads a value that may be absent or `null`. `read` replaces `blank`.
    package mutating func optional<Value>(
        _ key: String, _ target: inout Value?, blank: Value,
        _ read: (inout ObjectReader, inout Value) -> Void
    ) {
        guard let found = take(key), found != .null else { return }
        var value = blank
        if isSound({ read(&$0, &value) }) { target = value }
    }

    /// Reads a value that may be absent. `read` replaces `blank`.
    package mutating func given<Value>(
        _ key: String, _ target: inout Value?, blank: Value,
        _ read: (inout ObjectReader, inout Value) -> Void
    ) {
        var value = blank
        if isSound({ read(&$0, &value) }), members[key] != nil { target = value }
    }

    /// Whether `read` finds no fault.
    package mutating func isSound(_ read: (inout ObjectReader) -> Void) -> Bool {
        let before = findings.count
        read(&self)
        return findings.count == before
    }

    /// Notes a fault of a part of a value, which loses nothing else.
    package func noteInside(_ key: String, _ message: String) {
        findings.add(
            JSONFault(path: subpath(key), message: message), at: place(of: key), gap: nil)
    }

    /// Notes a fault that only a combination of keys shows.
    package func note(_ key: String, _ message: String) {
        findings.add(
            JSONFault(path: subpath(key), message: message), at: place(of: key), gap: way + [key])
    }

    /// Warns of a key of an earlier release that no longer has any effect.
    package mutating func ignore(_ key: String, _ message: String) {
        guard members[key] != nil else { return }
        known.insert(key)
        findings.warnings.append(JSONFault(path: subpath(key), message: message))
    }

    /// Reports every key that was not requested, and notes the known keys that are missing: an unknown one may have
    /// been meant for any of them.
    package func finish() {
        findings.absent? += words.filter { members[$0] == nil }.map(subpath)
        var gap: [String]? = way
        for member in members where !known.contains(member.key) {
            findings.add(unknown(member.key), at: member.place, gap: gap)
            gap = nil
        }
    }

    private func unknown(_ key: String) -> JSONFault {
        let hint = words.hint(for: key) ?? "known here: \(words.sorted().joined(separator: ", "))"
        return JSONFault(path: subpath(key), message: "unknown key; \(hint)")
    }

    /// The value of a key, which is known from now on.
    package mutating func take(_ key: String) -> JSONValue? {
        // An object without keys has no unknown ones, and its missing ones are not needed.
        if members.isEmpty, findings.absent == nil { return nil }
        if known.insert(key).inserted { words.append(key) }
        return members[key]
    }

    package func fault(_ key: String, _ value: JSONValue, _ wanted: String) {
        findings.add(
            JSONFault(path: subpath(key), found: Self.shown(value, of: key), allowed: wanted),
            at: place(of: key), gap: way + [key])
    }

    /// Faults are logged, and a mistyped secret is still secret.
    private static func shown(_ value: JSONValue, of key: String) -> String {
        SecretSetting.isAboutSecrets(key) && value != .null
            ? "a value that is not shown" : value.shown
    }

    /// Where a key begins in the text; without the key, where the object begins.
    private func place(of key: String) -> Int { members.place(of: key) ?? place }

    package func subpath(_ key: String) -> String {
        let (path, shown) = (path(), Self.shown(key))
        return path.isEmpty ? shown : "\(path).\(shown)"
    }

    /// A key may be as long as its file.
    private static func shown(_ key: String) -> String { FileName.escaped(key.cutForMessages) }
}

extension JSONFault {
    fileprivate static func noObject(_ value: JSONValue, _ path: String) -> JSONFault {
        JSONFault(path: path, message: "is \(value.shown), an object is needed")
    }
}

extension JSONValue {
    /// The text, if it is one.
    package var asText: String? { if case .string(let text) = self { text } else { nil } }

    /// A number, whole or not.
    package var asNumber: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
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
