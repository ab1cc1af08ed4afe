import StickerContainers
import StickerValues

/// The imported files in terms of packs, with the faults so far.
struct PackFiles {
    let tree: any PackTree
    let limits: ImportLimits
    /// The paths of all files, in order.
    let paths: [String]
    /// Faults of descriptions so far; limited in number.
    private(set) var faults: [ImportFault] = []
    /// Maps canonically equivalent texts to the spelling of the files.
    private let spelling: [String: String]
    private let byFolder: [String: [String]]
    /// Files of pasteboard JSON, so that each is reported once.
    private var handovers: Set<String> = []
    /// Unreadable descriptions, so that each is reported once.
    private var unreadable: Set<String> = []
    private var descriptionBytesLeft: Int

    init(_ tree: any PackTree, _ limits: ImportLimits) {
        self.tree = tree
        self.limits = limits
        descriptionBytesLeft = limits.descriptionsBytesMax
        paths = tree.paths
        spelling = Dictionary(paths.map { ($0, $0) }) { first, _ in first }
        byFolder = Dictionary(grouping: paths, by: TreePath.folder)
    }

    /// The folders that hold files, in order; the top is empty.
    var folders: [String] { byFolder.keys.sorted() }

    /// The paths of the files in a folder, in order.
    func files(in folder: String) -> [String] { byFolder[folder] ?? [] }

    /// The pictures in a folder, judged by their names, in order.
    func pictures(in folder: String) -> [String] { files(in: folder).filter(Self.isPicture) }

    /// The size of a picture by its first bytes; `nil` if unknown.
    func size(ofPicture path: String) -> PixelSize? {
        // Reading the whole picture reports errors.
        guard let start = try? tree.firstBytes(4096, at: path) else { return nil }
        return PictureOutline.read(SourceBytes(start))?.size
    }

    /// Whether there is a file at that path.
    func has(_ path: String) -> Bool { spelling[path] == path }

    /// The path of a file in a folder, whatever its case.
    func file(_ name: String, in folder: String) -> String? {
        files(in: folder).first { TreePath.name(of: $0).lowercased() == name }
    }

    /// The first of some paths that exists.
    func first(of candidates: [String]) -> String? {
        candidates.lazy.compactMap { spelling[$0] }.first
    }

    /// The name of a folder, or of the tree for its top; see `FolderNames`.
    func name(ofFolder folder: String) -> String {
        let name = FolderNames.telling([tree.name] + folder.split(separator: "/").map(String.init))
        for ending in [".wastickers", ".bundle"] where name.lowercased().hasSuffix(ending) {
            return String(name.dropLast(ending.count))
        }
        return name
    }

    mutating func note(_ fault: ImportFault) {
        if faults.count < 1000 { faults.append(fault) }
    }

    /// Reads a description as JSON; `nil` and a fault if it cannot be read.
    mutating func json(_ path: String) -> JSONValue? {
        guard !isHandover(path) else { return nil }
        return description(path) { (bytes) throws(ImportFault) in
            do throws(JSONSyntaxError) { return try JSONParser.parse(bytes) } catch {
                throw ImportFault(
                    .badDescription, path, "it is not JSON", measured: "\(error)",
                    limit: "JSON in UTF-8", remedy: "correct it there")
            }
        }
    }

    /// Reads a description as text; `nil` and a fault if it cannot be read.
    mutating func text(_ path: String) -> String? {
        description(path) { (bytes) throws(ImportFault) in
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            let content = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
            if let text = String(validating: content, as: UTF8.self) { return text }
            throw ImportFault(
                .badDescription, path, "the text is not UTF-8", limit: "UTF-8",
                remedy: "save it as UTF-8")
        }
    }

    /// The visible part of the title of a pack; notes a fault if it is cut.
    ///
    /// - Parameters:
    ///   - text: from the description.
    ///   - path: the description.
    /// - Returns: `nil` if nothing is visible.
    mutating func title(_ text: String?, in path: String) -> String? {
        guard let text, let title = text.visible(atMost: TextLimit.title) else { return nil }
        if text.visible(atMost: 2 * TextLimit.title) != title {
            note(
                ImportFault(
                    .titleCut, path, "the title is cut", measured: "\(text.count) characters",
                    limit: "\(TextLimit.title)", remedy: "shorten it there"))
        }
        return title
    }

    /// The title in a file of a folder; notes a fault if it is cut.
    mutating func title(inFile name: String, of folder: String) -> String? {
        guard let path = file(name, in: folder) else { return nil }
        return title(text(path), in: path)
    }

    /// The visible part of a text file in a folder, whatever the case of its name; `nil` if nothing is visible.
    mutating func text(_ name: String, in folder: String, atMost limit: Int) -> String? {
        file(name, in: folder).flatMap { text($0) }?.visible(atMost: limit)
    }

    /// Whether JSON is that of an iOS app's pasteboard for WhatsApp, which has megabytes and is not parsed; notes a
    /// fault the first time.
    private mutating func isHandover(_ path: String) -> Bool {
        guard !handovers.contains(path) else { return true }
        // Reading it reports errors.
        guard let start = try? tree.firstBytes(16 << 10, at: path), PasteboardJSON.begins(start)
        else {
            return false
        }
        handovers.insert(path)
        note(
            ImportFault(
                .noPack, path, "the JSON for WhatsApp's pasteboard is not imported",
                remedy: "import the form wastickers, android or ios of the pack"))
        return true
    }

    private mutating func description<Value>(
        _ path: String, _ read: ([UInt8]) throws(ImportFault) -> Value
    ) -> Value? {
        guard !unreadable.contains(path) else { return nil }
        do throws(ImportFault) {
            let bytes = try tree.bytes(
                at: path, atMost: min(limits.descriptionBytesMax, descriptionBytesLeft))
            descriptionBytesLeft -= bytes.count
            return try read(bytes)
        } catch {
            unreadable.insert(path)
            note(error)
            return nil
        }
    }

    private static func isPicture(_ path: String) -> Bool {
        let ext = FileName.fileExtension(Array(TreePath.name(of: path).utf8))
        return FileKind.pictureExtensions.contains(ext)
    }
}

extension PackFiles {
    /// The path of a file that a description names.
    ///
    /// - Parameters:
    ///   - name: the path as written there.
    ///   - description: the description.
    ///   - candidates: possible paths, the likeliest first.
    /// - Returns: the first that exists; `nil` and a fault if none does, or if the name leads elsewhere.
    mutating func place(
        named name: String, in description: String, _ candidates: [String]
    ) -> String? {
        guard TreePath.staysBelow(name) else {
            note(
                ImportFault(
                    .badPath, description, "it names a file in another place", measured: name,
                    limit: "a path below its own folder", remedy: "put the file there"))
            return nil
        }
        guard let place = first(of: candidates) else {
            note(
                ImportFault(
                    .missingFile, candidates.last ?? name, "the file is not there",
                    measured: "no file", limit: "a file named by \(description)",
                    remedy: "add it, or remove it from \(description)"))
            return nil
        }
        return place
    }

    /// The first stickers of a list, up to the limit for a pack; notes a fault if there are more.
    mutating func taken<List: Collection>(_ list: List, ofPack pack: String) -> List.SubSequence {
        if let fault = limits.fault(ofPack: pack, stickers: list.count) { note(fault) }
        return list.prefix(limits.stickersMax)
    }
}
