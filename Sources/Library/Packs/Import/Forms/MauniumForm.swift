import StickerValues

/// Packs of the sticker picker for Matrix (https://github.com/maunium/stickerpicker), with their pictures beside
/// them.
struct MauniumForm: PackForm {
    func packs(in files: inout PackFiles, besides isTaken: (String) -> Bool) -> FoundPacks {
        var found = FoundPacks()
        for path in files.paths where path.lowercased().hasSuffix(".json") {
            let folder = TreePath.folder(of: path)
            guard found.packs.count <= files.limits.packsMax, !isTaken(folder),
                let value = files.json(path), let stickers = value["stickers"]?.items,
                stickers.contains(where: { $0["url"] != nil || $0["msgtype"] != nil })
            else { continue }
            let pack = Self.pack(value, stickers, path, &files)
            found.packs.append(pack)
            found.folders.formUnion(pack.stickers.map { TreePath.folder(of: $0.path) })
        }
        return found
    }

    private static func pack(
        _ value: JSONValue, _ stickers: [JSONValue], _ path: String, _ files: inout PackFiles
    ) -> ImportedPack {
        let name = value["title"]?.text ?? TreePath.stem(of: path)
        var pack = ImportedPack(
            form: "maunium stickerpicker", name: name, for: .matrix, list: path)
        pack.isOrdered = true
        pack.words.title = files.title(value["title"]?.text, in: path)
        for sticker in files.taken(stickers, ofPack: name) {
            guard let place = place(of: sticker, path, &files) else { continue }
            var words = StickerWords(spoken: sticker["body"]?.text)
            let telegram = sticker["net.maunium.telegram.sticker"]?["emoticons"]?.texts.emojis
            words.emojis = telegram ?? words.emojis
            pack.stickers.append(
                ImportedSticker(path: place, name: TreePath.stem(of: place), words: words))
        }
        return pack
    }

    /// The picture itself is on a server; beside the pack it is searched for by the name of its file, by its id, and by
    /// the id of its upload.
    private static func place(
        of sticker: JSONValue, _ path: String, _ files: inout PackFiles
    ) -> String? {
        let folder = TreePath.folder(of: path)
        if let file = sticker["file"]?.text ?? sticker["filename"]?.text {
            return files.place(named: file, in: path, [TreePath.join(folder, file)])
        }
        let upload = sticker["url"]?.text.map { TreePath.name(of: $0) }
        let names = [sticker["id"]?.text, upload].compactMap(\.self).filter(TreePath.staysBelow)
        let candidates = names.flatMap { name in
            ([""] + FileKind.pictureExtensions.map { ".\($0)" }).map {
                TreePath.join(folder, name + $0)
            }
        }
        if let place = files.first(of: candidates) { return place }
        files.note(
            ImportFault(
                .missingFile, path,
                "the picture of the sticker \(names.first ?? "without an id") is not there",
                limit: "a file beside it named by its id",
                remedy: "download \(sticker["url"]?.text ?? "it") into that folder"))
        return nil
    }
}
