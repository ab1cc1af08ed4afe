import FoundationEssentials
import GRDB
import Glibc
import StickerConfiguration
public import StickerSystem
import StickerValues

/// The result of a rebuild from manifests.
public struct Rebuilt: Hashable, Sendable {
    /// Categories whose manifest was read.
    public var categories = 0
    /// Stickers that keep their id and stay published.
    public var stickers = 0
    /// Those of them whose file was not found, but one of another format in its place; the next scan makes that their
    /// next version.
    public var continued = 0
    /// Those of them without any file in a drop; they are removed after the grace.
    public var withoutFile = 0
    /// Stickers removed before, whose ids stay reserved.
    public var removed = 0
    /// Manifests, lists and pages that could not be read, with the reason.
    public var unreadable: [String] = []
    /// Folders of the drops that were skipped, with the reason: unreadable, or nested too deep.
    public var skippedFolders: [String] = []

    /// Creates an empty summary.
    public init() {}

    /// Whether nothing was published.
    public var isEmpty: Bool { categories == 0 && removed == 0 && unreadable.isEmpty }
}

/// Fills a new store from the published files, so that ids survive a damaged database.
///
/// Jobs are lost. The next scan reads every file again and remakes its pictures; meanwhile the old ones stay published.
public enum Rebuild {
    /// Checks that there is something to rebuild from, before anything is changed.
    ///
    /// - Parameter out: the published folder.
    /// - Throws: `FolderError` if it does not exist, `FileError` if it cannot be listed.
    public static func demandPublished(_ out: String) throws {
        guard access(out, F_OK) == 0 || errno != ENOENT else {
            throw FolderError(
                "nothing is published, \(out) does not exist; there is nothing to rebuild: start "
                    + "stickerd, which makes everything")
        }
        _ = try FolderListing(out)
    }

    /// Moves a database and its log out of the way, to a new name next to the old one.
    ///
    /// - Parameter path: the database.
    /// - Returns: the new path; `nil` if there was no database.
    /// - Throws: `FileError` if it cannot be renamed.
    public static func setAside(_ path: String) throws(FileError) -> String? {
        let target = DatabaseFile.unused(path, "damaged")
        guard access(path, F_OK) == 0 else { return nil }
        for suffix in ["-wal", "-shm", ""] where access(path + suffix, F_OK) == 0 {
            try SystemCall.run("rename", path + suffix) { rename(path + suffix, target + suffix) }
        }
        try SystemCall.syncFolder(SystemCall.parentFolder(of: path))
        return target
    }

    /// Copies stickers from the manifests below `out` into a newly created store.
    ///
    /// - Parameters:
    ///   - store: an empty store.
    ///   - out: the published folder.
    ///   - drops: the watched folders; files are matched by category and base name.
    ///   - shipped: the one with the smart stickers of stickerd; only its files have their ids.
    /// - Returns: the recovered stickers.
    /// - Throws: `FileError` if `out` or a drop cannot be listed, `StoreError` if the store is not empty.
    public static func fill(
        _ store: LibraryStore, out: String, drops: [String], shipped: String? = nil
    ) throws -> Rebuilt {
        let folders = try categories(in: out)
        var rebuilt = Rebuilt()
        var files = try PublishedFiles(
            drops: folders.isEmpty ? [] : drops, shipped: shipped,
            defaultCategory: store.policy.defaultCategory)
        rebuilt.skippedFolders = files.skipped
        let readable = try files.sideFiles.compactMap { try ReadSideFile($0, store) }
        files.faulty = Set(files.sideFiles).subtracting(readable.map(\.key))
        var published: [Manifest] = []
        try store.write { transaction in
            guard try transaction.isEmpty() else {
                throw StoreError(
                    .other, "\(store.connection.path): is already in use; set it aside first")
            }
            for folder in folders {
                let pages = PublishedPages(Manifest.self, folder: folder, first: "manifest.json")
                guard var first = pages.first else {
                    rebuilt.unreadable += pages.unreadable
                    continue
                }
                rebuilt.categories += 1
                rebuilt.unreadable += pages.unreadable
                let isWhole = pages.unreadable.isEmpty
                let home = files.takeFolder(of: first, pages.elements.map(\.source.name))
                first.remove(store.policy.defaultWords, folder: home)
                published.append(first)
                try transaction.takeOver(
                    first, isWhole: isWhole, stickers: pages.elements.count, folder: home)
                files.contents = Set(pages.elements.map(\.source.sha256))
                let keys = pages.elements.map { sticker in
                    sticker.source.missing == true ? nil : files.take(folder: home, of: sticker)
                }
                let lost = try zip(pages.elements, keys).filter { sticker, key in
                    try key == nil && sticker.source.missing != true
                        && transaction.source(of: sticker.identifier) == nil
                }.map(\.0)
                if store.policy.deleteGrace > .zero { files.findHeirs(of: lost, in: home) }
                for (sticker, key) in zip(pages.elements, keys) {
                    try takeOver(sticker, key, of: first, home, &files, transaction, &rebuilt)
                }
            }
            rebuilt.continued = files.heirs.count
            for file in readable { try transaction.takeOver(file) }
            for category in published {
                try transaction.keepWords(category.words, of: category.identifier, files.faulty)
            }
            try transaction.settleWords()
            let index = PublishedIndex(out: out)
            try transaction.continueIndex(index)
            try transaction.takeOverRemovals(in: out, index, &rebuilt)
        }
        return rebuilt
    }
}

