public import StickerValues

/// The limits for foreign files.
public struct ImportLimits: Hashable, Sendable {
    /// Of files and folders together.
    public var filesMax = 10_000
    /// In one path.
    public var pathBytesMax = 1024
    /// Parts of one path.
    public var depthMax = 24
    /// In one description.
    public var descriptionBytesMax = SideFile.category.bytesMax
    /// In all descriptions together: parsing JSON is slow.
    public var descriptionsBytesMax = 16 << 20
    /// In one picture.
    public var pictureBytesMax: Int
    /// In all pictures together; also in a whole archive.
    public var totalBytesMax = 512 << 20
    /// Packs in one import.
    public var packsMax = 200
    /// In one pack.
    public var stickersMax = 5000

    /// Creates limits.
    ///
    /// - Parameter pictureBytesMax: the limit for one picture; the daemon reads no larger ones.
    public init(pictureBytesMax: Int = DecodeLimits().sourceBytesMax) {
        self.pictureBytesMax = pictureBytesMax
    }
}

extension ImportLimits {
    /// The fault of a pack with so many stickers; `nil` if all of them are accepted.
    func fault(ofPack pack: String, stickers count: Int) -> ImportFault? {
        guard count > stickersMax else { return nil }
        return ImportFault(
            .tooMany, pack, "the pack has too many stickers; only the first are taken",
            measured: count.grouped, limit: stickersMax.grouped, remedy: "divide the pack")
    }
}
