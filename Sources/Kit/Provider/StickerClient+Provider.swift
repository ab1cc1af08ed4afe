extension StickerClient: StickerProvider {
    /// The same as the asynchronous one, for editors that take a provider.
    ///
    /// - Parameters:
    ///   - offset: how many to skip.
    ///   - limit: how many at most.
    ///   - completion: called once, on any thread.
    public func trending(
        offset: Int, limit: Int,
        completion: @escaping @Sendable (Result<StickerProviderResult, any Error>) -> Void
    ) {
        complete(completion) { () throws(StickerError) in
            try await trending(offset: offset, limit: limit)
        }
    }

    /// The same as the asynchronous one, for editors that take a provider.
    ///
    /// - Parameters:
    ///   - query: the search text.
    ///   - offset: how many to skip.
    ///   - limit: how many at most.
    ///   - completion: called once, on any thread.
    public func search(
        query: String, offset: Int, limit: Int,
        completion: @escaping @Sendable (Result<StickerProviderResult, any Error>) -> Void
    ) {
        complete(completion) { () throws(StickerError) in
            try await search(query: query, offset: offset, limit: limit)
        }
    }

    private func complete(
        _ completion: @escaping @Sendable (Result<StickerProviderResult, any Error>) -> Void,
        _ ask: @escaping @Sendable () async throws(StickerError) -> StickerProviderResult
    ) {
        Task {
            do {
                completion(.success(try await ask()))
            } catch {
                completion(.failure(error))
            }
        }
    }
}
