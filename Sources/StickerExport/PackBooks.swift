import FoundationEssentials
public import StickerModel
public import StickerPacks
public import StickerStore

/// Plans packs by what the books remember of earlier ones.
public struct PackBooks: Sendable {
    private let store: JobStore

    /// Creates the books over `store`.
    public init(_ store: JobStore) { self.store = store }

    /// The packs of a category as they would be handed over now; nothing is recorded.
    ///
    /// - Parameters:
    ///   - source: the category.
    ///   - platform: the platform.
    /// - Returns: what would be handed over, and what is wrong.
    /// - Throws: `StoreError`, or a decoding error if the books are damaged.
    public func plan(_ source: PackSource, for platform: some PackMaking) throws -> PackPlan {
        let place =
            platform.isForLibrary
            ? try
                (store.packs(for: platform.platform).map(Self.part).compactMap(\.pack?.place).max()
                ?? 0) + 1 : 0
        let remembered = try store.packs(of: source.category, for: platform.platform)
            .map(Self.part)
        return PackPlan(source, for: platform, remembering: remembered, place: place) { pack in
            Self.digest(pack, for: platform)
        }
    }

    /// Everything that belongs into one bundle with the packs of a plan, each pack at its place.
    ///
    /// - Parameters:
    ///   - plan: the packs of a category.
    ///   - category: the category.
    ///   - platform: the platform.
    /// - Returns: the packs themselves, and where a platform has one bundle for the library, those of all others as they
    ///   were last handed over.
    /// - Throws: `StoreError`, or a decoding error if the books are damaged.
    public func bundle(
        _ plan: PackPlan, of category: CategoryID, for platform: some PackMaking
    ) throws -> [Pack] {
        guard platform.isForLibrary else { return plan.packs }
        let others = try store.packs(for: platform.platform).filter { $0.category != category }
            .map(Self.part).compactMap(\.pack)
        return (others + plan.packs).sorted { $0.place < $1.place }
    }

    /// Records that the packs of a plan are handed over.
    ///
    /// - Throws: `StoreError`; what was recorded before stays.
    public func record(
        _ plan: PackPlan, of category: CategoryID, for platform: PackPlatform
    ) throws {
        let records = try plan.remembered.map { remembered in
            PackRecord(
                category: category, kind: remembered.part.kind.rawValue,
                number: remembered.part.number, content: try Self.json(remembered))
        }
        try store.record(records, for: platform)
    }

    private static func part(_ record: PackRecord) throws -> RememberedPart {
        try JSONDecoder().decode(RememberedPart.self, from: Data(record.content.utf8))
    }

    /// Tells packs apart by the files that are handed over, and by nothing that is not in them.
    static func digest(_ pack: Pack, for platform: some PackMaking) -> String {
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
