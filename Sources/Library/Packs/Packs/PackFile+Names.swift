import StickerValues

/// File names that platforms share.
extension PackSticker {
    /// For platforms with an ordered list: the id, unique in the library, with the extension of the format.
    var fileName: String { "\(identifier).\(picture.format.fileExtension)" }
}

extension Pack {
    /// The pictures in the folder of the pack, each named by its sticker.
    var filesByID: [PackFile] {
        stickers.map { PackFile("\(identifier)/\($0.fileName)", .picture($0.picture.published)) }
    }
}

extension Int {
    /// For names that sort like their numbers: with three digits `007`; larger numbers have more.
    func withZeros(to digits: Int) -> String {
        let text = String(self)
        return String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
    }
}
