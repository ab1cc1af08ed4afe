import FoundationEssentials
import StickerConfiguration
public import StickerPacks
public import StickerStore
import StickerSystem
public import StickerValues

/// Plans packs by stored earlier ones: in the database, and where that knows less, in the published files.
public struct PackBooks: Sendable {
    private let packs: PackRecords
    private let shelf: PackShelf

    /// Creates a planner over the database and the published packs on `shelf`.
    public init(_ packs: PackRecords, _ shelf: PackShelf) {
        (self.packs, self.shelf) = (packs, shelf)
    }

    /// The packs of a category as they would be handed over now; nothing is recorded.
    ///
    /// - Parameters:
    ///   - source: the category.
    ///   - platform: the platform.
    /// - Returns: the packs, with findings.
    /// - Throws: `StoreError`, or a decoding error if the database is damaged.
    public func plan(_ source: PackSource, for platform: some PackMaking) throws -> PackPlan {
        try plan(source, for: platform, after: records(source.category, platform), false)
    }

    /// Plans the packs of a category and records them before they are written: a version that was handed over is never
    /// reused, and no sticker moves, even if another process packs at the same time.
    ///
    /// - Parameters:
    ///   - category: the category.
    ///   - platform: the platform.
    ///   - rebalancing: whether stickers may move so that none is left over.
    ///   - source: reads the category; called again if another process packed it meanwhile.
    /// - Returns: the packs to hand over, with findings.
    /// - Throws: the errors of `source`, `StoreError`, or a decoding error if the database is damaged; earlier records
    ///   stay.
    public func record(
        _ category: CategoryID, for platform: some PackMaking, rebalancing: Bool = false,
        source: () throws -> PackSource
    ) throws -> PackPlan {
        while true {
            let known = try records(category, platform)
            let plan = try plan(source(), for: platform, after: known, rebalancing)
            let records = try plan.remembered.map { remembered in
                PackRecord(
                    category: category, kind: remembered.part.kind.rawValue,
                    number: remembered.part.number, content: try Self.json(remembered),
                    pictures: Set(remembered.pack?.pictures.map(\.path) ?? []))
            }
            let isRecorded = try packs.record(
                records, after: known, of: platform.isForLibrary ? nil : category,
                for: platform.platform)
            if isRecorded { return plan }
        }
    }

    /// The first sticker of each pack that a category would have now: it represents the pack.
    ///
    /// - Parameters:
    ///   - source: the category.
    ///   - platform: the platform.
    ///   - rebalancing: whether stickers may move so that none is left over.
    /// - Returns: one sticker for each pack.
    /// - Throws: `StoreError`, or a decoding error if the database is damaged.
    func heads(
        of source: PackSource, for platform: some PackMaking, rebalancing: Bool
    ) throws -> [StickerID] {
        let known = try packs.records(of: source.category, for: platform.platform)
        var parts = Parts(try joined(source.category, platform, known).own.map(\.part))
        parts.divide(
            platform.candidates(of: source), by: platform.rules, rebalancing: rebalancing)
        return parts.parts.compactMap(\.stickers.first)
    }

    private func plan(
        _ source: PackSource, for platform: some PackMaking, after known: [PackRecord],
        _ rebalancing: Bool
    ) throws -> PackPlan {
        let (own, last) = try joined(source.category, platform, known)
        return PackPlan(
            source, for: platform, remembering: own, place: last + 1, rebalancing: rebalancing
        ) { pack in
            Self.contentDigest(pack, for: platform)
        }
    }

    /// The stored parts of a category, and the last place given to any.
    private func joined(
        _ category: CategoryID, _ platform: some PackMaking, _ known: [PackRecord]
    ) throws -> (own: [RememberedPart], lastPlace: Int) {
        var all = try remembered(known, category, platform)
        for part in published(category, platform) {
            guard let index = all.firstIndex(where: { $0.category == part.category }) else {
                continue
            }
            all[index].parts.join(part.remembered)
        }
        return (
            all.first { $0.category == category }?.parts ?? [],
            all.flatMap(\.parts).map(\.place).max() ?? 0
        )
    }

