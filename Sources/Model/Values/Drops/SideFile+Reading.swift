import FoundationEssentials

extension SideFile {
    /// Reads a side file, without tolerating faults.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - rules: for the look of a category; without them its marks may name any pictures and targets.
    /// - Returns: all its words.
    /// - Throws: `SideFileError` with every fault and its line.
    public func words(
        in bytes: [UInt8], by rules: LookRules? = nil
    ) throws(SideFileError) -> SideFileWords {
        let (words, faults) = try reading(of: bytes, by: rules)
        if let faults { throw faults }
        return words
    }

    /// Reads a side file as far as possible. A wrong value loses only the value of its key; a wrong element of a list
    /// loses only itself, unless no other is left.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - rules: for the look of a category; without them its marks may name any pictures and targets.
    /// - Returns: its words, and every fault with its line; `nil` if there is none.
    /// - Throws: `SideFileError` if it has no words: it is not text, not JSON, not an object, or a title of a wrong
    ///   length.
    public func reading(
        of bytes: [UInt8], by rules: LookRules? = nil
    ) throws(SideFileError) -> (words: SideFileWords, faults: SideFileError?) {
        var words = SideFileWords()
        var faults: SideFileError?
        let bytes = Self.asUTF8(bytes)
        switch self {
        case .title: words.category.title = try Self.text(bytes, TextLimit.title)
        case .author: words.category.publisher = try Self.text(bytes, TextLimit.publisher)
        case .sticker:
            var sticker = StickerWords()
            faults = try Self.read(bytes, below: ["stickers", ""]) { sticker.read(&$0) }
            words.stickers[""] = sticker
        case .category: faults = try Self.read(bytes, below: []) { words.read(&$0, by: rules) }
        case .emojis:
            faults = try Self.read(bytes, below: ["stickers"]) { reader in
                for name in reader.members.keys {
                    var sticker = StickerWords()
                    reader.emojis(name, &sticker.emojis)
                    words.stickers[name] = sticker
                }
            }
        }
        return (words, faults)
    }

    /// The same text in UTF-8, if it begins with the byte order mark of UTF-16, as editors on Windows write it.
    package static func asUTF8(_ bytes: [UInt8]) -> [UInt8] {
        let isBig = bytes.starts(with: [0xFE, 0xFF])
        guard isBig || bytes.starts(with: [0xFF, 0xFE]), bytes.count.isMultiple(of: 2) else {
            return bytes
        }
        let units = stride(from: 2, to: bytes.count, by: 2).map { place -> UInt16 in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isBig ? first << 8 | second : second << 8 | first
        }
        return String(validating: units, as: UTF16.self).map { Array($0.utf8) } ?? bytes
    }

    private static func text(_ bytes: [UInt8], _ limit: Int) throws(SideFileError) -> String {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        guard let raw = String(validating: content, as: UTF8.self) else {
            let fault = JSONFault(
                path: "", message: "this text is neither UTF-8 nor UTF-16 with a byte order mark")
            throw SideFileError(fault)
        }
        let text = FileName.visible(raw)
        guard text.isText(upTo: limit) else {
            let fault = JSONFault(
                path: "", found: text.count.counted("character", "characters"),
                allowed: "1 to \(limit) visible ones")
            throw SideFileError(fault)
        }
        return text
    }

    /// How many faults are reported with their lines.
    private static let faultsLocated = 20

    /// Reads an object; `way` are the keys that would lead to it in `category.json`.
    ///
    /// - Returns: its faults; `nil` if there is none.
    private static func read(
        _ bytes: [UInt8], below way: [String], _ read: (inout ObjectReader) -> Void
    ) throws(SideFileError) -> SideFileError? {
        let value: JSONValue
        do {
            value = try JSONParser.parse(bytes)
        } catch {
            let fault = JSONFault(path: "", message: "\(error)")
            throw SideFileError(fault)
        }
        let findings = Findings(keeping: Self.faultsLocated)
        findings.absent = nil
        var reader = ObjectReader(value, path: "", findings: findings)
        read(&reader)
        reader.finish()
        guard findings.count > 0 else { return nil }
        let lines = JSONParser.lines(at: findings.places(in: bytes), in: bytes)
        let told = zip(lines, findings.faults)
        var error = SideFileError(
            faults: told.map(SideFileError.Fault.init(line:fault:)), count: findings.count)
        guard case .object = value else { throw error }
        error.saysNothing = false
        error.gaps = findings.gaps.map { way + $0 }
        return error
    }
}

