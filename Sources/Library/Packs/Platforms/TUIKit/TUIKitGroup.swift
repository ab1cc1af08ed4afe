public import StickerModel

/// A pack as a group of TUIKit: what its clients call a face group.
struct TUIKitGroup {
    /// A sticker in a group.
    struct Face {
        /// What messages say.
        var name: String
        /// For people.
        var title: String
        /// Its picture.
        var picture: PublishedPicture

        /// Clients on iOS look for these two names and no others.
        var fileName: String { picture.format == .gif ? "\(name).gif" : "\(name)@2x.png" }
    }

    /// What messages say, from 1.
    let index: Int
    /// The category's name for people.
    let title: String
    /// How it is shown.
    let form: StickerSettings.FaceGroup
    /// In the order of the category.
    let faces: [Face]
    /// Those that have a PNG, with that: on the Web nothing else is asked for, and what moves stands still.
    let stills: [Face]
    /// The picture for the tab.
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

    /// The folder of the group. Not the id of its category, which may be `4350`, a folder that Flutter knows as its own, or
    /// have a part that Flutter takes for another group.
    var folder: String { "g\(index)" }

    /// The icon that was made for it; while there is none, a sticker that stands still, or else the tray.
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
    /// Parts of names by which Flutter tells the three groups of Tencent's sample from one another.
    static let samples = ["yz", "ys", "gcs"]

    /// The name of a sticker in messages: its id, or an alias of it if the id has a part that Flutter would take for
    /// another group, or is that of the tab's picture. Frozen for ever: messages that were sent have no other way to tell
    /// which sticker they mean.
    ///
    /// The alias of `toys` is `toy_s_3ea07d7c`: the id with those parts broken up, cut to 51 characters, and the 32-bit
    /// FNV-1a hash of the id.
    ///
    /// - Parameter sticker: the id.
    /// - Returns: a text of the shape of an id.
    public static func name(of sticker: StickerID) -> String {
        let id = sticker.rawValue
        guard id == "menu" || samples.contains(where: id.contains) else { return id }
        let broken = samples.reduce(id) { text, part in
            text.replacing(part, with: "\(part.dropLast())_\(part.suffix(1))")
        }
        return broken.prefix(51) + "_" + id.shortHash
    }
}
