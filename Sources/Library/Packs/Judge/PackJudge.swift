import StickerContainers
public import StickerValues

/// Judges packs of any origin in a folder or an archive.
///
/// The rules are the same as for making packs; `PlatformAllowance` has those where a platform accepts more than
/// stickerd makes. Pixels are not examined: see `JudgedPack.pictures`.
public struct PackJudge {
    private var files: PackFiles
    private let wanted: PackPlatform?
    private let targets: [String: Target]
    private var bytesLeft: Int
    /// Packs that were left out while others were judged.
    public private(set) var leftOut: [ImportFault] = []

    /// Creates a judge of foreign files.
    ///
    /// - Parameters:
    ///   - tree: all files.
    ///   - platform: the platform; `nil` if the packs show it.
    ///   - targets: the rules of pictures, by name.
    ///   - limits: the limits of the files.
    public init(
        _ tree: any PackTree, for platform: PackPlatform?,
        targets: [String: Target] = Target.builtIn, limits: ImportLimits = ImportLimits()
    ) {
        files = PackFiles(tree, limits)
        wanted = platform
        self.targets = targets
        bytesLeft = limits.totalBytesMax
    }

    /// Judges every pack.
    ///
    /// - Returns: one entry for each description, or for each pack without one.
    /// - Throws: `ImportFault` if there is no pack, or the platform of all is unknown.
    public mutating func judge() throws(ImportFault) -> [JudgedPack] {
        let apps = wanted ?? .whatsapp == .whatsapp ? judgeApps() : []
        let catalogs = wanted ?? .imgly == .imgly ? judgeCatalogs() : []
        var judged = apps + catalogs
        let appFolders = apps.map { TreePath.folder(of: $0.path) }
        for pack in PackFinder.all(in: &files) where !pack.isBelow(any: appFolders) {
            guard let making = making(wanted ?? pack.platform) else {
                leftOut.append(.unknownPlatform(of: pack, in: files.tree.name))
                continue
            }
            judged.append(judge(pack, for: making))
        }
        guard !judged.isEmpty else {
            throw leftOut.first ?? files.faults.first ?? ImportFault.noPack(in: &files)
        }
        // An app was judged by its own rules.
        for fault in files.faults {
            guard let index = judged.firstIndex(where: { $0.isAbout(fault) && !$0.isApp })
            else { continue }
            judged[index].findings.append(Finding(fault))
        }
        return judged
    }

    /// Judges published pictures.
    ///
    /// - Parameters:
    ///   - stickers: those whose files are judged: either all should move, or none.
    ///   - category: their category.
    ///   - making: the platform.
    /// - Returns: the findings about the files, without any about the pack as a whole.
    public mutating func judge(
        _ stickers: [PackSticker], of category: CategoryID, for making: any PackMaking
    ) -> JudgedPack {
        var pack = ImportedPack(form: "", name: category.rawValue, for: making.platform)
        pack.stickers = stickers.map { sticker in
            var words = StickerWords()
            (words.title, words.emojis) = (sticker.title, sticker.emojis)
            return ImportedSticker(
                path: sticker.picture.published.path, name: sticker.identifier.rawValue,
                words: words)
        }
        let moves = stickers.first?.picture.moves
        var judged = judge(pack, for: making, moves: moves)
        judged.findings.removeAll { $0.file == nil }
        return judged
    }

    private func making(_ platform: PackPlatform?) -> (any PackMaking)? {
        Platforms.all.first { $0.platform == platform }
    }

    // MARK: Descriptions with rules of their own

    private mutating func judgeApps() -> [JudgedPack] {
        files.paths.filter(WhatsAppAppForm.isManifest).map { path in
            var judged = JudgedPack(.whatsapp, at: path)
            judged.isApp = true
            let folder = TreePath.folder(of: path)
            let kind: WhatsAppValidator.App = path.hasSuffix(".json") ? .android : .ios
            let found = WhatsAppValidator(for: kind).findings(in: bytes(path) ?? []) {
                bytes(TreePath.join(folder, $0))
            }
            judged.findings = found.map { finding in
                var finding = finding
                finding.file = finding.file.map { TreePath.join(folder, $0) }
                return finding
            }
            for pack in files.json(path)?["sticker_packs"]?.items ?? [] {
                add(pack, folder, kind, to: &judged)
            }
            return judged
        }
    }

    /// Adds a pack of an app, with the decodable pictures.
    private func add(
        _ pack: JSONValue, _ folder: String, _ kind: WhatsAppValidator.App,
        to judged: inout JudgedPack
    ) {
        let id = pack["identifier"]?.text ?? ""
        let stickers = pack["stickers"]?.items ?? []
        judged.packs.append(
            .init(
                identifier: id, title: pack["name"]?.text ?? id, version: 1,
                stickers: stickers.count))
        let place = kind == .android ? TreePath.join(folder, id) : folder
        func add(_ name: String?, isSticker: Bool) {
            guard let name, TreePath.staysBelow(name) else { return }
            let path = TreePath.join(place, name)
            guard let bytes = bytes(path), let format = Self.format(of: bytes),
                let picture = PictureFile(bytes, as: format)
            else { return }
            judged.pictures.append(
                JudgedPicture(
                    path: path, bytes: bytes.count, pack: id,
                    sticker: isSticker ? StickerID(rawValue: TreePath.stem(of: name)) : nil,
                    moves: picture.moves, hasMargin: true))
        }
        add(pack["tray_image_file"]?.text, isSticker: false)
        for sticker in stickers { add(sticker["image_file"]?.text, isSticker: true) }
    }

