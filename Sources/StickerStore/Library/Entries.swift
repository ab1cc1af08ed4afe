import FoundationEssentials
import GRDB
import StickerModel

/// The entries of manifests, stored as the JSON in which they are published.
extension StoreTransaction {
    /// Writes the entry of a file's sticker again and returns whether it changed.
    @discardableResult
    func writeEntry(of source: SourceRow) throws -> Bool {
        guard let sticker = source.sticker, let content = source.content,
            let product = try source.output.flatMap({ try product($0) })
        else { return false }
        let name = StickerName(fileName: source.key.name)
        let category = try categoryNames(of: source)
        let entry = ManifestSticker(
            identifier: sticker, title: name.title,
            emojis: name.emojis.isEmpty ? policy.emojis(of: category) : name.emojis,
            product: product, source: .init(source.key.name, sha256: content),
            url: policy.address(of:))
        let json = try StoredJSON.encode(entry)
        return try run(
            """
            UPDATE sticker SET entry = ?1, deleted_at = NULL WHERE id = ?2 AND entry IS NOT ?1
            """, [json, sticker.rawValue]) == 1
    }

    /// Records that what the category publishes has changed.
    func touch(_ category: CategoryID) throws {
        try run(
            "UPDATE category SET generation = generation + 1 WHERE id = ?", [category.rawValue])
    }
}

extension StorePolicy {
    /// Where readers of a manifest find a file.
    func address(of file: StickerFile) -> String {
        publicBaseURL.isEmpty ? "../\(file.path)" : publicBaseURL + file.path
    }
}

extension ManifestSticker.Source {
    /// Creates the source named `name`; a name that is not valid UTF-8 is written with `%XX` and marked as
    /// such.
    init(_ name: [UInt8], sha256: ContentHash) {
        self.init(
            name: FileName.display(name),
            nameEncoding: FileName.isText(name) ? nil : "percent", sha256: sha256)
    }
}
