import StickerModel

/// Rules that many platforms share; those that have rule ids of their own name them themselves.
extension Pack {
    /// Pictures that break the rules of the target, although they were made for it: the rules have changed since.
    ///
    /// - Parameter target: the rules; without any, nothing is broken.
    /// - Returns: a fault for each.
    func pictureFindings(_ target: Target?) -> [Finding] {
        guard let target else { return [] }
        return stickers.flatMap { sticker in
            PictureRule.broken(by: sticker.picture, target).map { broken in
                Finding(
                    broken.rule, pack: identifier, sticker: sticker.identifier,
                    file: sticker.source, broken.detail, measured: broken.measured,
                    limit: broken.limit, remedy: "stickerctl redo \(sticker.identifier)")
            }
        }
    }

    /// Stickers without an emoji, or with more than are taken.
    func emojiFindings(atMost limit: Int) -> [Finding] {
        stickers.compactMap { sticker in
            let count = sticker.emojis.emojis(atMost: .max).count
            guard count == 0 || count > limit else { return nil }
            return Finding(
                count == 0 ? "no-emoji" : "emoji-cut", count == 0 ? .fault : .warning,
                pack: identifier, sticker: sticker.identifier, file: sticker.source,
                count == 0 ? "the sticker has no emoji" : "only the first emoji are taken",
                measured: "\(count)", limit: limit == 1 ? "1" : "1 to \(limit)",
                remedy: "stickerctl set \(sticker.identifier) --emoji 👋")
        }
    }

    /// A publisher where the platform wants one.
    var publisherFindings: [Finding] {
        guard publisher?.isEmpty ?? true else { return [] }
        return [
            Finding(
                "no-publisher", pack: identifier, "the publisher is not set",
                remedy: "stickerctl set \(category) --category --publisher NAME")
        ]
    }
}

/// A rule of a target that a finished picture breaks.
private struct PictureRule {
    var rule, detail, measured, limit: String

    static func broken(by picture: PackPicture, _ target: Target) -> [PictureRule] {
        var broken: [PictureRule] = []
        func check(
            _ holds: Bool, _ rule: String, _ detail: String, _ measured: String, _ limit: String
        ) {
            guard !holds else { return }
            broken.append(
                PictureRule(rule: rule, detail: detail, measured: measured, limit: limit))
        }
        let formats =
            picture.moves
            ? target.moving?.forms.map(\.format) : target.still?.forms.map(\.format)
        check(
            formats?.contains(picture.format) ?? false, "picture-format",
            "the file has another format", picture.format.name,
            Set(formats ?? []).map(\.name).sorted().joined(separator: " or "))
        let bytesMax = (picture.moves ? target.moving?.bytesMax : target.still?.bytesMax) ?? .max
        check(
            picture.bytes <= bytesMax, "picture-bytes", "the file is too large",
            "\(picture.bytes.grouped) B", "\(bytesMax.grouped) B")
        check(
            target.canvas.holds(picture), "picture-size", "the picture has another size",
            "\(picture.width)x\(picture.height)", target.canvas.shown)
        guard picture.moves, let rules = target.moving else { return broken }
        check(
            rules.framesMax == 0 || picture.frames ?? 0 <= rules.framesMax, "picture-frames",
            "the animation has too many frames", "\(picture.frames ?? 0)", "\(rules.framesMax)")
        check(
            rules.millisecondsMax == 0
                || picture.durationMilliseconds ?? 0 <= rules.millisecondsMax,
            "picture-time", "the animation plays too long",
            "\(picture.durationMilliseconds ?? 0) ms", "\(rules.millisecondsMax) ms")
        return broken
    }
}

extension TargetCanvas {
    /// Whether a picture has a size that the rules allow.
    fileprivate func holds(_ picture: PackPicture) -> Bool {
        let isWithin = picture.width <= width && picture.height <= height
        return switch fit {
        case .exact: picture.width == width && picture.height == height
        case .touch: isWithin && (picture.width == width || picture.height == height)
        case .within:
            isWithin && picture.width.isMultiple(of: sideMultiple)
                && picture.height.isMultiple(of: sideMultiple)
        }
    }

    fileprivate var shown: String {
        switch fit {
        case .exact: "\(width)x\(height)"
        case .touch: "one side \(width), the other at most \(height)"
        case .within: "at most \(width)x\(height)"
        }
    }
}
