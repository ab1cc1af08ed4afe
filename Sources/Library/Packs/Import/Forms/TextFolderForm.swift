import StickerValues

/// A folder of pictures with texts beside them: `title.txt`, `author.txt`, `emoji.txt` and `cover.png`. `.wastickers`
/// archives and folders for Signal's creator have this form.
struct TextFolderForm: PackForm {
    func packs(in files: inout PackFiles, besides isTaken: (String) -> Bool) -> FoundPacks {
        var found = FoundPacks()
        for folder in files.folders where !isTaken(folder) {
            let texts = ["title.txt", "author.txt", "emoji.txt"]
            guard texts.contains(where: { files.file($0, in: folder) != nil }) else { continue }
            found.packs.append(Self.pack(folder, &files))
            found.folders.insert(folder)
        }
        return found
    }

    static func pack(_ folder: String, _ files: inout PackFiles) -> ImportedPack {
        let title = files.title(inFile: "title.txt", of: folder)
        let name = files.name(ofFolder: folder)
        var pack = ImportedPack(
            form: "folder", name: title ?? name, for: platform(of: folder, files))
        pack.words.publisher = files.text(
            "author.txt", in: folder, atMost: TextLimit.publisher)
        let isCover = { TreePath.stem(of: $0).lowercased() == "cover" }
        let covers = files.pictures(in: folder).filter(isCover)
        let others = files.pictures(in: folder).filter { !isCover($0) }
        let icons = PlatformIcon.icons(among: others, files)
        let stickers = others.filter { !icons.contains($0) }
        pack.cover = covers.first ?? icons.first
        pack.words.title = title.map {
            isStickerMakers(stickers) ? PackSuffix.withoutMoving($0, ofPack: name) : $0
        }
        let emojis = emojis(folder, &files)
        pack.stickers = stickers.map { path in
            var sticker = ImportedSticker(path: path, name: TreePath.stem(of: path))
            let said = emojis[sticker.name] ?? emojis[TreePath.name(of: path)]
            sticker.words.emojis = said?.texts.emojis
            return sticker
        }
        return pack
    }

    /// Emoji files are for Signal; sticker makers for WhatsApp do not read them. A set for LINE has its two pictures
    /// and no text.
    private static func platform(of folder: String, _ files: PackFiles) -> PackPlatform? {
        if folder.lowercased().hasSuffix(".wastickers") { return .whatsapp }
        if files.file("emoji.txt", in: folder) != nil { return .signal }
        if files.file("title.txt", in: folder) != nil { return .whatsapp }
        let isSet = ["main.png", "tab.png"].allSatisfy { files.file($0, in: folder) != nil }
        return isSet ? .line : nil
    }

    /// Whether pictures are named as in the archives that `export` makes for sticker makers: `01.webp` and so on.
    private static func isStickerMakers(_ pictures: [String]) -> Bool {
        pictures.enumerated().allSatisfy { index, path in
            TreePath.name(of: path) == "\((index + 1).withZeros(to: 2)).webp"
        }
    }

    /// The emoji of each picture, by its name with or without extension.
    private static func emojis(
        _ folder: String, _ files: inout PackFiles
    ) -> JSONObject {
        guard let path = files.file("emoji.txt", in: folder), let value = files.json(path)
        else { return [:] }
        if let members = value.members { return members }
        files.note(
            ImportFault(
                .badDescription, path, "it is not an object", limit: "a key for each picture",
                remedy: "correct it there"))
        return [:]
    }
}
