/// Turns the bytes of one file into finished files: a pure function of bytes, recipe and limits.
///
/// This is the seam behind which the work may move to a process of its own.
public protocol StickerMaking: Sendable {
    /// Makes a sticker of `source`, or says why not. Never traps on what the bytes hold.
    func make(_ source: SourceBytes, recipe: Recipe, limits: DecodeLimits) -> MakeReport
}
