import StickerValues

/// A reader's findings, to be compared with the model.
struct PublishedLife {
    var library: Library
    /// The titles that the index tells.
    var titles: [String: String]
    /// The ids that `_removed.json` lists.
    var removed: Set<String>
}

extension LifeModel {
    /// Differences from the files that must be published, line by line; empty if there are none.
    ///
    /// Ids of what is new are taken over from what is published, if they are made of its name and never stood for
    /// anything else.
    mutating func differences(from published: PublishedLife) -> [String] {
        bindCategories(published)
        bindStickers(published)
        let found = Self.lines(published)
        return found.difference(from: lines()).map { change in
            switch change {
            case .insert(_, let line, _): "published: \(line)"
            case .remove(_, let line, _): "expected:  \(line)"
            }
        }
    }

    // MARK: Ids

    private mutating func bindCategories(_ published: PublishedLife) {
        for index in categories.indices where categories[index].id == nil {
            let files = Set(shown(in: index).map(file))
            let known = Set(categories.compactMap(\.id))
            categories[index].id =
                published.library.categories.sorted { $0.key < $1.key }.first {
                    let entries = $0.value.flatMap(\.stickers).map(\.source)
                    return !files.isEmpty && !known.contains($0.key)
                        && isMade($0.key, of: slug(categories[index].firstName))
                        && files
                            == Set(entries.map { File(name: $0.name, hash: $0.sha256.rawValue) })
                }?.key
        }
    }

    /// A source file, as far as manifests tell.
    private struct File: Hashable {
        var name: String
        var hash: String?
    }

    private func file(_ index: Int) -> File {
        File(name: stickers[index].name.file, hash: Art.hash(stickers[index].picture))
    }

    private mutating func bindStickers(_ published: PublishedLife) {
        var known = Set(stickers.compactMap(\.id))
        for index in stickers.indices where stickers[index].id == nil {
            let sticker = stickers[index]
            guard !sticker.isRemoved, let category = categories[sticker.category].id else {
                continue
            }
            let pages = published.library.categories[category] ?? []
            let entry = pages.flatMap(\.stickers).first { entry in
                let id = entry.identifier.rawValue
                return !known.contains(id)
                    && file(index)
                        == File(name: entry.source.name, hash: entry.source.sha256.rawValue)
                    && isMade(id, of: sticker.name.id)
            }
            guard let id = entry?.identifier.rawValue else { continue }
            stickers[index].id = id
            known.insert(id)
        }
    }

    /// Whether an id is a text, or the text and a number for another one of this name.
    private func isMade(_ id: String, of text: String) -> Bool {
        guard id.hasPrefix(text) else { return false }
        let rest = id.dropFirst(text.count)
        return rest.isEmpty || rest.first == "_" && (Int(rest.dropFirst()) ?? 0) > 1
    }

    private func slug(_ folder: String) -> String {
        folder.lowercased().replacing(" ", with: "_")
    }

    // MARK: Lines

    private func lines() -> [String] {
        var lines: [String] = []
        for index in categories.indices.sorted(by: { id(of: $0) < id(of: $1) }) {
            let shown = shown(in: index)
            guard !shown.isEmpty else { continue }
            lines.append("category \(id(of: index)) \"\(title(of: index))\"")
            lines += shown.map { "  \(line($0))" }
        }
        let removed = stickers.filter { $0.isRemoved && $0.id != nil }.compactMap(\.id)
        return lines + removed.sorted().map { "removed \($0)" }
    }

    private func id(of category: Int) -> String {
        categories[category].id ?? "\(slug(categories[category].firstName))…"
    }

    /// The title of a category: of its files in the order of the drops `category.json` comes before `title.txt`,
    /// and both before the name of the folder.
    private func title(of category: Int) -> String {
        let folders = self.folders(of: category)
        let said =
            folders.compactMap { categoryFiles[$0]?.title } + folders.compactMap { titles[$0] }
        return said.first ?? categories[category].folder
    }

    /// The stickers of a category, in order.
    private func shown(in category: Int) -> [Int] {
        let paths = Dictionary(uniqueKeysWithValues: pictures.map { ($1, $0) })
        let place = { (index: Int) -> (Int, Int, String, String) in
            let sticker = stickers[index]
            let said = paths[index].map(said(about:)) ?? Words()
            let (rank, file) = (sticker.name.rank, sticker.name.file)
            return (said.order ?? sticker.name.order ?? .max, rank, file, sticker.id ?? "~")
        }
        return stickers.indices
            .filter { stickers[$0].category == category && !stickers[$0].isRemoved }
            .sorted { place($0) < place($1) }
    }

    private func line(_ index: Int) -> String {
        let sticker = stickers[index]
        let path = pictures.first { $0.value == index }?.key ?? ""
        let folders = self.folders(of: sticker.category)
        let named = Words(
            title: sticker.name.title,
            emojis: sticker.name.emojis.isEmpty ? nil : sticker.name.emojis)
        let said = said(about: path)
        let words = said.filled(from: named)
        let defaults = folders.lazy.compactMap { categoryFiles[$0]?.emojis }.first
        return Self.line(
            id: sticker.id ?? "\(sticker.name.id)…", title: words.title ?? "",
            emojis: words.emojis ?? defaults ?? [], keywords: words.keywords, order: words.order,
            file: sticker.name.file, picture: sticker.picture)
    }

    private static func line(
        id: String, title: String, emojis: [String], keywords: [String]?, order: Int?, file: String,
        picture: Int?
    ) -> String {
        let order = order.map { " order \($0)" } ?? ""
        return "\(id) \"\(title)\" \(emojis) \(keywords ?? [])\(order) from \(file), picture "
            + (picture.map(String.init) ?? "unknown")
    }

    private static func lines(_ published: PublishedLife) -> [String] {
        var lines: [String] = []
        for (category, pages) in published.library.categories.sorted(by: { $0.key < $1.key }) {
            let title = pages.first?.title ?? ""
            let said = published.titles[category] ?? ""
            lines.append(
                "category \(category) \"\(title)\""
                    + (said == title ? "" : ", in the index \"\(said)\""))
            lines += pages.flatMap(\.stickers).map { sticker in
                "  "
                    + line(
                        id: sticker.identifier.rawValue, title: sticker.title,
                        emojis: sticker.emojis, keywords: sticker.keywords, order: sticker.order,
                        file: sticker.source.name,
                        picture: Art.number(sticker.source.sha256.rawValue))
            }
        }
        return lines + published.removed.sorted().map { "removed \($0)" }
    }
}