    private func records(
        _ category: CategoryID?, _ platform: some PackMaking
    ) throws -> [PackRecord] {
        try packs.records(of: platform.isForLibrary ? nil : category, for: platform.platform)
    }

    /// The bundle with the packs of a category, as last recorded.
    ///
    /// - Parameters:
    ///   - category: the category; it does not matter for a bundle of the whole library.
    ///   - platform: the platform.
    /// - Returns: the packs of the category in their order, or if the platform has one bundle for the library, those of
    ///   all categories by their places.
    /// - Throws: `StoreError`, or a decoding error if the database is damaged.
    public func bundle(
        of category: CategoryID?, for platform: some PackMaking
    ) throws -> PackBundle {
        let all = try remembered(records(category, platform), category, platform)
        // A missing group would move all that follow.
        for (category, parts) in all {
            guard parts.allSatisfy({ $0.place == 0 || $0.pack != nil }) else {
                throw PackError(
                    description:
                        "the packs of \(category) are not known yet; the daemon makes them, "
                        + "or \(stickerctl: "export \(category) --for \(platform.platform) --to DIR")"
                )
            }
        }
        return PackBundle(
            parts: all.flatMap { category, parts in
                parts.map { PublishedPacks.Part($0, of: category) }
            },
            packs: all.flatMap(\.parts)
                .sorted { ($0.place, $0.part.rank) < ($1.place, $1.part.rank) }
                .compactMap(\.pack))
    }

    /// Some packs of a category as last recorded, for people to look at.
    ///
    /// - Parameters:
    ///   - category: the category.
    ///   - platform: the platform.
    ///   - first: the number of the first part, from 0.
    ///   - limit: the most parts; only these are decoded.
    /// - Returns: the packs of these parts, and the number of all parts.
    /// - Throws: `StoreError`, or a decoding error if the database is damaged.
    public func packs(
        of category: CategoryID, for platform: PackPlatform, from first: Int, limit: Int
    ) throws -> (packs: [Pack], parts: Int) {
        let kinds = PartKind.allCases.map(\.rawValue)
        let known = try packs.records(of: category, for: platform).sorted { one, other in
            (kinds.firstIndex(of: one.kind) ?? 0, one.number)
                < (kinds.firstIndex(of: other.kind) ?? 0, other.number)
        }
        let parts = try known.dropFirst(first).prefix(limit).map {
            try JSONDecoder().decode(RememberedPart.self, from: Data($0.content.utf8))
        }
        return (parts.compactMap(\.pack), known.count)
    }

    /// The packs of several categories in one bundle; categories without packs are left out.
    ///
    /// - Parameters:
    ///   - categories: the categories, in order.
    ///   - platform: a platform without places in the library.
    /// - Returns: the packs as last recorded. The part that only the next plan needs stays with each category.
    /// - Throws: `StoreError`, or a decoding error if the database is damaged.
    public func bundle(
        ofAll categories: [CategoryID], for platform: some PackMaking
    ) throws -> PackBundle {
        let bundles = try categories.map { try bundle(of: $0, for: platform) }
        return PackBundle(
            parts: bundles.flatMap(\.parts).filter { $0.identifier != nil }.map(\.withoutKept),
            packs: bundles.flatMap(\.packs))
    }

    /// The damage to the bundle of the whole library.
    ///
    /// - Parameters:
    ///   - platform: a platform with such a bundle.
    ///   - readsAll: whether to read every file.
    /// - Returns: by category; if the database cannot be read, all of it affects every category.
    public func libraryDamage(
        for platform: some PackMaking, readsAll: Bool = false
    ) -> LibraryDamage {
        let damage = shelf.damage(platform.platform, nil, readsAll: readsAll)
        return LibraryDamage(damage, for: platform) {
            (try? bundle(of: nil, for: platform).packs) ?? []
        }
    }

