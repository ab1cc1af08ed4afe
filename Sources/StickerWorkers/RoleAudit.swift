import StickerModel

/// Which files must come for an order, and which may: their roles, formats, sizes and times.
struct RoleAudit {
    let order: WorkOrder
    let isAnimated: Bool

    /// - Throws: `ReplyAudit.Fault` where a file is missing, doubled or not as ordered.
    func check(_ files: [MadeFile]) throws {
        guard files.first?.role == .sticker else { throw fault("the first file is no sticker") }
        let counts = Dictionary(grouping: files, by: \.role).mapValues(\.count)
        for role in [StickerFile.Role.sticker, .companion, .poster, .tray]
        where counts[role, default: 0] > 1 { throw fault("two files are a \(role.rawValue)") }
        if order.isStickerAlone, files.count > 1 { throw fault("more than the sticker came") }
        let thumbnails = order.recipe.settings.thumbnails.count + 1
        guard counts[.thumbnail, default: 0] <= thumbnails else {
            throw fault("more than \(thumbnails) thumbnails came")
        }
        if !order.isStickerAlone { try checkCompleteness(counts) }
        for file in files { try check(file) }
    }

    private func checkCompleteness(_ counts: [StickerFile.Role: Int]) throws {
        guard counts[.tray] == 1, counts[.thumbnail, default: 0] > 0 else {
            throw fault("tray icon or thumbnails are missing")
        }
        guard isAnimated == (counts[.poster] == 1) else { throw fault("the poster is wrong") }
        guard order.recipe.settings.companions == (counts[.companion] == 1) else {
            throw fault("the companion is wrong")
        }
    }

    private func check(_ file: MadeFile) throws {
        let name = file.role.rawValue
        guard isRight(file.format, for: file.role) else {
            throw fault("a \(name) in \(file.format.rawValue)")
        }
        guard isRight(file.size, for: file.role) else { throw fault("a \(name) of \(file.size)") }
        let moves = isAnimated && (file.role == .sticker || file.role == .companion)
        guard (file.frames != nil) == moves, (file.durationMilliseconds != nil) == moves else {
            throw fault("a \(name) that moves or stands still against its kind")
        }
        guard 1...order.limits.framesMax ~= file.frames ?? 1,
            0...86_400_000 ~= file.durationMilliseconds ?? 0
        else { throw fault("a \(name) of \(file.frames ?? 1) frames") }
    }

    private func isRight(_ format: ImageFormat, for role: StickerFile.Role) -> Bool {
        switch role {
        case .sticker, .poster: format == .webp
        case .companion: format == (isAnimated ? .gif : .png)
        case .thumbnail: format == .png || format == .webp
        case .tray: format == .png
        }
    }

    private func isRight(_ size: PixelSize, for role: StickerFile.Role) -> Bool {
        guard size.width == size.height else { return false }
        return switch role {
        case .sticker, .poster: size == .sticker
        case .companion: size == .sticker || (isAnimated && size.width == 320)
        case .thumbnail: 16...512 ~= size.width
        case .tray: size.width == 96
        }
    }

    private func fault(_ detail: String) -> ReplyAudit.Fault { ReplyAudit.Fault(detail: detail) }
}
