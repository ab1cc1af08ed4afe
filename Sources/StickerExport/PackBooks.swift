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
    /// - Throws: `StoreError`, or a decoding error if the books are damaged.
    public func plan(_ source: PackSource, for platform: some PackMaking) throws -> PackPlan {
        let remembered = try store.packs(of: source.category, for: platform.platform).map {
            try JSONDecoder().decode(RememberedPart.self, from: Data($0.content.utf8))
        }
        return PackPlan(source, for: platform, remembering: remembered) { pack in
            Self.digest(pack, for: platform)
        }
    }

    /// Records that the packs of a plan are handed over.
    ///
    /// - Throws: `StoreError`; what was recorded before stays.
    public func record(
        _ plan: PackPlan, of category: CategoryID, for platform: PackPlatform
    ) throws {
        let records = try plan.remembered.map { remembered in
            PackRecord(
                kind: remembered.part.kind.rawValue, number: remembered.part.number,
                content: try Self.json(remembered))
        }
        try store.record(records, of: category, for: platform)
    }

    /// Tells packs apart by the files that are handed over, and by nothing that is not in them.
    private static func digest(_ pack: Pack, for platform: some PackMaking) -> String {
        let files = platform.forms.map { platform.files(of: [pack], as: $0) }
        guard let json = try? json(files) else {
            preconditionFailure("texts, numbers and lists are always JSON")
        }
        return ContentHash(of: Array(json.utf8)).rawValue
    }

    private static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