/// The lengths of texts in characters: accepted by most platforms.
package enum TextLimit {
    package static let title = 128
    package static let publisher = 128
    package static let keyword = 64
    package static let keywords = 50
    package static let emojis = 20
    package static let accessibility = 255
    package static let description = 500
    package static let licence = 200
    package static let link = 2000
}

extension StickerWords {
    fileprivate mutating func read(_ reader: inout ObjectReader) {
        reader.schema()
        reader.text("title", &title, TextLimit.title)
        readDefaults(&reader)
        reader.text("accessibilityText", &accessibilityText, TextLimit.accessibility)
        reader.optional("order", &order, blank: 0) { $0.integer("order", &$1, in: 0...999_999) }
    }

    /// The keys that apply to many stickers at once.
    fileprivate mutating func readDefaults(_ reader: inout ObjectReader) {
        reader.emojis("emojis", &emojis)
        reader.texts("keywords", &keywords, TextLimit.keyword, countMax: TextLimit.keywords)
        reader.optional("pinned", &pinned, blank: false) { $0.bool("pinned", &$1) }
        reader.optional("rating", &rating, blank: .general) { $0.choice("rating", &$1) }
        reader.optional("tintMode", &tintMode, blank: .none) { $0.choice("tintMode", &$1) }
        reader.text("publisher", &publisher, TextLimit.publisher)
        reader.text("licence", &licence, TextLimit.licence)
        reader.links(&links)
    }
}

extension SideFileWords {
    fileprivate mutating func read(_ reader: inout ObjectReader, by rules: LookRules?) {
        reader.schema()
        category.read(&reader)
        var look = CategoryLook()
        reader.object("look") { look.read(&$0, by: rules) }
        if look != CategoryLook() { category.look = look }
        reader.object("defaults") { defaults.readDefaults(&$0) }
        reader.objects("stickers", Self.pathName, where: Self.isPath) { path, reader in
            var words = StickerWords()
            words.read(&reader)
            if Self.isPath(path) { stickers[path] = words }
        }
        var order: [String] = []
        reader.pictures("order", &order, Self.pathName, where: Self.isPath)
        for (place, path) in order.enumerated() { stickers[path, default: .init()].place = place }
    }

    private static let pathName = "the path of a picture below this folder"

    private static func isPath(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
            && !text.unicodeScalars.contains("\0")
    }
}

extension CategoryWords {
    fileprivate mutating func read(_ reader: inout ObjectReader) {
        reader.text("title", &title, TextLimit.title)
        readDefaults(&reader)
        var packs: [PackPlatform: PackWords] = [:]
        let platforms = PackPlatform.allCases.map(\.rawValue).joined(separator: ", ")
        reader.objects("packs", "one of \(platforms)", where: { PackPlatform(rawValue: $0) != nil })
        {
            name, reader in
            var words = PackWords()
            reader.text("title", &words.title, TextLimit.title)
            reader.text("description", &words.description, TextLimit.description)
            reader.text("publisher", &words.publisher, TextLimit.publisher)
            if let platform = PackPlatform(rawValue: name) { packs[platform] = words }
        }
        self.packs = packs.isEmpty ? nil : packs
    }

    /// The keys that apply to many categories at once.
    package mutating func readDefaults(_ reader: inout ObjectReader) {
        reader.text("description", &description, TextLimit.description)
        reader.text("publisher", &publisher, TextLimit.publisher)
        reader.text("licence", &licence, TextLimit.licence)
        reader.links(&links)
    }
}

extension ObjectReader {
    /// The address of a schema, for editors.
    fileprivate mutating func schema() {
        var address: String?
        optionalString("$schema", &address, "a text") { _ in true }
    }

    /// Reads a displayed text, without invisible characters.
    fileprivate mutating func text(_ key: String, _ target: inout String?, _ limit: Int) {
        optionalString(key, &target, "a text of 1 to \(limit) visible characters") {
            FileName.visible($0).isText(upTo: limit)
        }
        target = target.map(FileName.visible)
    }

