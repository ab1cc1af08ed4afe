import FoundationEssentials
import GRDB
import StickerValues

/// The entries of manifests, stored as the published JSON.
extension StoreTransaction {
    /// Writes the entry of a file's sticker again and returns whether it changed. `known` is its product, if that was
    /// read already.
    @discardableResult
    func writeEntry(of source: SourceRow, showing known: StickerProduct? = nil) throws -> Bool {
        guard let sticker = source.sticker, let content = source.content,
            let product = try known ?? source.output.flatMap({ try product($0) }),
            let before = try row(
                """
                SELECT entry, published_at, changed_at, sort_key, kept_words, concessions,
                    EXISTS (SELECT 1 FROM removal WHERE removal.sticker = sticker.id)
                FROM sticker WHERE id = ?
                """, [sticker.rawValue])
        else { return false }
        var said = try words(about: source, keeping: Self.keptWords(before[4]))
        said.kept?.place = nil
        let words = try settled(said, of: source)
        var entry = ManifestSticker(
            identifier: sticker, title: words.title ?? "", emojis: words.emojis ?? [],
            product: product,
            source: .init(
                source.key.name, sha256: content, missing: source.isWithoutFile ? true : nil,
                keptWords: said.kept, concessions: try Self.concessions(before[5]).about(content),
                formerNames: source.formerNames),
            words: words, url: policy.address(of:))
        let publishedAt: Int64 = before[1] ?? now.wall
        var changedAt: Int64 = before[2] ?? now.wall
        entry.publishedAt = publishedAt.asDate
        entry.changedAt = changedAt.asDate
        let published: Data? = before[0]
        let sortKey = Data(SortKey.make(fileName: source.key.name, words))
        var text = try StoredJSON.encode(entry)
        guard published != text || sortKey != before[3] as Data else { return false }
        let shown = try published.map { try StoredJSON.decode(ManifestSticker.self, json: $0) }
        if shown == nil, before[6] { try noteReturn(of: sticker) }
        if shown?.showsTheSame(as: entry) != true, changedAt != now.wall {
            changedAt = now.wall
            entry.changedAt = changedAt.asDate
            text = try StoredJSON.encode(entry)
        }
        try run(
            """
            UPDATE sticker SET entry = ?, published_at = ?, changed_at = ?, sort_key = ?,
                deleted_at = NULL
            WHERE id = ?
            """,
            [text, publishedAt, changedAt, sortKey, sticker.rawValue])
        return true
    }

    /// The words that count: those said, then those of the file's name, its category and the configuration.
    func settled(_ said: SaidWords, of source: SourceRow) throws -> StickerWords {
        var words = said.settled(with: StickerName(fileName: source.key.name))
        if words.emojis == nil {
            words.emojis = try policy.emojis(of: categoryNames(of: source))
        }
        return words
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
