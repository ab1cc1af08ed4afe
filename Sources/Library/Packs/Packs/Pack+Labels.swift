import StickerValues

/// Texts that many platforms share.
extension Pack {
    /// The publisher and licence of the pack, in one line; `nil` if neither is known.
    var attribution: String? { Self.attribution(publisher, licence) }

    /// The licence of a sticker with the author to name; the pack's where the sticker has none.
    ///
    /// - Parameter sticker: one of the pack.
    /// - Returns: one line; `nil` without a licence: a name alone permits nothing.
    func licence(of sticker: PackSticker) -> String? {
        guard let licence = sticker.licence ?? licence, !licence.isBlank else { return nil }
        return Self.attribution(sticker.publisher ?? publisher, licence)
    }

    private static func attribution(_ publisher: String?, _ licence: String?) -> String? {
        let known = [publisher, licence].compactMap(\.self).filter { !$0.isBlank }
        return known.isEmpty ? nil : known.joined(separator: ", ")
    }

    /// Its title; its id if there is none.
    var label: String { title.isBlank ? identifier : title }
}

extension PackSticker {
    /// The text for screen readers; its id if there is none.
    var label: String { spokenText.isBlank ? identifier.rawValue : spokenText }
}

extension String {
    /// Whether it has no visible text.
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