extension Rebuild {
    /// Records a sticker of a manifest, with its file if found.
    private static func takeOver(
        _ sticker: ManifestSticker, _ key: SourceKey?, of manifest: Manifest, _ home: [UInt8],
        _ files: inout PublishedFiles, _ transaction: StoreTransaction, _ rebuilt: inout Rebuilt
    ) throws {
        guard sticker.source.missing != true else {
            try transaction.takeOverWithoutFile(sticker, manifest)
            return rebuilt.stickers += 1
        }
        if let known = try transaction.source(of: sticker.identifier) {
            // It was moving, and is in two manifests; its file decides.
            let isHere = key != nil && !known.isPresent
            try transaction.settleMove(of: known, to: isHere ? key : nil, manifest)
            guard isHere, files.heirs.removeValue(forKey: sticker.identifier) == nil else { return }
            return rebuilt.withoutFile -= 1
        }
        let former = sticker.source.formerNames ?? []
        let names = key.map { key in [key] + key.siblings(former.map { Array($0.utf8) }) }
        let isWordless = names.map { $0.contains(where: files.faulty.concern) } ?? true
        try transaction.takeOver(
            sticker, manifest, key ?? files.missing(home, sticker), isPresent: key != nil,
            isWordless: isWordless)
        rebuilt.stickers += 1
        let isLost = key == nil && files.heirs[sticker.identifier] == nil
        rebuilt.withoutFile += isLost ? 1 : 0
    }

    /// Whether any category has a published manifest below `out`.
    static func hasPublished(_ out: String) throws(FileError) -> Bool {
        guard access(out, F_OK) == 0 || errno != ENOENT else { return false }
        return try !categories(in: out).isEmpty
    }

    /// The published folders that hold the manifest of a category; ids never begin with `_`.
    private static func categories(in out: String) throws(FileError) -> [String] {
        let listing = try FolderListing(out)
        return try listing.rest()
            .filter { listing.isFolder($0) && $0.name.first != UInt8(ascii: "_") }
            .map { "\(out)/\(FileName.display($0.name))" }
            .filter { access("\($0)/manifest.json", F_OK) == 0 }
    }
}

/// A published list that may be cut into pages.
private protocol PublishedPage: Decodable {
    associatedtype Element
    var elements: [Element] { get }
    var nextURL: String? { get }
}

extension Manifest: PublishedPage {
    fileprivate var elements: [ManifestSticker] { stickers }
}

extension RemovedStickers: PublishedPage {
    fileprivate var elements: [RemovedSticker] { removed }
}

/// The pages of one published list.
private struct PublishedPages<Page: PublishedPage> {
    var first: Page?
    var elements: [Page.Element] = []
    var unreadable: [String] = []

    init(_ type: Page.Type, folder: String, first name: String) {
        var next: String? = name
        var seen: Set<String> = []
        while let name = next, seen.insert(name).inserted {
            let path = "\(folder)/\(name)"
            do {
                let data = try Data(contentsOf: URL(fileURLWithPath: path))
                let page = try StoredJSON.decode(type, json: data)
                elements += page.elements
                next = page.nextURL.map { String($0.split(separator: "/").last ?? "") }
                first = first ?? page
            } catch {
                let why = error is DecodingError ? "it is damaged, or not such a list" : "\(error)"
                unreadable.append("\(path): \(why)")
                next = nil
            }
        }
    }
}

/// `out/index.json` as published. An unreadable one counts as empty: it is written again.
private struct PublishedIndex {
    var generation: Int?
    var titles: [CategoryID: String] = [:]

