import StickerValues

/// Distinguishes the packs of one category at the end of their ids and titles: `animated`, and a number from 2 on.
///
/// Ids of categories have no hyphens, so an id shows its suffix. A title does not: `Cats animated` may be the original
/// title.
struct PackSuffix {
    private static let moving = "animated"

    private let words: [String]

    init(_ part: Part) {
        words = [
            part.kind == .moving ? Self.moving : nil, part.number > 1 ? "\(part.number)" : nil,
        ].compactMap(\.self)
    }

    func identifier(of category: CategoryID) -> String {
        ([category.rawValue] + words).joined(separator: "-")
    }

    func title(_ own: String) -> String { ([own] + words).joined(separator: " ") }

    /// The title of the category of an animated pack. Its own packs get the word again, but not the number: that stays,
    /// as it distinguishes two packs.
    ///
    /// - Parameters:
    ///   - title: the title of the pack.
    ///   - identifier: its id.
    /// - Returns: the title without the added word; unchanged unless the id has the same suffix.
    static func withoutMoving(_ title: String, ofPack identifier: String) -> String {
        guard let match = identifier.wholeMatch(of: /[a-z0-9_]+-animated(?:-([0-9]+))?/) else {
            return title
        }
        let number = match.1.map { " \($0)" } ?? ""
        let added = " \(moving)\(number)"
        guard title.hasSuffix(added), title.count > added.count else { return title }
        return title.dropLast(added.count) + number
    }
}
