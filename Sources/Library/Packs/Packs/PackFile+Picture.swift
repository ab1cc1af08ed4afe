import StickerValues

extension PackFile {
    /// The picture of a sticker; the extension shows its format.
    ///
    /// - Parameters:
    ///   - path: its path, without extension.
    ///   - sticker: the sticker.
    init(_ path: String, pictureOf sticker: PackSticker) {
        let picture = sticker.picture.published
        self.init("\(path).\(picture.format.fileExtension)", .picture(picture))
    }
}
