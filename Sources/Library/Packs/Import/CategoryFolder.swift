import FoundationEssentials
import StickerValues

/// The folder of a category as it will be in a drop: pictures, words about each, and words about all.
public struct CategoryFolder: Sendable {
    /// Its name.
    public var name: String
    /// The form of the imported pack, in words.
    public let form: String
    /// The title of the category.
    public let title: String?
    /// Its files, all of them directly in it.
    public private(set) var files: [PackFile] = []
    /// The number of its stickers.
    public private(set) var stickers = 0
    /// Whether it has a cover.
    public private(set) var hasCover = false

    /// Begins the folder of a pack, without pictures.
    init(_ pack: ImportedPack) {
        name = pack.name.asFileName() ?? "imported"
        form = pack.form
        title = pack.words.title
    }

    private var names = FileNames()
    private var order: [String] = []

    /// Adds a sticker after the others.
    mutating func add(_ sticker: ImportedSticker, _ picture: LoadedPicture) {
        var stem = sticker.name.asFileName() ?? "sticker"
        // Otherwise it would be taken for the cover.
        if stem.lowercased() == "cover" { stem += " sticker" }
        let name = names.claim(stem, ending: ".\(picture.format.fileExtension)")
        files.append(PackFile(name, .bytes(picture.bytes)))
        if !sticker.words.isEmpty {
            files.append(PackFile(name + SideFile.stickerSuffix, .bytes(Self.json(sticker.words))))
        }
        order.append(name)
        stickers += 1
    }

    mutating func add(cover: LoadedPicture) {
        files.append(PackFile("cover.\(cover.format.fileExtension)", .bytes(cover.bytes)))
        hasCover = true
    }

    /// Adds the words of the category, once every sticker is there.
    mutating func add(_ words: CategoryWords, isOrdered: Bool) {
        let description = Description(
            title: words.title, description: words.description, publisher: words.publisher,
            licence: words.licence, links: words.links, order: isOrdered ? order : nil)
        if words.isEmpty, !isOrdered { return }
        files.append(PackFile("category.json", .bytes(Self.json(description))))
    }

    /// `category.json`.
    private struct Description: Encodable {
        let title, description, publisher, licence: String?
        let links: Links?
        let order: [String]?
    }

    private static func json(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        guard let data = try? encoder.encode(value) else {
            preconditionFailure("texts, lists and truth values are always JSON")
        }
        return [UInt8](data) + [UInt8(ascii: "\n")]
    }
}

/// A foreign picture with a valid beginning that has not been decoded.
struct LoadedPicture {
    let bytes: [UInt8]
    let format: ImageFormat
}
