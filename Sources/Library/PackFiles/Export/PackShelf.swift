import FoundationEssentials
import Glibc
public import StickerPacks
import StickerStore
import StickerSystem
public import StickerValues

/// `out/_packs`: packs that are kept up to date for consumers.
///
/// A folder there is named by its content and never changes; `current.json` beside it points to it, and is replaced in
/// one step. So a consumer always finds complete packs, old or new.
public struct PackShelf: Sendable {
    private static let fileName = "current.json"
    /// The prefix of folders that are being written.
    private static let freshPrefix = ".new-"

    private static let writingSecondsMax = 3600

    let out: String
    private var root: String { "\(out)/_packs" }

    /// Creates the shelf of a published folder.
    public init(out: String) { self.out = out }

    /// The packs as handed over now; `nil` if there are none, or they cannot be read.
    ///
    /// - Parameters:
    ///   - platform: the platform.
    ///   - category: the category; `nil` for a bundle of the whole library.
    /// - Returns: the content of `current.json`.
    public func current(_ platform: PackPlatform, _ category: CategoryID?) -> PublishedPacks? {
        let path = list(platform, category)
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { return nil }
        return try? JSONDecoder().decode(PublishedPacks.self, from: data)
    }

    /// Hands packs over, unless they are already.
    ///
    /// - Parameters:
    ///   - bundle: packs without a fault, with all parts to store.
    ///   - platform: the platform.
    ///   - category: the category; `nil` for a bundle of the whole library.
    /// - Returns: whether a folder was written, or the former one was withdrawn.
    /// - Throws: `PackError`, `FileError` or `ArchiveError`; the former packs stay.
    public func publish(
        _ bundle: PackBundle, for platform: some PackMaking, _ category: CategoryID?
    ) throws -> Bool {
        let shelf = folder(platform.platform, category)
        let before = current(platform.platform, category)
        guard before != nil || !bundle.parts.isEmpty else { return false }
        let all = category == nil ? platform.formsOfLibrary : platform.forms
        let forms = all.filter { !platform.formsOnRequest.contains($0) }
        let name = bundle.packs.isEmpty ? nil : Self.name(of: bundle.packs, platform, forms)
        let isWhole =
            name == nil
            || before?.folder == name && before?.files != nil
                && damage(platform.platform, category).isEmpty
        var after = PublishedPacks(
            platform: platform.platform, folder: name, forms: forms,
            files: name != nil && isWhole ? before?.files : nil, packs: bundle.parts)
        guard after != before || !isWhole else { return false }
        try make(shelf)
        if let name, !isWhole {
            after.files = try write(bundle.packs, platform, forms, "\(shelf)/\(name)")
        }
        try put(after, on: shelf)
        if let old = before?.folder, old != name { Self.touch("\(shelf)/\(old)") }
        return before?.folder != name || !isWhole
    }

    /// Withdraws packs. They stay in place for a while; members and versions are still recorded.
    ///
    /// - Parameters:
    ///   - platform: the platform.
    ///   - category: the category; `nil` for a bundle of the whole library.
    /// - Throws: `FileError` if that cannot be written.
    public func withdraw(_ platform: PackPlatform, _ category: CategoryID?) throws {
        guard let before = current(platform, category), let name = before.folder else { return }
        let shelf = folder(platform, category)
        Self.touch("\(shelf)/\(name)")
        try put(before.remembered, on: shelf)
    }

    /// Records packs that are handed over elsewhere, so that a library that loses its database does not reuse their
    /// versions. Packs handed over here are recorded already.
    ///
    /// - Parameters:
    ///   - bundle: the packs of the category.
    ///   - platform: the platform.
    ///   - category: the category.
    /// - Throws: `FileError` if that cannot be written.
    public func remember(
        _ bundle: PackBundle, for platform: PackPlatform, _ category: CategoryID
    ) throws {
        let before = current(platform, category)
        guard before?.folder == nil else { return }
        let after = PublishedPacks(
            platform: platform, folder: nil, forms: [], packs: bundle.parts
        ).remembered
        guard before != after else { return }
        let shelf = folder(platform, category)
        try make(shelf)
        try put(after, on: shelf)
    }

