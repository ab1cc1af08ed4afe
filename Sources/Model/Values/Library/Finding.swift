/// A fault that a platform would refuse in a pack, or a visible flaw.
public struct Finding: Hashable, Sendable, Codable {
    /// The severity.
    public enum Severity: String, Hashable, Sendable, Codable {
        /// The pack is not made, or stays as it was.
        case fault
        /// The pack is made, possibly without the sticker.
        case warning
    }

    /// The violated rule; its id can be searched for.
    public var rule: String
    /// The severity.
    public var severity: Severity
    /// The pack; absent if the whole category is concerned.
    public var pack: String?
    /// The sticker; absent if the whole pack is concerned.
    public var sticker: StickerID?
    /// The file in the pack.
    public var file: String?
    /// One sentence in lower case: the problem.
    public var detail: String
    /// The measured value, with its unit.
    public var measured: String?
    /// The allowed value.
    public var limit: String?
    /// The remedy.
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
    /// The problem and its subject, in one line.
    public var sentence: String {
        let subject = file ?? sticker?.rawValue ?? pack
        return (subject.map { "\($0): " } ?? "") + detail + Self.figures(measured, limit)
    }

    /// Whether stickers only wait for more of them.
    fileprivate var isShortage: Bool { rule == "too-few" && pack == nil }

    /// The measured and the allowed value, to follow a sentence; empty if neither is known.
    public static func figures(_ measured: String?, _ limit: String?) -> String {
        let known = [measured.map { "found \($0)" }, limit.map { "allowed \($0)" }]
            .compactMap(\.self)
        return known.isEmpty ? "" : " (\(known.joined(separator: ", ")))"
    }
}

/// The readiness of a category as packs for one platform.
public struct Readiness: Hashable, Sendable, Codable {
    /// A pack as it is handed over.
    public struct Pack: Hashable, Sendable, Codable {
        /// Its id on the platform.
        public var identifier: String
        /// Its title.
        public var title: String
        /// Raised whenever anything else of the pack changes.
        public var version: Int
        /// The number of its stickers.
        public var stickers: Int

        /// Creates the description of a pack.
        public init(identifier: String, title: String, version: Int, stickers: Int) {
            self.identifier = identifier
            self.title = title
            self.version = version
            self.stickers = stickers
        }
    }

    /// Whether there is no fault, and there is a pack, or no finding about the lack of one.
    public var ready: Bool

    /// The first finding that requires action; `nil` if there is none, or if stickers only wait for more of them.
    public var lack: Finding? {
        guard !ready else { return nil }
        return findings.first { $0.severity == .fault && !$0.isShortage }
    }

    /// The finding that there are too few stickers for any pack; `nil` if that is not all that is wrong, or if there
    /// are no stickers.
    public var shortage: Finding? {
        guard !ready, packs.isEmpty, lack == nil else { return nil }
        return findings.first { $0.isShortage && $0.measured != "0" }
    }

    /// The packs.
    public var packs: [Pack]
    /// The findings, faults first.
    public var findings: [Finding]
    /// The number of findings left out; absent if none.
    public var furtherFindings: Int?

    /// The same while files of the packs are damaged.
    ///
    /// - Parameter faults: the damage.
    /// - Returns: a description with these faults before all others.
    public func damaged(_ faults: [Finding]) -> Readiness {
        var damaged = self
        damaged.ready = false
        damaged.findings = Array(faults.prefix(Self.damageMax)) + findings
        let more = max(0, faults.count - Self.damageMax) + (furtherFindings ?? 0)
        damaged.furtherFindings = more > 0 ? more : nil
        return damaged
    }

    /// The most damaged files named.
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
