import StickerValues

/// A pack as a group of TUIKit, a face group in its clients.
struct TUIKitGroup {
    struct Face {
        /// The name in messages.
        var name: String
        var title: String
        var picture: PublishedPicture

        /// Clients on iOS search only for these two names.
        var fileName: String { picture.format == .gif ? "\(name).gif" : "\(name)@2x.png" }
    }

    /// The number in messages, from 1.
    let index: Int
    /// The category's title.
    let title: String
    /// Its appearance.
    let form: StickerSettings.FaceGroup
    /// In the order of the category.
    let faces: [Face]
    /// Stickers with a PNG: the Web client requests nothing else and shows animations as stills.
    let stills: [Face]
    /// The picture of the tab.
    let menu: PackIcon?

    init(_ pack: Pack) {
        index = pack.place
        title = pack.title
        form = pack.faceGroup ?? StickerSettings.FaceGroup()
        faces = pack.stickers.map { sticker in
            Face(
                name: TUIKit.name(of: sticker.identifier), title: sticker.title,
                picture: sticker.picture.published)
        }
        stills = zip(pack.stickers, faces).compactMap { sticker, face in
            guard face.picture.format != .png else { return face }
            guard let still = sticker.thumbnail, still.format == .png else { return nil }
            return Face(name: face.name, title: face.title, picture: still)
        }
        menu = Self.menu(of: pack)
    }

    /// The folder of the group. Not the id of its category, which may be `4350`, a folder that Flutter knows as its
    /// own, or contain a part that Flutter takes for another group.
    var folder: String { "g\(index)" }

    /// Its own icon; without one, a still sticker, else the tray.
    private static func menu(of pack: Pack) -> PackIcon? {
        if let icon = pack.icon(TUIKit.side.width, TUIKit.side.height) {
            return PackIcon(size: TUIKit.side, picture: icon)
        }
        let still = pack.stickers.map(\.picture).first {
            !$0.moves && $0.format == .png
                && PixelSize(width: $0.width, height: $0.height) == TUIKit.side
        }
        if let still { return PackIcon(size: TUIKit.side, picture: still.published) }
        return pack.tray.map { PackIcon(size: PixelSize(width: 96, height: 96), picture: $0) }
    }
}

extension TUIKit {
    /// Parts of names by which Flutter distinguishes the three groups of Tencent's sample.
    static let samples = ["yz", "ys", "gcs"]

    /// The name of a sticker in messages: its id, or an alias if the id contains a part that Flutter would take for
    /// another group, or is the name of the tab's picture. Frozen: sent messages have nothing else to identify the
    /// sticker.
    ///
    /// The alias of `toys` is `toy_s_3ea07d7c`: the id with those parts broken up, cut to 51 characters, and the 32-bit
    /// FNV-1a hash of the id.
    ///
    /// - Parameter sticker: the id.
    /// - Returns: a text in the form of an id.
    public static func name(of sticker: StickerID) -> String {
        let id = sticker.rawValue
        guard id == "menu" || samples.contains(where: id.contains) else { return id }
        let broken = samples.reduce(id) { text, part in
            text.replacing(part, with: "\(part.dropLast())_\(part.suffix(1))")
        }
        return broken.prefix(51) + "_" + id.shortHash
    }
}