    /// Creates a folder below `out`, but never `out` itself, which may be unmounted.
    private func make(_ folder: String) throws(FileError) {
        var path = out
        for name in folder.dropFirst(out.count).split(separator: "/") {
            path += "/\(name)"
            try SystemCall.makeFolder(path, mode: 0o755)
        }
    }

    private func put(_ packs: PublishedPacks, on shelf: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        try AtomicFile.replace("\(shelf)/\(Self.fileName)", with: [UInt8](encoder.encode(packs)))
    }

    /// Removes folders that are no longer handed over, and those of a killed process.
    ///
    /// - Parameter seconds: how long a folder stays after it was replaced.
    /// - Returns: how many were removed.
    public func clean(olderThan seconds: Int) -> Int {
        var removed = 0
        for platform in Self.names(in: root) {
            let own = "\(root)/\(platform)"
            let shelves = [own] + Self.names(in: own).map { "\(own)/\($0)" }
            for shelf in shelves { removed += clean(shelf, seconds) }
        }
        return removed
    }

    private func clean(_ shelf: String, _ seconds: Int) -> Int {
        let names = Self.names(in: shelf)
        let path = "\(shelf)/\(Self.fileName)"
        let data = try? Data(contentsOf: URL(filePath: path))
        let current = data.flatMap { try? JSONDecoder().decode(PublishedPacks.self, from: $0) }
        // If the list cannot be read, the state of the shelf is unknown.
        guard current != nil || access(path, F_OK) != 0 else { return 0 }
        return names.count { name in
            guard Self.isDisposable(name), name != current?.folder else { return false }
            let folder = "\(shelf)/\(name)"
            // Unfinished folders have no readers.
            let age =
                name.hasPrefix(Self.freshPrefix) ? min(seconds, Self.writingSecondsMax) : seconds
            guard let status = try? FileStatus(link: folder),
                status.mtimeSeconds <= time(nil) - age
            else { return false }
            return (try? FileManager.default.removeItem(atPath: folder)) != nil
        }
    }

    // MARK: Damage

    /// Files of packs that changed since they were handed over, and files added to them.
    ///
    /// A file unchanged since it was listed is judged by its size; others are read.
    ///
    /// - Parameters:
    ///   - platform: the platform.
    ///   - category: the category; `nil` for a bundle of the whole library.
    ///   - readsAll: whether to read every file.
    /// - Returns: one entry for each file; also empty if an earlier release listed no files.
    public func damage(
        _ platform: PackPlatform, _ category: CategoryID?, readsAll: Bool = false
    ) -> [PackDamage] {
        let shelf = folder(platform, category)
        let list = "\(shelf)/\(Self.fileName)"
        guard let status = try? FileStatus(link: list) else {
            return [.gone(shown(list), "a file")]
        }
        guard let packs = current(platform, category), let name = packs.folder else {
            return [PackDamage(shown(list), "the list names no packs", nil, "JSON with a folder")]
        }
        guard let files = packs.files else {
            let path = "\(shelf)/\(name)"
            return access(path, F_OK) == 0 ? [] : [.gone(shown(path), "a folder")]
        }
        let damaged = files.compactMap { file in
            let path = "\(shelf)/\(name)/\(file.path)"
            let since = readsAll ? .min : status.mtime
            return PackDamage.of(
                path, bytes: file.bytes, file.sha256, shown: shown(path), since: since)
        }
        return damaged + extras(in: "\(shelf)/\(name)", besides: Set(files.map(\.path)))
    }

    /// Added files in a folder of packs: an app that takes the whole folder would ship them. Files of the system, such
    /// as `.DS_Store`, are ignored, as they come back.
    private func extras(in folder: String, besides files: Set<String>) -> [PackDamage] {
        var found: [PackDamage] = []
        var waiting = [""]
        while let below = waiting.popLast() {
            // The files of a missing or unreadable folder are reported already.
            let entries = (try? FolderListing("\(folder)/\(below)").rest()) ?? []
            for entry in entries where !FileKind.isIgnoredName(entry.name) {
                let path = below + String(decoding: entry.name, as: UTF8.self)
                if (try? FileStatus(link: "\(folder)/\(path)"))?.kind == .folder {
                    waiting.append("\(path)/")
                } else if !files.contains(path) {
                    found.append(.extra(shown("\(folder)/\(path)")))
                }
            }
        }
        return found.sorted { $0.path < $1.path }
    }

