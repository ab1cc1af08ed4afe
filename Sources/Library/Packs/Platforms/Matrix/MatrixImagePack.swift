import FoundationEssentials
import StickerValues

/// The content of a state event `m.room.image_pack`, with `file` in place of `url`.
struct MatrixImagePack: Encodable {
    struct Image: Encodable {
        /// The alternative text.
        var body: String
        var file: String?
        var url: String?
        var info: MatrixImageInfo
    }

    struct Description: Encodable {
        var displayName: String
        var avatarFile: String?
        var avatarURL: String?
        var usage = ["sticker"]
        var attribution: String?

        enum CodingKeys: String, CodingKey {
            case usage, attribution
            case displayName = "display_name"
            case avatarFile = "avatar_file"
            case avatarURL = "avatar_url"
        }
    }

    /// By the names typed between colons.
    private var images: [String: Image]
    private var pack: Description

    /// Describes a pack.
    ///
    /// - Parameters:
    ///   - pack: the pack.
    ///   - address: stands for the addresses of all pictures after an upload; `nil` before it.
    init(_ pack: Pack, uploadedTo address: String? = nil) {
        images = pack.stickers.reduce(into: [:]) { images, sticker in
            images[sticker.identifier.rawValue] = Image(
                body: sticker.label,
                file: address == nil ? MatrixImageInfo.file(of: sticker, in: pack) : nil,
                url: address, info: MatrixImageInfo(sticker.picture))
        }
        self.pack = Description(
            displayName: pack.label,
            avatarFile: address == nil && pack.tray != nil ? "\(pack.identifier).png" : nil,
            avatarURL: address, attribution: pack.attribution)
    }

    /// Its size between servers: JSON without blanks.
    var bytes: Int {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let data = try? encoder.encode(self) else {
            preconditionFailure("texts, numbers and lists are always JSON")
        }
        return data.count
    }
}

/// `packs/<id>.json` of the sticker picker: the events that it sends, with `file` in place of `url`. The same address
/// belongs into `info` as `thumbnail_url`.
struct MauniumPack: Encodable {
    struct Sticker: Encodable {
        var id: String
        var body: String
        var file: String
        var info: Info
        var msgtype = "m.sticker"
    }

    struct Info: Encodable {
        var picture: MatrixImageInfo

        enum CodingKeys: String, CodingKey {
            case thumbnail = "thumbnail_info"
        }

        /// A picture is its own thumbnail: Element on iOS requires one.
        func encode(to encoder: any Encoder) throws {
            try picture.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(picture, forKey: .thumbnail)
        }
    }

    private var id: String
    private var title: String
    private var stickers: [Sticker]

    init(_ pack: Pack) {
        id = pack.identifier
        title = pack.label
        stickers = pack.stickers.map { sticker in
            Sticker(
                id: sticker.identifier.rawValue, body: sticker.label,
                file: MatrixImageInfo.file(of: sticker, in: pack),
                info: Info(picture: MatrixImageInfo(sticker.picture)))
        }
    }
}

/// The facts about a picture for a client that has not loaded it.
struct MatrixImageInfo: Encodable {
    var mimetype: String
    var w: Int
    var h: Int
    var size: Int

    init(_ picture: PackPicture) {
        mimetype = "image/\(picture.format.rawValue)"
        w = picture.width
        h = picture.height
        size = picture.bytes
    }

    /// The path of a picture from the JSON that names it.
    static func file(of sticker: PackSticker, in pack: Pack) -> String {
        PackFile("\(pack.identifier)/\(sticker.identifier)", pictureOf: sticker).path
    }
}
