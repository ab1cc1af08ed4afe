import StickerContainers
import StickerValues

/// The examination of one pack's files.
struct PackLook {
    private let pack: ImportedPack
    private let target: Target?
    private let platform: PackPlatform
    private let allowance: PlatformAllowance
    private var stickers: [PackSticker] = []
    private var broken: Set<StickerID> = []
    private var icons: [PackIcon] = []
    private var iconPaths: Set<String> = []
    private var noted: [Finding] = []
    /// Whether the pack should move; `nil` if the majority of its stickers decides.
    private let moves: Bool?
    /// The pictures with intact headers.
    private(set) var pictures: [JudgedPicture] = []

    init(_ pack: ImportedPack, _ platform: PackPlatform, _ target: Target?, moves: Bool? = nil) {
        (self.pack, self.target, self.platform, self.moves) = (pack, target, platform, moves)
        allowance = PlatformAllowance(platform)
    }

    /// The number of its stickers, intact or not.
    var stickerCount: Int { stickers.count }

    /// Whether a picture is an icon of the pack and no sticker.
    func isIcon(_ path: String) -> Bool { iconPaths.contains(path) }

    // MARK: Files

    mutating func takeIcons(
        from named: [(path: String, size: PixelSize)], cover: String?, _ judge: inout PackJudge
    ) {
        for (path, size) in named {
            iconPaths.insert(path)
            guard let picture = load(path, of: nil, &judge) else { continue }
            icons.append(PackIcon(size: size, picture: .unpublished))
            guard picture.file.size != size else { continue }
            note(
                "icon-size", path, nil, "the picture of the pack has another size",
                measured: "\(picture.file.size)", limit: "\(size)",
                remedy: "scale it to \(size) pixels")
        }
        guard let cover, iconPaths.insert(cover).inserted,
            let picture = load(cover, of: nil, &judge)
        else { return }
        icons.append(PackIcon(size: picture.file.size, picture: .unpublished))
        if platform == .tuikit, picture.file.size != TUIKit.side {
            note(
                "icon-size", cover, nil, "the picture of the group has another size",
                as: .warning, measured: "\(picture.file.size)", limit: "\(TUIKit.side)",
                remedy: "scale it to \(TUIKit.side) pixels")
        }
    }

    /// Accepted videos that are not examined.
    private static let videos = ["webm", "tgs"]

    mutating func take(_ sticker: ImportedSticker, _ judge: inout PackJudge) {
        let id = StickerID(rawValue: sticker.shortcode ?? sticker.name)
        let ending = FileName.fileExtension(Array(sticker.path.utf8))
        if platform == .telegram, Self.videos.contains(ending) {
            broken.insert(id)
            stickers.append(PackSticker(sticker, .unread))
            return note(
                "not-judged", sticker.path, id, "videos are not checked", as: .warning,
                measured: ending, limit: "WebP or PNG", remedy: "nothing, if it plays")
        }
        guard let (file, format, bytes) = load(sticker.path, of: id, &judge) else {
            broken.insert(id)
            // It counts among the others.
            stickers.append(PackSticker(sticker, .unread))
            return
        }
        stickers.append(
            PackSticker(sticker, PackPicture(file, format, bytes: bytes.count)))
        if file.moves, let target, target.moving == nil {
            note(
                "moves", sticker.path, id, target.withoutMoving ?? "it moves",
                measured: "\(file.frames) frames", limit: "1 frame",
                remedy: "leave it out, or export a still picture")
        }
        if platform == .signal, file.moves, let plays = file.plays, plays != 0 {
            note(
                "loops", sticker.path, id, "the animation ends",
                measured: plays.counted("play", "plays"), limit: "for ever",
                remedy: "export it again to loop for ever")
        }
        let least = target?.moving?.frameMillisecondsMin ?? 0
        let times = file.frameMilliseconds ?? []
        if file.moves, let shortest = times.min(), shortest < least {
            note(
                "frame-time", sticker.path, id, "frames follow one another too fast", as: .warning,
                measured: "\(shortest) ms", limit: "\(least) ms or more",
                remedy: "join short frames with those beside them")
        }
    }

    /// Reads the headers of a picture, and notes faults that do not depend on the platform.
    private mutating func load(
        _ path: String, of sticker: StickerID?, _ judge: inout PackJudge
    ) -> (file: PictureFile, format: ImageFormat, bytes: [UInt8])? {
        let bytes: [UInt8]
        do throws(ImportFault) {
            bytes = try judge.picture(path)
        } catch {
            note(
                error.rule.rawValue, path, sticker, error.detail,
                measured: error.measured ?? "no bytes", limit: error.limit ?? "a picture",
                remedy: error.remedy)
            return nil
        }
        guard let format = PackJudge.format(of: bytes) else {
            noteBroken(path, sticker, bytes.isEmpty ? "0 bytes" : "bytes of unknown meaning")
            return nil
        }
        guard PictureFile.formats.contains(format) else {
            noteFormat(path, sticker, format)
            return nil
        }
        guard let file = PictureFile(bytes, as: format) else {
            noteBroken(path, sticker, "a damaged or incomplete \(format.name)")
            return nil
        }
        checkName(path, sticker, format)
        for kind in PictureFile.metadata(in: bytes, format) {
            note(
                "metadata", path, sticker, "the file carries more than pixels", as: .warning,
                measured: kind, limit: "no metadata",
                remedy: "export the picture again without metadata")
        }
        let canvas = target?.canvas
        pictures.append(
            JudgedPicture(
                path: path, bytes: bytes.count, pack: pack.name, sticker: sticker,
                moves: file.moves, hasMargin: canvas?.fit == .exact))
        return (file, format, bytes)
    }

