/// Turns the bytes of one file into finished files, which depend on bytes, recipe and limits alone.
///
/// Two conform: `StickerPipeline` works in the calling process, `WorkerMaking` in one for each picture.
public protocol StickerMaking: Sendable {
    /// Makes a sticker of `source`, or says why there is none. Never traps on what the bytes hold.
    func make(
        _ source: SourceBytes, recipe: Recipe, limits: DecodeLimits, lane: WorkLane
    ) -> MakeReport
}

extension StickerMaking {
    /// Makes a sticker of `source` for who makes nothing else at the time.
    public func make(
        _ source: SourceBytes, recipe: Recipe, limits: DecodeLimits
    ) -> MakeReport {
        make(source, recipe: recipe, limits: limits, lane: .only)
    }
}
