import StickerValues

/// Tencent's TUIKit (https://github.com/TencentCloud/TIMSDK): one bundle for the library, in which each category is a
/// group with a permanent number.
///
/// A message contains only the number of a group and the name of a sticker, so both must never change.
struct TUIKit: PackMaking {
    let platform = PackPlatform.tuikit
    /// A group has any number of stickers of any kind.
    let rules = PartRules()
    /// The bundle for apps, lists of its groups for each client, and the pictures as the Web client requests them.
    let forms = ["bundle", "lists", "web"]
    /// The tab of a group.
    let icons = [TUIKit.side]
    /// Sent messages refer to groups by number.
    let isForLibrary = true

    static let bundle = "CustomFaceResource.bundle"
    static let side = PixelSize(width: 240, height: 240)

    /// Missing parts and visible flaws in an app.
    func lint(_ pack: Pack, _ target: Target?) -> [Finding] {
        pack.countFindings(rules) + menuFindings(pack) + stillFindings(pack)
            + flutterFindings(pack) + pack.pictureFindings(target)
    }

    /// The files of a form. Groups without stickers are left out, because clients divide by their number; the others
    /// are shown in the order of the settings, not of their numbers.
    func files(of packs: [Pack], as form: String) -> [PackFile] {
        let groups = packs.filter { !$0.stickers.isEmpty }.map(TUIKitGroup.init)
            .sorted { ($0.form.order, $0.index) < ($1.form.order, $1.index) }
        return switch form {
        case "lists":
            [
                PackFile("ios.json", json: groups.map(IOSGroup.init)),
                PackFile("android.json", json: groups.map(AndroidGroup.init)),
                PackFile("web.json", json: groups.filter { !$0.stills.isEmpty }.map(WebGroup.init)),
                PackFile("flutter.json", json: groups.map(FlutterGroup.init)),
            ]
        case "web":
            groups.flatMap { group in group.stills.map { file($0, of: group, below: "") } }
        default:
            groups.flatMap { group in
                let folder = "\(Self.bundle)/"
                let menu = group.menu.map {
                    PackFile("\(folder)\(group.folder)/menu@2x.png", .picture($0.picture))
                }
                return [menu].compactMap(\.self)
                    + group.faces.map { file($0, of: group, below: folder) }
            }
        }
    }

    private func file(
        _ face: TUIKitGroup.Face, of group: TUIKitGroup, below folder: String
    ) -> PackFile {
        PackFile("\(folder)\(group.folder)/\(face.fileName)", .picture(face.picture))
    }

    /// A group without a tab is shown, but cannot be chosen.
    private func menuFindings(_ pack: Pack) -> [Finding] {
        guard let menu = TUIKitGroup(pack).menu else { return pack.iconFindings(self) }
        guard menu.size != Self.side else { return [] }
        return [
            Finding(
                "icon-size", .warning, pack: pack.identifier,
                "a smaller picture represents the group", measured: "\(menu.size)",
                limit: "\(Self.side)",
                remedy: "add tuikit to sticker.packs, or a still sticker")
        ]
    }

    /// The result of `TUIKitResolver.flutterGroup` for all our names: its code knows only the groups of Tencent's
    /// sample.
    private func flutterFindings(_ pack: Pack) -> [Finding] {
        guard pack.place > 1 else { return [] }
        return [
            Finding(
                "flutter-group", .warning, pack: pack.identifier,
                "Flutter's own sending code names group 1 for every sticker",
                measured: "group \(pack.place)",
                remedy: "let apps send groupIndex and data of flutter.json instead")
        ]
    }

    private func stillFindings(_ pack: Pack) -> [Finding] {
        let group = TUIKitGroup(pack)
        let shown = Set(group.stills.map(\.name))
        return zip(pack.stickers, group.faces).filter { !shown.contains($1.name) }.map {
            Finding(
                "no-still", .warning, pack: pack.identifier, sticker: $0.0.identifier,
                file: $0.0.source, "it moves, and there is no PNG of it for the Web",
                remedy: "add a PNG to sticker.thumbnails in config.json")
        }
    }
}
