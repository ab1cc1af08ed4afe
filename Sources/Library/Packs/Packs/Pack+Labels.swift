import StickerModel

/// Texts that many platforms are told in the same words.
extension Pack {
    /// Who made the pack, and under which terms, in one line; `nil` if neither is known.
    var attribution: String? { Self.attribution(publisher, licence) }

    /// Under which terms a sticker may be used, and who has to be named then; the pack speaks where the sticker does not.
    ///
    /// - Parameter sticker: one of the pack.
    /// - Returns: one line; `nil` if the terms are not known: a name alone permits nothing.
    func licence(of sticker: PackSticker) -> String? {
        guard let licence = sticker.licence ?? licence, !licence.isBlank else { return nil }
        return Self.attribution(sticker.publisher ?? publisher, licence)
    }

    private static func attribution(_ publisher: String?, _ licence: String?) -> String? {
        let known = [publisher, licence].compactMap(\.self).filter { !$0.isBlank }
        return known.isEmpty ? nil : known.joined(separator: ", ")
    }

    /// Its name for people; its id if it has none.
    var label: String { title.isBlank ? identifier : title }
}

extension PackSticker {
    /// What a screen reader says; its id if nobody said anything.
    var label: String { spokenText.isBlank ? identifier.rawValue : spokenText }
}

extension String {
    /// Whether there is nothing to read.
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
