import FoundationEssentials
import GRDB
public import StickerModel

/// What side files say about one sticker.
struct SaidWords {
    /// What they say of its picture by name, or said when it had another one.
    var words = StickerWords()
    /// What they say of all stickers of its category.
    var defaults = StickerWords()
    /// What was said under earlier names, and counts because nothing is said of the present one.
    var kept: StickerWords?
    /// Whether something was kept that counts no more.
    var isKeptObsolete = false

    /// With what the file's name tells, and last the defaults.
    func settled(with name: StickerName) -> StickerWords {
        var named = StickerWords()
        named.title = name.title
        named.emojis = name.emojis.isEmpty ? nil : name.emojis
        return words.filled(from: named).filled(from: defaults)
    }
}

extension StoreTransaction {
    /// What side files say about the sticker of a file. A file about the picture alone comes first, then its entry
    /// in `category.json`, then `emoji.txt`, then what was said when it had another name.
    func words(about source: SourceRow) throws -> SaidWords {
        var said = SaidWords()
        let own = try ownWords(of: source.key)
        let names = Self.names(of: source)
        var (entry, emojis): (StickerWords?, StickerWords?)
        for file in try wordFiles(of: source.category) {
            guard file.kind == .category else {
                for name in names where file.kind == .emojis {
                    try add(words(in: file.source, name), to: &emojis)
                }
                continue
            }
            try add(words(in: file.source, names[0]), to: &entry)
            said.defaults = said.defaults.filled(
                from: try words(in: file.source, WordsName.defaults))
        }
        let kept: String? = try source.sticker.flatMap { sticker in
            try value("SELECT kept_words FROM sticker WHERE id = ?", [sticker.rawValue])
        }
        said.isKeptObsolete = kept != nil && (own != nil || entry != nil)
        if !said.isKeptObsolete {
            said.kept = try kept.map { try StoredJSON.decode(StickerWords.self, from: $0) }
        }
        for words in [own, entry, emojis, said.kept] {
            said.words = said.words.filled(from: words)
        }
        return said
    }

    private func add(_ words: StickerWords?, to sum: inout StickerWords?) {
        guard let words else { return }
        sum = sum?.filled(from: words) ?? words
    }

    /// The names under which a side file about the category may speak of a picture.
    private static func names(of source: SourceRow) -> [String] {
        let path = source.pathInCategory
        let stem = source.key.name.count - FileName.stem(source.key.name).count
        return [path, path.dropLast(stem)].map { WordsName.of(path: Array($0)) }
    }

    /// What the side file beside a picture says of it.
    private func ownWords(of picture: SourceKey) throws -> StickerWords? {
        let key = SideFile.beside(picture)
        let text: String? = try value(
            """
            SELECT words.words FROM source JOIN words ON words.source = source.id
            WHERE drop_path = ? AND directory = ? AND source.name = ? AND words.name = ''
            """, [key.drop, Data(key.directory), Data(key.name)])
        return try text.map { try StoredJSON.decode(StickerWords.self, from: $0) }
    }

    private func words(in file: Int64, _ name: String) throws -> StickerWords? {
        let text: String? = try value(
            "SELECT words FROM words WHERE source = ? AND name = ?", [file, name])
        return try text.map { try StoredJSON.decode(StickerWords.self, from: $0) }
    }

    private typealias WordFile = (source: Int64, kind: SideFile)

    /// The side files about a category. `category.json` counts before others, and of two of a kind the one in the
    /// drop that the configuration lists first.
    private func wordFiles(of category: CategoryID) throws -> [WordFile] {
        let files = try rows(
            """
            SELECT id, drop_path, directory, name FROM source INDEXED BY source_words
            WHERE category = ? AND kind = 'categoryWords' ORDER BY directory, name
            """, [category.rawValue]
        ).compactMap { row -> (file: WordFile, rank: Int)? in
            let key = SourceKey(
                drop: row[1], directory: [UInt8](row[2] as Data), name: [UInt8](row[3] as Data))
            guard let kind = SideFile(key) else { return nil }
            let drops = policy.drops
            let drop = drops.firstIndex(of: key.drop) ?? drops.count
            return ((row[0], kind), (kind == .category ? 0 : drops.count + 1) + drop)
        }
        guard files.count > 1 else { return files.map(\.file) }
        return files.enumerated().sorted { ($0.1.rank, $0.0) < ($1.1.rank, $1.0) }.map(\.1.file)
    }

    /// Settles again what a category says of itself.
    ///
    /// - Returns: whether that changed.
    func refreshWords(of category: CategoryID) throws -> Bool {
        var words = CategoryWords()
        for file in try wordFiles(of: category) where file.kind != .emojis {
            let text: String? = try value(
                "SELECT words FROM words WHERE source = ? AND name = ''", [file.source])
            guard let text else { continue }
            words = words.filled(from: try StoredJSON.decode(CategoryWords.self, from: text))
        }
        let text = words.isEmpty ? nil : try StoredJSON.text(words)
        return try run(
            """
            UPDATE category SET words = ?1, title = coalesce(?2, folder_title)
            WHERE id = ?3 AND (words IS NOT ?1 OR title <> coalesce(?2, folder_title))
            """, [text, words.title, category.rawValue]) > 0
    }
}

