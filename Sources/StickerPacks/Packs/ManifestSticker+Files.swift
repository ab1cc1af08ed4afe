import StickerModel

extension ManifestSticker {
    /// The file for a target; `nil` if there is none.
    func file(for target: String) -> File? {
        files.first { $0.target == target && ($0.role == .sticker || $0.role == .rendition) }
    }
}

extension ManifestSticker.File {
    /// Whether it moves: at least two frames, whatever it was made of.
    var moves: Bool { frames ?? 1 > 1 }
}

extension PackMaking {
    /// The stickers of a category that its packs can hold, in order: those with a file for its target.
    ///
    /// - Parameter source: the category.
    /// - Returns: what `Parts` divides.
    public func candidates(of source: PackSource) -> [Parts.Candidate] {
        source.stickers.compactMap { sticker in
            sticker.file(for: target).map { .init(sticker.identifier, moves: $0.moves) }
        }
    }
}