    /// The categories with a place in the bundle of the library, whether packs are kept for them or not.
    ///
    /// - Parameter platform: a platform with one bundle for the library.
    /// - Returns: their ids.
    /// - Throws: `StoreError` if the database cannot be read.
    public func members(of platform: some PackMaking) throws -> Set<CategoryID> {
        let published = shelf.current(platform.platform, nil)?.packs.map(\.category) ?? []
        return try packs.packedCategories(for: platform.platform).union(published)
    }

    /// Releases packs of a category that were not requested for long: their pictures are no longer kept. Members and
    /// versions stay, for later packs.
    ///
    /// - Parameters:
    ///   - category: the category.
    ///   - platform: a platform whose packs of that category are not wanted.
    /// - Throws: `StoreError`, or a decoding error if the database is damaged.
    public func release(_ category: CategoryID, for platform: some PackMaking) throws {
        let known = try packs.records(of: category, for: platform.platform)
        let records = try known.map { record in
            var part = try JSONDecoder().decode(
                RememberedPart.self, from: Data(record.content.utf8))
            (part.pack, part.isKept) = (nil, false)
            return PackRecord(
                category: category, kind: record.kind, number: record.number,
                content: try Self.json(part))
        }
        _ = try packs.release(records, after: known, of: category, for: platform.platform)
    }

    private typealias Remembered = [(category: CategoryID, parts: [RememberedPart])]

    /// The stored parts of a category, or of all if a platform has one bundle for the library; with additions from the
    /// published packs.
    private func remembered(
        _ records: [PackRecord], _ category: CategoryID?, _ platform: some PackMaking
    ) throws -> Remembered {
        var parts = try Dictionary(grouping: records, by: \.category).mapValues { records in
            try records.map {
                try JSONDecoder().decode(RememberedPart.self, from: Data($0.content.utf8))
            }
        }
        for part in published(category, platform) {
            parts[part.category, default: []].note(part.remembered)
        }
        return parts.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0, $1) }
    }

    private func published(
        _ category: CategoryID?, _ platform: some PackMaking
    ) -> [PublishedPacks.Part] {
        shelf.current(platform.platform, platform.isForLibrary ? nil : category)?.packs ?? []
    }

    /// Identifies a pack by only the files that are handed over.
    static func contentDigest(_ pack: Pack, for platform: some PackMaking) -> String {
        var text: [UInt8] = []
        for form in platform.forms {
            for file in platform.files(of: [pack], as: form) { text += file.fingerprint }
        }
        return ContentHash(of: text).rawValue
    }

    private static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

/// Packs that are handed over together.
public struct PackBundle: Hashable, Sendable {
    /// Every stored part, including those without a pack.
    public var parts: [PublishedPacks.Part]
    /// The packs, in order.
    public var packs: [Pack]
}

extension [RememberedPart] {
    /// Adds a part known only from the published packs; of a part that both know, the higher version counts.
    fileprivate mutating func note(_ published: RememberedPart) {
        guard let index = index(of: published) else { return append(published) }
        guard self[index].version < published.version else { return }
        self[index].version = published.version
        self[index].digest = published.digest
    }

    /// Keeps stickers in their part that only the published packs have there: a restored backup has an older database.
    /// Missing stickers do not affect a plan.
    fileprivate mutating func join(_ published: RememberedPart) {
        guard let index = index(of: published) else { return }
        let known = Set(flatMap(\.part.stickers))
        self[index].part.stickers += published.part.stickers.filter { !known.contains($0) }
    }

    private func index(of other: RememberedPart) -> Int? {
        firstIndex { $0.part.kind == other.part.kind && $0.part.number == other.part.number }
    }
}

extension Part {
    /// Its place among the parts of its category: stills first, then animations.
    fileprivate var rank: Int {
        (PartKind.allCases.firstIndex(of: kind) ?? 0) * 1_000_000 + number
    }
}
