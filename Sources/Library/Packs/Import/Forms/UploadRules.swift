import StickerValues

/// Platform rules about a list of uploads that an import does not check, or whose violations it cuts.
struct UploadRules {
    private let pack: ImportedPack
    private let list: String

    /// Judges the list of a pack at a path.
    init(_ pack: ImportedPack, _ list: String) { (self.pack, self.list) = (pack, list) }

    /// The faults for which the platform would refuse the list.
    ///
    /// - Parameters:
    ///   - value: the list.
    ///   - uploads: its entries.
    /// - Returns: the faults.
    func findings(in value: JSONValue, _ uploads: [JSONValue]) -> [Finding] {
        switch pack.platform {
        case .telegram: setName(value["name"]?.text) + uploads.flatMap(emojis)
        case .discord: uploads.flatMap(description)
        case .misskey: names(uploads)
        default: []
        }
    }

    /// https://core.telegram.org/bots/api#createnewstickerset: letters, digits and underscores, a letter first, no two
    /// underscores together, 1 to 64 characters. The bot adds the suffix `_by_` with its own name.
    private func setName(_ name: String?) -> [Finding] {
        guard let name else { return [] }
        let isTaken =
            name.utf8.count <= 64 && name.wholeMatch(of: /[A-Za-z](_?[A-Za-z0-9])*/) != nil
        guard !isTaken else { return [] }
        return [
            finding(
                "set-name", "the set cannot have this name", measured: name,
                limit: "1 to 64 letters, digits and single _, a letter first")
        ]
    }

    private func emojis(_ upload: JSONValue) -> [Finding] {
        let count = (upload["emoji_list"]?.texts ?? []).count
        guard count > Telegram.Limits.emojisMax else { return [] }
        return [
            finding(
                "emoji-many", "the sticker \(upload["sticker"]?.text ?? "") has too many emoji",
                measured: "\(count)", limit: "\(Telegram.Limits.emojisMax)")
        ]
    }

    /// An absent one is fine; another rule covers its length.
    private func description(_ upload: JSONValue) -> [Finding] {
        let least = Discord.Limits.description.lowerBound
        guard let text = upload["description"]?.text, 1..<least ~= text.utf16.count else {
            return []
        }
        return [
            finding(
                "description-short",
                "the description of \(upload["file"]?.text ?? "a sticker") is too short",
                measured: "\(text.utf16.count) UTF-16 unit",
                limit: "none, or \(least) to \(Discord.Limits.description.upperBound)")
        ]
    }

    /// The last upload with a name replaces earlier ones.
    private func names(_ uploads: [JSONValue]) -> [Finding] {
        let names = uploads.compactMap { $0["emoji"]?["name"]?.text }
        return Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }
            .sorted { $0.key < $1.key }.map { name, same in
                finding(
                    "name-twice", "several emoji are named \(name)",
                    measured: same.count.counted("emoji", "emoji"), limit: "1 emoji")
            }
    }

    private func finding(
        _ rule: String, _ detail: String, measured: String, limit: String
    ) -> Finding {
        Finding(
            rule, pack: pack.name, file: list, detail, measured: measured, limit: limit,
            remedy: "correct it in \(TreePath.name(of: list))")
    }
}
