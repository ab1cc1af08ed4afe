import StickerValues

/// Packs of Matrix with their pictures beside them: the content of a state event `m.room.image_pack` (MSC2545), whose
/// images have a path `file` in place of an uploaded `url`.
struct MatrixForm: PackForm {
    func packs(in files: inout PackFiles, besides isTaken: (String) -> Bool) -> FoundPacks {
        var found = FoundPacks()
        for path in files.paths where Self.isCandidate(path) && !isTaken(TreePath.folder(of: path))
        {
            guard found.packs.count <= files.limits.packsMax, let value = files.json(path)
            else { continue }
            // The whole event, or only its content.
            let content = value["content"] ?? value
            guard let images = content["images"]?.members else { continue }
            let pack = Self.pack(content, images, path, &files)
            found.packs.append(pack)
            found.folders.formUnion(pack.stickers.map { TreePath.folder(of: $0.path) })
        }
        return found
    }

    private static func isCandidate(_ path: String) -> Bool {
        path.lowercased().hasSuffix(".json") && TreePath.name(of: path) != "contents.json"
    }

    private static func pack(
        _ content: JSONValue, _ images: JSONObject, _ path: String,
        _ files: inout PackFiles
    ) -> ImportedPack {
        let folder = TreePath.folder(of: path)
        let about = content["pack"]
        let name = about?["display_name"]?.text ?? TreePath.stem(of: path)
        var pack = ImportedPack(form: "Matrix", name: name, for: .matrix, list: path)
        pack.words.title = files.title(about?["display_name"]?.text, in: path)
        pack.words.publisher = about?["attribution"]?.text?.visible(atMost: TextLimit.publisher)
        if let cover = about?["file"]?.text ?? about?["avatar_file"]?.text {
            pack.cover = files.place(named: cover, in: path, [TreePath.join(folder, cover)])
        }
        // JSON keys have no order, so the names determine it.
        let inOrder = images.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
        for (shortcode, image) in files.taken(inOrder, ofPack: name) {
            guard let file = image["file"]?.text else {
                files.note(
                    ImportFault(
                        .missingFile, path, "the image \(shortcode) names no file",
                        limit: "a path as images.SHORTCODE.file",
                        remedy: "download it, and name its file"))
                continue
            }
            guard let place = files.place(named: file, in: path, [TreePath.join(folder, file)])
            else { continue }
            pack.stickers.append(
                ImportedSticker(
                    path: place, name: shortcode, words: StickerWords(spoken: image["body"]?.text)))
        }
        return pack
    }
}
