import FoundationEssentials
import GRDB
import Glibc
import StickerSystem
public import StickerValues

/// A manifest that was put in place.
public struct PublishedManifest: Hashable, Sendable {
    /// The category.
    public var category: CategoryID
    /// The generation that it shows.
    public var generation: Int
    /// The number of its stickers.
    public var stickers: Int
    /// The bytes of all pages.
    public var bytes: Int
    /// The files of its further pages.
    var furtherPages: [String]
    /// The number of pages.
    public var pages: Int { furtherPages.count + 1 }
}

/// Writes `out/<category>/manifest.json`, `out/_removed.json`, their further pages, and `out/index.json`.
///
/// Called from one queue. A reader always finds a complete manifest and every file it names: further pages and pictures
/// are in place before the manifest is replaced, and stay for a while afterwards.
public final class CatalogPublisher: Sendable {
    private let catalog: Catalog
    private let objects: ObjectStore
    private var out: String { objects.out }

    /// Creates a publisher of `catalog` and `objects`.
    public init(catalog: Catalog, objects: ObjectStore) {
        self.catalog = catalog
        self.objects = objects
    }

    /// Puts the present manifest of a category in place. Only `book` records that in the database.
    ///
    /// Further pages are placed next to the manifest as `manifest-<sha256>.json`, so that the relative URLs
    /// of all pages are based on the same folder.
    ///
    /// - Returns: the manifest; `nil` if there is no such category.
    /// - Throws: `FileError` or `StoreError`; the old manifest stays in place.
    public func write(_ category: CategoryID) throws -> PublishedManifest? {
        try objects.checkPlace()
        let folder = "\(out)/\(category)"
        try makeFolder(folder)
        while try !settle(category) {}
        var names: [String] = []
        return try catalog.read { transaction -> PublishedManifest? in
            guard let pages = try ManifestPages(category, transaction) else { return nil }
            var bytes = 0
            try pages.build { page, isFirst in
                bytes += page.count
                let name = isFirst ? "manifest.json" : Self.name(of: page)
                try put(page, at: "\(folder)/\(name)", isFirst: isFirst)
                if !isFirst { names.append(name) }
                return name
            }
            return PublishedManifest(
                category: category, generation: pages.generation, stickers: pages.count,
                bytes: bytes, furtherPages: names)
        }
    }

    /// Encodes some of the entries that a side file changed: after a file about thousands of stickers, a manifest takes
    /// several calls, and others are written between them.
    ///
    /// - Returns: whether all are encoded.
    /// - Throws: `StoreError`; the call can be repeated.
    public func settle(_ category: CategoryID) throws(StoreError) -> Bool {
        try catalog.settleEntries(of: category)
    }

    /// Whether `settle` has nothing to encode.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func isSettled(_ category: CategoryID) throws(StoreError) -> Bool {
        try catalog.read { try !$0.hasStaleEntries(category) }
    }

    /// Records manifests that are in place, all in one transaction.
    ///
    /// - Returns: categories to be written again, without the stickers that moved to one of these.
    /// - Throws: `StoreError`; the call can be repeated.
    @discardableResult
    public func book(_ written: [PublishedManifest]) throws(StoreError) -> Set<CategoryID> {
        written.isEmpty ? [] : try catalog.markPublished(written)
    }

    /// Categories that still show stickers that moved to others: they are written last, or twice.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func beingLeft() throws(StoreError) -> Set<CategoryID> {
        try catalog.categoriesBeingLeft()
    }

    /// The categories whose manifest is out of date.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func behind() throws(StoreError) -> Set<CategoryID> {
        Set(try catalog.dirtyCategories())
    }

    /// Writes `out/index.json` if the list of categories with stickers, or a title, has changed.
    ///
    /// - Throws: `FileError` or `StoreError`; the old index stays in place.
    public func publishIndex() throws {
        let path = "\(out)/index.json"
        guard
            let index = try catalog.index(
                unlessPublished: FileManager.default.fileExists(atPath: path))
        else { return }
        try objects.checkPlace()
        try AtomicFile.replace(path, with: [UInt8](try StoredJSON.encode(index)))
        try catalog.markPublished(index)
    }

    /// Writes `out/_removed.json` and its further pages if the list changed. Call it before stickers leave their
    /// manifests, so that every id is listed somewhere, and after others are back in theirs.
    ///
    /// - Throws: `FileError` or `StoreError`; the old list stays in place.
    public func publishRemovals() throws {
        let first = "\(out)/\(RemovedStickers.fileName)"
        let isThere = FileManager.default.fileExists(atPath: first)
        let released = try catalog.publishRemovals(isThere: isThere) { pages in
            try objects.checkPlace()
            return try pages.build { page, isFirst in
                let name =
                    isFirst
                    ? RemovedStickers.fileName
                    : "\(RemovedStickers.pagePrefix)\(ContentHash(of: page)).json"
                try put(page, at: "\(out)/\(name)", isFirst: isFirst)
                return name
            }
        }
        // Readers halfway through still need them; a sweep removes files untouched for a day.
        for name in released { utimensat(AT_FDCWD, "\(out)/\(name)", nil, AT_SYMLINK_NOFOLLOW) }
    }

    /// Marks categories without a manifest as dirty; for startup.
    ///
    /// - Returns: every category to be published.
    /// - Throws: `StoreError`.
    public func missingOrDirty() throws(StoreError) -> [CategoryID] {
        guard objects.isInPlace else { return try catalog.dirtyCategories() }
        let missing = try catalog.publishedCategories().filter {
            !FileManager.default.fileExists(atPath: "\(out)/\($0)/manifest.json")
        }
        try catalog.forgetPublication(of: missing)
        return try catalog.dirtyCategories()
    }

    private func makeFolder(_ folder: String) throws(FileError) {
        guard !FileManager.default.fileExists(atPath: folder) else { return }
        try SystemCall.makeFolder(folder, mode: 0o755)
        try SystemCall.syncFolder(out)
    }

    private func put(_ page: [UInt8], at path: String, isFirst: Bool) throws {
        let isThere = !isFirst && FileManager.default.fileExists(atPath: path)
        if !isThere { try AtomicFile.replace(path, with: page) }
    }

    private static func name(of page: [UInt8]) -> String {
        "manifest-\(ContentHash(of: page)).json"
    }
}
