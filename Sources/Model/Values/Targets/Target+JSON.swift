extension Target {
    /// The built-in targets by name, as listed in `targets.json`.
    public static let builtIn: [String: Target] = {
        do {
            let document = try JSONParser.parse(PackageResources.targets_json)
            let findings = Findings()
            let targets = read(document, correcting: [:], findings)
            precondition(findings.faults.isEmpty, "targets.json: \(findings.faults)")
            return targets
        } catch {
            preconditionFailure("targets.json is not JSON: \(error)")
        }
    }()

    /// The targets of `known`, extended and corrected by `document`.
    private static func read(
        _ document: JSONValue, correcting known: [String: Target], _ findings: Findings
    ) -> [String: Target] {
        var targets = known
        var reader = ObjectReader(
            .object(["targets": document]), path: "", findings: findings)
        reader.targets("targets", &targets)
        return targets
    }

    /// A name appears in manifests, keys and the paths of messages.
    fileprivate static func isName(_ text: String) -> Bool {
        1...60 ~= text.utf8.count && text.first != "_"
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || $0 == UInt8(ascii: "_")
            }
    }

    fileprivate mutating func read(_ reader: inout ObjectReader) {
        reader.object("canvas") { canvas.read(&$0) }
        reader.object("still") { reader in
            var rules = still ?? StillRules()
            rules.read(&reader)
            still = rules
        }
        reader.object("moving") { reader in
            var rules = moving ?? MovingRules()
            rules.read(&reader)
            moving = rules
        }
        var reason = withoutMoving ?? ""
        reader.string("withoutMoving", &reason, "a sentence") { !$0.isEmpty }
        withoutMoving = reason.isEmpty || moving != nil ? nil : reason
        reader.choice("goal", &goal)
        reader.integer("qualityMin", &qualityMin, in: 0...100)
        reader.number("scoreTarget", &scoreTarget, in: 1...100)
        reader.number("scoreMin", &scoreMin, in: 0...100)
        reader.string("source", &source, "where the rules are documented") { !$0.isEmpty }
        reader.string("date", &date, "a date like 2026-11-22", where: Self.isDate)
    }

    private static func isDate(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        return parts.map(\.utf8.count) == [4, 2, 2] && numbers.count == 3
            && 1...12 ~= numbers[1] && 1...31 ~= numbers[2]
    }

    /// Whether it has everything that a platform's rules need.
    fileprivate var isComplete: Bool {
        canvas.width > 0 && canvas.height > 0 && (still != nil || moving != nil)
            && !source.isEmpty && !date.isEmpty
    }

    /// Whether a canvas that is padded to its multiples stays within its box.
    fileprivate var isDivisible: Bool {
        canvas.width.isMultiple(of: canvas.sideMultiple)
            && canvas.height.isMultiple(of: canvas.sideMultiple)
    }

    /// Whether the margin leaves room for a picture.
    fileprivate var hasRoom: Bool {
        2 * canvas.marginPixels < min(canvas.width, canvas.height)
    }
}

extension ObjectReader {
    /// Reads an object of targets by name; each one corrects the existing target of its name, or is new.
    package mutating func targets(_ key: String, _ targets: inout [String: Target]) {
        var read = targets
        var faults: [(String, String)] = []
        objects(
            key, "a name of 1 to 60 of a-z, 0-9 and _, not _ first", where: Target.isName
        ) { name, reader in
            var target =
                targets[name]
                ?? Target(name: name, canvas: TargetCanvas(width: 0, height: 0))
            let isSound = reader.isSound { target.read(&$0) }
            read[name] = target
            guard isSound else { return }
            if !target.isComplete {
                let needed = "canvas, source, date, and still or moving are needed for a new target"
                let hint = targets[name] == nil ? targets.keys.sorted().hint(for: name) : nil
                faults.append(
                    (name, "is not complete: \(needed)" + (hint.map { "; \($0)" } ?? "")))
            } else if !target.isDivisible {
                faults.append((name, "has sides that are not multiples of canvas.sideMultiple"))
            } else if !target.hasRoom {
                faults.append((name, "has a canvas.marginPixels that leaves no room for a picture"))
            }
            read[name] = target
        }
        for (name, fault) in faults { note("\(key).\(name)", fault) }
        targets = read
    }
}

extension TargetCanvas {
    fileprivate mutating func read(_ reader: inout ObjectReader) {
        reader.integer("width", &width, in: 16...1024)
        reader.integer("height", &height, in: 16...1024)
        reader.choice("fit", &fit)
        reader.integer("marginPixels", &marginPixels, in: 0...500)
        reader.integer("sideMultiple", &sideMultiple, in: 1...16)
    }
}

extension StillRules {
    fileprivate mutating func read(_ reader: inout ObjectReader) {
        reader.choices("forms", &forms)
        reader.integer("bytesMax", &bytesMax, in: 1000...10_000_000)
    }
}

extension MovingRules {
    fileprivate mutating func read(_ reader: inout ObjectReader) {
        reader.choices("forms", &forms)
        reader.integer("bytesMax", &bytesMax, in: 1000...50_000_000)
        reader.integer("framesMax", &framesMax, in: 0...1000)
        reader.integer("frameMillisecondsMin", &frameMillisecondsMin, in: 1...1000)
        reader.integer("millisecondsMax", &millisecondsMax, in: 0...60_000)
        reader.choice("tooLong", &tooLong, older: TooLong.older)
        var count = loopCount ?? -1
        reader.integer("loopCount", &count, in: 0...65535)
        loopCount = count < 0 ? nil : count
    }
}
