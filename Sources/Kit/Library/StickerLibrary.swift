public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The published files of a stickerd, read from a server or from a folder: the index, the manifests of categories, and
/// the list of removed stickers.
///
/// Any server that serves the folder will do, and so will a copy of the folder in the app's bundle.
public struct StickerLibrary: Sendable {
    private let root: URL
    private let transport: Transport

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - root: the folder with `index.json`, as `file:`, `http:` or `https:`.
    ///   - session: loads addresses that are not files.
    public init(at root: URL, session: URLSession = .shared) {
        self.root = root
        transport = Transport(session: session)
    }

    /// The categories that have stickers.
    ///
    /// - Returns: their ids and titles.
    /// - Throws: ``StickerError``.
    public func index() async throws(StickerError) -> LibraryIndex {
        let url = root.appendingPathComponent("index.json")
        return try VersionedReading.read(
            LibraryIndex.self, try await transport.bytes(at: url), from: url)
    }

    /// A category with all its stickers, as they were at one moment.
    ///
    /// - Parameter identifier: the id of the category.
    /// - Returns: the category.
    /// - Throws: ``StickerError``; a refusal with the status 404 if there is no such category.
    public func category(_ identifier: String) async throws(StickerError) -> StickerCategory {
        let pages = try await pages(from: try manifest(of: identifier)) {
            data, url throws(StickerError) in
            let page = try ManifestPage(data, from: url)
            return (page.category, page.next)
        }
        var category = pages[0]
        for page in pages.dropFirst() { category.stickers += page.stickers }
        return category
    }

    /// The first page of a category, to show a part of a large one at once.
    ///
    /// - Parameter identifier: the id of the category.
    /// - Returns: the page.
    /// - Throws: ``StickerError``; a refusal with the status 404 if there is no such category.
    public func firstPage(of identifier: String) async throws(StickerError) -> ManifestPage {
        try await page(at: try manifest(of: identifier))
    }

    /// The page after another one, of the same generation.
    ///
    /// - Parameter page: the previous page.
    /// - Returns: the next one; `nil` if there is none.
    /// - Throws: ``StickerError``; a refusal with the status 404 if the category changed so long ago that its old pages
    ///   are gone. Then start again with the first page.
    public func page(after page: ManifestPage) async throws(StickerError) -> ManifestPage? {
        guard let next = page.next else { return nil }
        return try await self.page(at: next)
    }

    /// The removed stickers, the latest first.
    ///
    /// - Returns: all that were ever removed and have not come back.
    /// - Throws: ``StickerError``.
    public func removed() async throws(StickerError) -> [RemovedSticker] {
        let first = root.appendingPathComponent("_removed.json")
        let pages = try await pages(from: first) { data, url throws(StickerError) in
            let page = try VersionedReading.read(RemovedPage.self, data, from: url)
            return (page.removed, VersionedReading.page(page.nextURL, after: url))
        }
        return pages.flatMap { $0 }
    }

    private func page(at url: URL) async throws(StickerError) -> ManifestPage {
        try ManifestPage(try await transport.bytes(at: url), from: url)
    }

    private func manifest(of identifier: String) throws(StickerError) -> URL {
        guard !identifier.isEmpty, !identifier.contains("/"), !identifier.hasPrefix(".") else {
            throw .unreadable(root, "'\(identifier)' is not a category id")
        }
        return root.appendingPathComponent(identifier).appendingPathComponent("manifest.json")
    }

    // MARK: Pages

    private typealias Reading<Page> = (Data, URL) throws(StickerError) -> (page: Page, next: URL?)

    /// All pages of one generation, at least one.
    private func pages<Page>(
        from first: URL, _ read: Reading<Page>
    ) async throws(StickerError) -> [Page] {
        for _ in 0..<3 {
            if let pages = try await pagesUnlessReplaced(from: first, read) { return pages }
        }
        throw .unreadable(first, "it changes faster than it can be read")
    }

    /// `nil` if a page is gone, because the page before it is of an old generation.
    private func pagesUnlessReplaced<Page>(
        from first: URL, _ read: Reading<Page>
    ) async throws(StickerError) -> [Page]? {
        var data = try await transport.bytes(at: first)
        var (page, next) = try read(data, first)
        var pages = [page]
        var known: Set<URL> = [first]
        while let url = next {
            guard known.insert(url).inserted else {
                throw .unreadable(url, "its pages lead in a circle")
            }
            do {
                data = try await transport.bytes(at: url)
            } catch .refused(_, let refusal) where refusal.status == 404 {
                return nil
            }
            (page, next) = try read(data, url)
            pages.append(page)
        }
        return pages
    }
}

/// A page of the list of removed stickers.
private struct RemovedPage: Decodable {
    var removed: [RemovedSticker]
    var nextURL: String?
}
