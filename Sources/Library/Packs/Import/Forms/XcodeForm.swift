import StickerValues

/// Catalogs of Xcode for iMessage (Asset Catalog Format Reference, types "Sticker pack" and "Sticker"): a folder
/// `*.stickerpack` with a folder `*.sticker` for each picture, and `Contents.json` in each of them.
struct XcodeForm: PackForm {
    private static let packEnding = ".stickerpack"
    private static let listName = "Contents.json"

    func packs(in files: inout PackFiles, besides isTaken: (String) -> Bool) -> FoundPacks {
        var found = FoundPacks()
        for folder in files.folders where !isTaken(folder) {
            let name = folder.isEmpty ? files.tree.name : folder
            guard name.hasSuffix(Self.packEnding) else { continue }
            let list = TreePath.join(folder, Self.listName)
            guard found.packs.count <= files.limits.packsMax, let value = files.json(list)
            else { continue }
            let pack = Self.pack(value, list, folder, &files)
            found.packs.append(pack)
            found.folders.insert(folder)
            found.folders.formUnion(pack.stickers.map { TreePath.folder(of: $0.path) })
        }
        return found
    }

    private static func pack(
        _ value: JSONValue, _ list: String, _ folder: String, _ files: inout PackFiles
    ) -> ImportedPack {
        var pack = ImportedPack(
            form: "Xcode", name: name(ofPack: folder, files), for: .imessage, list: list)
        pack.isOrdered = true
        let listed = value["stickers"]?.items?.compactMap { $0["filename"]?.text } ?? []
        for name in files.taken(listed, ofPack: pack.name) {
            let contents = TreePath.join(TreePath.join(folder, name), listName)
            guard let contents = files.place(named: name, in: list, [contents]),
                let properties = files.json(contents)?["properties"]
            else { continue }
            guard let file = properties["filename"]?.text else {
                files.note(
                    ImportFault(
                        .badDescription, contents, "it names no picture",
                        limit: "the name of a file as properties.filename",
                        remedy: "correct it there"))
                continue
            }
            let place = TreePath.join(TreePath.folder(of: contents), file)
            guard let path = files.place(named: file, in: contents, [place]) else { continue }
            let spoken = properties["accessibility-label"]?.text
            pack.stickers.append(
                ImportedSticker(
                    path: path, name: TreePath.stem(of: name), words: StickerWords(spoken: spoken)))
        }
        return pack
    }

    /// The folder of the catalog has a better name than `Stickers.xcstickers/Sticker Pack.stickerpack`.
    private static func name(ofPack folder: String, _ files: PackFiles) -> String {
        let folder = folder.isEmpty ? files.tree.name : folder
        let catalog = TreePath.folder(of: folder)
        let isCatalog = catalog.hasSuffix(".xcstickers") || catalog.hasSuffix(".xcassets")
        return isCatalog
            ? files.name(ofFolder: TreePath.folder(of: catalog))
            : String(TreePath.name(of: folder).dropLast(packEnding.count))
    }
}
