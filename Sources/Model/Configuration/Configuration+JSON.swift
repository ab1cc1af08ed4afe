public import FoundationEssentials
import StickerValues

extension Configuration {
    /// Reads a `config.json`.
    ///
    /// - Throws: `ConfigurationError` with every fault: unknown keys, values of the wrong type or outside their range,
    ///   each with its JSON path.
    public init(json: Data) throws(ConfigurationError) {
        var warnings: [JSONFault] = []
        try self.init(json: json, warnings: &warnings)
    }

    /// Reads a `config.json`.
    ///
    /// - Parameters:
    ///   - json: the content of the file.
    ///   - warnings: receives values that are interpreted otherwise than written.
    /// - Throws: `ConfigurationError` with every fault.
    init(json: Data, warnings: inout [JSONFault]) throws(ConfigurationError) {
        let value: JSONValue
        do {
            value = try JSONParser.parse(Array(json))
        } catch {
            let fault = JSONFault(path: "", message: "not JSON: \(error)")
            throw ConfigurationError(faults: [fault])
        }
        let findings = Findings()
        self.init(value, findings)
        guard findings.faults.isEmpty else { throw ConfigurationError(faults: findings.faults) }
        warnings = findings.warnings
    }

    init(_ value: JSONValue, _ findings: Findings) {
        self.init()
        var reader = ObjectReader(value, path: "", findings: findings)
        read(&reader)
        reader.finish()
    }

    private mutating func read(_ reader: inout ObjectReader) {
        reader.drops("drops", &drops, isPath: Self.isPath)
        reader.string("out", &out, "a folder", where: Self.isPath)
        reader.string("state", &state, "a folder", where: Self.isPath)
        reader.string("run", &run, "a folder", where: Self.isPath)
        reader.optionalString(
            "problemsFolder", &problemsFolder, "null or a folder", where: Self.isPath)
        var folder: String?
        reader.optionalString("marks", &folder, "null or a folder", where: Self.isPath)
        marks = folder.map(MarkFolder.init)
        reader.string(
            "defaultCategory", &defaultCategory, Self.folderName, where: Self.isFolderName)
        reader.integer("workers", &workers, in: 0...64)
        reader.object("watch") { watch.read(&$0) }
        reader.object("queue") { queue.read(&$0) }
        reader.object("publish") { publish.read(&$0) }
        reader.object("limits") { limits.read(&$0) }
        reader.object("worker") { worker.read(&$0) }
        reader.object("color") { color.read(&$0, isPath: Self.isPath) }
        reader.object("web") { web.read(&$0, isPath: Self.isPath) }
        reader.object("console") { [drops] reader in
            console.read(&reader, of: drops.map(\.path), isPath: Self.isPath)
        }
        reader.object("personal") { personal.read(&$0, isPath: Self.isPath) }
        reader.targets("targets", &targets)
        reader.choice("renew", &renew)
        reader.object("smart") { reader in
            sticker.smart.read(&reader)
            smart.read(&reader, isPath: Self.isPath)
        }
        reader.object("sticker") { sticker.read(&$0, targets) }
        reader.objects("categories", Self.folderName, where: Self.isFolderName) { name, reader in
            var settings = sticker
            settings.read(&reader, targets)
            reader.object("smart") { settings.smart.read(&$0) }
            categories[name] = settings
        }
    }

    /// A null byte would end the path early in every system call.
    private static func isPath(_ text: String) -> Bool {
        !text.isEmpty && !text.unicodeScalars.contains("\0")
    }

    private static let folderName = "the name of one folder that stickerd reads"

    private static func isFolderName(_ text: String) -> Bool {
        isPath(text) && !text.unicodeScalars.contains("/")
            && !FileKind.isIgnoredName(Array(text.utf8))
    }
}

