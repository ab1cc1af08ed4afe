import StickerValues

/// Pictures with a list of uploads for Discord, Misskey, Slack, Telegram or Zulip beside them. Unlisted pictures are
/// not stickers, and a list without any of its files is ignored.
struct UploadListForm: PackForm {
    func packs(in files: inout PackFiles, besides isTaken: (String) -> Bool) -> FoundPacks {
        var found = FoundPacks()
        for list in UploadList.all {
            for path in files.paths where TreePath.name(of: path) == list.fileName {
                let folder = TreePath.folder(of: path)
                guard found.packs.count <= files.limits.packsMax, !isTaken(folder),
                    let value = files.json(path), let uploads = list.uploads(in: value)
                else { continue }
                let pack = Self.pack(value, uploads, list, path, &files)
                // The folder may be a pack of another form with an added list.
                guard !pack.stickers.isEmpty else { continue }
                Self.noteOthers(besides: pack, uploads.compactMap(list.file), path, &files)
                found.packs.append(pack)
                found.folders.insert(folder)
            }
        }
        return found
    }

    /// Notes pictures beside a list that are not in it.
    private static func noteOthers(
        besides pack: ImportedPack, _ listed: [String], _ path: String, _ files: inout PackFiles
    ) {
        let folder = TreePath.folder(of: path)
        let listed = Set(listed.map { TreePath.join(folder, $0) } + [pack.cover].compactMap(\.self))
        let others = files.pictures(in: folder).filter { !listed.contains($0) }
        guard !others.isEmpty else { return }
        let names = others.prefix(3).map(TreePath.name).joined(separator: ", ")
        files.note(
            ImportFault(
                .notListed, path, "pictures beside the list that it does not name are not stickers",
                measured: "\(others.count.counted("picture", "pictures")): \(names)"
                    + (others.count > 3 ? ", …" : ""),
                limit: "pictures that the list names",
                remedy: "add them to the list, or import them from a folder of their own"))
    }

    private static func pack(
        _ value: JSONValue, _ uploads: [JSONValue], _ list: UploadList, _ path: String,
        _ files: inout PackFiles
    ) -> ImportedPack {
        let folder = TreePath.folder(of: path)
        let title =
            files.title(list.title(value), in: path)
            ?? files.title(inFile: "title.txt", of: folder)
        let platform = list.platform(value)
        var pack = ImportedPack(
            form: list.form(value), name: title ?? files.name(ofFolder: folder), for: platform,
            list: path)
        pack.words.title = title
        pack.isOrdered = true
        pack.refused = UploadRules(pack, path).findings(in: value, uploads)
        pack.cover = list.cover.flatMap { files.first(of: [TreePath.join(folder, $0)]) }
        for (index, upload) in files.taken(uploads, ofPack: pack.name).enumerated() {
            guard let file = list.file(upload) else {
                files.note(
                    ImportFault(
                        .badDescription, path, "an entry of the list names no picture",
                        measured: "entry \(index + 1)", limit: "the name of a file",
                        remedy: "correct it there"))
                continue
            }
            guard let place = files.place(named: file, in: path, [TreePath.join(folder, file)])
            else { continue }
            var sticker = ImportedSticker(
                path: place, name: TreePath.stem(of: file), words: list.words(upload))
            sticker.shortcode = list.shortcode(upload)
            pack.stickers.append(sticker)
        }
        return pack
    }
}

/// The format of a platform's list.
private struct UploadList {
    var form: @Sendable (JSONValue) -> String
    var platform: @Sendable (JSONValue) -> PackPlatform?
    var fileName: String
    /// The key of the uploads; `nil` if the list is the whole file.
    var key: String?
    var cover: String?
    /// The title in the list; a `title.txt` beside it may add one.
    var title: @Sendable (JSONValue) -> String? = { _ in nil }
    var file: @Sendable (JSONValue) -> String?
    /// The name typed between colons.
    var shortcode: @Sendable (JSONValue) -> String? = { _ in nil }
    var words: @Sendable (JSONValue) -> StickerWords

    static let all = [telegram, discord, misskey, emoji]

    private static let telegram = UploadList(
        form: { _ in "Telegram" }, platform: { _ in .telegram }, fileName: "sticker_set.json",
        key: "stickers", cover: "thumbnail.png",
        title: { $0["title"]?.text }, file: { $0["sticker"]?.text }
    ) { upload in
        var words = StickerWords()
        words.emojis = upload["emoji_list"]?.texts.emojis
        words.keywords = upload["keywords"]?.texts.keywords
        return words
    }

    private static let discord = UploadList(
        form: { _ in "Discord" }, platform: { _ in .discord }, fileName: "stickers.json",
        file: { $0["file"]?.text }
    ) { upload in
        var words = StickerWords()
        words.title = upload["name"]?.text?.visible(atMost: TextLimit.title)
        words.emojis = upload["tags"]?.texts.emojis
        words.accessibilityText = upload["description"]?.text?
            .visible(atMost: TextLimit.accessibility)
        return words
    }

    /// The first alias is the title, as names have only Latin letters. The category is the pack's if all have the same;
    /// an archive of a whole instance has many.
    private static let misskey = UploadList(
        form: { _ in "Misskey" }, platform: { _ in .misskey }, fileName: "meta.json",
        key: "emojis",
        title: { list in
            let categories = Set(
                list["emojis"]?.items?.map { $0["emoji"]?["category"]?.text } ?? [])
            return categories.count == 1 ? categories.first ?? nil : nil
        },
        file: { $0["fileName"]?.text }, shortcode: { $0["emoji"]?["name"]?.text }
    ) { upload in
        let aliases = upload["emoji"]?["aliases"]?.texts ?? []
        var words = StickerWords()
        words.title = aliases.first?.visible(atMost: TextLimit.title)
        words.keywords = Array(aliases.dropFirst()).keywords
        return words
    }

    private static let emoji = UploadList(
        form: {
            ["slack": "Slack", "zulip": "Zulip"][$0["platform"]?.text ?? ""] ?? "Slack or Zulip"
        },
        platform: { $0["platform"]?.text.flatMap(PackPlatform.init) },
        fileName: "emoji.json", key: "emoji", title: { $0["title"]?.text },
        file: { $0["file"]?.text }, shortcode: { $0["name"]?.text }
    ) { upload in
        var words = StickerWords()
        words.title = upload["title"]?.text?.visible(atMost: TextLimit.title)
        words.keywords = upload["keywords"]?.texts.keywords
        return words
    }

    /// The uploads; `nil` if none of them names a file: other programs use these file names, too.
    func uploads(in value: JSONValue) -> [JSONValue]? {
        let uploads = key.map { value[$0]?.items } ?? value.items
        guard let uploads, uploads.contains(where: { file($0) != nil }) else { return nil }
        return uploads
    }
}
