public import StickerValues

/// Stickers that users of an app upload for themselves: a separate library, made by `stickerd --personal` and served by
/// `stickerd-web` only to their owners.
public struct PersonalConfiguration: Hashable, Sendable {
    /// The folder of uploads, with a folder for each user; `nil` for no uploads.
    public var drop: String?
    /// The folder where their stickers are published.
    public var `private` = "private"
    /// The users who may upload: a user and the SHA-256 of a token on each line.
    public var tokensFile: String?
    /// The largest upload, in bytes.
    public var uploadBytesMax = 10_485_760
    /// The most stickers of a user.
    public var stickersMax = 100
    /// The most uploads that a user may begin in a minute.
    public var uploadsPerMinute = 60
    /// The goal of the encoder; `nil` for that of `sticker`.
    public var goal: EncodingGoal?
    /// The default tint mode of a new sticker in editors.
    public var tintMode = TintMode.none

    /// The defaults.
    public init() {}
}

extension PersonalConfiguration {
    mutating func read(_ reader: inout ObjectReader, isPath: (String) -> Bool) {
        reader.optionalString("drop", &drop, "null or a folder", where: isPath)
        reader.string("private", &`private`, "a folder", where: isPath)
        reader.optionalString("tokensFile", &tokensFile, "null or a file", where: isPath)
        reader.integer("uploadBytesMax", &uploadBytesMax, in: 1024...1_073_741_824)
        reader.integer("stickersMax", &stickersMax, in: 1...10_000)
        reader.integer("uploadsPerMinute", &uploadsPerMinute, in: 1...10_000)
        let goals = EncodingGoal.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        var name = goal?.rawValue
        reader.optionalString("goal", &name, "null or one of \(goals)") {
            EncodingGoal(rawValue: $0) != nil
        }
        goal = name.flatMap(EncodingGoal.init)
        reader.choice("tintMode", &tintMode)
    }
}

extension ConfigurationFile {
    /// The configuration of the library of uploads, which is separate from that of the drops: another drop, another
    /// published folder, and state and run folders whose names end in `-personal`.
    ///
    /// Pictures of users get no watermarks and no tint, are in no packs, and are removed with their file.
    ///
    /// - Throws: `ConfigurationError` if `personal.drop` is not set.
    public func ofUploads() throws(ConfigurationError) -> ConfigurationFile {
        guard let drop = configuration.personal.drop else {
            throw ConfigurationError(faults: [
                JSONFault(
                    path: "personal.drop", message: "is not set, so that there are no uploads")
            ])
        }
        var file = self
        file.isOfUploads = true
        file.configuration.drops = [DropFolder(path: drop)]
        file.configuration.out = configuration.personal.private
        file.configuration.state = configuration.uploadsState
        file.configuration.run = configuration.uploadsRun
        file.configuration.problemsFolder = nil
        file.configuration.marks = nil
        file.configuration.categories = [:]
        file.configuration.smart.enabled = false
        file.configuration.smart.weather = WeatherConfiguration()
        file.configuration.sticker.packs = []
        file.configuration.sticker.review = false
        file.configuration.sticker.words = CategoryWords()
        file.configuration.sticker.watermarks = []
        file.configuration.sticker.tint = StickerSettings().tint
        if let goal = configuration.personal.goal { file.configuration.sticker.goal = goal }
        file.configuration.publish.publicBaseURL = ""
        file.configuration.publish.libraryPacks = []
        // The server puts complete files in place, so an incomplete one stays incomplete.
        file.configuration.watch.arrivingSecondsMax = 1
        // Files deleted by a user go at once.
        file.configuration.publish.deleteGraceSeconds = 0
        file.configuration.publish.oldRevisionHours = 0
        file.configuration.publish.trashDays = 0
        return file
    }
}

extension Configuration {
    /// The folder of the uploads' database.
    var uploadsState: String { state + "-personal" }