    init(out: String) {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: "\(out)/index.json")),
            let index = try? StoredJSON.decode(LibraryIndex.self, json: data)
        else { return }
        generation = index.generation
        titles = Dictionary(
            index.categories.map { ($0.identifier, $0.title) }, uniquingKeysWith: { $1 })
    }
}

/// The files of the drops by their names in manifests.
private struct PublishedFiles {
    private struct Place: Hashable {
        var folder: [UInt8]
        var name: String

        init(folder: [UInt8], name: String) {
            self.folder = folder
            self.name = name
        }

        init(folder: [UInt8], stemOf name: [UInt8]) {
            self.init(folder: folder, name: FileName.display(FileName.stem(name)))
        }
    }

    private var keys: [Place: [SourceKey]] = [:]
    /// Pictures without a sticker yet, by their names without extension.
    private var stems: [Place: Set<SourceKey>] = [:]
    /// The files that continue stickers in another format.
    var heirs: [StickerID: SourceKey] = [:]
    /// The folders of categories by their titles, which may lack some characters of the folder names.
    private var folders: [String: Set<[UInt8]>] = [:]
    private var taken: Set<[UInt8]> = []
    private var missing: Set<SourceKey> = []
    private(set) var skipped: [String] = []
    private(set) var sideFiles: [SourceKey] = []
    /// Side files that are invalid now.
    var faulty: Set<SourceKey> = []
    /// The content hashes of the stickers of the current category.
    var contents: Set<ContentHash> = []
    private let drop: String
    private let shipped: String?
    private let defaultFolder: [UInt8]

    init(drops: [String], shipped: String?, defaultCategory: String) throws(FileError) {
        drop = drops.first ?? "/"
        self.shipped = shipped
        defaultFolder = Array(defaultCategory.utf8)
        for drop in drops {
            let found = try DropPictures(drop)
            note(found)
            sideFiles += found.sideFiles
            for key in found.keys {
                let folder = key.categoryFolder ?? defaultFolder
                let place = Place(folder: folder, name: FileName.display(key.name))
                keys[place, default: []].append(key)
                stems[Place(folder: folder, stemOf: key.name), default: []].insert(key)
                folders[FileName.title(FileName.display(folder)), default: []].insert(folder)
            }
        }
    }

    private mutating func note(_ found: DropPictures) {
        skipped += found.skipped
        let others = found.skippedCount - found.skipped.count
        if others > 0 { skipped.append("and \(others.counted("more folder", "more folders"))") }
    }

    /// The folder of a category, assigned only once: if several have its name or title, the one that holds most of its
    /// stickers' files. A folder that no longer exists is named like that.
    mutating func takeFolder(of manifest: Manifest, _ names: [String]) -> [UInt8] {
        let name = manifest.folder ?? manifest.title
        let title = FileName.title(name)
        let fits = (folders[title] ?? []).subtracting(taken).map { folder in
            (folder: folder, files: names.count { keys[Place(folder: folder, name: $0)] != nil })
        }
        var folder = fits.max { $0.files < $1.files }?.folder ?? Array(name.utf8)
        if taken.contains(folder) { folder += Array("/\(manifest.identifier)".utf8) }
        taken.insert(folder)
        return folder
    }

    /// The file that a sticker was made from, by its name; each is assigned only once. Of several files with this name
    /// in the folder and below it, the one with its bytes, else one whose bytes belong to no other sticker.
    mutating func take(folder: [UInt8], of sticker: ManifestSticker) -> SourceKey? {
        let source = sticker.source
        let place = Place(folder: folder, name: source.name)
        let isShipped = ShippedTemplates.include(
            sticker.identifier, madeFrom: Array(source.name.utf8))
        // Shipped ones and their copies have the same names and bytes.
        let namesakes = (keys[place] ?? []).filter { ($0.drop == shipped) == isShipped }
        guard namesakes.count > 1 else { return takeOut(namesakes.first, of: place) }
        let hashes = namesakes.map(SourceReader.content)
        let index =
            hashes.firstIndex(of: source.sha256)
            ?? hashes.firstIndex { $0.map(contents.contains) != true } ?? 0
        return takeOut(namesakes[index], of: place)
    }

    private mutating func takeOut(_ key: SourceKey?, of place: Place) -> SourceKey? {
        keys[place]?.removeAll { $0 == key }
        if let key { stems[Place(folder: place.folder, stemOf: key.name)]?.remove(key) }
        return key
    }

