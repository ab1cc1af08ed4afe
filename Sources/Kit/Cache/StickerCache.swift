public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Caches pictures on disk.
///
/// The name of a published file is the SHA-256 of its content, so a cached one never becomes outdated: it is checked
/// whenever it is read, and fetched again if it is damaged. The rest of the address does not matter; a picture found
/// through both a provider and a manifest is cached once.
///
/// Several processes, an app and its keyboard for example, may use one folder.
public actor StickerCache {
    private struct Fetched {
        var data: Data
        /// Why it is not on disk.
        var trouble: StickerError?
    }

    private let files: CacheFolder
    private let transport: Transport
    private var fetches: [URL: Task<Result<Fetched, StickerError>, Never>] = [:]
    /// Bytes that may be written before the folder is checked again.
    private var room = 0

    /// Creates a cache, which writes nothing before the first picture.
    ///
    /// - Parameters:
    ///   - folder: where the cache creates its folder, `.cachesDirectory` for example.
    ///   - bytesMax: the limit of its files, but the latest always fits; each further process that uses the folder may
    ///     exceed it by an eighth for a moment.
    ///   - session: fetches the pictures.
    public init(folder: URL, bytesMax: Int = 200_000_000, session: URLSession = .shared) {
        files = CacheFolder(folder, bytesMax: bytesMax)
        transport = Transport(session: session)
    }

    /// The content of a picture, from the disk or fetched, even if it cannot be written.
    ///
    /// A fetch is finished even if nobody waits for it any more: a user who scrolls back finds the picture.
    ///
    /// - Parameter url: the address in a sticker or one of its files.
    /// - Returns: bytes that match the hash in the name.
    /// - Throws: ``StickerError``; ``StickerError/damaged(_:)`` if the server has other bytes.
    public func data(for url: URL) async throws(StickerError) -> Data {
        let name = try Self.name(url)
        if let data = files.data(name) { return data }
        return try await fetch(name, url).data
    }

    /// A picture as a file, for code that cannot read from memory.
    ///
    /// Read it soon: the cache removes it when it needs the space. An open file stays readable.
    ///
    /// - Parameter url: the address in a sticker or one of its files.
    /// - Returns: the address of the file on this device.
    /// - Throws: ``StickerError``; ``StickerError/storage(_:_:)`` if it cannot be written.
    public func file(for url: URL) async throws(StickerError) -> URL {
        let name = try Self.name(url)
        if files.data(name) == nil, let trouble = try await fetch(name, url).trouble {
            throw trouble
        }
        return files.place(of: name)
    }

    /// Removes all cached pictures.
    ///
    /// - Throws: ``StickerError/storage(_:_:)``.
    public func removeAll() throws(StickerError) {
        try files.removeAll()
        room = 0
    }

    private static func name(_ url: URL) throws(StickerError) -> ContentName {
        guard let name = ContentName(url) else {
            throw .unreadable(url.withoutQuery, "the name of the file is not its SHA-256")
        }
        return name
    }

    // MARK: Fetching

    /// Requests for a picture already being fetched share its answer.
    private func fetch(_ name: ContentName, _ url: URL) async throws(StickerError) -> Fetched {
        let fetch = fetches[url] ?? Task { await begin(name, url) }
        fetches[url] = fetch
        return try await fetch.value.get()
    }

    private func begin(_ name: ContentName, _ url: URL) async -> Result<Fetched, StickerError> {
        defer { fetches[url] = nil }
        do throws(StickerError) {
            // Another cache might still have the damaged bytes.
            let data = try await transport.bytes(at: url, .reloadIgnoringLocalCacheData)
            guard name.promises(data) else { throw .damaged(url.withoutQuery) }
            return .success(Fetched(data: data, trouble: keep(data, name)))
        } catch {
            return .failure(error)
        }
    }

    private func keep(_ data: Data, _ name: ContentName) -> StickerError? {
        do throws(StickerError) {
            try files.store(data, name)
        } catch {
            return error
        }
        room -= data.count
        if room < 0 { room = files.trim(keeping: name) }
        return nil
    }
}
