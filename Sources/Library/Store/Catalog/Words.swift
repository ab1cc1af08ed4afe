import FoundationEssentials
import GRDB
public import StickerValues

/// The words of side files about one sticker.
struct SaidWords {
    /// About its picture by name, including former names.
    var words = StickerWords()
    /// About all stickers of its category.
    var defaults = StickerWords()
    /// Kept from earlier names.
    var kept: StickerWords?

    /// Completed from the file's name, and last from the defaults.
    func settled(with name: StickerName) -> StickerWords {
        var named = StickerWords()
        named.title = name.title
        named.emojis = name.emojis.isEmpty ? nil : name.emojis
        return words.filled(from: named).filled(from: defaults)
    }
}

extension StoreTransaction {
    /// The words of side files about the sticker of a file. A file about only that picture comes first, then its entry
    /// in `category.json`, then `emoji.txt`, then words kept from another name.
    func words(about source: SourceRow) throws -> SaidWords {
        try words(about: source, keeping: keptWords(of: source))
    }

    /// The same for a sticker with these kept words.
    func words(about source: SourceRow, keeping kept: StickerWords?) throws -> SaidWords {
        var said = SaidWords()
        let files = try wordFiles(of: source.category)
        said.kept = kept
        if let former = said.kept?.listedAs {
            let places = try files.filter { $0.kind == .category }
                .compactMap { try words(in: $0, former)?.place }
            said.kept?.place = places.first
        }
        said.words = try wordsByName(about: source, files).filled(from: said.kept)
        for file in files where file.kind == .category {
            said.defaults = said.defaults.filled(from: try words(in: file, WordsName.defaults))
        }
        return said
    }

    /// The words of side files about the present name of a picture. Of two drops, the picture's own comes first, since
    /// the other may mean another picture.
    private func wordsByName(about source: SourceRow, _ files: [WordFile]) throws -> StickerWords {
        var words = StickerWords()
        for key in source.keys { words = words.filled(from: try ownWords(of: key)) }
        let own = files.filter { $0.drop == source.key.drop }
        let others = files.filter { $0.drop != source.key.drop }
        for file in own + others where file.kind == .category {
            for name in Self.listedNames(of: source) {
                words = words.filled(from: try self.words(in: file, name))
            }
        }
        for file in own + others where file.kind == .emojis {
            for name in Self.names(of: source) {
                words = words.filled(from: try self.words(in: file, name))
            }
        }
        return words
    }

    private func keptWords(of source: SourceRow) throws -> StickerWords? {
        try source.sticker.flatMap { sticker in
            try Self.keptWords(
                value("SELECT kept_words FROM sticker WHERE id = ?", [sticker.rawValue]))
        }
    }

    /// The kept words in a column; `NULL` for none.
    static func keptWords(_ text: String?) throws -> StickerWords? {
        try text.map { try StoredJSON.decode(StickerWords.self, from: $0) }
    }

    /// The names of a picture in a side file about the category: with extension, then without.
    private static func names(of source: SourceRow) -> [String] {
        let path = source.pathInCategory
        let suffix = FileName.templateSuffix.utf8.count
        let stem =
            source.key.isTemplate
            ? suffix : source.key.name.count - FileName.stem(source.key.name).count
        return listedNames(of: source) + [WordsName.of(path: Array(path.dropLast(stem)))]
    }

    /// The names of a picture in `category.json`: its own, then those in other formats.
    fileprivate static func listedNames(of source: SourceRow) -> [String] {
        let path = source.pathInCategory
        let folder = path.dropLast(source.key.name.count)
        return ([source.key.name] + source.formerNames).map { WordsName.of(path: folder + $0) }
    }

    /// The words of the side file beside a picture.
    private func ownWords(of picture: SourceKey) throws -> StickerWords? {
        let key = SideFile.beside(picture)
        let text: String? = try value(
            """
            SELECT words.words FROM source JOIN words ON words.source = source.id
            WHERE drop_path = ? AND directory = ? AND source.name = ? AND words.name = ''
            """, [key.drop, Data(key.directory), Data(key.name)])
        return try text.map { try StoredJSON.decode(StickerWords.self, from: $0) }
    }

    private func words(in file: WordFile, _ name: String) throws -> StickerWords? {
        let text: String? = try value(
            "SELECT words FROM words WHERE source = ? AND name = ?", [file.source, name])
        var words = try text.map { try StoredJSON.decode(StickerWords.self, from: $0) }
        if let place = words?.place {
            // The list of one file follows the whole list of another.
            words?.place = place + file.number * Self.placesOfAFile
        }
        return words
    }

