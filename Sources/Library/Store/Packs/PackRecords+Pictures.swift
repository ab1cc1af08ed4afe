import GRDB
public import StickerValues

/// Pictures that belong to packs and to no manifest.
extension PackRecords {
    /// All products of these bytes, newest first. The call does not prolong their time.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func knownProducts(of content: ContentHash) throws(StoreError) -> [StickerProduct] {
        try read { try $0.products(of: content).map(\.product) }
    }

    /// Records files that no manifest names, and keeps them as long as those of removed stickers.
    ///
    /// - Parameters:
    ///   - product: the files, by a recipe used for nothing else.
    ///   - content: the hash of the bytes they were made from.
    /// - Throws: `StoreError`; the files are removed soon after.
    public func keep(_ product: StickerProduct, of content: ContentHash) throws(StoreError) {
        try write { transaction in
            let output = try transaction.output(product, of: content)
            try transaction.run(
                "UPDATE output SET keep_until = ? WHERE id = ?",
                [transaction.now.wall + transaction.policy.trash.milliseconds, output.id])
        }
    }

    /// The published picture of 512 pixels that represents a category: that of its `cover.*`, else of its first
    /// sticker; of an animation, the first frame.
    ///
    /// - Parameter category: the category.
    /// - Returns: a still; `nil` if the category has none.
    /// - Throws: `StoreError` if the database cannot be read.
    public func coverPicture(of category: CategoryID) throws(StoreError) -> StickerFile? {
        try read { transaction in
            let files = try transaction.cover(of: category)?.files ?? []
            let stills = files.filter { $0.frames ?? 1 == 1 }
            return [.poster, .companion, .sticker].lazy
                .compactMap { role in stills.first { $0.role == role } }.first
        }
    }

    /// The bytes of the file that a sticker was made from.
    ///
    /// - Parameters:
    ///   - sticker: the sticker.
    ///   - content: their hash.
    ///   - bytesMax: larger files are not read.
    /// - Returns: `nil` if the file is missing or changed.
    public func bytes(
        of sticker: StickerID, _ content: ContentHash, _ bytesMax: Int
    ) -> SourceBytes? {
        let key = try? read { transaction in
            try transaction.row(
                "SELECT \(SourceRow.columns) FROM source WHERE sticker = ? AND present = 1",
                [sticker.rawValue]
            ).map { try SourceRow($0).key }
        }
        guard let key = key.flatMap(\.self),
            case .read(let bytes, content, _) = SourceReader.read(
                key, expected: nil, bytesMax: bytesMax)
        else { return nil }
        return bytes
    }
}