    /// Finds files that continue `lost` in other formats. As in a drop, two lost files that differ only in format have
    /// no heir; nor has one with such files in several folders.
    mutating func findHeirs(of lost: [ManifestSticker], in folder: [UInt8]) {
        let named = Dictionary(grouping: lost) { sticker in
            Place(folder: folder, stemOf: Array(sticker.source.name.utf8))
        }
        for (place, stickers) in named where stickers.count == 1 {
            let name = Array(stickers[0].source.name.utf8)
            let found = (stems[place] ?? []).filter { file in
                !file.isTemplate && file.drop != shipped
                    && ConflictCopy(file.name)?.isCertain != true
            }
            guard let first = found.first, !first.siblings([name])[0].isTemplate,
                found.allSatisfy({ ($0.drop, $0.directory) == (first.drop, first.directory) })
            else { continue }
            heirs[stickers[0].identifier] = first
        }
    }

    /// The former path of a missing file: beside its heir, if it has one. If there are several of that name, the others
    /// get folders of their own.
    mutating func missing(_ folder: [UInt8], _ sticker: ManifestSticker) -> SourceKey {
        let name = Array(sticker.source.name.utf8)
        var key =
            heirs[sticker.identifier]?.siblings([name])[0]
            ?? SourceKey(
                drop: drop, directory: folder == defaultFolder ? [] : folder, name: name)
        if !missing.insert(key).inserted {
            key.directory += Array("/\(sticker.identifier)".utf8)
        }
        return key
    }
}

extension LibraryStore {
    /// Whether nothing was ever recorded.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func isEmpty() throws(StoreError) -> Bool {
        try read { try $0.isEmpty() }
    }
}

extension StoreTransaction {
    fileprivate func isEmpty() throws -> Bool {
        // After an earlier rebuild without any files there are categories and removed stickers.
        try value("SELECT max(id) FROM source") as Int64? == nil
            && value("SELECT max(id) FROM category") as String? == nil
            && value("SELECT max(id) FROM sticker") as String? == nil
    }