    /// More than a list in a side file can name.
    private static let placesOfAFile = 1 << 20

    /// The side files about a category. `category.json` takes precedence; of two of a kind, the one in the drop listed
    /// first.
    private func wordFiles(of category: CategoryID) throws -> [WordFile] {
        let files = try rows(
            """
            SELECT id, drop_path, directory, name FROM source INDEXED BY source_words
            WHERE category = ? AND kind = 'categoryWords' ORDER BY directory, name
            """, [category.rawValue]
        ).compactMap { row -> WordFile? in
            let key = SourceKey(
                drop: row[1], directory: [UInt8](row[2] as Data), name: [UInt8](row[3] as Data))
            return SideFile(key).map { WordFile(source: row[0], drop: key.drop, kind: $0) }
        }
        guard files.count > 1 else { return files }
        let drops = policy.drops
        let ranks = files.enumerated().map { index, file in
            (file.kind == .category ? 0 : 1, drops.firstIndex(of: file.drop) ?? drops.count, index)
        }
        return ranks.sorted(by: <).enumerated().map { number, rank in
            var file = files[rank.2]
            file.number = number
            return file
        }
    }

    /// Updates the category's own words, and its look.
    ///
    /// - Returns: whether the words changed.
    func refreshWords(of category: CategoryID) throws -> Bool {
        var words = CategoryWords()
        for file in try wordFiles(of: category) where file.kind != .emojis {
            let text: String? = try value(
                "SELECT words FROM words WHERE source = ? AND name = ''", [file.source])
            guard let text else { continue }
            words = words.filled(from: try StoredJSON.decode(CategoryWords.self, from: text))
        }
        let look = try words.look.map(StoredJSON.text)
        try run(
            """
            UPDATE category SET look = ?1, is_restyled = 1 WHERE id = ?2 AND look IS NOT ?1
            """, [look, category.rawValue])
        words.look = nil
        let text = words.isEmpty ? nil : try StoredJSON.text(words)
        return try run(
            """
            UPDATE category SET words = ?1, title = coalesce(?2, folder_title)
            WHERE id = ?3 AND (words IS NOT ?1 OR title <> coalesce(?2, folder_title))
            """, [text, words.title, category.rawValue]) > 0
    }
}

extension Catalog {
    /// The `category.json` of a category, which need not exist yet; `nil` if the category has no folder. If it has
    /// several, the one that takes precedence.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func wordsFile(of category: CategoryID) throws(StoreError) -> SourceKey? {
        try read { transaction in
            let folders = try transaction.rows(
                """
                SELECT drop_path, name FROM category_folder INDEXED BY category_folder_category
                WHERE category = ? AND drop_path <> '' AND name NOT GLOB '.*' ORDER BY name
                """, [category.rawValue])
            let drops = transaction.policy.drops
            let rank = { (row: Row) in drops.firstIndex(of: row[0]) ?? drops.count }
            guard let folder = folders.min(by: { rank($0) < rank($1) }) else { return nil }
            return SourceKey(
                drop: folder[0], directory: [UInt8](folder[1] as Data),
                name: Array("category.json".utf8))
        }
    }

    /// The given paths below the folder of a category that are no present or former name of its pictures.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func absentPictures(
        _ paths: [String], of category: CategoryID
    ) throws(StoreError) -> [String] {
        try read { transaction in
            let folders = try transaction.rows(
                """
                SELECT drop_path, name FROM category_folder INDEXED BY category_folder_category
                WHERE category = ? AND drop_path <> ''
                """, [category.rawValue])
            let present = try folders.flatMap { folder in
                try transaction.presentSources(
                    drop: folder[0], below: [UInt8](folder[1] as Data))
            }
            // Including restored stickers without a file.
            let pictures = try present + transaction.liveSources(of: category)
            let names = Set(pictures.flatMap(StoreTransaction.listedNames))
            return paths.filter { !names.contains(WordsName.of($0)) }
        }
    }

    /// How many entries one transaction encodes: others wait only as long as for a few pictures.
    private static let settledAtOnce = 200

    /// Encodes entries of a category whose words changed: as many as one transaction may.
    ///
    /// - Returns: whether none is left.
    /// - Throws: `StoreError`; nothing was changed.
    func settleEntries(of category: CategoryID) throws(StoreError) -> Bool {
        guard try read({ try $0.hasStaleEntries(category) }) else { return true }
        return try write { transaction in
            try transaction.settleEntries(of: category, limit: Self.settledAtOnce)
            return try !transaction.hasStaleEntries(category)
        }
    }
}

