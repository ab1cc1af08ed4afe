import StickerConfiguration
public import StickerValues

/// A stored part of a category: its stickers, and the pack that was last made of it.
public struct RememberedPart: Hashable, Sendable, Codable {
    /// The part; without stickers if it is gone, so that its number is not given again.
    public var part: Part
    /// The last pack without a fault; `nil` if there never was one, or if it is no longer handed over.
    public var pack: Pack?
    /// Identifies the content of that pack, regardless of the version.
    public var digest: String?
    /// The highest version given; 0 if none was.
    public var version: Int
    /// The place of its pack in the library, on platforms with permanent places; otherwise 0.
    public var place: Int
    /// Whether the pack is older than the part because the present one has a fault.
    public var isKept: Bool

    /// Creates a stored part; see the properties.
    public init(
        _ part: Part, pack: Pack? = nil, digest: String? = nil, version: Int = 0, place: Int = 0,
        isKept: Bool = false
    ) {
        self.part = part
        self.pack = pack
        self.digest = digest
        self.version = version
        self.place = place
        self.isKept = isKept
    }

    /// The same pack with another part.
    func keeping(_ part: Part) -> RememberedPart {
        var kept = self
        (kept.part, kept.isKept) = (part, true)
        return kept
    }
}

extension RememberedPart {
    fileprivate var knownPlace: Int? { place > 0 ? place : nil }
}

extension Finding {
    /// The same fault, which only keeps its sticker out of the pack.
    fileprivate var ofLeftOutSticker: Finding {
        var finding = self
        finding.severity = .warning
        finding.detail += ", so it is left out"
        return finding
    }
}

/// The packs of a category for a platform, with findings and the parts to store.
public struct PackPlan: Hashable, Sendable {
    /// The packs to hand over, in order, without faulty stickers. For a faulty pack, its last faultless version.
    public private(set) var packs: [Pack] = []
    /// Faults that the platform would refuse and visible flaws, faults first.
    public private(set) var findings: [Finding] = []
    /// The parts to store once the packs are handed over.
    public private(set) var remembered: [RememberedPart] = []

    /// The readiness of the category, with as many findings as a manifest can carry.
    public var readiness: Readiness { readiness(limit: 100) }

    /// The readiness of the category.
    ///
    /// - Parameter limit: the largest number of findings.
    /// - Returns: the packs and findings.
    public func readiness(limit: Int) -> Readiness {
        Readiness(
            packs: packs.map { pack in
                .init(
                    identifier: pack.identifier, title: pack.title, version: pack.version,
                    stickers: pack.stickers.count)
            }, findings: findings, limit: limit)
    }

    /// Plans the packs of a category.
    ///
    /// - Parameters:
    ///   - source: the category.
    ///   - platform: the platform.
    ///   - remembered: the stored parts.
    ///   - place: the place of the category in the library, if it has none yet.
    ///   - rebalancing: whether stickers may move so that none is left over.
    ///   - digest: returns an identifier of a pack's content.
    public init(
        _ source: PackSource, for platform: some PackMaking,
        remembering remembered: [RememberedPart], place: Int = 0, rebalancing: Bool = false,
        digest: (Pack) -> String
    ) {
        var parts = Parts(remembered.map(\.part))
        parts.divide(platform.candidates(of: source), by: platform.rules, rebalancing: rebalancing)
        findings = Self.leftOut(of: source, platform)
        var before = Dictionary(uniqueKeysWithValues: remembered.map { (Key($0.part), $0) })
        for part in parts.parts {
            let last = before.removeValue(forKey: Key(part))
            let pack = Pack(
                part, of: source, for: platform, version: 0,
                place: platform.isForLibrary ? last?.knownPlace ?? place : 0)
            let target = platform.platform.target.flatMap { source.targets[$0] }
            let (rest, found) = Self.withoutFaultyStickers(pack) {
                platform.lint($0, target) + $0.appearanceFindings(source, target)
            }
            add(rest, part, last, found, digest)
        }
        for gone in before.values.sorted(by: { Key($0.part) < Key($1.part) }) {
            leave(gone, of: source, platform)
        }
        findings += Self.waiting(parts, source, platform)
        if source.stickers.isEmpty, packs.isEmpty, !source.isSmart {
            let least = platform.rules.least
            let ofOneKind =
                platform.rules.dividesMoving && least > 1 ? ", all still or all moving" : ""
            findings.append(
                Finding(
                    "too-few", .fault, "the category has no stickers",
                    measured: "0", limit: "at least \(least)",
                    remedy: PartKind.all.adding(least, to: source.category) + ofOneKind))
        }
        findings =
            findings.filter { $0.severity == .fault } + findings.filter { $0.severity == .warning }
    }

