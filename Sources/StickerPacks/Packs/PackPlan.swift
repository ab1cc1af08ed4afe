import StickerModel

/// A part of a category as it is remembered: its stickers, and the pack that was last made of it.
public struct RememberedPart: Hashable, Sendable, Codable {
    /// The part; without stickers if it is gone, so that its number is not given again.
    public var part: Part
    /// The last pack without a fault; `nil` if there never was one, or the part is gone.
    public var pack: Pack?
    /// What tells that pack from others; it does not depend on the version.
    public var digest: String?

    /// Remembers a part; see the properties.
    public init(_ part: Part, pack: Pack? = nil, digest: String? = nil) {
        self.part = part
        self.pack = pack
        self.digest = digest
    }
}

/// The packs of a category for a platform: what is handed over, what is wrong, and what is to be remembered.
public struct PackPlan: Hashable, Sendable {
    /// The packs to hand over, in order. One with a fault is as it last was without.
    public private(set) var packs: [Pack] = []
    /// What the platform would refuse, and what would look bad, faults first.
    public private(set) var findings: [Finding] = []
    /// What is to be remembered once the packs are handed over.
    public private(set) var remembered: [RememberedPart] = []

    /// Whether nothing is wrong and there is a pack.
    public var isReady: Bool {
        !packs.isEmpty && !findings.contains { $0.severity == .fault }
    }

    /// Plans the packs of a category.
    ///
    /// - Parameters:
    ///   - source: the category.
    ///   - platform: the platform.
    ///   - remembered: the parts that were remembered before.
    ///   - digest: returns what tells a pack from others.
    public init(
        _ source: PackSource, for platform: some PackMaking,
        remembering remembered: [RememberedPart],
        digest: (Pack) -> String
    ) {
        var parts = Parts(remembered.map(\.part))
        parts.divide(platform.candidates(of: source), by: platform.rules)
        findings = Self.leftOut(of: source, platform)
        var before = Dictionary(uniqueKeysWithValues: remembered.map { (Key($0.part), $0) })
        for part in parts.parts {
            let last = before.removeValue(forKey: Key(part))
            add(
                Pack(part, of: source, for: platform.platform, version: 0), part, last, platform,
                digest)
        }
        self.remembered += before.values.map { gone in
            RememberedPart(Part(kind: gone.part.kind, number: gone.part.number, stickers: []))
        }.sorted { Key($0.part) < Key($1.part) }
        findings += Self.waiting(parts, source, platform)
        findings.sort { $0.severity == .fault && $1.severity == .warning }
    }

    private mutating func add(
        _ pack: Pack, _ part: Part, _ last: RememberedPart?, _ platform: some PackMaking,
        _ digest: (Pack) -> String
    ) {
        let found = platform.lint(pack)
        findings += found
        guard !found.contains(where: { $0.severity == .fault }) else {
            remembered.append(RememberedPart(part, pack: last?.pack, digest: last?.digest))
            if let kept = last?.pack { packs.append(kept) }
            return
        }
        var pack = pack
        let own = digest(pack)
        let version = last?.pack?.version ?? 0
        pack.version = own == last?.digest ? version : version + 1
        packs.append(pack)
        remembered.append(RememberedPart(part, pack: pack, digest: own))
    }

    /// Stickers that have no file for the platform, each with the reason.
    private static func leftOut(
        of source: PackSource, _ platform: some PackMaking
    ) -> [Finding] {
        source.stickers.filter { $0.file(for: platform.target) == nil }.map { sticker in
            let shortfall = sticker.shortfalls?.first { $0.target == platform.target }
            return Finding(
                "left-out", .warning, sticker: sticker.identifier, file: sticker.source.name,
                shortfall?.detail ?? "there is no file for the target \(platform.target)",
                limit: shortfall?.limit,
                remedy: shortfall?.remedy ?? "add \(platform.target) to sticker.targets")
        }
    }

    /// Stickers that are too few for a pack: a fault only if there is no pack at all.
    private static func waiting(
        _ parts: Parts, _ source: PackSource, _ platform: some PackMaking
    ) -> [Finding] {
        parts.waiting.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, stickers in
            let what =
                switch kind {
                case .all: stickers.count.counted("sticker waits", "stickers wait")
                case .still: stickers.count.counted("still waits", "stills wait")
                case .moving: stickers.count.counted("moving one waits", "moving ones wait")
                }
            return Finding(
                "too-few", parts.parts.isEmpty ? .fault : .warning,
                "\(what) until there are enough for a pack", measured: "\(stickers.count)",
                limit: "at least \(platform.rules.least)",
                remedy: "add \(platform.rules.least - stickers.count) to the category "
                    + "\(source.category)")
        }
    }

    /// A part among those of its category, in order.
    private struct Key: Hashable, Comparable {
        let kind: PartKind
        let number: Int

        init(_ part: Part) { (kind, number) = (part.kind, part.number) }

        static func < (one: Key, other: Key) -> Bool {
            (one.kind.rawValue, one.number) < (other.kind.rawValue, other.number)
        }
    }
}
