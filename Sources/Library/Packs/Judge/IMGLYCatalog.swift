import StickerValues

/// The part `sticker` of a configuration of IMG.LY's editors. Its pictures are at web addresses, which are not opened.
struct IMGLYCatalog {
    private let categories: [JSONValue]
    private let path: String

    /// Whether the first bytes of a file may be those of such a configuration.
    static func begins(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains("\"sticker\"")
    }

    /// `nil` if it is none; of very many categories the first.
    init?(_ value: JSONValue, _ path: String, most: Int) {
        guard let categories = value["sticker"]?["categories"]?.items else { return nil }
        (self.categories, self.path) = (Array(categories.prefix(most)), path)
    }

    /// The fault, in a few words.
    var judged: JudgedPack {
        var judged = JudgedPack(.imgly, at: path)
        let making = IMGLY()
        let allowance = PlatformAllowance(.imgly)
        var ids: Set<String> = []
        let titles = categories.map { $0["name"]?.text ?? "" }
        for (category, title) in zip(categories, titles) {
            let items = category["items"]?.items ?? []
            var imported = ImportedPack(
                form: "IMG.LY", name: category["identifier"]?.text ?? "", for: .imgly, list: path)
            imported.words.title = title
            imported.cover = category["thumbnailURI"]?.text
            let addresses = items.map { $0["stickerURI"]?.text ?? "" }
            let stickers = zip(items, addresses).map { item, address in
                PackSticker(
                    ImportedSticker(path: address, name: item["identifier"]?.text ?? ""),
                    PackPicture(format: Self.format(of: address)))
            }
            var pack = Pack(imported, stickers, icons: [], for: making)
            pack.sharesTitle = titles.count { $0 == title } > 1
            let isAbsolute = addresses.allSatisfy {
                $0.hasPrefix("http://") || $0.hasPrefix("https://")
            }
            pack.baseURL = isAbsolute ? "https://" : nil
            judged.findings += making.lint(pack, nil).map {
                $0.ofSomebodyElse(list: path, allowance)
            }
            judged.findings += taken(imported.name, nil, in: pack, &ids)
            for sticker in stickers {
                judged.findings += taken(
                    sticker.identifier.rawValue, sticker.identifier, in: pack, &ids)
            }
            judged.packs.append(
                .init(
                    identifier: imported.name, title: title, version: 1, stickers: stickers.count))
        }
        return judged
    }

    /// Documents refer to stickers by id.
    private func taken(
        _ id: String, _ sticker: StickerID?, in pack: Pack, _ ids: inout Set<String>
    ) -> [Finding] {
        let kind = sticker == nil ? "category" : "sticker"
        guard id.isEmpty || !ids.insert("\(kind) \(id)").inserted else { return [] }
        return [
            Finding(
                "name-taken", pack: pack.identifier, sticker: sticker, file: path,
                id.isEmpty ? "a \(kind) has no identifier" : "two of them have one identifier",
                measured: id.isEmpty ? "none" : id, limit: "one of its own",
                remedy: "correct it in \(TreePath.name(of: path))")
        ]
    }

    private static func format(of address: String) -> ImageFormat {
        let ending = FileName.fileExtension(Array(address.utf8))
        return ending == "jpg" ? .jpeg : ImageFormat(rawValue: ending) ?? .png
    }
}

extension PackPicture {
    /// A picture known only by format: small enough for any limit. A GIF moves.
    fileprivate init(format: ImageFormat) {
        let file = PictureFile(
            size: PixelSize(width: 1, height: 1), frames: format == .gif ? 2 : 1,
            frameMilliseconds: nil)
        self.init(file, format, bytes: 0)
    }
}
