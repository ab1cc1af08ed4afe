import GRDB
public import StickerValues

extension Catalog {
    /// The most names that one transaction notes: others wait only as long as for a few pictures.
    fileprivate static let namesAtOnce = 500

    /// Notes the words of a side file in place of its former ones. The end of the job is recorded separately; if it
    /// never is, the rest is noted when the file is read again.
    ///
    /// - Parameters:
    ///   - words: its words.
    ///   - faults: its faults; former words fill their gaps.
    ///   - job: the job that reads the file. If it is out of date, nothing is noted.
    /// - Returns: categories whose manifests change; `nil` if the file is ignored because it is gone or changed.
    /// - Throws: `StoreError`; some of it may be noted.
    public func note(
        _ words: SideFileWords, mending faults: SideFileError? = nil, of job: ClaimedJob
    ) throws(StoreError) -> Set<CategoryID>? {
        let plan = try read { transaction -> WordsPlan? in
            guard let source = try transaction.sourceSpeaking(in: job) else { return nil }
            let words =
                try faults.map { try transaction.words(words, mending: $0, in: source) } ?? words
            return try transaction.plan(words, of: source)
        }
        guard let plan else { return nil }
        var shown = plan.unshown
        for piece in plan.pieces(of: Self.namesAtOnce) {
            let changed = try write { transaction -> Set<CategoryID>? in
                guard let source = try transaction.sourceSpeaking(in: job) else { return nil }
                let names = try transaction.note(piece.differences, of: source)
                guard piece.isLast else { return try transaction.markStale(names, plan) }
                return try transaction.showWords(
                    about: Set(plan.differences.map(\.name)), source)
            }
            guard let changed else { return nil }
            shown.formUnion(changed)
        }
        return shown
    }
}

/// How changed words of a side file are noted.
private struct WordsPlan {
    /// Single pictures first; words about all of them are noted and shown together.
    var differences: [WordsDifference]
    /// The stickers of names, if there are several parts.
    var stickers: [String: [StickerID]] = [:]
    let category: CategoryID
    /// Categories for which a failed attempt may have noted words that are not shown yet.
    var unshown: Set<CategoryID>

    func pieces(of size: Int) -> [(differences: [WordsDifference], isLast: Bool)] {
        stride(from: 0, to: differences.count, by: size).map { start in
            let piece = Array(differences[start...].prefix(size))
            return (piece, start + piece.count == differences.count)
        }
    }
}

extension StoreTransaction {
    fileprivate func plan(_ words: SideFileWords, of source: SourceRow) throws -> WordsPlan {
        var differences = try differences(of: words, from: source)
        let general: Set<String> = ["", WordsName.defaults]
        differences =
            differences.filter { !general.contains($0.name) }
            + differences.filter { general.contains($0.name) }
        let isUnshown = try isDirty(source.category) || hasStaleEntries(source.category)
        var plan = WordsPlan(
            differences: differences, category: source.category,
            unshown: isUnshown ? [source.category] : [])
        if differences.count > Catalog.namesAtOnce {
            plan.stickers = try stickersByName(in: source.category)
        }
        return plan
    }

    /// Marks the entries of the stickers of some names for encoding.
    fileprivate func markStale(_ names: Set<String>, _ plan: WordsPlan) throws -> Set<CategoryID> {
        let stickers = names.flatMap { plan.stickers[$0] ?? [] }
        for sticker in stickers {
            try run("UPDATE sticker SET is_stale = 1 WHERE id = ?", [sticker.rawValue])
        }
        return stickers.isEmpty ? [] : [plan.category]
    }

    /// Whether the manifest of a category is out of date.
    fileprivate func isDirty(_ category: CategoryID) throws -> Bool {
        try count(
            "SELECT count(*) FROM category WHERE id = ? AND generation > published_generation",
            [category.rawValue]) > 0
    }

    /// The side file of a job; `nil` if the job ended, or is out of date.
    fileprivate func sourceSpeaking(in job: ClaimedJob) throws -> SourceRow? {
        let isHeard = try count(
            """
            SELECT count(*) FROM job
            WHERE id = ? AND state = 'executing' AND superseded_by IS NULL
            """, [job.id.rawValue])
        guard isHeard > 0, let row = try self.job(job.id.rawValue) else { return nil }
        return try source(row.source).flatMap { $0.isPresent ? $0 : nil }
    }
}

/// A name with changed words; `nil` if they were removed.
typealias WordsDifference = (name: String, text: String?)

extension StoreTransaction {
    /// Notes the words of a side file in place of its former ones, without showing them yet.
    ///
    /// - Returns: the names whose words changed.
    func note(_ words: SideFileWords, of source: SourceRow) throws -> Set<String> {
        try note(differences(of: words, from: source), of: source)
    }

    /// Notes changed words of a side file about some names, without showing them yet.
    func note(_ differences: [WordsDifference], of source: SourceRow) throws -> Set<String> {
        for (name, text) in differences {
            if let text {
                try run(
                    "INSERT OR REPLACE INTO words (source, name, words) VALUES (?, ?, ?)",
                    [source.id, name, text])
            } else {
                try run("DELETE FROM words WHERE source = ? AND name = ?", [source.id, name])
            }
        }
        return Set(differences.map(\.name))
    }

    /// Names whose words in a side file changed, with the new ones; `nil` where they were removed.
    func differences(of words: SideFileWords, from source: SourceRow) throws -> [WordsDifference] {
        var old: [String: String] = [:]
        for row in try rows("SELECT name, words FROM words WHERE source = ?", [source.id]) {
            old[row[0]] = row[1]
        }
        let new = try texts(of: words, in: source)
        return old.keys.filter { new[$0] == nil }.map { ($0, nil) }
            + new.filter { old[$0.key] != $0.value }.map { ($0.key, $0.value) }
    }

    private func texts(of words: SideFileWords, in source: SourceRow) throws -> [String: String] {
        guard source.kind != .words else {
            return ["": try StoredJSON.text(words.stickers[""] ?? StickerWords())]
        }
        var texts: [String: String] = [:]
        if !words.category.isEmpty { texts[""] = try StoredJSON.text(words.category) }
        if !words.defaults.isEmpty {
            texts[WordsName.defaults] = try StoredJSON.text(words.defaults)
        }
        for (path, words) in words.stickers where !words.isEmpty {
            texts[WordsName.of(path)] = try StoredJSON.text(words)
        }
        return texts
    }

    /// Fills the gaps that faults leave in the words of a side file with its former words.
    func words(
        _ words: SideFileWords, mending faults: SideFileError, in source: SourceRow
    ) throws -> SideFileWords {
        guard !faults.gaps.isEmpty else { return words }
        let named = faults.gaps.filter { $0.count > 1 && $0[0] == "stickers" }.map { $0[1] }
        let paths = Dictionary(named.map { (WordsName.of($0), $0) }) { first, _ in first }
        let isAboutAll = faults.gaps.contains { $0.count < 2 }
        var former = SideFileWords()
        for row in try rows("SELECT name, words FROM words WHERE source = ?", [source.id]) {
            let (name, text): (String, String) = (row[0], row[1])
            if name == WordsName.defaults {
                former.defaults = try StoredJSON.decode(StickerWords.self, from: text)
            } else if name.isEmpty, source.kind == .categoryWords {
                former.category = try StoredJSON.decode(CategoryWords.self, from: text)
            } else if isAboutAll || paths[name] != nil {
                former.stickers[paths[name] ?? name] =
                    try StoredJSON.decode(StickerWords.self, from: text)
            }
        }
        return words.filled(faults.gaps, from: former)
    }
}