    /// Reads a list of texts, each once.
    fileprivate mutating func texts(
        _ key: String, _ target: inout [String]?, _ limit: Int, countMax: Int
    ) {
        guard let value = take(key), value != .null else { return }
        let wanted = "of 1 to \(limit) visible characters"
        let texts = elements(
            key, value, "a list of up to \(countMax) texts \(wanted)", "a text \(wanted)",
            countMax: countMax
        ) { value in
            value.asText.map(FileName.visible).flatMap { $0.isText(upTo: limit) ? $0 : nil }
        }
        if let texts { target = texts.withoutRepetitions }
    }

    /// Reads a list of different paths of pictures.
    fileprivate mutating func pictures(
        _ key: String, _ target: inout [String], _ pathName: String, where isPath: (String) -> Bool
    ) {
        guard let value = take(key) else { return }
        var seen: Set<String> = []
        let paths = elements(
            key, value, "a list of different pictures, each \(pathName)",
            "\(pathName), and each once"
        ) { value in
            value.asText.flatMap { isPath($0) && seen.insert($0).inserted ? $0 : nil }
        }
        if let paths { target = paths }
    }

    /// Reads emoji, as a list or as one text.
    fileprivate mutating func emojis(_ key: String, _ target: inout [String]?) {
        guard let value = take(key), value != .null else { return }
        let wanted = "a list of up to \(TextLimit.emojis) emoji"
        let emojis =
            if let text = value.asText {
                self.emojis(key, in: text, wanted)
            } else {
                elements(key, value, wanted, "one emoji", countMax: TextLimit.emojis) {
                    $0.asText.flatMap(\.oneEmoji)
                }
            }
        if let emojis { target = emojis.withoutRepetitions }
    }

    /// The emoji of one text; other characters and excess emoji are dropped, or the whole text if nothing else is left.
    private func emojis(_ key: String, in text: String, _ wanted: String) -> [String]? {
        guard text.utf8.count <= 100 * TextLimit.emojis else {
            fault(key, .string(text), wanted)
            return nil
        }
        let characters = text.filter { !$0.isWhitespace }.map { String($0) }
        let emojis = characters.compactMap(\.oneEmoji)
        guard !emojis.isEmpty || characters.isEmpty else {
            fault(key, .string(text), wanted)
            return nil
        }
        let others = characters.filter { $0.oneEmoji == nil }
        if !others.isEmpty {
            noteInside(key, "\(JSONValue.string(others.joined()).shown) is not an emoji")
        }
        if emojis.count > TextLimit.emojis {
            noteInside(key, "is \(emojis.count) emoji, allowed is \(wanted)")
        }
        return Array(emojis.prefix(TextLimit.emojis))
    }

    fileprivate mutating func links(_ target: inout Links?) {
        guard let value = take("links"), value != .null else { return }
        var links = Links()
        let isSound = isSound { reader in
            reader.object("links") { reader in
                reader.link("website", &links.website)
                reader.optionalString("email", &links.email, "an e-mail address") {
                    $0.isEmailAddress
                }
                reader.link("privacyPolicy", &links.privacyPolicy)
                reader.link("licence", &links.licence)
                reader.link("appStore", &links.appStore)
                reader.link("playStore", &links.playStore)
            }
        }
        if isSound || links != Links() { target = links }
    }

    private mutating func link(_ key: String, _ target: inout String?) {
        optionalString(key, &target, "an address that begins with https:// or http://") {
            $0.isWebAddress
        }
    }
}

extension String {
    /// Whether it has at most that many characters, and few with many code points.
    fileprivate func isText(upTo limit: Int) -> Bool {
        !isEmpty && utf8.count <= 4 * limit + 64 && count <= limit
            && unicodeScalars.contains { !$0.isInvisible && $0 != " " }
    }

    /// The text, if it is one emoji. Families of four, each with a skin tone, have 41 bytes.
    fileprivate var oneEmoji: String? {
        guard utf8.count <= 64, count == 1 else { return nil }
        return first?.emoji
    }

    /// Whether it is an address with http or https.
    package var isWebAddress: Bool {
        guard utf8.count <= TextLimit.link,
            allSatisfy({ $0.isASCII && $0 > " " && $0 != "\u{7F}" }),
            let url = URL(string: self), let host = url.host(), !host.isEmpty
        else { return false }
        return ["http", "https"].contains(url.scheme?.lowercased())
    }

    /// Whether it is an e-mail address.
    package var isEmailAddress: Bool {
        let parts = split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && utf8.count <= 254
            && allSatisfy { $0.isASCII && $0 > " " && $0 != "\u{7F}" }
    }
}

extension [String] {
    fileprivate var withoutRepetitions: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
