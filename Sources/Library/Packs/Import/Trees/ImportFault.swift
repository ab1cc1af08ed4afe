import StickerValues

/// Why a pack, or a part of it, is not imported.
public struct ImportFault: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The violated rule; its raw value can be searched for.
    public struct Rule: Hashable, Sendable, Codable, RawRepresentable, ExpressibleByStringLiteral {
        /// The rule's name.
        public let rawValue: String

        /// Names a rule.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Names a rule.
        public init(stringLiteral name: String) { rawValue = name }

        /// No known pack.
        public static let noPack: Rule = "no-pack"
        /// A pack without any valid picture.
        public static let noPictures: Rule = "no-pictures"
        /// A description that is not JSON, or lacks required values.
        public static let badDescription: Rule = "bad-description"
        /// A description names a missing file.
        public static let missingFile: Rule = "missing-file"
        /// A description names a path outside of the imported files.
        public static let badPath: Rule = "bad-path"
        /// A description names a picture twice.
        public static let listedTwice: Rule = "listed-twice"
        /// Pictures beside a list that does not name them.
        public static let notListed: Rule = "not-listed"
        /// The same pack in another form.
        public static let samePack: Rule = "same-pack"
        /// A title above the length limit.
        public static let titleCut: Rule = "title-cut"
        /// A link that is not a web address.
        public static let badLink: Rule = "bad-link"
        /// Bytes of no picture that stickerd reads.
        public static let notAPicture: Rule = "not-a-picture"
        /// A link, a device, a pipe or a socket.
        public static let notRegularFile: Rule = "not-regular-file"
        /// No permission, or the disk failed.
        public static let unreadable: Rule = "unreadable"
        /// More bytes than allowed, in one file or in all.
        public static let tooManyBytes: Rule = "too-many-bytes"
        /// More files, packs or pictures than allowed.
        public static let tooMany: Rule = "too-many"
        /// A folder name that is ignored, or leads elsewhere.
        public static let badName: Rule = "bad-name"
        /// The drop already has such a folder.
        public static let categoryExists: Rule = "category-exists"
        /// Pictures that may be for any platform.
        public static let unknownPlatform: Rule = "unknown-platform"
        /// One name for several packs.
        public static let severalPacks: Rule = "several-packs"
        /// The user interrupted the import before anything was written.
        public static let interrupted: Rule = "interrupted"
        /// The category could not be written.
        public static let notWritten: Rule = "not-written"
    }

    /// The rule.
    public var rule: Rule
    /// The file or folder concerned, without control characters; `nil` for the whole import.
    public var file: String?
    /// One sentence in lower case: the problem.
    public var detail: String
    /// The measured value, with its unit.
    public var measured: String?
    /// The allowed value.
    public var limit: String?
    /// The remedy.
    public var remedy: String

    /// Creates a fault; see the properties. Texts are cut and escaped: parts of them are foreign.
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

    /// File, rule, problem, figures and remedy.
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
