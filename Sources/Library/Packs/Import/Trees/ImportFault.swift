import StickerModel

/// Why a pack, or something of it, is not taken.
public struct ImportFault: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The rule that was broken; its raw value is what people search for.
    public struct Rule: Hashable, Sendable, Codable, RawRepresentable, ExpressibleByStringLiteral {
        /// The rule's name.
        public let rawValue: String

        /// Names a rule.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Names a rule.
        public init(stringLiteral name: String) { rawValue = name }

        /// Nothing that is known as a pack.
        public static let noPack: Rule = "no-pack"
        /// A pack of which no picture is left.
        public static let noPictures: Rule = "no-pictures"
        /// A description that is no JSON, or says nothing of what it must say.
        public static let badDescription: Rule = "bad-description"
        /// A description names a file that is not there.
        public static let missingFile: Rule = "missing-file"
        /// A description names a place outside of what was handed over.
        public static let badPath: Rule = "bad-path"
        /// A description names a picture twice.
        public static let listedTwice: Rule = "listed-twice"
        /// Pictures beside a list that does not name them.
        public static let notListed: Rule = "not-listed"
        /// The same pack in another form.
        public static let samePack: Rule = "same-pack"
        /// A title that is longer than one may be.
        public static let titleCut: Rule = "title-cut"
        /// Something that is not an address.
        public static let badLink: Rule = "bad-link"
        /// The bytes are no picture that stickerd reads.
        public static let notAPicture: Rule = "not-a-picture"
        /// A link, a device, a pipe or a socket.
        public static let notRegularFile: Rule = "not-regular-file"
        /// No permission, or the disk failed.
        public static let unreadable: Rule = "unreadable"
        /// More bytes than allowed, in one file or in all.
        public static let tooManyBytes: Rule = "too-many-bytes"
        /// More files, packs or pictures than allowed.
        public static let tooMany: Rule = "too-many"
        /// The name of a folder that is not looked at, or leads elsewhere.
        public static let badName: Rule = "bad-name"
        /// The drop has such a folder.
        public static let categoryExists: Rule = "category-exists"
        /// Pictures that may be for any platform.
        public static let unknownPlatform: Rule = "unknown-platform"
        /// One name for several packs.
        public static let severalPacks: Rule = "several-packs"
        /// Nothing was written because somebody ended it.
        public static let interrupted: Rule = "interrupted"
        /// The category could not be written.
        public static let notWritten: Rule = "not-written"
    }

    /// The rule.
    public var rule: Rule
    /// The file or folder it is about, without control characters; `nil` if it is about everything.
    public var file: String?
    /// One sentence: what is wrong. Lower case.
    public var detail: String
    /// The value that was found, with its unit.
    public var measured: String?
    /// The value that is allowed.
    public var limit: String?
    /// What to do about it.
    public var remedy: String

    /// Creates a fault; see the properties. Texts are cut and escaped: parts of them come from strangers.
    public init(
        _ rule: Rule, _ file: String?, _ detail: String, measured: String? = nil,
        limit: String? = nil, remedy: String
    ) {
        self.rule = rule
        self.file = file.map(Self.shown)
        self.detail = Self.shown(detail)
        self.measured = measured.map(Self.shown)
        self.limit = limit
        self.remedy = Self.shown(remedy)
    }

    /// For people: file, rule, what is wrong, the figures and the remedy.
    public var description: String {
        let figures = [measured.map { "is \($0)" }, limit.map { "allowed is \($0)" }]
            .compactMap(\.self)
        return (file.map { "\($0): " } ?? "") + "\(rule.rawValue): \(detail)"
            + (figures.isEmpty ? "" : " (\(figures.joined(separator: ", ")))") + "; \(remedy)"
    }

    private static func shown(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count > 300 else { return FileName.escaped(text) }
        return FileName.escaped(String(String.UnicodeScalarView(scalars.prefix(300))) + "…")
    }
}
