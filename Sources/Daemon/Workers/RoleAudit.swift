import StickerValues

/// The required and allowed files for an order: their roles, targets, formats, sizes and durations. Also checks that
/// the reported looks of the sticker are possible.
struct RoleAudit {
    let order: WorkOrder
    let made: MadeSticker

    /// - Throws: `ReplyAudit.Fault` if a file is missing, duplicated or not as ordered.
    func check() throws {
        let files = made.files
        guard made.appearance?.isPlausible ?? true else {
            throw fault("an appearance that cannot be measured")
        }
        guard order.recipe.makesSticker else { return try checkRenditions() }
        guard files.first?.role == .sticker else { throw fault("the first file is not a sticker") }
        let counts = Dictionary(grouping: files, by: \.role).mapValues(\.count)
        for role in [StickerFile.Role.sticker, .companion, .poster, .tray]
        where counts[role, default: 0] > 1 { throw fault("two files are a \(role.rawValue)") }
        if order.isStickerAlone, files.count > 1 { throw fault("more than the sticker came") }
        let thumbnails = order.recipe.settings.thumbnails.count + 1
        guard counts[.thumbnail, default: 0] <= thumbnails else {
            throw fault("more than \(thumbnails) thumbnails came")
        }
        if !order.isStickerAlone { try checkCompleteness(counts) }
        try checkTargets()
        for file in files { try check(file) }
    }

    /// Checks a reply to an order for renditions only.
    private func checkRenditions() throws {
        if let other = made.files.first(where: { $0.role != .rendition }) {
            throw fault("a \(other.role.rawValue) that was not ordered")
        }
        try checkAnswers()
        for file in made.files { try check(file) }
    }

    private func checkCompleteness(_ counts: [StickerFile.Role: Int]) throws {
        guard counts[.tray] == 1, counts[.thumbnail, default: 0] > 0 else {
            throw fault("tray icon or thumbnails are missing")
        }
        guard made.animated == (counts[.poster] == 1) else { throw fault("the poster is wrong") }
        let wantsCompanion =
            order.recipe.settings.companions && made.files[0].format == .webp
        guard wantsCompanion == (counts[.companion] == 1) else {
            throw fault("the companion is wrong")
        }
    }

    private func checkTargets() throws {
        try checkAnswers()
        guard made.files[0].target == order.recipe.targets[0].name else {
            throw fault("the sticker is for another target")
        }
    }

    /// Checks that each further target has either its rendition or its shortfall, and that there are no
    /// others.
    private func checkAnswers() throws {
        let answered =
            made.files.filter { $0.role == .rendition }.compactMap(\.target)
            + made.shortfalls.map(\.target)
        let further = order.isStickerAlone ? [] : order.recipe.targets.dropFirst().map(\.name)
        guard answered.sorted() == further.sorted() else {
            throw fault("the targets are not those of the order")
        }
    }

    private func check(_ file: MadeFile) throws {
        let name = file.role.rawValue
        guard 1...order.limits.framesMax ~= file.frames ?? 1,
            0...86_400_000 ~= file.durationMilliseconds ?? 0
        else { throw fault("a \(name) of \(file.frames ?? 1) frames") }
        let hasTarget = file.role == .sticker || file.role == .rendition
        guard hasTarget == (file.target != nil), hasTarget == (file.encoding != nil) else {
            throw fault("a \(name) without its target or its encoding, or with one too many")
        }
        guard (file.frames != nil) == (file.durationMilliseconds != nil) else {
            throw fault("a \(name) that moves or stands still against its kind")
        }
        if hasTarget { return try checkRules(file) }
        guard (file.frames != nil) == (made.animated && file.role == .companion) else {
            throw fault("a \(name) that moves or stands still against its kind")
        }
        guard isRight(file.format, for: file.role) else {
            throw fault("a \(name) in \(file.format.rawValue)")
        }
        guard isRight(file.size, for: file.role) else { throw fault("a \(name) of \(file.size)") }
    }

    private func isRight(_ format: ImageFormat, for role: StickerFile.Role) -> Bool {
        switch role {
        case .companion: format == (made.animated ? .gif : .png)
        case .thumbnail: format == .png || format == .webp
        case .tray: format == .png
        case .poster: format == .webp
        case .sticker, .rendition, .variant: false
        }
    }

    private func isRight(_ size: PixelSize, for role: StickerFile.Role) -> Bool {
        let sticker = made.files[0].size
        return switch role {
        case .poster: size == sticker
        case .companion: size == sticker || (made.animated && size.longSide <= 320)
        case .thumbnail: size.width == size.height && 16...512 ~= size.width
        case .tray: size == PixelSize(width: 96, height: 96)
        case .sticker, .rendition, .variant: false
        }
    }

    // MARK: The rules of targets

    /// How many bytes a file may have; `nil` if no rule limits it.
    func bytesMax(of file: MadeFile) -> Int? {
        if file.role == .tray { return order.recipe.settings.trayBytesMax }
        let target = order.recipe.targets.first { $0.name == file.target }
        return file.frames == nil ? target?.still?.bytesMax : target?.moving?.bytesMax
    }

    private func checkRules(_ file: MadeFile) throws {
        let name = file.role.rawValue
        guard let target = order.recipe.targets.first(where: { $0.name == file.target }) else {
            throw fault("a \(name) for no target of the order")
        }
        guard file.role == .rendition || (file.frames != nil) == made.animated else {
            throw fault("a \(name) that moves or stands still against its kind")
        }
        guard fits(file.size, target.canvas) else { throw fault("a \(name) of \(file.size)") }
        if let frames = file.frames {
            try check(file, frames, target.moving, name)
        } else {
            guard let rules = target.still,
                rules.forms.contains(where: { $0.format == file.format })
            else { throw fault("a \(name) in \(file.format.rawValue)") }
        }
    }

    private func check(
        _ file: MadeFile, _ frames: Int, _ rules: MovingRules?, _ name: String
    ) throws {
        guard let rules, rules.forms.contains(where: { $0.format == file.format }) else {
            throw fault("a \(name) in \(file.format.rawValue)")
        }
        guard frames <= rules.framesMax || rules.framesMax == 0 else {
            throw fault("a \(name) of \(frames) frames")
        }
        let milliseconds = file.durationMilliseconds ?? 0
        guard milliseconds <= rules.millisecondsMax || rules.millisecondsMax == 0 else {
            throw fault("a \(name) of \(milliseconds) ms")
        }
    }

    private func fits(_ size: PixelSize, _ canvas: TargetCanvas) -> Bool {
        let box = PixelSize(width: canvas.width, height: canvas.height)
        guard canvas.fit != .exact else { return size == box }
        return 1...box.width ~= size.width && 1...box.height ~= size.height
    }

    private func fault(_ detail: String) -> ReplyAudit.Fault { ReplyAudit.Fault(detail: detail) }
}