extension WatchConfiguration {
    fileprivate mutating func read(_ reader: inout ObjectReader) {
        reader.choice("backend", &backend)
        reader.number("settleSeconds", &settleSeconds, in: 0.1...60)
        reader.number("settlePollingSeconds", &settlePollingSeconds, in: 0.1...300)
        reader.number("arrivingSecondsMax", &arrivingSecondsMax, in: 1...3600)
        reader.number("pollSeconds", &pollSeconds, in: 0.1...3600)
        reader.number("rescanSeconds", &rescanSeconds, in: 1...86400)
    }
}

extension QueueConfiguration {
    fileprivate mutating func read(_ reader: inout ObjectReader) {
        reader.numbers("retrySeconds", &retrySeconds, in: 0.1...86400, countMax: 20)
        reader.integer("historyDays", &historyDays, in: 1...3650)
        reader.integer("historyBytesMax", &historyBytesMax, in: 1_000_000...1_000_000_000_000)
    }
}

extension PublishConfiguration {
    fileprivate mutating func read(_ reader: inout ObjectReader) {
        reader.string("publicBaseURL", &publicBaseURL, Self.baseName) {
            $0.isEmpty || Self.isBase($0)
        }
        reader.platforms("libraryPacks", &libraryPacks, of: PackPlatform.ofLibrary)
        reader.number("deleteGraceSeconds", &deleteGraceSeconds, in: 0...86400)
        reader.number("oldRevisionHours", &oldRevisionHours, in: 0...8760)
        reader.number("trashDays", &trashDays, in: 0...3650)
        reader.integer("pageEntriesMax", &pageEntriesMax, in: 10...100_000)
        reader.integer("freeSpaceReserveBytes", &freeSpaceReserveBytes, in: 0...1_000_000_000_000)
    }

    fileprivate static let baseName = "empty, or an http or https URL that ends in /"

    /// Paths are appended unchanged, so it needs a host and must have no query, fragment or blanks.
    fileprivate static func isBase(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else {
            return false
        }
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        return rest.first != UInt8(ascii: "/") && rest.last == UInt8(ascii: "/")
            && rest.allSatisfy { (0x21...0x7E).contains($0) && !"?#\"<>\\^`{|}".utf8.contains($0) }
    }
}

extension DecodeLimits {
    fileprivate mutating func read(_ reader: inout ObjectReader) {
        reader.integer("sourceBytesMax", &sourceBytesMax, in: 1024...1_073_741_824)
        reader.integer("sidePixelsMax", &sidePixelsMax, in: 16...65535)
        reader.integer("framePixelsMax", &framePixelsMax, in: 256...1_000_000_000)
        reader.integer("framesMax", &framesMax, in: 1...100_000)
        reader.integer("totalPixelsMax", &totalPixelsMax, in: 256...100_000_000_000)
        reader.integer("jpegScansMax", &jpegScansMax, in: 1...10_000)
        reader.integer("decoderBytesMax", &decoderBytesMax, in: 1_000_000...4_000_000_000)
        reader.integer("cpuSecondsMax", &cpuSecondsMax, in: 1...3600)
        reader.ignore(
            "wallSecondsMax",
            "no longer counts, only CPU time does (limits.cpuSecondsMax); remove it")
    }
}

extension WorkerConfiguration {
    fileprivate mutating func read(_ reader: inout ObjectReader) {
        reader.integer("memoryBytesMax", &memoryBytesMax, in: 0...1_000_000_000_000)
        reader.bool("unsandboxed", &unsandboxed)
    }
}

extension WebConfiguration {
    fileprivate mutating func read(_ reader: inout ObjectReader, isPath: (String) -> Bool) {
        var address = listen.description
        reader.string("listen", &address, listen.wanted) { WebAddress($0) != nil }
        listen = WebAddress(address) ?? listen
        reader.string("publicURL", &publicURL, PublishConfiguration.baseName) {
            $0.isEmpty || PublishConfiguration.isBase($0)
        }
        reader.strings("keys", &keys, "a list of keys of letters, digits, _ and -") {
            $0.allSatisfy(KeyFile.isKey)
        }
        reader.optionalString("keysFile", &keysFile, "null or a file", where: isPath)
        reader.bool("open", &open)
        reader.addresses("trustedProxies", &trustedProxies)
        reader.list(
            "hosts", &hosts, "a list of names",
            each: "a name such as stickers.example.org, without a port"
        ) { WebAddress.isName($0) ? $0 : nil }
        reader.integer("rate", &rate, in: 0...1_000_000)
        reader.choice("metrics", &metrics)
        readUpstreams(&reader, isPath: isPath)
        reader.object("compose") { compose.read(&$0) }
    }
}

