import FoundationEssentials
import GRDB
import StickerModel

/// The entries of manifests, kept as the JSON they are published as.
extension StoreTransaction {
    /// Writes the entry of a file's sticker again; whether it changed.
    @discardableResult
    func writeEntry(of source: SourceRow) throws -> Bool {
        guard let sticker = source.sticker, let content = source.content,
            let product = try source.output.flatMap({ try product($0) })
        else { return false }
        let name = StickerName(fileName: source.key.name)
        let folder = source.key.categoryFolder ?? Array(policy.defaultCategory.utf8)
        let entry = ManifestSticker(
            identifier: sticker, title: name.title,
            emojis: name.emojis.isEmpty ? policy.emojis(folder: folder) : name.emojis,
            product: product, source: .init(source.key.name, sha256: content),
            url: policy.address(of:))
        let json = try StoredJSON.encode(entry)
        return try run(
            """
            UPDATE sticker SET entry = ?1, deleted_at = NULL WHERE id = ?2 AND entry IS NOT ?1
            """, [json, sticker.rawValue]) == 1
    }

    /// Notes that what the category publishes has changed.
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
    /// The source named `name`; bytes that are not UTF-8 are written as `%XX`, and it is said so.
    init(_ name: [UInt8], sha256: ContentHash) {
        self.init(
            name: FileName.display(name),
            nameEncoding: FileName.isText(name) ? nil : "percent", sha256: sha256)
    }
}