extension StoreTransaction {
    func hasStaleEntries(_ category: CategoryID) throws -> Bool {
        try row(
            "SELECT 1 FROM sticker WHERE category = ? AND is_stale = 1 LIMIT 1",
            [category.rawValue]) != nil
    }

    fileprivate func settleEntries(of category: CategoryID, limit: Int) throws {
        let stale = try rows(
            "SELECT id FROM sticker WHERE category = ? AND is_stale = 1 LIMIT ?",
            [category.rawValue, limit])
        var isChanged = false
        for row in stale {
            let sticker = StickerID(rawValue: row[0])
            try run("UPDATE sticker SET is_stale = 0 WHERE id = ?", [sticker.rawValue])
            guard let source = try source(of: sticker) else { continue }
            isChanged = try writeEntry(of: source) || isChanged
            try source.output.map(noteSizes)
        }
        if isChanged { try touch(category) }
    }
}

// MARK: - Kept words

extension StoreTransaction {
    /// Keeps the words of a picture for when it has another name, or comes back. Its place in the list of its category
    /// means nothing in another category.
    func keepWords(about source: SourceRow, isOrderKept: Bool = false) throws {
        var words = try words(about: source).words
        if words.listedAs == nil, words.place != nil {
            words.listedAs = try placedName(of: source)
        }
        if !isOrderKept { words.listedAs = nil }
        words.place = nil
        try keep(words, of: source)
    }

    /// The name by which the list of its category places a picture.
    private func placedName(of source: SourceRow) throws -> String? {
        let files = try wordFiles(of: source.category).filter { $0.kind == .category }
        return try Self.listedNames(of: source).first { name in
            try files.contains { try words(in: $0, name)?.place != nil }
        }
    }

    private func keep(_ words: StickerWords, of source: SourceRow) throws {
        try run(
            "UPDATE sticker SET kept_words = ? WHERE id = ?",
            [words.isEmpty ? nil : try StoredJSON.text(words), source.sticker?.rawValue])
    }

    /// Removes kept words of a sticker that a just saved file replaces.
    private func dropKeptWords(of source: SourceRow) throws {
        guard let kept = try keptWords(of: source) else { return }
        let files = try wordFiles(of: source.category)
        let left = kept.without(try wordsByName(about: source, files))
        if left != kept { try keep(left, of: source) }
    }

    /// Gives the file a name of another picture: that one keeps its words, and the words that a missing side file had
    /// for the name are removed.
    func takeName(_ key: SourceKey, for source: Int64) throws {
        try takeName(key, for: source, from: otherFormat(called: key).map { [$0] } ?? [])
    }

    /// The same if `others` hold the picture that had the name in another format.
    func takeName(_ key: SourceKey, for source: Int64, from others: [SourceRow]) throws {
        let former = others.first { $0.formerNames.contains(key.name) }
        if var former, former.id != source {
            try keepWords(about: former, isOrderKept: true)
            former.formerNames.removeAll { $0 == key.name }
            try run(
                "UPDATE source SET former_names = ? WHERE id = ?",
                [SourceRow.joined(former.formerNames), former.id])
            if try writeEntry(of: former) { try touch(former.category) }
        }
        let key = SideFile.beside(key)
        try run(
            """
            DELETE FROM words WHERE source IN (SELECT id FROM source
                WHERE drop_path = ? AND directory = ? AND name = ? AND present = 0)
            """, [key.drop, Data(key.directory), Data(key.name)])
    }

    /// The picture that the file beside `key` is about: the one of that name, or the one that had it in another format.
    fileprivate func picture(at key: SourceKey) throws -> SourceRow? {
        if let source = try source(key), source.isPresent || source.isLive { return source }
        return try otherFormat(called: key)
    }
}

// MARK: - Changes

extension StoreTransaction {
    /// Removes the words of a missing side file. Pictures that are missing with it keep them.
    ///
    /// - Returns: categories whose manifests change.
    func forgetWords(of source: SourceRow) throws -> Set<CategoryID> {
        for picture in try pictures(besides: source) where !picture.isPresent {
            try keepWords(about: picture, isOrderKept: true)
        }
        let names = try rows("SELECT name FROM words WHERE source = ?", [source.id])
        return try showWords(about: note(names.map { ($0[0], nil) }, of: source), source)
    }

