import StickerConfiguration
import StickerValues

/// Rules that many platforms share; platforms with rule ids of their own pass them.
extension Pack {
    /// Pictures that break the rules of the target they were made for, because the rules have changed since.
    ///
    /// - Parameter target: the rules; without any, there are no faults.
    /// - Returns: a fault for each.
    func pictureFindings(_ target: Target?) -> [Finding] {
        guard let target else { return [] }
        return stickers.flatMap { sticker in
            PictureRule.broken(by: sticker.picture, target).map { broken in
                Finding(
                    broken.rule, pack: identifier, sticker: sticker.identifier,
                    file: sticker.source, broken.detail, measured: broken.measured,
                    limit: broken.limit, remedy: "\(stickerctl: "redo \(sticker.identifier)")")
            }
        }
    }

    /// Stickers without an emoji, or with too many.
    ///
    /// - Parameters:
    ///   - limit: the most emoji.
    ///   - missing: the rule about stickers without any.
    /// - Returns: a fault for each without, and a warning for each with too many.
    func emojiFindings(atMost limit: Int, missing: String = "no-emoji") -> [Finding] {
        stickers.compactMap { sticker in
            let count = sticker.emojis.emojis(atMost: .max).count
            let allowed = limit == 1 ? "1" : "1 to \(limit)"
            if count == 0 {
                return finding(
                    missing, .fault, sticker, "the sticker has no emoji", measured: "0",
                    limit: allowed,
                    remedy: "\(sticker.settingEmoji); one for all: defaults.emojis in category.json"
                )
            }
            guard count > limit else { return nil }
            let kept = sticker.emojis.emojis(atMost: limit).joined(separator: " ")
            // With so many, none is missed.
            let shown = limit > 3 ? "the first \(limit)" : kept
            return finding(
                "emoji-cut", .warning, sticker, "only \(shown) \(limit == 1 ? "is" : "are") kept",
                measured: "\(count) emoji", limit: allowed, remedy: sticker.namingEmojiFirst)
        }
    }

    /// A missing publisher where the platform requires one.
    ///
    /// - Parameter missing: the rule about a pack without one.
    /// - Returns: one fault, or none.
    func publisherFindings(missing: String = "no-publisher") -> [Finding] {
        guard publisher?.isEmpty ?? true else { return [] }
        return [
            Finding(
                missing, pack: identifier, "the publisher is not set",
                remedy: "\(stickerctl: "set \(category) --category --publisher NAME"); "
                    + "one for all: sticker.words.publisher in config.json")
        ]
    }
}

extension PackSticker {
    fileprivate var settingEmoji: String { "\(stickerctl: "set \(identifier) --emoji EMOJI")" }

    /// How to choose another emoji than the first.
    var namingEmojiFirst: String { "to keep another, name it first: \(settingEmoji)" }
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
        case .within:
            "at most \(width)x\(height)"
                + (sideMultiple > 1 ? ", sides that are multiples of \(sideMultiple)" : "")
        }
    }
}