extension ColorConfiguration {
    fileprivate mutating func read(
        _ reader: inout ObjectReader, isPath: (String) -> Bool
    ) {
        var path: String?
        reader.optionalString("cmykProfile", &path, "null or a file", where: isPath)
        cmykProfile = path.map(CMYKProfileFile.init)
    }
}

extension StickerSettings.Smart {
    /// Languages and zones are validated elsewhere.
    fileprivate mutating func read(_ reader: inout ObjectReader) {
        reader.string("locale", &locale, "a language, de or en_GB") { !$0.isEmpty }
        reader.string("timeZone", &timeZone, "empty, or a time zone such as Europe/Berlin") { _ in
            true
        }
        reader.choice("unit", &unit)
    }
}

extension ObjectReader {
    /// Reads a list of platforms, which may be empty.
    fileprivate mutating func platforms(
        _ key: String, _ target: inout [PackPlatform], of known: [PackPlatform]
    ) {
        var names = target.map(\.rawValue)
        self.names(key, &names, of: known.map(\.rawValue), canBeEmpty: true)
        target = names.compactMap(PackPlatform.init)
    }
}

extension StickerSettings {
    fileprivate mutating func read(
        _ reader: inout ObjectReader, _ known: [String: Target]
    ) {
        reader.names("targets", &targets, of: known.keys.sorted())
        reader.platforms("packs", &packs, of: PackPlatform.allCases)
        reader.integer("stillBytesMax", &stillBytesMax, in: 1000...10_000_000)
        reader.integer("animatedBytesMax", &animatedBytesMax, in: 1000...50_000_000)
        reader.integer("trayBytesMax", &trayBytesMax, in: 1000...1_000_000)
        reader.choice("resample", &resample)
        var look = CategoryLook()
        look.read(&reader, in: .operators(targets: Array(known.keys)))
        wear(look)
        reader.integer("qualityMin", &qualityMin, in: 0...100)
        reader.choice("goal", &goal)
        reader.number("scoreTarget", &scoreTarget, in: 1...100)
        reader.number("scoreMin", &scoreMin, in: 0...100)
        reader.choice("tooLong", &tooLong, older: TooLong.older)
        reader.string("matte", &matte, ColorCode.wanted, where: ColorCode.isColor)
        reader.array("thumbnails", &thumbnails, countMax: 8) { item in
            var thumbnail = Thumbnail(pixels: 144, format: .png)
            item.integer("pixels", &thumbnail.pixels, in: 16...512)
            var format = ThumbnailFormat.png
            item.choice("format", &format)
            thumbnail.format = format == .png ? .png : .webp
            return thumbnail
        }
        reader.bool("companions", &companions)
        reader.bool("review", &review)
        reader.strings("emojis", &emojis, "a list of up to 3 emoji, each a single one") {
            $0.count <= 3 && $0.allSatisfy { $0.count == 1 && $0.first?.emoji != nil }
        }
        emojis = emojis.compactMap { $0.first?.emoji }
        reader.object("words") { words.readDefaults(&$0) }
        reader.object("tuikit") { reader in
            reader.integer("rows", &tuikit.rows, in: 1...20)
            reader.integer("columns", &tuikit.columns, in: 1...20)
            reader.integer("order", &tuikit.order, in: 0...999_999)
        }
    }

    private enum ThumbnailFormat: String, CaseIterable { case png, webp }
}