    private mutating func judgeCatalogs() -> [JudgedPack] {
        var judged: [JudgedPack] = []
        for path in files.paths where path.lowercased().hasSuffix(".json") {
            guard wanted == .imgly || IMGLYCatalog.begins(start(of: path)),
                let value = files.json(path),
                let catalog = IMGLYCatalog(value, path, most: files.limits.packsMax)
            else { continue }
            judged.append(catalog.judged)
        }
        return judged
    }

    // MARK: Packs

    private mutating func judge(
        _ pack: ImportedPack, for making: any PackMaking, moves: Bool? = nil
    ) -> JudgedPack {
        let folder = TreePath.folder(of: pack.list ?? pack.stickers.first?.path ?? "")
        var judged = JudgedPack(making.platform, at: pack.list ?? folder)
        let target = making.platform.target.flatMap { targets[$0] }
        var look = PackLook(pack, making.platform, target, moves: moves)
        look.takeIcons(from: icons(of: making.platform, in: folder), cover: pack.cover, &self)
        for sticker in pack.stickers where !look.isIcon(sticker.path) { look.take(sticker, &self) }
        judged.findings = look.findings(for: making, whatsApp: whatsAppFindings)
        judged.pictures = look.pictures
        judged.packs = [
            .init(
                identifier: pack.name, title: pack.words.title ?? pack.name, version: 1,
                stickers: look.stickerCount)
        ]
        return judged
    }

    /// The pictures that a platform requires beside the stickers, by their names.
    private func icons(
        of platform: PackPlatform, in folder: String
    ) -> [(path: String, size: PixelSize)] {
        PlatformIcon.all.filter { $0.platform == platform && platform != .whatsapp }
            .compactMap { icon in
                files.file("\(icon.name).png", in: folder).map { ($0, icon.size) }
            }
    }

    /// The findings of WhatsApp's validator about the files of a pack that an app would carry.
    private func whatsAppFindings(_ pack: ImportedPack, moves: Bool) -> [Finding] {
        let app = WhatsAppHull(pack, moves: moves)
        return WhatsAppValidator(for: .android).findings(in: app.manifest) { path in
            app.paths[path].flatMap(bytes)
        }.compactMap { finding in
            guard let path = finding.file.flatMap({ app.paths[$0] }), !path.isEmpty else {
                return nil
            }
            var finding = finding
            (finding.file, finding.pack) = (path, pack.name)
            // Findings about the hull itself are dropped.
            switch finding.rule {
            case "L3": finding.detail = "the file is gone"
            case "L4": finding.detail = "the file is empty"
            default: break
            }
            return finding
        }
    }

    // MARK: Files

    /// The bytes of a file; `nil` if it is missing or unreadable.
    private func bytes(_ path: String) -> [UInt8]? {
        guard files.has(path) else { return nil }
        return try? files.tree.bytes(at: path, atMost: files.limits.pictureBytesMax)
    }

    private func start(of path: String) -> [UInt8] {
        (try? files.tree.firstBytes(4096, at: path)) ?? []
    }

    /// The bytes of a picture, up to the limit for all.
    mutating func picture(_ path: String) throws(ImportFault) -> [UInt8] {
        let bytes = try files.tree.bytes(
            at: path, atMost: min(files.limits.pictureBytesMax, bytesLeft))
        bytesLeft -= bytes.count
        return bytes
    }

    static func format(of bytes: [UInt8]) -> ImageFormat? {
        guard case .picture(let format) = ImageFormat.sniff(SourceBytes(Array(bytes.prefix(4096))))
        else { return nil }
        return format
    }
}

extension JudgedPack {
    /// Whether a fault of a file concerns this pack.
    fileprivate func isAbout(_ fault: ImportFault) -> Bool {
        let folder = TreePath.folder(of: path)
        return folder.isEmpty || fault.file == nil || fault.file?.hasPrefix(folder + "/") == true
    }
}

extension ImportedPack {
    fileprivate func isBelow(any folders: [String]) -> Bool {
        let paths = [list, stickers.first?.path].compactMap(\.self)
        return folders.contains { folder in
            folder.isEmpty || paths.contains { $0.hasPrefix(folder + "/") }
        }
    }
}

extension ImportFault {
    fileprivate static func unknownPlatform(
        of pack: ImportedPack, in tree: String
    ) -> ImportFault {
        let names = Platforms.all.map(\.platform.rawValue).joined(separator: ", ")
        let folder = TreePath.folder(of: pack.stickers.first?.path ?? "")
        return ImportFault(
            .unknownPlatform, folder.isEmpty ? tree : folder,
            "no file names the platform of the pictures", limit: names,
            remedy: "name it: --for PLATFORM")
    }

    /// Rules that only leave something out of an import.
    fileprivate static let harmless: Set<Rule> = [
        .notListed, .listedTwice, .badLink, .samePack, .titleCut,
    ]
}

extension Finding {
    /// A fault that prevents the import of a pack.
    public init(_ fault: ImportFault) {
        self.init(
            fault.rule.rawValue,
            ImportFault.harmless.contains(fault.rule) ? .warning : .fault, file: fault.file,
            fault.detail, measured: fault.measured, limit: fault.limit, remedy: fault.remedy)
    }
}
