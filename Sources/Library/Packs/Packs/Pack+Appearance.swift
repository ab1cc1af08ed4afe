import StickerValues

/// Visible flaws in a chat, by the values measured when the stickers were made.
extension Pack {
    /// If more stickers of a pack lack a margin, it is a matter of the settings and one finding.
    private static let namedAtMost = 3

    /// Stickers that vanish on a chat's background, begin empty, or reach too near to the edge.
    ///
    /// - Parameters:
    ///   - source: the category.
    ///   - target: the rules of the pictures; `nil` if they have none of their own.
    /// - Returns: warnings; none about stickers of unknown appearance.
    func appearanceFindings(_ source: PackSource, _ target: Target?) -> [Finding] {
        let members = Set(stickers.map(\.identifier))
        var findings: [Finding] = []
        var marginless: [ManifestSticker] = []
        for sticker in source.stickers where members.contains(sticker.identifier) {
            for rule in AppearanceRule.broken(by: sticker, source.targets) {
                if rule != .margin {
                    findings.append(finding(rule, sticker))
                } else if target == nil || target?.canvas == sticker.canvas(among: source.targets) {
                    // Another canvas may have another margin.
                    marginless.append(sticker)
                }
            }
        }
        return findings + marginFindings(marginless)
    }

    private func marginFindings(_ marginless: [ManifestSticker]) -> [Finding] {
        guard marginless.count > Self.namedAtMost else {
            return marginless.map { finding(.margin, $0) }
        }
        let words = AppearanceRule.margin.words(of: marginless.compactMap(\.appearance))
        return [
            Finding(
                AppearanceRule.margin.rawValue, .warning, pack: identifier,
                "the art of \(marginless.count) of \(stickers.count) stickers comes near the edge",
                measured: words.measured, limit: words.limit, remedy: words.remedy)
        ]
    }

    private func finding(_ rule: AppearanceRule, _ sticker: ManifestSticker) -> Finding {
        let words = rule.words(
            of: [sticker.appearance].compactMap(\.self), areMoving: sticker.animated)
        return Finding(
            rule.rawValue, .warning, pack: identifier, sticker: sticker.identifier,
            file: sticker.source.name, words.detail, measured: words.measured, limit: words.limit,
            remedy: words.remedy)
    }
}

extension AppearanceRule {
    /// The text about pictures that break the rule; the worst of them is measured.
    func words(
        of appearances: [Appearance], areMoving: Bool = false
    ) -> (detail: String, measured: String, limit: String, remedy: String) {
        func least(_ value: KeyPath<Appearance, Int>) -> Int {
            appearances.map { $0[keyPath: value] }.min() ?? 0
        }
        func vanishes(_ ground: String, _ percent: Int, _ outline: String) -> (
            String, String, String, String
        ) {
            (
                "too little of it stands out in a \(ground) chat", "\(percent) %",
                "at least \(Self.visiblePercentMin) %",
                "draw a \(outline) outline around it, 8 pixels wide on a canvas of 512, or have it drawn "
                    + "by sticker.outline"
            )
        }
        return switch self {
        case .vanishesOnDark: vanishes("dark", least(\.onDarkPercent), "light")
        case .vanishesOnLight: vanishes("light", least(\.onLightPercent), "dark")
        case .emptyFirstFrame where areMoving:
            (
                "chats that play nothing show the first frame, and it is empty",
                "less than 2 % of the art", "more than that",
                "let the animation begin with a frame that shows its subject"
            )
        case .emptyFirstFrame:
            (
                "nothing in the picture is visible", "an empty picture",
                "one that shows something", "drop a picture that shows something"
            )
        case .margin:
            (
                "the art comes near the edge", "\(least(\.marginPixels)) pixels",
                "at least \(Self.marginPixelsMin) pixels of 512",
                "set sticker.marginPixels to \(Self.marginPixelsMin), or draw it with a margin"
            )
        }
    }
}