    /// Records a category with its former generation; if its pages were incomplete, it is written again.
    fileprivate func takeOver(
        _ manifest: Manifest, isWhole: Bool, stickers: Int, folder: [UInt8]
    ) throws {
        let generation = manifest.generation
        try run(
            """
            INSERT INTO category (id, folder, title, folder_title, words, generation,
                published_generation, published_stickers)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                manifest.identifier.rawValue, Data(folder), FileName.title(manifest.title),
                FileName.title(manifest.folder ?? manifest.title),
                manifest.words.isEmpty ? nil : try StoredJSON.text(manifest.words),
                isWhole ? generation : generation + 1, generation, stickers,
            ])
        guard stickers == 0 else { return }
        // No drop in particular has it; the first one that shows a folder of that name gets it.
        try run(
            "INSERT OR IGNORE INTO category_folder (drop_path, name, category) VALUES ('', ?, ?)",
            [Data(folder), manifest.identifier.rawValue])
    }

    /// Records a sticker that was published without a file, and needs none.
    fileprivate func takeOverWithoutFile(_ sticker: ManifestSticker, _ manifest: Manifest) throws {
        let name = Array(sticker.source.name.utf8)
        let output = try takeOver(sticker, manifest.identifier, name: name, sticker.words)
        _ = try addSourceWithoutFile(
            of: sticker.identifier, manifest.identifier, name: name, sticker.source.sha256, output)
    }

    /// Records a sticker with its files, and its source file in a state that makes the next scan examine it again.
    fileprivate func takeOver(
        _ sticker: ManifestSticker, _ manifest: Manifest, _ key: SourceKey, isPresent: Bool,
        isWordless: Bool
    ) throws {
        let category = manifest.identifier.rawValue
        // The words of a missing picture, or from a faulty file, are known only as published.
        let words = isWordless ? sticker.words : nil
        let output = try takeOver(sticker, manifest.identifier, name: key.name, words)
        try run(
            """
            INSERT INTO source (drop_path, directory, name, kind, category, sticker, inode, size,
                mtime, ctime, present, missing_since, content, output, former_names)
            VALUES (?, ?, ?, 'picture', ?, ?, 0, 0, 0, 0, ?, ?, ?, ?, ?)
            """,
            [
                key.drop, Data(key.directory), Data(key.name), category,
                sticker.identifier.rawValue, isPresent, isPresent ? nil : now.boot,
                sticker.source.sha256.rawValue, output,
                SourceRow.joined((sticker.source.formerNames ?? []).map { Array($0.utf8) }),
            ])
        try run(
            "INSERT OR IGNORE INTO category_folder (drop_path, name, category) VALUES (?, ?, ?)",
            [key.drop, Data(key.categoryFolder ?? []), category])
    }

    /// Records a sticker that was made from a file of this name, and its files.
    ///
    /// - Returns: the number of the output.
    private func takeOver(
        _ sticker: ManifestSticker, _ category: CategoryID, name: [UInt8], _ words: StickerWords?
    ) throws -> Int64 {
        let product = StickerProduct(
            recipe: .unknown, revision: 0, animated: sticker.animated, encoding: sticker.encoding,
            files: StickerFile.all(of: sticker), shortfalls: sticker.shortfalls ?? [],
            appearance: sticker.appearance)
        let publishedAt = sticker.publishedAt.flatMap(Int64.init(date:)) ?? now.wall
        let changedAt = sticker.changedAt.flatMap(Int64.init(date:)) ?? publishedAt
        try run(
            """
            INSERT INTO sticker
                (id, category, sort_key, entry, created_at, published_at, changed_at, kept_words,
                concessions)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                sticker.identifier.rawValue, category.rawValue,
                Data(SortKey.make(fileName: name)), try StoredJSON.encode(sticker), publishedAt,
                publishedAt, changedAt,
                try (sticker.source.keptWords ?? words).map(StoredJSON.text),
                try sticker.source.concessions.map(StoredJSON.text),
            ])
        return try output(product, of: sticker.source.sha256, isRebuilt: true).id
    }

    /// Leaves a sticker that two manifests name in one of them: in `manifest` if its file is there, where the next scan
    /// finds it. Both are written again.
    fileprivate func settleMove(
        of source: SourceRow, to key: SourceKey?, _ manifest: Manifest
    ) throws {
        var source = source
        let categories = [source.category, manifest.identifier]
        if let key { try moveSource(&source, to: key, manifest.identifier) }
        for category in categories { try touch(category) }
        guard let key else { return }
        try run(
            "INSERT OR IGNORE INTO category_folder (drop_path, name, category) VALUES (?, ?, ?)",
            [key.drop, Data(key.categoryFolder ?? []), manifest.identifier.rawValue])
    }

    /// Continues the generation of the index; without an index it starts over.
    fileprivate func continueIndex(_ index: PublishedIndex) throws {
        guard let generation = index.generation else { return }
        try setIndexGeneration(generation)
    }

    /// Takes over the list of removed stickers, if any: release 0.4 wrote none.
    fileprivate func takeOverRemovals(
        in out: String, _ index: PublishedIndex, _ rebuilt: inout Rebuilt
    ) throws {
        let name = RemovedStickers.fileName
        guard access("\(out)/\(name)", F_OK) == 0 || errno != ENOENT else { return }
        let pages = PublishedPages(RemovedStickers.self, folder: out, first: name)
        rebuilt.unreadable += pages.unreadable
        for removed in pages.elements {
            try addCategory(of: removed, index)
            if try takeOver(removed) { rebuilt.removed += 1 }
        }
        try continueRemovals(after: pages.first?.generation ?? 0)
    }

    /// Records the category of a removed sticker if its manifest was not read; a folder of its name continues it.
    private func addCategory(of removed: RemovedSticker, _ index: PublishedIndex) throws {
        let id = removed.category
        guard try count("SELECT count(*) FROM category WHERE id = ?", [id.rawValue]) == 0
        else { return }
        let title = index.titles[id] ?? id.rawValue
        let head = Manifest(generation: 0, identifier: id, title: title, stickers: [])
        let isTaken =
            try count("SELECT count(*) FROM category WHERE folder = ?", [Data(title.utf8)]) > 0
        let folder = Array((isTaken ? "\(title)/\(id)" : title).utf8)
        try takeOver(head, isWhole: true, stickers: 0, folder: folder)
    }
}

extension StickerFile {
    /// The files of the sticker and of its other styles.
    fileprivate static func all(of sticker: ManifestSticker) -> [StickerFile] {
        var files = sticker.files.map(StickerFile.init)
        files[0].style = sticker.style
        for variant in sticker.variants ?? [] {
            files += variant.files.map { file in
                var file = StickerFile(file)
                file.style = variant.style
                return file
            }
        }
        return files
    }

    /// Creates the file that a manifest describes.
    fileprivate init(_ file: ManifestSticker.File) {
        self.init(
            role: file.role, target: file.target ?? (file.role == .sticker ? Target.whatsApp : nil),
            format: file.format,
            size: PixelSize(width: file.width, height: file.height), bytes: file.bytes,
            sha256: file.sha256, frames: file.frames,
            durationMilliseconds: file.durationMilliseconds, encoding: file.encoding)
    }
}

extension RecipeID {
    /// Manifests do not say how their files were made.
    fileprivate static let unknown = RecipeID(rawValue: "unknown")
}