    /// The missing published pictures that a side file may be about.
    private func pictures(besides file: SourceRow) throws -> [SourceRow] {
        switch SideFile(file.key) {
        // A removed sticker has kept its words; the file may be about another picture now.
        case .sticker:
            try [picture(at: SideFile.picture(of: file.key))].compactMap(\.self).filter(\.isLive)
        case .category, .emojis: try missingPictures(of: file.category)
        case .title, .author, nil: []
        }
    }

    private func missingPictures(of category: CategoryID) throws -> [SourceRow] {
        try sources(
            """
            SELECT \(SourceRow.columns) FROM source INDEXED BY source_missing
            WHERE missing_since IS NOT NULL AND category = ? AND output IS NOT NULL
            """, [category.rawValue])
    }

    /// Shows the changed words of a side file.
    ///
    /// - Returns: categories whose manifests change.
    func showWords(about names: Set<String>, _ source: SourceRow) throws -> Set<CategoryID> {
        guard !names.isEmpty else { return [] }
        return source.kind == .words
            ? try showWords(about: SideFile.picture(of: source.key))
            : try showWords(about: names, in: source.category)
    }

    /// The stickers of a category by their names in side files.
    func stickersByName(in category: CategoryID) throws -> [String: [StickerID]] {
        var stickers: [String: [StickerID]] = [:]
        for source in try liveSources(of: category) {
            guard let sticker = source.sticker else { continue }
            for name in Self.names(of: source) { stickers[name, default: []].append(sticker) }
        }
        return stickers
    }

    private func showWords(about picture: SourceKey) throws -> Set<CategoryID> {
        guard let source = try self.picture(at: picture) else { return [] }
        try dropKeptWords(of: source)
        guard try writeEntry(of: source) else { return [] }
        try touch(source.category)
        return [source.category]
    }

    private func showWords(
        about names: Set<String>, in category: CategoryID
    ) throws -> Set<CategoryID> {
        var isChanged = false
        if names.contains(""), try refreshWords(of: category), try isShown(category) {
            try touch(category)
            isChanged = true
        }
        if names.contains(WordsName.defaults) {
            isChanged = try markStale(category) || isChanged
        }
        guard names != [""] else { return isChanged ? [category] : [] }
        let keeping = try stickersWithKeptWords(of: category)
        for source in try liveSources(of: category) {
            let isNamed = Self.names(of: source).contains(where: names.contains)
            let isKeeping = keeping.contains(source.sticker)
            if isNamed, isKeeping { try dropKeptWords(of: source) }
            guard isNamed || isKeeping, let sticker = source.sticker else { continue }
            try run("UPDATE sticker SET is_stale = 1 WHERE id = ?", [sticker.rawValue])
            isChanged = true
        }
        return isChanged ? [category] : []
    }

    /// Marks every entry of a category, or the next `limit`, for encoding before its manifest is written.
    ///
    /// - Returns: whether any was newly marked.
    @discardableResult
    func markStale(_ category: CategoryID, limit: Int = -1) throws -> Bool {
        try run(
            """
            UPDATE sticker SET is_stale = 1 WHERE id IN (SELECT id FROM sticker
                WHERE category = ? AND entry IS NOT NULL AND is_stale = 0 LIMIT ?)
            """, [category.rawValue, limit]) > 0
    }

    /// Whether a category has a manifest, or will have one. Without stickers it has none until it had some.
    func isShown(_ category: CategoryID) throws -> Bool {
        try count(
            """
            SELECT count(*) FROM category WHERE id = ?1 AND (published_generation > 0
                OR EXISTS (SELECT 1 FROM sticker WHERE category = ?1 AND entry IS NOT NULL))
            """, [category.rawValue]) > 0
    }

    private func stickersWithKeptWords(of category: CategoryID) throws -> Set<StickerID?> {
        let ids = try rows(
            """
            SELECT id FROM sticker
            WHERE category = ? AND entry IS NOT NULL AND kept_words IS NOT NULL
            """, [category.rawValue])
        return Set(ids.map { StickerID(rawValue: $0[0]) })
    }

    /// The files of a category's live stickers.
    func liveSources(of category: CategoryID) throws -> [SourceRow] {
        try sources(
            """
            SELECT \(SourceRow.columns) FROM sticker JOIN source ON source.sticker = sticker.id
            WHERE sticker.category = ? AND sticker.entry IS NOT NULL
            """, [category.rawValue])
    }
}

/// A side file about a category.
private struct WordFile {
    var source: Int64
    var drop: String
    var kind: SideFile
    /// Its place among those of the category; 0 takes precedence.
    var number = 0
}
