import StickerConfiguration
import StickerValues

/// Rules of platforms that use the sticker's id as name.
extension Pack {
    /// Stickers whose ids the platform refuses as names.
    ///
    /// Ids consist of small letters, digits and `_`, so most platforms never refuse one.
    ///
    /// - Parameters:
    ///   - limit: the accepted names, in words.
    ///   - isTaken: whether it accepts a name.
    /// - Returns: a fault for each.
    func nameFindings(_ limit: String, _ isTaken: (String) -> Bool) -> [Finding] {
        stickers.filter { !isTaken($0.identifier.rawValue) }.map { sticker in
            Finding(
                "name", pack: identifier, sticker: sticker.identifier, file: sticker.source,
                "the id cannot be a name there", measured: sticker.identifier.rawValue,
                limit: limit, remedy: "\(stickerctl: "new-id \(sticker.identifier)")")
        }
    }

    /// Pictures in a format that the platform does not read, although the rules of its target allow it:
    /// `pictureFindings` covers the others.
    ///
    /// - Parameters:
    ///   - platform: the platform.
    ///   - target: the rules.
    ///   - formats: the formats that it reads.
    /// - Returns: a fault for each.
    func formatFindings(
        _ platform: PackPlatform, _ target: Target?, reading formats: Set<ImageFormat>
    ) -> [Finding] {
        let allowed = target.map { Set($0.formats) } ?? Set(ImageFormat.allCases)
        let limit = formats.map(\.name).sorted().joined(separator: " or ")
        return stickers.filter {
            allowed.contains($0.picture.format) && !formats.contains($0.picture.format)
        }.map { sticker in
            Finding(
                "picture-format", pack: identifier, sticker: sticker.identifier,
                file: sticker.source, "the file has another format",
                measured: sticker.picture.format.name, limit: limit,
                remedy: "leave \(sticker.picture.format.rawValue) out of "
                    + "targets.\(platform.rawValue) in config.json")
        }
    }
}