    /// The folders of the forms that are handed over; `nil` if there are none.
    ///
    /// - Parameters:
    ///   - platform: the platform.
    ///   - category: the category; `nil` for a bundle of the whole library.
    /// - Returns: a folder for each form.
    public func folders(_ platform: PackPlatform, _ category: CategoryID?) -> [String]? {
        guard let packs = current(platform, category), let name = packs.folder else { return nil }
        return packs.forms.map { "\(folder(platform, category))/\(name)/\($0)" }
    }

    /// A path from the consumers' view.
    ///
    /// - Parameter path: a path in the published folder.
    /// - Returns: the path below that folder.
    public func shown(_ path: String) -> String { String(path.dropFirst(out.count + 1)) }

    // MARK: Folders

    /// The path of the list of a category's packs; `nil` for a bundle of the whole library.
    func list(_ platform: PackPlatform, _ category: CategoryID?) -> String {
        "\(folder(platform, category))/\(Self.fileName)"
    }

    /// The folder of a category's packs; `nil` for a bundle of the whole library.
    private func folder(_ platform: PackPlatform, _ category: CategoryID?) -> String {
        "\(root)/\(platform.rawValue)" + (category.map { "/\($0)" } ?? "")
    }

    /// - Returns: the files below `path`.
    private func write(
        _ packs: [Pack], _ platform: some PackMaking, _ forms: [String], _ path: String
    ) throws -> [PublishedPacks.File] {
        let shelf = SystemCall.parentFolder(of: path)
        let fresh = "\(shelf)/\(Self.freshPrefix)\(getpid())"
        try? FileManager.default.removeItem(atPath: fresh)  // of a process that had this number
        defer { try? FileManager.default.removeItem(atPath: fresh) }  // of what was there before
        let writer = PackWriter(out: out, linksPictures: true)
        var files: [PublishedPacks.File] = []
        for form in forms {
            let written = try writer.fill("\(fresh)/\(form)", with: packs, for: platform, as: form)
            files += try written.map { try Self.listed($0, in: form, of: fresh) }
        }
        try SystemCall.syncFolder(fresh)
        try SystemCall.putInPlace(fresh, path)
        return files
    }

    /// A file just written. The hash of a picture was compared then, and is not computed again.
    private static func listed(
        _ file: PackFile, in form: String, of folder: String
    ) throws(FileError) -> PublishedPacks.File {
        let path = "\(form)/\(file.path)"
        let place = "\(folder)/\(path)"
        if case .picture(let picture) = file.content {
            let bytes = Int(try FileStatus(link: place).size)
            return PublishedPacks.File(path: path, bytes: bytes, sha256: picture.sha256)
        }
        let bytes = try Descriptor(plain: place).readToEnd(path: place)
        return PublishedPacks.File(
            path: path, bytes: bytes.count, sha256: ContentHash(of: bytes))
    }

    /// A name that depends on every byte of every form.
    private static func name(
        of packs: [Pack], _ platform: some PackMaking, _ forms: [String]
    ) -> String {
        var text: [UInt8] = []
        for form in forms {
            text += Array("\(form)\n".utf8)
            for file in platform.files(of: packs, as: form) { text += file.fingerprint }
        }
        return contentPrefix + ContentHash(of: text).rawValue.prefix(32)
    }

    /// No id of a category has this prefix.
    private static let contentPrefix = "_"

    /// Whether a name is from `name(of:)`, or that of an unfinished folder.
    private static func isDisposable(_ name: String) -> Bool {
        name.hasPrefix(contentPrefix) || name.hasPrefix(".")
    }

    /// Marks the time from which the folder is no longer needed.
    private static func touch(_ path: String) { utimensat(AT_FDCWD, path, nil, 0) }

    /// The names in a folder; empty if it cannot be read, so that nothing is cleaned there.
    private static func names(in folder: String) -> [String] {
        ((try? FolderListing(folder).rest()) ?? []).map { String(decoding: $0.name, as: UTF8.self) }
    }
}
