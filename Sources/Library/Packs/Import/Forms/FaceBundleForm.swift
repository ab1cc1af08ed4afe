import StickerValues

/// Tencent's `CustomFaceResource.bundle`: a folder for each group with `name@2x.png` or `name.gif`, and `menu@2x.png`
/// for the group itself.
struct FaceBundleForm: PackForm {
    func packs(in files: inout PackFiles, besides isTaken: (String) -> Bool) -> FoundPacks {
        var found = FoundPacks()
        let lists = FaceList.all(in: &files)
        for folder in files.folders where !isTaken(folder) {
            let faces = Faces(files.pictures(in: folder))
            guard let menu = faces.paths["menu"], faces.isScaled else { continue }
            var pack = ImportedPack(
                form: "TUIKit", name: files.name(ofFolder: folder), for: .tuikit)
            pack.words.title = pack.name.visible(atMost: TextLimit.title)
            pack.cover = menu
            pack.stickers = faces.paths.filter { $0.key != "menu" }
                .sorted { $0.key < $1.key }
                .map { ImportedSticker(path: $0.value, name: Self.name(of: $0.key, $0.value)) }
            lists.first { $0.folder == TreePath.name(of: folder) }?.describe(&pack)
            found.packs.append(pack)
            found.folders.insert(folder)
        }
        return found
    }

    /// The name of the face: keys of files other than PNGs end in their extension.
    private static func name(of key: String, _ path: String) -> String {
        path.lowercased().hasSuffix(".png") ? key : TreePath.stem(of: key)
    }
}

/// The pictures of a folder, each once, by name: the largest of several scales.
private struct Faces {
    /// Paths by name; files other than PNGs keep their extension.
    private(set) var paths: [String: String] = [:]
    /// Whether a name has a screen scale.
    private(set) var isScaled = false

    init(_ pictures: [String]) {
        // Smallest scale first, so that the largest remains.
        for ending in ["", "@2x", "@3x"] {
            for path in pictures {
                let stem = TreePath.stem(of: path)
                let isOfScale = ending.isEmpty ? !Self.hasScale(stem) : stem.hasSuffix(ending)
                guard isOfScale else { continue }
                let name = String(stem.dropLast(ending.count))
                let ext = FileName.fileExtension(Array(path.utf8))
                paths[ext == "png" ? name : "\(name).\(ext)"] = path
                isScaled = isScaled || !ending.isEmpty
            }
        }
    }

    private static func hasScale(_ stem: String) -> Bool {
        stem.hasSuffix("@2x") || stem.hasSuffix("@3x")
    }
}

/// The description of a group for an app on iOS.
private struct FaceList {
    let folder: String
    private let title: String?
    /// Titles by name, and the place of each name.
    private let titles: [String: String]
    private let places: [String: Int]

    /// The descriptions in all lists.
    static func all(in files: inout PackFiles) -> [FaceList] {
        files.paths.filter { TreePath.name(of: $0) == "ios.json" }
            .flatMap { files.json($0)?.items?.compactMap(FaceList.init) ?? [] }
    }

    init?(_ group: JSONValue) {
        guard let folder = group["groupPath"]?.text, let faces = group["faces"]?.items else {
            return nil
        }
        self.folder = folder
        title = group["groupName"]?.text?.visible(atMost: TextLimit.title)
        var (titles, places): ([String: String], [String: Int]) = ([:], [:])
        for (place, face) in faces.enumerated() {
            guard let name = face["name"]?.text else { continue }
            places[name] = places[name] ?? place
            titles[name] = face["localizableName"]?.text?.visible(atMost: TextLimit.title)
        }
        (self.titles, self.places) = (titles, places)
    }

    /// Adds the known facts about the faces of a group.
    func describe(_ pack: inout ImportedPack) {
        pack.name = title ?? pack.name
        pack.words.title = title ?? pack.words.title
        pack.isOrdered = true
        for index in pack.stickers.indices {
            pack.stickers[index].words.title = titles[pack.stickers[index].name]
        }
        // Stable: unknown faces stay after the others.
        pack.stickers.sort { places[$0.name] ?? .max < places[$1.name] ?? .max }
    }
}
