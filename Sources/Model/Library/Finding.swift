/// What a platform would refuse about a pack, or what would look bad there.
public struct Finding: Hashable, Sendable, Codable {
    /// How bad it is.
    public enum Severity: String, Hashable, Sendable, Codable {
        /// The pack is not made, or stays as it was.
        case fault
        /// The pack is made, though perhaps without the sticker.
        case warning
    }

    /// The rule that was broken; its id is what people search for.
    public var rule: String
    /// How bad it is.
    public var severity: Severity
    /// The pack; absent if it is about the whole category.
    public var pack: String?
    /// The sticker; absent if it is about the whole pack.
    public var sticker: StickerID?
    /// The file in the pack.
    public var file: String?
    /// One sentence: what is wrong. Lower case.
    public var detail: String
    /// The value that was found, with its unit.
    public var measured: String?
    /// The value that is allowed.
    public var limit: String?
    /// What to do about it.
    public var remedy: String

    /// Creates a fault or a warning; see the properties.
    public init(
        _ rule: String, _ severity: Severity = .fault, pack: String? = nil,
        sticker: StickerID? = nil, file: String? = nil, _ detail: String, measured: String? = nil,
        limit: String? = nil, remedy: String
    ) {
        self.rule = rule
        self.severity = severity
        self.pack = pack
        self.sticker = sticker
        self.file = file
        self.detail = detail
        self.measured = measured
        self.limit = limit
        self.remedy = remedy
    }
}

extension Finding {
    /// What is wrong and with what, in one line.
    public var sentence: String {
        let subject = file ?? sticker?.rawValue ?? pack
        return (subject.map { "\($0): " } ?? "") + detail + Self.figures(measured, limit)
    }

    /// What was found and what is allowed, to follow a sentence; empty if neither is known.
    public static func figures(_ measured: String?, _ limit: String?) -> String {
        let known = [measured.map { "found \($0)" }, limit.map { "allowed \($0)" }]
            .compactMap(\.self)
        return known.isEmpty ? "" : " (\(known.joined(separator: ", ")))"
    }
}

/// How a category is doing as packs for one platform.
public struct Readiness: Hashable, Sendable, Codable {
    /// A pack as it is handed over.
    public struct Pack: Hashable, Sendable, Codable {
        /// Its id on the platform.
        public var identifier: String
        /// Its name for people.
        public var title: String
        /// Raised whenever anything else of the pack changes.
        public var version: Int
        /// How many stickers it holds.
        public var stickers: Int

        /// Creates the description of a pack.
        public init(identifier: String, title: String, version: Int, stickers: Int) {
            self.identifier = identifier
            self.title = title
            self.version = version
            self.stickers = stickers
        }
    }

    /// Whether nothing is a fault, and there is a pack, or nothing to be said about there being none.
    public var ready: Bool

    /// What somebody has to do something about; `nil` if nothing, or if stickers only wait for more of them.
    public var lack: Finding? {
        guard !ready else { return nil }
        return findings.first { $0.severity == .fault && !($0.rule == "too-few" && $0.pack == nil) }
    }

    /// The packs.
    public var packs: [Pack]
    /// What is wrong, faults first.
    public var findings: [Finding]
    /// How many findings are left out; absent if none is.
    public var furtherFindings: Int?

    /// The same while files of the packs are not what was handed over.
    ///
    /// - Parameter faults: what is wrong with them.
    /// - Returns: a description with these faults before all others.
    public func damaged(_ faults: [Finding]) -> Readiness {
        var damaged = self
        damaged.ready = false
        damaged.findings = Array(faults.prefix(Self.damageMax)) + findings
        let more = max(0, faults.count - Self.damageMax) + (furtherFindings ?? 0)
        damaged.furtherFindings = more > 0 ? more : nil
        return damaged
    }

    /// The same for readers of what is published: their commands tell nothing of the machine.
    public var forReaders: Readiness {
        var plain = self
        for index in findings.indices {
            plain.findings[index].remedy = OperatorCommand.withoutOptions(findings[index].remedy)
        }
        return plain
    }

    /// Damaged files that are named.
    private static let damageMax = 10

    /// Creates a description.
    ///
    /// - Parameters:
    ///   - packs: the packs.
    ///   - findings: all of them, faults first.
    ///   - limit: how many of them are kept.
    public init(packs: [Pack], findings: [Finding], limit: Int = .max) {
        self.packs = packs
        let hasPack = !packs.isEmpty || findings.isEmpty
        ready = hasPack && !findings.contains { $0.severity == .fault }
        self.findings = Array(findings.prefix(limit))
        furtherFindings = findings.count > limit ? findings.count - limit : nil
    }
}
