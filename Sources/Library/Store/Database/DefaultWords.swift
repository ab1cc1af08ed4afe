public import StickerConfiguration
import StickerValues

/// The configured words of categories without words of their own.
public struct DefaultWords: Hashable, Sendable, Codable {
    private var common = CategoryWords()
    /// Keyed by id or folder name.
    private var own: [String: CategoryWords] = [:]
    private var defaultCategory = ""

    /// Creates empty defaults.
    public init() {}

    /// Takes `sticker.words` and those of `categories`.
    public init(_ configuration: Configuration) {
        common = configuration.sticker.words
        own = configuration.categories.mapValues(\.words)
        defaultCategory = configuration.defaultCategory
    }

    /// The words of a category.
    ///
    /// - Parameters:
    ///   - words: from its side files.
    ///   - category: its names, by which the configuration may list its settings.
    /// - Returns: those words, with gaps filled by the defaults.
    func filling(_ words: CategoryWords, of category: CategoryNames) -> CategoryWords {
        words.filled(from: defaults(of: category))
    }

    fileprivate func defaults(of category: CategoryNames) -> CategoryWords {
        category.entry(in: own, defaultCategory: defaultCategory) ?? common
    }
}

extension Manifest {
    /// Removes words that equal the defaults, so that they do not count as the category's own.
    ///
    /// - Parameters:
    ///   - words: the defaults.
    ///   - folder: the folder of the category; empty for a drop itself.
    mutating func remove(_ words: DefaultWords, folder: [UInt8]) {
        let defaults = words.defaults(
            of: CategoryNames(
                identifier: identifier, folder: folder.isEmpty ? nil : folder, firstFolder: folder))
        if description == defaults.description { description = nil }
        if publisher == defaults.publisher { publisher = nil }
        if licence == defaults.licence { licence = nil }
        if links == defaults.links { links = nil }
    }
}