extension JobStore {
    /// The `category.json` of a category, which need not exist yet; `nil` if the category has no folder. If it has
    /// several, the one whose words count first.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func wordsFile(of category: CategoryID) throws(StoreError) -> SourceKey? {
        try read { transaction in
            let folders = try transaction.rows(
                """
                SELECT drop_path, name FROM category_folder INDEXED BY category_folder_category
                WHERE category = ? ORDER BY name
                """, [category.rawValue])
            let drops = transaction.policy.drops
            let rank = { (row: Row) in drops.firstIndex(of: row[0]) ?? drops.count }
            guard let folder = folders.min(by: { rank($0) < rank($1) }) else { return nil }
            return SourceKey(
                drop: folder[0], directory: [UInt8](folder[1] as Data),
                name: Array("category.json".utf8))
        }
    }
}

// MARK: - What is kept

extension StoreTransaction {
    /// Keeps what is said of a picture for the time when it has another name, or is there again. Its place in the
    /// order of its category means nothing in another one.
    func keepWords(about source: SourceRow, isPlaceKept: Bool = false) throws {
        guard let sticker = source.sticker else { return }
        var words = try words(about: source).words
        if !isPlaceKept { words.place = nil }
        try run(
            "UPDATE sticker SET kept_words = ? WHERE id = ?",
            [words.isEmpty ? nil : try StoredJSON.text(words), sticker.rawValue])
    }
}

// MARK: - Changes

extension StoreTransaction {
    /// Takes over what a side file says, in place of what it said before.
    ///
    /// - Returns: categories whose manifests change.
    func take(_ words: SideFileWords, of source: SourceRow) throws -> Set<CategoryID> {
        try showWords(about: note(words, of: source), source)
    }

    /// Notes what a side file says, in place of what it said before, and shows nothing of it yet.
    ///
    /// - Returns: the names about which it says something else.
    func note(_ words: SideFileWords, of source: SourceRow) throws -> Set<String> {
        var new: [String: String] = [:]
        if source.kind == .words {
            new[""] = try StoredJSON.text(words.stickers[""] ?? StickerWords())
        } else {
            if !words.category.isEmpty { new[""] = try StoredJSON.text(words.category) }
            if !words.defaults.isEmpty {
                new[WordsName.defaults] = try StoredJSON.text(words.defaults)
            }
            for (path, words) in words.stickers {
                new[WordsName.of(path)] = try StoredJSON.text(words)
            }
        }
        return try replaceWords(of: source, by: new)
    }

    /// Forgets what a side file said, which is gone. Pictures that are missing with it keep it.
    ///
    /// - Returns: categories whose manifests change.
    func forgetWords(of source: SourceRow) throws -> Set<CategoryID> {
        let pictures =
            source.kind == .words
            ? try [self.source(SideFile.picture(of: source.key))].compactMap(\.self)
            : try missingPictures(of: source.category)
        for picture in pictures where !picture.isPresent { try keepWords(about: picture) }
        return try showWords(about: replaceWords(of: source, by: [:]), source)
    }

    private func missingPictures(of category: CategoryID) throws -> [SourceRow] {
        try rows(
            """
            SELECT \(SourceRow.columns) FROM source INDEXED BY source_missing
            WHERE missing_since IS NOT NULL AND category = ? AND output IS NOT NULL
            """, [category.rawValue]
        ).map { try SourceRow($0) }
    }

    private func replaceWords(
        of source: SourceRow, by new: [String: String]
    ) throws -> Set<String> {
        var changed: Set<String> = []
        var old: [String: String] = [:]
        for row in try rows("SELECT name, words FROM words WHERE source = ?", [source.id]) {
            old[row[0]] = row[1]
        }
        for name in old.keys where new[name] == nil {
            try run("DELETE FROM words WHERE source = ? AND name = ?", [source.id, name])
            changed.insert(name)
        }
        for (name, words) in new where old[name] != words {
            try run(
                "INSERT OR REPLACE INTO words (source, name, words) VALUES (?, ?, ?)",
                [source.id, name, words])
            changed.insert(name)
        }
        return changed
    }

    private func showWords(
        about names: Set<String>, _ source: SourceRow
    ) throws -> Set<CategoryID> {
        guard !names.isEmpty else { return [] }
        return source.kind == .words
            ? try showWords(about: SideFile.picture(of: source.key))
            : try showWords(about: names, in: source.category)
    }

    private func showWords(about picture: SourceKey) throws -> Set<CategoryID> {
        guard let source = try source(picture), try writeEntry(of: source) else { return [] }
        return [source.category]
    }

    private func showWords(
        about names: Set<String>, in category: CategoryID
    ) throws -> Set<CategoryID> {
        var isChanged = false
        if names.contains(""), try refreshWords(of: category) {
            // A category without stickers has no manifest until it has some.
            isChanged =
                try count(
                    """
                    SELECT count(*) FROM category WHERE id = ?1 AND (published_generation > 0
                        OR EXISTS (SELECT 1 FROM sticker WHERE category = ?1 AND entry IS NOT NULL))
                    """, [category.rawValue]) > 0
        }
        let isAboutAll = names.contains(WordsName.defaults)
        guard isAboutAll || names != [""] else { return isChanged ? [category] : [] }
        for source in try liveSources(of: category)
        where isAboutAll || Self.names(of: source).contains(where: names.contains) {
            isChanged = try writeEntry(of: source) || isChanged
        }
        return isChanged ? [category] : []
    }

    /// The files of the stickers that a category shows.
    func liveSources(of category: CategoryID) throws -> [SourceRow] {
        try rows(
            """
            SELECT \(SourceRow.columns) FROM sticker JOIN source ON source.sticker = sticker.id
            WHERE sticker.category = ? AND sticker.entry IS NOT NULL
            """, [category.rawValue]
        ).map { try SourceRow($0) }
    }
}
