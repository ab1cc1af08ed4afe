public import StickerModel

/// How much of what strangers hand over is taken.
public struct ImportLimits: Hashable, Sendable {
    /// The most files and folders.
    public var filesMax = 10_000
    /// The most bytes of a path.
    public var pathBytesMax = 1024
    /// The most parts of a path.
    public var depthMax = 24
    /// The most bytes of a description.
    public var descriptionBytesMax = SideFile.category.bytesMax
    /// The most bytes of all descriptions together: reading JSON takes time.
    public var descriptionsBytesMax = 16 << 20
    /// The most bytes of one picture.
    public var pictureBytesMax: Int
    /// The most bytes of all pictures together; an archive holds no more either.
    public var totalBytesMax = 512 << 20
    /// The most packs.
    public var packsMax = 200
    /// The most stickers of a pack.
    public var stickersMax = 5000

    /// Creates limits.
    ///
    /// - Parameter pictureBytesMax: the most bytes of one picture; the daemon reads no larger ones.
    public init(pictureBytesMax: Int = DecodeLimits().sourceBytesMax) {
        self.pictureBytesMax = pictureBytesMax
    }
}

extension ImportLimits {
    /// What is to be said of a pack of so many stickers; `nil` if all of them are taken.
    func fault(ofPack pack: String, stickers count: Int) -> ImportFault? {
        guard count > stickersMax else { return nil }
        return ImportFault(
            .tooMany, pack, "the pack has too many stickers; only the first are taken",
            measured: count.grouped, limit: stickersMax.grouped, remedy: "divide the pack")
    }
}