    /// Leaves out faulty stickers if the others can be handed over without them.
    ///
    /// They stay in their part, and return to their places once they are repaired. The pack's picture stays: it belongs
    /// to the part.
    ///
    /// - Parameters:
    ///   - pack: with all stickers of its part.
    ///   - lint: returns the findings about a pack.
    /// - Returns: the pack to hand over, with the findings about it, or about all stickers if the rest has a fault,
    ///   too.
    private static func withoutFaultyStickers(
        _ pack: Pack, lint: (Pack) -> [Finding]
    ) -> (pack: Pack, findings: [Finding]) {
        let found = lint(pack)
        let own = found.filter { $0.severity == .fault && $0.sticker != nil }
        let faulty = Set(own.compactMap(\.sticker))
        var rest = pack
        rest.stickers.removeAll { faulty.contains($0.identifier) }
        guard !own.isEmpty, !rest.stickers.isEmpty else { return (pack, found) }
        let left = lint(rest)
        let faults = left.filter { $0.severity == .fault }
        guard faults.isEmpty else {
            let known = Set(found.map(\.rule))
            return (pack, found + faults.filter { !known.contains($0.rule) })
        }
        return (rest, left + own.map(\.ofLeftOutSticker))
    }

    private mutating func add(
        _ pack: Pack, _ part: Part, _ last: RememberedPart?, _ found: [Finding],
        _ digest: (Pack) -> String
    ) {
        findings += found
        guard !found.contains(where: { $0.severity == .fault }) else {
            remembered.append((last ?? RememberedPart(part)).keeping(part))
            if let kept = last?.pack { keep(kept, now: pack) }
            return
        }
        var pack = pack
        let version = last?.version ?? 0
        let own = digest(pack)
        pack.version = own == last?.digest ? version : version + 1
        packs.append(pack)
        remembered.append(
            RememberedPart(
                part, pack: pack, digest: own, version: pack.version, place: pack.place))
    }

    /// Hands over the last version of a pack, with a finding about that: it may show stickers removed since.
    private mutating func keep(_ kept: Pack, now pack: Pack) {
        packs.append(kept)
        let removed = Set(kept.stickers.map(\.identifier))
            .subtracting(pack.stickers.map(\.identifier)).map(\.rawValue).sorted()
        let shown = removed.isEmpty ? "" : ", and still shows \(removed.joined(separator: ", "))"
        findings.append(
            Finding(
                "kept", .warning, pack: kept.identifier,
                "the pack stays as it was, version \(kept.version)\(shown)",
                remedy: "correct its faults"))
    }

    /// A part without stickers. With permanent places, its pack stays as it was, or others would move.
    private mutating func leave(
        _ gone: RememberedPart, of source: PackSource, _ platform: some PackMaking
    ) {
        let part = Part(kind: gone.part.kind, number: gone.part.number, stickers: [])
        guard platform.isForLibrary, let kept = gone.pack else {
            remembered.append(
                RememberedPart(part, version: gone.version, place: gone.place))
            return
        }
        packs.append(kept)
        remembered.append(gone.keeping(part))
        findings.append(
            Finding(
                "emptied", .warning, pack: kept.identifier,
                "the category has no stickers any more; its place \(kept.place) keeps the last ones",
                remedy: "add stickers to the category \(source.category)"))
    }

    /// Stickers without a file for the platform: those that cannot have one, each with the reason, and the number of
    /// the others.
    private static func leftOut(
        of source: PackSource, _ platform: some PackMaking
    ) -> [Finding] {
        let name = platform.platform
        let lacking = source.stickers.filter { source.picture(of: $0, for: name) == nil }
        let refusals = lacking.compactMap { refused($0, source, name) }
        let unmade = lacking.count - refusals.count
        guard unmade > 0 else { return refusals }
        // Companions belong to the manifest, and are not made just for an export.
        let atOnce =
            name.target == nil
            ? "" : ", or: \(stickerctl: "export \(source.category) --for \(name) --to DIR")"
        return refusals + [
            Finding(
                "not-made", .warning,
                "\(unmade.counted("picture is", "pictures are")) not made yet",
                remedy: "add \(name) to sticker.packs\(atOnce)")
        ]
    }

    private static func refused(
        _ sticker: ManifestSticker, _ source: PackSource, _ platform: PackPlatform
    ) -> Finding? {
        let shortfall = sticker.shortfalls?.first { $0.target == platform.target }
        let target = platform.target.flatMap { source.targets[$0] }
        guard let detail = shortfall?.detail ?? (sticker.animated ? target?.withoutMoving : nil)
        else { return nil }
        let isForStills = sticker.animated && shortfall?.reason ?? .notTaken == .notTaken
        // A manifest gives the reason for a missing file; the remedy is only for the operator.
        let help = shortfall?.remedy ?? "\(stickerctl: "explain \(sticker.identifier)")"
        return Finding(
            "left-out", .warning, sticker: sticker.identifier, file: sticker.source.name,
            // The attempts follow a semicolon; `explain` lists them.
            detail.split(separator: ";").first.map(String.init) ?? detail,
            limit: shortfall?.limit,
            remedy: isForStills ? "drop a still picture" : help)
    }

    /// Too few stickers for a pack: a fault only without any pack.
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
                remedy: kind.adding(platform.rules.least - stickers.count, to: source.category))
        }
    }

    /// Sorts the parts of a category.
    private struct Key: Hashable, Comparable {
        let kind: PartKind
        let number: Int

        init(_ part: Part) { (kind, number) = (part.kind, part.number) }

        static func < (one: Key, other: Key) -> Bool {
            (one.kind.rawValue, one.number) < (other.kind.rawValue, other.number)
        }
    }
}
