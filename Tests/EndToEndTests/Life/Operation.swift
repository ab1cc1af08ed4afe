/// One thing that happens in the life of a library: somebody works on the drop folders, or the daemon comes
/// and goes. Paths begin with the drop: `drop/cats/wave.png`.
///
/// A list of operations can be carried out again. Printed, it is Swift: a sequence that failed can be pasted
/// into a test.
enum Operation: Hashable, Sendable {
    // MARK: Pictures

    /// Writes picture number so-and-so under a name, in place as `cp` does.
    case write(Int, String)
    /// Writes it elsewhere and renames it to the name, as editors do.
    case replace(Int, String)
    /// Saves picture number so-and-so in place of a file, but in another format: the new file is written before the old
    /// one is deleted, or after it.
    case reformat(Int, String, String, newFirst: Bool)
    /// Gives a file another time of change.
    case touch(String)
    /// Renames a file, or moves it to another folder; what had the name is gone.
    case rename(String, String)
    /// Two files take each other's names in one system call.
    case exchange(String, String)
    /// Two files take each other's names, one after the other, while nobody looks.
    case swap(String, String)
    case delete(String)

    // MARK: Words

    /// Says something about the picture of a path in the file beside it.
    case say(Words, about: String)
    /// Removes the file beside a picture.
    case unsay(String)
    /// Gives the category of a folder a title, in its `title.txt`.
    case entitle(String, String)
    /// Writes the `category.json` of a folder.
    case describe(String, CategoryFile)

    // MARK: Folders

    case renameFolder(String, String)
    case deleteFolder(String)
    /// Renames a whole drop and changes the configuration; the daemon does not run.
    case moveDrop(String, String)

    // MARK: The daemon

    case start
    /// Stops the daemon as systemd does.
    case stop
    /// Kills the daemon with SIGKILL, whatever it is doing.
    case kill
    /// Throws the database away and lets `stickerctl rebuild` make a new one.
    case rebuild
    /// Waits until nothing is left to be done, and compares.
    case settle
}

extension [Operation] {
    /// The list as Swift, a line for each operation.
    var code: String { map { "    .\($0)," }.joined(separator: "\n") }
}

/// The words of a file beside a picture, as far as the model goes.
struct Words: Hashable, Sendable, Codable, CustomDebugStringConvertible {
    var title: String?
    var emojis: [String]?
    var keywords: [String]?
    var order: Int?

    var isEmpty: Bool { self == Words() }

    /// These words; where they say nothing, those of `others`.
    func filled(from others: Words) -> Words {
        Words(
            title: title ?? others.title, emojis: emojis ?? others.emojis,
            keywords: keywords ?? others.keywords, order: order ?? others.order)
    }

    /// These words without those that `others` say, too.
    func without(_ others: Words) -> Words {
        Words(
            title: others.title == nil ? title : nil, emojis: others.emojis == nil ? emojis : nil,
            keywords: others.keywords == nil ? keywords : nil,
            order: others.order == nil ? order : nil)
    }

    var debugDescription: String {
        let said = [
            title.map { "title: \"\($0)\"" }, emojis.map { "emojis: \($0)" },
            keywords.map { "keywords: \($0)" }, order.map { "order: \($0)" },
        ]
        return "Words(\(said.compactMap { $0 }.joined(separator: ", ")))"
    }
}

/// The words of a `category.json`, as far as the model goes.
struct CategoryFile: Hashable, Sendable, Encodable, CustomDebugStringConvertible {
    var title: String?
    /// Emojis of stickers that have no others.
    var emojis: [String]?
    /// Words for single pictures, by their path below the folder.
    var stickers: [String: Words] = [:]

    private enum CodingKeys: CodingKey { case title, defaults, stickers }

    private enum DefaultKeys: CodingKey { case emojis }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(title, forKey: .title)
        try values.encode(stickers, forKey: .stickers)
        guard let emojis else { return }
        var defaults = values.nestedContainer(keyedBy: DefaultKeys.self, forKey: .defaults)
        try defaults.encode(emojis, forKey: .emojis)
    }

    var debugDescription: String {
        let said = [
            title.map { "title: \"\($0)\"" }, emojis.map { "emojis: \($0)" },
            stickers.isEmpty ? nil : "stickers: \(stickers)",
        ]
        return "CategoryFile(\(said.compactMap { $0 }.joined(separator: ", ")))"
    }
}
