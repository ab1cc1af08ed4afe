public import StickerValues

/// A sticker that keeps its id while its file has another name.
public struct RenamedFile: Hashable, Sendable {
    /// Its sticker.
    public var sticker: StickerID
    /// The former key.
    public var from: SourceKey
    /// The present key.
    public var to: SourceKey
    /// Whether it is the same file, not one of another format that took its place.
    public var isSameFile = false
}
