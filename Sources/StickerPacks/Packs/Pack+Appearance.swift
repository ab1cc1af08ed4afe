import StickerModel

/// What people would see in a chat, whatever the platform: judged by what was measured when the stickers were made.
extension Pack {
    /// The share that has to stand out, in percent. Of 928 pictures, those below could not be made out in a chat, but for
    /// seven that could with some effort.
    private static let visiblePercentMin = 20
    /// Transparent pixels around the art that WhatsApp recommends, on a canvas of 512.
    private static let marginPixels = 16
    /// If more stickers of a pack lack a margin, that is a matter of the settings and one finding.
    private static let namedAtMost = 3

    /// Stickers that vanish in front of a chat, begin with nothing, or reach too near to the edge.
    ///
    /// - Parameters:
    ///   - source: the category.
    ///   - target: the rules of the pictures; `nil` if they have none of their own.
    /// - Returns: warnings; nothing about stickers of which the appearance is not known.
    func appearanceFindings(_ source: PackSource, _ target: Target?) -> [Finding] {
        let members = Set(stickers.map(\.identifier))
        let judged = source.stickers.compactMap { sticker in
            sticker.appearance.flatMap {
                members.contains(sticker.identifier) ? JudgedSticker(sticker, $0) : nil
            }
        }
        let marginless = judged.filter {
            $0.appearance.marginPixels < Self.marginPixels
                && $0.isMeasured(onCanvasOf: target, source)
        }
        return judged.flatMap(visibilityFindings) + marginFindings(marginless)
    }

    private func visibilityFindings(_ judged: JudgedSticker) -> [Finding] {
        let (sticker, appearance) = (judged.sticker, judged.appearance)
        if appearance.startsEmpty, !sticker.animated {
            return [
                finding(
                    "empty-first-frame", sticker, "there is nothing to be seen in the picture",
                    "an empty picture", "something visible", "drop a picture that shows something")
            ]
        }
        var findings: [Finding] = []
        if appearance.startsEmpty {
            findings.append(
                finding(
                    "empty-first-frame", sticker,
                    "chats show the first frame if nothing plays, and it is empty",
                    "less than 2 % of the art", "art in the first frame",
                    "let the animation begin with a frame that shows what it is about"))
        }
        for (ground, percent, outline) in [
            ("dark", appearance.onDarkPercent, "light"),
            ("light", appearance.onLightPercent, "dark"),
        ] where percent < Self.visiblePercentMin {
            findings.append(
                finding(
                    "vanishes-on-\(ground)", sticker, "can hardly be made out in a \(ground) chat",
                    "\(percent) % stands out", "at least \(Self.visiblePercentMin) %",
                    "draw a \(outline) outline around it, 8 pixels wide on a canvas of 512"))
        }
        return findings
    }

    private func marginFindings(_ marginless: [JudgedSticker]) -> [Finding] {
        let limit = "at least \(Self.marginPixels) pixels of 512"
        let remedy = "set sticker.marginPixels to \(Self.marginPixels), or draw it with a margin"
        guard marginless.count > Self.namedAtMost else {
            return marginless.map {
                finding(
                    "margin", $0.sticker, "the art comes near the edge",
                    "\($0.appearance.marginPixels) pixels", limit, remedy)
            }
        }
        let least = marginless.map(\.appearance.marginPixels).min() ?? 0
        return [
            Finding(
                "margin", .warning, pack: identifier,
                "the art of \(marginless.count) of \(stickers.count) stickers comes near the edge",
                measured: "\(least) pixels", limit: limit, remedy: remedy)
        ]
    }

    private func finding(
        _ rule: String, _ sticker: ManifestSticker, _ detail: String, _ measured: String,
        _ limit: String, _ remedy: String
    ) -> Finding {
        Finding(
            rule, .warning, pack: identifier, sticker: sticker.identifier,
            file: sticker.source.name, detail, measured: measured, limit: limit, remedy: remedy)
    }
}

/// A sticker whose pixels were judged.
private struct JudgedSticker {
    let sticker: ManifestSticker
    let appearance: Appearance

    init(_ sticker: ManifestSticker, _ appearance: Appearance) {
        (self.sticker, self.appearance) = (sticker, appearance)
    }

    /// Whether the margin was measured on a canvas like that of `target`, which does not end where the art does.
    func isMeasured(onCanvasOf target: Target?, _ source: PackSource) -> Bool {
        let name = sticker.files.first { $0.role == .sticker }?.target
        guard let own = name.flatMap({ source.targets[$0] })?.canvas, own.fit == .exact else {
            return false
        }
        return target == nil || target?.canvas == own
    }
}
