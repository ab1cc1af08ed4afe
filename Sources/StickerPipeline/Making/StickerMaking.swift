public import StickerModel

/// Turns the bytes of one file into finished files: a pure function of bytes, recipe and limits.
///
/// This is the seam behind which the work may move to a process of its own.
public protocol StickerMaking: Sendable {
    /// Makes a sticker of `source`, or says why not. Never traps on what the bytes hold.
    func make(_ source: SourceBytes, recipe: Recipe, limits: DecodeLimits) -> MakeReport
}

/// What came of one file.
public struct MakeReport: Sendable {
    /// The sticker, or the reason why there is none.
    public var result: Result<MadeSticker, Refusal>
    /// The format by the bytes; `nil` where it is none that is read.
    public var format: ImageFormat?
    /// What was done.
    public var log: StepLog
    /// Oddities that did not stop the work.
    public var warnings: [Warning]
}

/// The finished files of one sticker, in memory.
public struct MadeSticker: Sendable {
    /// Whether it moves.
    public var animated: Bool
    /// How the WebP was encoded.
    public var encoding: Encoding
    /// Every file, the WebP of the sticker first.
    public var files: [MadeFile]
}

/// One finished file in memory.
public struct MadeFile: Sendable {
    /// What it is for.
    public var role: StickerFile.Role
    /// Its format.
    public var format: ImageFormat
    /// Pixels.
    public var size: PixelSize
    /// The whole file.
    public var bytes: [UInt8]
    /// Frames, for files that move.
    public var frames: Int?
    /// Playing time, for files that move.
    public var durationMilliseconds: Int?
}
