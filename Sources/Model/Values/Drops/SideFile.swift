/// A file with words about pictures beside it.
public enum SideFile: Hashable, Sendable {
    /// `cat.png.sticker.json`, about `cat.png` beside it.
    case sticker
    /// `category.json` in the folder of a category, about it and its stickers.
    case category
    /// `title.txt` beside that: the category's title.
    case title
    /// `author.txt`: the author of the category.
    case author
    /// `emoji.txt`: the emoji of each picture by its name without extension, as JSON.
    case emojis

    /// The largest file that is read: one is about one picture, another about thousands.
    public var bytesMax: Int {
        switch self {
        case .category, .emojis: 1 << 20
        case .sticker, .title, .author: 64 << 10
        }
    }

    /// The suffix of the names beside pictures.
    public static let stickerSuffix = ".sticker.json"

    private static let categoryFiles: [String: SideFile] = [
        "category.json": .category, "title.txt": .title, "author.txt": .author,
        "emoji.txt": .emojis,
    ]

    /// The kind of the file `key` by its name; `nil` if it is no side file. Those about a category are in its own
    /// folder, and their case does not matter.
    public init?(_ key: SourceKey) {
        if key.name.count > Self.stickerSuffix.utf8.count,
            key.name.suffix(Self.stickerSuffix.utf8.count).elementsEqual(Self.stickerSuffix.utf8)
        {
            guard FileKind.isPicture(named: Self.picture(of: key).name) else { return nil }
            self = .sticker
            return
        }
        guard !key.directory.contains(UInt8(ascii: "/")),
            let file = Self.categoryFiles[String(decoding: key.name, as: UTF8.self).lowercased()]
        else { return nil }
        self = file
    }

    /// The picture of a side file of the kind `sticker`.
    public static func picture(of key: SourceKey) -> SourceKey {
        SourceKey(
            drop: key.drop, directory: key.directory,
            name: Array(key.name.dropLast(stickerSuffix.utf8.count)))
    }

    /// The side file about only the picture `key`.
    public static func beside(_ key: SourceKey) -> SourceKey {
        SourceKey(
            drop: key.drop, directory: key.directory,
            name: key.name + Array(stickerSuffix.utf8))
    }
}

/// The words of a side file.
public struct SideFileWords: Hashable, Sendable {
    /// About its category.
    public var category = CategoryWords()
    /// About stickers of its category without other words.
    public var defaults = StickerWords()
    /// About single stickers, by the path of the picture below the category's folder; in `emoji.txt` mostly without
    /// extension, and in a file about one picture with an empty name.
    public var stickers: [String: StickerWords] = [:]

    /// Creates empty words.
    public init() {}
}

extension SideFileWords {
    /// Removes the marks of the look, because they cannot be drawn.
    ///
    /// - Parameters:
    ///   - found: why, at least one.
    ///   - faults: other faults of the file; receives these.
    public mutating func dropMarks(_ found: [JSONFault], _ faults: inout SideFileError?) {
        category.look?.watermarks = nil
        var all = faults ?? SideFileError(faults: [], count: 0)
        all.saysNothing = false
        all.add(found, losing: ["look", "watermarks"])
        faults = all
    }
}

/// The faults of a side file.
public struct SideFileError: Error, Hashable, Sendable {
    /// One fault.
    public struct Fault: Hashable, Sendable, CustomStringConvertible {
        /// Its line, counted from 1; `nil` in a text without structure.
        public var line: Int?
        /// The fault.
        public var fault: JSONFault

        /// `line 3: emojis: is 5, allowed is ...`.
        public var description: String {
            let path = fault.path.cutForMessages
            return (line.map { "line \($0): " } ?? "") + (path.isEmpty ? "" : "\(path): ")
                + fault.message
        }
    }

    /// At least one, in the order of the file; limited in number.
    public var faults: [Fault]
    /// How many were found.
    public var count: Int
    /// The values lost to faults: the keys that lead to each in `category.json`, and at an object its missing members.
    /// None if the file has no words, or only elements of lists were lost.
    public var gaps: [[String]] = []
    /// Whether the file has no valid words.
    public var saysNothing = true

    init(faults: [Fault], count: Int) {
        self.faults = faults
        self.count = count
    }

    init(_ fault: JSONFault) {
        self.init(faults: [Fault(line: nil, fault: fault)], count: 1)
    }

    /// Adds faults that only drawing shows, of a value that they lose.
    fileprivate mutating func add(_ found: [JSONFault], losing gap: [String]) {
        faults += found.map { Fault(line: nil, fault: $0) }
        count += found.count
        gaps.append(gap)
    }

    /// The faults as a refusal: one with its figures, or some of several.
    public var refusal: Refusal {
        let figures = count == 1 ? faults[0].fault.figures : nil
        return Refusal(
            .invalidWords, count == 1 ? Self.only(faults[0]) : several, measured: figures?.found,
            limit: figures?.allowed,
            remedy: "correct it and save it; " + whatCounts)
    }

    /// States which words apply until the file is corrected.
    private var whatCounts: String {
        if saysNothing { return Self.formerCounts }
        let rest = "everything else in it counts already"
        return gaps.isEmpty
            ? rest : "\(rest), and these values stay as they were"
    }

    /// States which words apply until a file without words is corrected.
    package static let formerCounts = "until then its former content counts, if any"

    private static func only(_ fault: Fault) -> String {
        guard fault.fault.figures != nil, !fault.fault.path.isEmpty else {
            return fault.description
        }
        let place = [fault.line.map { "line \($0)" }, fault.fault.path.cutForMessages]
            .compactMap(\.self)
        return place.filter { !$0.isEmpty }.joined(separator: ": ") + " has a wrong value"
    }

    /// How many faults a refusal names.
    private static let named = 5

    private var several: String {
        let shown = faults.prefix(Self.named).map { $0.description.cut(to: 300) }
        let more = count - shown.count
        return shown.joined(separator: "; ")
            + (more > 0 ? "; and \(more.counted("more fault", "more faults"))" : "")
    }
}
