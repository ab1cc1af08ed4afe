extension Watermark {
    /// Everything that changes pixels, without its name or path. On a still, its state at the beginning.
    func recipeLine(moves: Bool) -> String {
        guard moves || keyframes.isEmpty else {
            return at(milliseconds: 0).recipeLine(moves: false)
        }
        let kinds = kinds.map(\.rawValue).joined(separator: ",")
        return "mark \(content.text)\(words)" + (kinds.isEmpty ? "" : " stickers=\(kinds)")
    }
}

extension [Watermark] {
    /// Whether any of them animates stills.
    public var animate: Bool { contains(where: \.mayAnimate) }
}

extension Watermark {
    /// Whether it animates a still, as far as known without decoding it.
    fileprivate var mayAnimate: Bool {
        guard animates, isOn(.still) else { return false }
        if case .image = content { return true }
        return hasMotion
    }
}

extension Recipe {
    /// The same recipe with only the marks that stickers of a kind wear.
    ///
    /// - Parameter moves: whether the sticker moves without marks.
    /// - Returns: a recipe for such stickers.
    public func wearing(moves: Bool) -> Recipe {
        var recipe = self
        recipe.settings.watermarks = settings.watermarks.filter {
            $0.isOn(moves ? .moving : .still)
        }
        .map { mark in
            var mark = mark
            mark.on = mark.files
            return mark
        }
        return recipe
    }

    /// The marks on a target's file, for stickers of any kind.
    public func marks(of target: Target) -> [Watermark] {
        let role = target.name == targets[0].name ? StickerFile.Role.sticker : .rendition
        return settings.watermarks.filter { $0.isOn(role, target.name) }
    }

    /// The marks on a side file of a role, for stickers of any kind.
    public func marks(on role: StickerFile.Role) -> [Watermark] {
        settings.watermarks.filter { $0.isOn(role, nil) }
    }

    /// Remarks about marks on targets for which nothing is made.
    public var marksOnNothing: [String] {
        let names = Set(targets.map(\.name)).union(StickerFile.Role.allCases.map(\.rawValue))
        return settings.watermarks.flatMap { mark in
            mark.files.filter { !names.contains($0) }.map {
                "\(FileName.escaped(mark.id)) is on \($0), for which nothing is made; add that to sticker.targets"
            }
        }
    }

    /// Whether a mark may animate the sticker of a still.
    var mayAnimateStills: Bool { targets[0].moving != nil && marks(of: targets[0]).animate }
}

extension StickerSettings {
    /// Targets and roles that marks name in `on`; each such target has files of its own.
    public var targetsNamedByMarks: Set<String> { Set(watermarks.flatMap(\.files)) }
}
