/// Turns the bytes of one file into finished files, which depend only on bytes, recipe and limits.
///
/// Two types conform: `StickerPipeline` works in the calling process, `WorkerMaking` in a separate process for each
/// picture.
public protocol StickerMaking: Sendable {
    /// Makes a sticker of `source`, or reports why there is none. Never traps, whatever the bytes contain.
    func make(
        _ source: SourceBytes, recipe: Recipe, limits: DecodeLimits, lane: WorkLane
    ) -> MakeReport
}

extension StickerMaking {
    /// Makes a sticker of `source` for a caller that makes nothing else at the same time.
    public func make(
        _ source: SourceBytes, recipe: Recipe, limits: DecodeLimits
    ) -> MakeReport {
        make(source, recipe: recipe, limits: limits, lane: .only)
    }
}
