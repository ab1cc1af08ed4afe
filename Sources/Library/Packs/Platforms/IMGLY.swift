import StickerConfiguration
import StickerValues

/// The sticker library of IMG.LY's photo and video editors: see `IMGLYLibrary`.
///
/// Documents refer to stickers by id, and pictures are loaded from their published addresses.
struct IMGLY: PackMaking {
    let platform = PackPlatform.imgly
    /// One pack for each category.
    let rules = PartRules()
    /// A file for each pack.
    let forms = ["json"]
    /// One configuration with a category for each pack.
    let formsOfLibrary = ["catalog"]

    /// The pictures that it shows: no WebP, and no side over 4096 pixels, beyond which the background turns black.
    private static let pictures = {
        let canvas = TargetCanvas(width: 4096, height: 4096, fit: .within)
        var target = Target(name: PackPlatform.imgly.rawValue, canvas: canvas)
        var (still, moving) = (StillRules(), MovingRules())
        (still.forms, still.bytesMax) = ([.png], .max)
        (moving.forms, moving.bytesMax, moving.frameMillisecondsMin) = ([.gif], .max, 0)
        (target.still, target.moving) = (still, moving)
        return target
    }()

    /// The categories whose smart stickers are in the catalog.
    var sources: [PackSource] = []
    /// Whether users may add stickers.
    var personal = PersonalConfiguration()

    /// A catalog holds more than packs.
    func ofLibrary(smart: [PackSource], personal: PersonalConfiguration) -> any PackMaking {
        IMGLY(sources: smart, personal: personal)
    }

    /// Addresses, ids and pictures.
    /// The target is not used: it shows files made for consumers without WebP.
    func lint(_ pack: Pack, _ target: Target?) -> [Finding] {
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
                    Platforms.noBaseURL, pack: pack.identifier, "pictures have no absolute address",
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

    /// Versions before 8.3.2 crashed if two categories had one title.
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
        let limit = "anything that does not begin with imgly_"
        var findings = pack.nameFindings(limit) { !IMGLYLibrary.isReserved($0) }
        // Catalogs to be judged have these two with our own stickers.
        let known = [IMGLYLibrary.smartCategory, IMGLYLibrary.personalCategory]
        if IMGLYLibrary.isReserved(pack.identifier), !known.contains(pack.identifier) {
            findings.append(
                Finding(
                    "name", pack: pack.identifier, "the id of the category is reserved",
                    measured: pack.identifier, limit: limit,
                    remedy: "move its pictures to a new folder"))
        }
        return findings
    }

    /// The files of a form.
    func files(of packs: [Pack], as form: String) -> [PackFile] {
        if form == "catalog" {
            let smart = IMGLYLibrary.Category(
                identifier: IMGLYLibrary.smartCategory,
                name: sources.first(where: \.isSmart)?.title ?? IMGLYLibrary.smartName,
                items: sources.flatMap(\.smartItems))
            let library = IMGLYLibrary(
                categories: packs.compactMap(IMGLYLibrary.Category.init), smart: smart,
                personal: personal)
            return [PackFile("stickers.json", json: ["sticker": library])]
        }
        return packs.map { pack in
            let category = IMGLYLibrary.Category(pack)
            let library = IMGLYLibrary(categories: [category].compactMap(\.self))
            return PackFile("\(pack.identifier).json", json: ["sticker": library])
        }
    }
}

extension IMGLYLibrary.Category {
    fileprivate init?(_ pack: Pack) {
        let base = pack.baseURL ?? ""
        self.init(
            identifier: pack.identifier, name: pack.label,
            thumbnailURI: base + (pack.tray?.path ?? ""),
            items: pack.stickers.map { IMGLYLibrary.Item($0, base: base) })
    }
}

extension IMGLYLibrary.Item {
    fileprivate init(
        _ sticker: PackSticker, base: String, variants: [IMGLYLibrary.Variant] = []
    ) {
        self.init(
            identifier: sticker.identifier.rawValue, name: sticker.label,
            stickerURI: base + sticker.picture.published.path,
            thumbnailURI: sticker.thumbnail.map { base + $0.path }, tintMode: sticker.tintMode,
            moves: sticker.picture.moves || sticker.picture.format == .gif, variants: variants)
    }
}

extension PackSource {
    /// Its present smart stickers; none if pictures have no absolute address.
    fileprivate var smartItems: [IMGLYLibrary.Item] {
        guard let base = baseURL else { return [] }
        return smart.compactMap { sticker in
            picture(of: sticker, for: .imgly).map { picture in
                IMGLYLibrary.Item(
                    PackSticker(sticker, picture), base: base,
                    variants: sticker.variantsOfIMGLY(below: base))
            }
        }
    }
}

extension ManifestSticker {
    /// Its other styles that have a picture the editors show.
    fileprivate func variantsOfIMGLY(below base: String) -> [IMGLYLibrary.Variant] {
        (variants ?? []).compactMap { variant in
            variant.companionURL.flatMap(PublishedPicture.init(url:)).map {
                IMGLYLibrary.Variant(
                    of: identifier, style: variant.style, stickerURI: base + $0.path)
            }
        }
    }
}
