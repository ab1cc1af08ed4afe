public import StickerModel

/// The sticker library of IMG.LY's photo and video editors: the part `sticker` of the configuration of their wrapper
/// for React Native (https://github.com/imgly/vesdk-react-native, configuration.ts).
///
/// Documents that people make with it remember stickers by id, and pictures are loaded from where they are published.
public struct IMGLY: PackMaking {
    /// IMG.LY.
    public let platform = PackPlatform.imgly
    /// One pack for each category.
    public let rules = PartRules()
    /// A file for each pack.
    public let forms = ["json"]
    /// One configuration with a category for each pack.
    public let formsOfLibrary = ["catalog"]

    /// What it shows: no WebP, and no side over 4096 pixels, behind which the background turns black.
    private static let pictures = {
        let canvas = TargetCanvas(width: 4096, height: 4096, fit: .within)
        var target = Target(name: PackPlatform.imgly.rawValue, canvas: canvas)
        var (still, moving) = (StillRules(), MovingRules())
        (still.forms, still.bytesMax) = ([.png], .max)
        (moving.forms, moving.bytesMax, moving.frameMillisecondsMin) = ([.gif], .max, 0)
        (target.still, target.moving) = (still, moving)
        return target
    }()

    /// Ids of its own stickers and categories begin like this.
    private static let reservedPrefix = "imgly_"

    /// The rule about a missing setting, which concerns all categories.
    public static let noBaseURL = "no-base-url"

    /// Creates the platform.
    public init() {}

    /// Addresses, ids and pictures.
    ///
    /// - Parameters:
    ///   - pack: as it would be made.
    ///   - target: not looked at: it takes what is made for consumers without WebP.
    /// - Returns: all of it.
    public func lint(_ pack: Pack, _ target: Target?) -> [Finding] {
        let pictures = pack.pictureFindings(Self.pictures).map { finding in
            var finding = finding
            finding.remedy = "name another target first in sticker.targets"
            return finding
        }
        return addresses(of: pack) + titles(of: pack) + reservedNames(of: pack) + pictures
    }

    private func addresses(of pack: Pack) -> [Finding] {
        var findings: [Finding] = []
        if pack.baseURL == nil {
            findings.append(
                Finding(
                    Self.noBaseURL, pack: pack.identifier, "pictures have no absolute address",
                    limit: "http:// or https://",
                    remedy: "set publish.publicBaseURL in config.json"))
        }
        if pack.tray == nil {
            findings.append(
                Finding(
                    "no-tray", pack: pack.identifier, "the category has no picture of its own",
                    remedy: "wait until its stickers are published, or add a file cover.png"))
        }
        return findings
    }

    /// Versions before 8.3.2 ended when two categories had one title.
    private func titles(of pack: Pack) -> [Finding] {
        guard pack.sharesTitle else { return [] }
        return [
            Finding(
                "title-taken", pack: pack.identifier, "another category has the same title",
                measured: pack.title, limit: "a title of its own",
                remedy: "\(stickerctl: "set \(pack.category) --category --title TEXT")")
        ]
    }

    private func reservedNames(of pack: Pack) -> [Finding] {
        let limit = "anything that does not begin with \(Self.reservedPrefix)"
        var findings = pack.nameFindings(limit) { !$0.hasPrefix(Self.reservedPrefix) }
        if pack.identifier.hasPrefix(Self.reservedPrefix) {
            findings.append(
                Finding(
                    "name", pack: pack.identifier, "the id of the category is reserved",
                    measured: pack.identifier, limit: limit,
                    remedy: "move its pictures to a new folder"))
        }
        return findings
    }

    /// The files of a form.
    ///
    /// - Parameters:
    ///   - packs: the packs of a category, none of which has a fault.
    ///   - form: the name of one of `forms`, or of `formsOfLibrary`.
    /// - Returns: the files in the order in which they are written.
    public func files(of packs: [Pack], as form: String) -> [PackFile] {
        if form == "catalog" {
            let library = Library(categories: packs.map(Category.init))
            return [PackFile("stickers.json", json: ["sticker": library])]
        }
        return packs.map { pack in
            let library = Library(categories: [Category(pack)])
            return PackFile("\(pack.identifier).json", json: ["sticker": library])
        }
    }

    private struct Library: Encodable {
        var categories: [Category]
    }

    private struct Category: Encodable {
        var identifier: String
        var name: String
        var thumbnailURI: String
        var items: [Item]

        init(_ pack: Pack) {
            let base = pack.baseURL ?? ""
            identifier = pack.identifier
            name = pack.label
            thumbnailURI = base + (pack.tray?.path ?? "")
            items = zip(pack.stickers, pack.uniqueLabels).map { Item($0, name: $1, base: base) }
        }
    }

    private struct Item: Encodable {
        var identifier: String
        /// Also what a screen reader says.
        var name: String
        var stickerURI: String
        var thumbnailURI: String?
        var tintMode: TintMode
        /// Whether brightness, contrast and saturation can be changed: never of what moves, and not by default.
        var adjustments = false

        init(_ sticker: PackSticker, name: String, base: String) {
            identifier = sticker.identifier.rawValue
            self.name = name
            stickerURI = base + sticker.picture.published.path
            thumbnailURI = sticker.thumbnail.map { base + $0.path }
            let isGIF = sticker.picture.moves || sticker.picture.format == .gif
            tintMode = isGIF ? TintMode.none : sticker.tintMode ?? TintMode.none
        }
    }
}