    /// The folder where the daemon of uploads reports its state.
    public var uploadsRun: String { run + "-personal" }

    /// Finds settings that would expose uploads to everyone: an uploads folder inside or around one that is published
    /// or made into public stickers.
    ///
    /// - Parameter leads: whether one of two folders is inside the other in a way that their absolute paths do not
    ///   show.
    /// - Throws: `ConfigurationError` with all of them.
    public func checkPersonal(
        _ leads: (_ path: String, _ other: String) -> Bool
    ) throws(ConfigurationError) {
        guard let drop = personal.drop else { return }
        let studio =
            dropPaths.map { ("the drop", $0) }
            + [("out", out), ("state", state), ("run", run)]
            + [("the state of uploads", uploadsState), ("the run of uploads", uploadsRun)]
        let pairs =
            studio.map { ("personal.drop", drop, $0.0, $0.1) }
            + studio.map { ("personal.private", personal.private, $0.0, $0.1) }
            + [("personal.private", personal.private, "personal.drop", drop)]
        let faults = pairs.filter { _, path, _, other in
            Self.areNested(path, other) || leads(path, other)
        }.map { key, path, name, other in
            JSONFault(
                path: key,
                message: "\(path) and \(name) \(other) overlap; name another folder")
        }
        guard faults.isEmpty else { throw ConfigurationError(faults: faults) }
    }

    private static func areNested(_ path: String, _ other: String) -> Bool {
        let (path, other) = (plain(path), plain(other))
        return path.hasPrefix(other) || other.hasPrefix(path)
    }

    /// A path that ends in a slash, without `.` and `..`.
    private static func plain(_ path: String) -> String {
        var names: [Substring] = []
        for name in path.split(separator: "/") where name != "." {
            if name == ".." { _ = names.popLast() } else { names.append(name) }
        }
        return names.map { "/\($0)" }.joined() + "/"
    }
}

extension PersonalConfiguration {
    /// The name of systemd's credential with the tokens.
    private static let credential = "personal.tokens"

    /// Reads the users who may upload.
    ///
    /// - Parameter credentials: the folder of systemd's credentials; `personal.tokens` there takes precedence over
    ///   `tokensFile`.
    /// - Returns: the users, by the SHA-256 of their tokens in lower-case hexadecimal; `nil` if there are no uploads.
    /// - Throws: `ConfigurationError` if the file cannot be used.
    public func checkedTokens(
        credentials: String?
    ) throws(ConfigurationError) -> [ContentHash: String]? {
        guard drop != nil else { return nil }
        guard
            let path = KeyFile.credential(Self.credential, in: credentials) ?? tokensFile
        else {
            throw ConfigurationError(faults: [
                JSONFault(
                    path: "personal.tokensFile",
                    message: "is needed, as nobody may upload anything without a token")
            ])
        }
        let file = KeyFile(path: path, setting: "personal.tokensFile")
        var users: [ContentHash: String] = [:]
        var faults: [JSONFault] = []
        for (index, line) in try file.lines().enumerated() {
            let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
            if words.isEmpty { continue }
            guard words.count == 2, UploadStatus.isUser(words[0]),
                words[1].wholeMatch(of: /[0-9a-f]{64}/) != nil
            else {
                // Not shown: it may be an unhashed token.
                faults +=
                    file.fault(
                        "line \(index + 1) of \(path) is not a user with a token; write a name of "
                            + "a-z, 0-9 and _, at most 40, a blank, and the SHA-256 of the token "
                            + "in 64 lower-case hexadecimal digits"
                    ).faults
                continue
            }
            let hash = ContentHash(rawValue: String(words[1]))
            if users.updateValue(String(words[0]), forKey: hash) != nil {
                faults +=
                    file.fault(
                        "line \(index + 1) of \(path) repeats a token; each has one user"
                    ).faults
            }
        }
        guard faults.isEmpty else { throw ConfigurationError(faults: faults) }
        return users
    }
}
