import StickerValues

/// The folder of an app for WhatsApp (https://github.com/WhatsApp/stickers): `contents.json` with a folder for each
/// pack on Android, `sticker_packs.wasticker` with everything beside it on iOS.
struct WhatsAppAppForm: PackForm {
    func packs(in files: inout PackFiles, besides isTaken: (String) -> Bool) -> FoundPacks {
        var found = FoundPacks()
        for path in files.paths where Self.isManifest(path) {
            guard let manifest = files.json(path) else { continue }
            let packs = manifest["sticker_packs"]?.items?.filter { $0.members != nil } ?? []
            guard !packs.isEmpty else {
                files.note(
                    ImportFault(
                        .badDescription, path, "it has no packs",
                        limit: "a list sticker_packs of objects",
                        remedy: "name another folder, or correct it"))
                continue
            }
            for value in packs.prefix(files.limits.packsMax + 1) {
                let reader = Reader(path: path, manifest: manifest, value: value)
                let pack = reader.pack(&files)
                found.packs.append(pack)
                found.folders.formUnion(pack.stickers.map { TreePath.folder(of: $0.path) })
            }
            found.folders.insert(TreePath.folder(of: path))
        }
        return found
    }

    /// Not `Contents.json`, which Xcode's asset catalogs have many of.
    static func isManifest(_ path: String) -> Bool {
        TreePath.name(of: path) == "contents.json" || path.hasSuffix(".wasticker")
    }
}

private struct Reader {
    let path: String
    let manifest: JSONValue
    let value: JSONValue

    private var folder: String { TreePath.folder(of: path) }

    func pack(_ files: inout PackFiles) -> ImportedPack {
        let name = value["name"]?.text ?? value["identifier"]?.text ?? files.name(ofFolder: folder)
        var pack = ImportedPack(
            form: path.hasSuffix(".json") ? "WhatsApp, Android" : "WhatsApp, iOS", name: name,
            for: .whatsapp, list: path)
        pack.isOrdered = true
        pack.words.title = title
        pack.words.publisher = value["publisher"]?.text?.visible(atMost: TextLimit.publisher)
        pack.words.links = links(&files)
        pack.cover = value["tray_image_file"]?.text.flatMap { place(of: $0, &files) }
        for sticker in files.taken(value["stickers"]?.items ?? [], ofPack: name) {
            guard let file = sticker["image_file"]?.text else {
                files.note(
                    ImportFault(
                        .badDescription, path, "a sticker of \(name) names no picture",
                        limit: "a file as image_file", remedy: "correct it there"))
                continue
            }
            guard let place = place(of: file, &files) else { continue }
            pack.stickers.append(
                ImportedSticker(
                    path: place, name: TreePath.stem(of: file), words: words(of: sticker)))
        }
        return pack
    }

    /// Without the word that `export` adds to the title of an animated pack.
    private var title: String? {
        let title = value["name"]?.text?.visible(atMost: TextLimit.title)
        guard let title, let identifier = value["identifier"]?.text,
            value["animated_sticker_pack"] == .bool(true)
        else { return title }
        return PackSuffix.withoutMoving(title, ofPack: identifier)
    }

    private func words(of sticker: JSONValue) -> StickerWords {
        var words = StickerWords(spoken: sticker["accessibility_text"]?.text)
        words.emojis = sticker["emojis"]?.texts.emojis
        return words
    }

    private func links(_ files: inout PackFiles) -> Links? {
        var links = Links()
        let keys: [(WritableKeyPath<Links, String?>, JSONValue, String)] = [
            (\.website, value, "publisher_website"), (\.email, value, "publisher_email"),
            (\.privacyPolicy, value, "privacy_policy_website"),
            (\.licence, value, "license_agreement_website"),
            (\.appStore, manifest, "ios_app_store_link"),
            (\.playStore, manifest, "android_play_store_link"),
        ]
        for (link, source, key) in keys {
            if let fault = links.set(link, source[key], key, in: path) {
                files.note(fault)
            }
        }
        return links.ifAny
    }

    /// The path of a file that the manifest names: in the folder of its pack, or beside the manifest.
    private func place(of file: String, _ files: inout PackFiles) -> String? {
        var candidates = [TreePath.join(folder, file)]
        if let identifier = value["identifier"]?.text, TreePath.staysBelow(identifier) {
            candidates.insert(TreePath.join(TreePath.join(folder, identifier), file), at: 0)
        }
        return files.place(named: file, in: path, candidates)
    }
}