    /// Apps and importers rely on the name.
    private mutating func checkName(
        _ path: String, _ sticker: StickerID?, _ format: ImageFormat
    ) {
        let ending = FileName.fileExtension(Array(path.utf8))
        let known = ImageFormat.allCases.first { Self.endings(of: $0).contains(ending) }
        guard let known, known != format else { return }
        note(
            "picture-name", path, sticker,
            "the name says \(known.name), and the bytes are another format", measured: format.name,
            limit: known.name,
            remedy: "save it as \(known.name), or name it .\(format.fileExtension)")
    }

    private static func endings(of format: ImageFormat) -> [String] {
        switch format {
        case .jpeg: ["jpg", "jpeg"]
        case .png: ["png", "apng"]
        default: [format.fileExtension]
        }
    }

    // MARK: Findings

    /// All findings from headers.
    ///
    /// - Parameters:
    ///   - making: the platform.
    ///   - whatsApp: the findings of WhatsApp's validator about the files.
    /// - Returns: faults and warnings, in no order.
    func findings(
        for making: any PackMaking, whatsApp: (ImportedPack, _ moves: Bool) -> [Finding]
    ) -> [Finding] {
        let whole = Pack(pack, stickers, icons: icons, for: making)
        let said = making.lint(whole, target).filter(isAsSaid)
            .map { $0.ofSomebodyElse(list: pack.list, allowance) }
        guard making.platform == .whatsapp else { return noted + pack.refused + said }
        var listed = pack
        listed.stickers = pack.stickers.filter { !isIcon($0.path) }
        // Archives of sticker makers cannot contain emoji, and the validator judges the files.
        return noted + said.filter { $0.sticker == nil }
            + whatsApp(listed, moves ?? (whole.kind == .moving))
    }

    /// Whether a rule of stickerd also is a rule of the platform.
    private func isAsSaid(_ finding: Finding) -> Bool {
        // Pictures for the Web are a setting of stickerd.
        guard finding.rule != "no-still" else { return false }
        // Another rule covers the picture of a group.
        guard finding.rule != "icon-size" else { return false }
        guard let id = finding.sticker else { return true }
        guard !broken.contains(id) else { return false }
        guard let picture = stickers.first(where: { $0.identifier == id })?.picture else {
            return true
        }
        switch finding.rule {
        case "picture-size": return !allowance.takesSize(of: picture)
        case "picture-format":
            let isToldAsMoving = picture.moves && target?.moving == nil
            return !isToldAsMoving && !allowance.takes(picture)
        default: return true
        }
    }

    private mutating func noteBroken(_ path: String, _ sticker: StickerID?, _ what: String) {
        note(
            "picture-broken", path, sticker, "the picture cannot be read", measured: what,
            limit: "a whole picture", remedy: "export the picture again")
    }

    private mutating func noteFormat(
        _ path: String, _ sticker: StickerID?, _ format: ImageFormat
    ) {
        let taken = allowance.stills.union(allowance.moving).map(\.name).sorted()
        note(
            "picture-format", path, sticker, "the file has another format", measured: format.name,
            limit: taken.joined(separator: " or "), remedy: "export the picture again as that")
    }

    private mutating func note(
        _ rule: String, _ path: String, _ sticker: StickerID?, _ detail: String,
        as severity: Finding.Severity = .fault, measured: String, limit: String, remedy: String
    ) {
        // Its validator judges the same files, in its own words.
        guard platform != .whatsapp else { return }
        let isAdvice = allowance.advice.contains(rule)
        noted.append(
            Finding(
                rule, isAdvice ? .warning : severity, pack: pack.name, sticker: sticker,
                file: path, detail, measured: measured, limit: limit, remedy: remedy))
    }
}

extension PackPicture {
    /// Stands for an unreadable picture.
    fileprivate static let unread = PackPicture(
        PictureFile(size: PixelSize(width: 0, height: 0), frames: 1, frameMilliseconds: nil), .png,
        bytes: 0)
}

extension Finding {
    /// The same finding about a foreign pack, which stickerd can neither cut nor repair.
    ///
    /// - Parameters:
    ///   - list: the description of the pack.
    ///   - allowance: the formats and sizes that the platform accepts.
    /// - Returns: it as a fault where a platform does not cut, with a generally valid remedy.
    func ofSomebodyElse(list: String?, _ allowance: PlatformAllowance) -> Finding {
        var finding = self
        if allowance.advice.contains(rule) { finding.severity = .warning }
        if rule.hasSuffix("-cut") {
            let what = String(rule.dropLast("-cut".count))
            let isMany = ["emoji", "keywords"].contains(what)
            finding.rule = what + (isMany ? "-many" : "-long")
            finding.severity = .fault
            let name = what == "text" ? "accessibility text" : what
            finding.detail =
                isMany ? "the sticker has too many \(name)" : "the \(name) is too long"
        }
        // Such a pack keeps its name.
        if ["title-short", "name-changed"].contains(rule) {
            finding.severity = .fault
            finding.detail = "the platform does not take this name"
        }
        let isPicture = rule.hasPrefix("picture-") || rule == "archive-bytes"
        let place = list.map { TreePath.name(of: $0) } ?? "the texts beside the pictures"
        finding.remedy =
            switch rule {
            case _ where isPicture: "export it again within the limit"
            case "no-icon": "put the picture there"
            case "old-servers": "make the pictures smaller, if such servers matter"
            case "too-few": "add pictures"
            case "too-many", "slots": "take some out"
            case "set-size", "V09": "add pictures, or take some out"
            default: "correct it in \(place)"
            }
        return finding
    }
}
