import FoundationEssentials
import GRDB
import StickerValues

/// The entries of manifests, stored as the published JSON.
extension StoreTransaction {
    /// Writes the entry of a file's sticker again and returns whether it changed.
    @discardableResult
    func writeEntry(of source: SourceRow) throws -> Bool {
        guard let sticker = source.sticker, let content = source.content,
            let product = try source.output.flatMap({ try product($0) }),
            let before = try row(
                "SELECT entry, published_at, changed_at, sort_key FROM sticker WHERE id = ?",
                [sticker.rawValue])
        else { return false }
        var said = try words(about: source)
        said.kept?.place = nil
        let name = StickerName(fileName: source.key.name)
        var words = said.settled(with: name)
        if words.emojis == nil {
            words.emojis = policy.emojis(of: try categoryNames(of: source))
        }
        var entry = ManifestSticker(
            identifier: sticker, title: words.title ?? name.title, emojis: words.emojis ?? [],
            product: product,
            source: .init(
                source.key.name, sha256: content, missing: source.isWithoutFile ? true : nil,
                keptWords: said.kept, concessions: try concessions(of: source).about(content),
                formerNames: source.formerNames),
            words: words, url: policy.address(of:))
        let publishedAt: Int64 = before[1] ?? now.wall
        var changedAt: Int64 = before[2] ?? now.wall
        entry.publishedAt = publishedAt.asDate
        entry.changedAt = changedAt.asDate
        let published: Data? = before[0]
        let sortKey = Data(SortKey.make(fileName: source.key.name, words))
        guard try published != StoredJSON.encode(entry) || sortKey != before[3] as Data
        else { return false }
        let shown = try published.map { try StoredJSON.decode(ManifestSticker.self, json: $0) }
        if shown == nil { try noteReturn(of: sticker) }
        if shown?.showsTheSame(as: entry) != true {
            changedAt = now.wall
            entry.changedAt = changedAt.asDate
        }
        try run(
            """
            UPDATE sticker SET entry = ?, published_at = ?, changed_at = ?, sort_key = ?,
                deleted_at = NULL
            WHERE id = ?
            """,
            [try StoredJSON.encode(entry), publishedAt, changedAt, sortKey, sticker.rawValue])
        return true
    }

    /// Records that the published content of the category changed.
    func touch(_ category: CategoryID) throws {
        try run(
            "UPDATE category SET generation = generation + 1 WHERE id = ?", [category.rawValue])
    }
}

extension StorePolicy {
    /// The address of a file in a manifest.
    func address(of file: StickerFile) -> String {
        publicBaseURL.isEmpty ? "../\(file.path)" : publicBaseURL + file.path
    }
}

extension ManifestSticker.Source {
    /// Creates the source named `name`; a name that is not valid UTF-8 is written with `%XX` and marked as
    /// such.
    init(
        _ name: [UInt8], sha256: ContentHash, missing: Bool?, keptWords: StickerWords?,
        concessions: Concessions, formerNames: [[UInt8]]
    ) {
        // No side file can be about a name that is not text.
        let former = formerNames.filter(FileName.isText).map(FileName.display)
        self.init(
            name: FileName.display(name),
            nameEncoding: FileName.isText(name) ? nil : "percent", sha256: sha256,
            missing: missing, keptWords: keptWords,
            concessions: concessions.isEmpty ? nil : concessions,
            formerNames: former.isEmpty ? nil : former)
    }
}
