import StickerConfiguration
import StickerValues

/// Limits that many platforms share; `Pack+Rules.swift` has the rules about required parts.
extension Pack {
    /// A sticker count that the platform refuses, in a pack that was divided before some stickers left.
    ///
    /// - Parameter rules: how the platform divides a category.
    /// - Returns: one fault, or none.
    func countFindings(_ rules: PartRules) -> [Finding] {
        let count = stickers.count
        let measured = count.counted("sticker", "stickers")
        if count < rules.least {
            return [
                Finding(
                    "too-few", pack: identifier, "the pack has too few stickers",
                    measured: measured, limit: "at least \(rules.least)",
                    remedy: kind.adding(rules.least - count, to: category))
            ]
        }
        if let most = rules.most, count > most {
            return [
                Finding(
                    "too-many", pack: identifier, "the pack has too many stickers",
                    measured: measured, limit: "at most \(most)",
                    remedy: "take \(count - most) out of the category \(category)")
            ]
        }
        guard !count.isMultiple(of: rules.step) else { return [] }
        let over = count % rules.step
        return [
            Finding(
                "set-size", pack: identifier, "sets of this size are not accepted",
                measured: measured, limit: "a multiple of \(rules.step)",
                remedy: kind.adding(rules.step - over, to: category)
                    + ", or take \(over) out of it")
        ]
    }

    /// A missing title where the platform requires one.
    var titleFindings: [Finding] {
        guard title.allSatisfy(\.isWhitespace) else { return [] }
        return [
            Finding(
                "no-title", pack: identifier, "the title is empty",
                remedy: "\(stickerctl: "set \(category) --category --title TEXT")")
        ]
    }

    /// Icons of the pack that are not made yet and have no substitute.
    ///
    /// - Parameter platform: the platform that requires them.
    /// - Returns: a fault for each.
    func iconFindings(_ platform: some PackMaking) -> [Finding] {
        platform.icons.filter { icon($0.width, $0.height) == nil }.map { size in
            Finding(
                "no-icon", pack: identifier, "the picture of the pack is not made",
                limit: "\(size)",
                remedy: "add \(platform.platform.rawValue) to sticker.packs, "
                    + "and a file cover.png if no sticker should represent the pack")
        }
    }

    /// A text about the pack that exceeds the platform's limit.
    ///
    /// - Parameters:
    ///   - what: the option of `stickerctl set` that changes it.
    ///   - text: the text.
    ///   - limit: UTF-16 units: no platform counts more units.
    /// - Returns: one warning, or none.
    func textFinding(_ what: String, _ text: String, atMostUTF16 limit: Int) -> [Finding] {
        guard text.utf16.count > limit else { return [] }
        return [
            Finding(
                "\(what)-cut", .warning, pack: identifier, "the \(what) is cut",
                measured: "\(text.utf16.count) UTF-16 units", limit: "\(limit)",
                remedy: "\(stickerctl: "set \(category) --category --\(what) TEXT")")
        ]
    }

    /// Finished files that together exceed the platform's limit for an archive.
    ///
    /// - Parameters:
    ///   - limit: bytes.
    ///   - reserve: bytes for the rest of the archive.
    ///   - key: the configuration key that limits each sticker.
    /// - Returns: one fault, or none.
    func archiveFinding(atMost limit: Int, reserve: Int, key: String) -> [Finding] {
        let bytes = stickers.reduce(0) { $0 + $1.picture.bytes } + reserve
        guard bytes > limit else { return [] }
        return [
            Finding(
                "archive-bytes", pack: identifier, "the archive is too large",
                measured: "\(bytes.grouped) B", limit: "\(limit.grouped) B",
                remedy: "set \(key) to \((limit - reserve) / stickers.count) in config.json")
        ]
    }
}

extension Pack {
    /// A finding about a sticker that `option` of `stickerctl set` resolves.
    func finding(
        _ rule: String, _ severity: Finding.Severity, _ sticker: PackSticker, _ detail: String,
        measured: String, limit: String, option: String
    ) -> Finding {
        finding(
            rule, severity, sticker, detail, measured: measured, limit: limit,
            remedy: "\(stickerctl: "set \(sticker.identifier) --\(option)")")
    }

    func finding(
        _ rule: String, _ severity: Finding.Severity, _ sticker: PackSticker, _ detail: String,
        measured: String, limit: String, remedy: String
    ) -> Finding {
        Finding(
            rule, severity, pack: identifier, sticker: sticker.identifier, file: sticker.source,
            detail, measured: measured, limit: limit, remedy: remedy)
    }

    /// Texts for screen readers that exceed the platform's limit.
    ///
    /// - Parameters:
    ///   - limit: UTF-16 units.
    ///   - text: the text that the platform uses; `nil` if none.
    /// - Returns: a warning for each.
    func spokenTextFindings(
        atMostUTF16 limit: Int, _ text: (PackSticker) -> String? = \.spokenText
    ) -> [Finding] {
        stickers.compactMap { sticker in
            guard let units = text(sticker)?.utf16.count, units > limit else { return nil }
            return finding(
                "text-cut", .warning, sticker, "the accessibility text is cut",
                measured: "\(units) UTF-16 units", limit: "\(limit)",
                option: "accessibility-text TEXT")
        }
    }
}
