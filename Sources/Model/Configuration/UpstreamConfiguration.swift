import FoundationEssentials
public import StickerValues

/// A category with stickers of an external provider, which `stickerd-web` queries.
public struct UpstreamConfiguration: Hashable, Sendable {
    /// The protocol.
    public enum Kind: String, Sendable, CaseIterable {
        /// The sample sticker provider's: `URL/trending` and `URL/search`.
        case provider
        /// https://developers.giphy.com/docs/api
        case giphy
    }

    static let giphyURL = "https://api.giphy.com/v1/stickers"
    static let giphyHosts = ["media", "media0", "media1", "media2", "media3", "media4", "i"]
        .map { "\($0).giphy.com" }

    /// The id of the category.
    public var identifier: CategoryID
    /// The protocol.
    public var kind = Kind.provider
    /// The title of the category.
    public var title = ""
    /// The address, without `/trending` or `/search`.
    public var url = ""
    /// A file with the key on its first line; systemd's credential `upstream-ID.key` takes precedence.
    public var keyFile: String?
    /// The language of queries; only GIPHY uses it.
    public var language = "en"
    /// The highest rating to pass on.
    public var rating = Rating.general
    /// Whether unrated stickers are passed on: as long as no rating was configured, or only the highest.
    public var passesUnrated = true
    /// The text to show beside the stickers; empty for none.
    public var attribution = ""
    /// The link of that text; empty for none.
    public var attributionURL = ""
    /// The https hosts of pictures: names, or `*.NAME` for all hosts below one.
    public var imageHosts: [String] = []
    /// The most requests within any hour; 0 for any number.
    public var callsPerHour = 0
    /// Whether its stickers follow ours where all are listed or searched.
    public var merged = false

    /// The defaults of a kind, without an address.
    ///
    /// - Parameters:
    ///   - identifier: the id of the category.
    ///   - kind: the protocol.
    public init(_ identifier: CategoryID, _ kind: Kind = .provider) {
        self.identifier = identifier
        self.kind = kind
        guard kind == .giphy else { return }
        (url, attribution) = (Self.giphyURL, "Powered by GIPHY")
        attributionURL = "https://giphy.com/"
        imageHosts = Self.giphyHosts
        callsPerHour = 100
    }

    /// The name of systemd's credential with its key.
    public var credential: String { "upstream-\(identifier).key" }

    /// Whether it works without a key.
    public var isKeyless: Bool { kind == .provider }
}

extension UpstreamConfiguration {
    /// The most upstreams.
    static let countMax = 8
    private static let titleMax = 100
    private static let hostsMax = 20
    /// https://developers.giphy.com/docs/optional-settings#language-support
    private static let languages = [
        "en", "es", "pt", "id", "fr", "ar", "tr", "th", "vi", "de", "it", "ja", "zh-CN", "zh-TW",
        "ru", "ko", "pl", "nl", "ro", "hu", "sv", "cs", "hi", "bn", "da", "fa", "tl", "fi", "he",
        "ms", "no", "uk",
    ]

    static func read(
        _ name: String, _ reader: inout ObjectReader, isPath: (String) -> Bool
    ) -> UpstreamConfiguration {
        var kind = Kind.provider
        reader.choice("kind", &kind)
        var upstream = UpstreamConfiguration(CategoryID(rawValue: name), kind)
        upstream.read(&reader, isPath: isPath)
        return upstream
    }

    private mutating func read(_ reader: inout ObjectReader, isPath: (String) -> Bool) {
        let areThere = reader.isSound { reader in
            reader.string(
                "title", &title, "1 to \(Self.titleMax) characters", where: Self.isShown)
            reader.string("url", &url, AskedAddress.wanted, where: AskedAddress.isRight)
        }
        reader.optionalString("keyFile", &keyFile, "null or a file", where: isPath)
        if kind == .giphy {
            reader.string("language", &language, "one of \(Self.languages.joined(separator: ", "))")
            { Self.languages.contains($0) }
        }
        reader.choice("rating", &rating)
        passesUnrated = reader.members["rating"] == nil || rating == .restricted
        reader.string("attribution", &attribution, "at most \(Self.titleMax) characters") {
            $0.isEmpty || Self.isShown($0)
        }
        reader.string("attributionURL", &attributionURL, "empty, or an https URL") {
            $0.isEmpty || $0.hasPrefix("https://") && AskedAddress.isRight($0)
        }
        reader.strings(
            "imageHosts", &imageHosts,
            "up to \(Self.hostsMax) names such as media.example.org or *.example.org"
        ) { $0.count <= Self.hostsMax && $0.allSatisfy(Self.isHost) }
        reader.integer("callsPerHour", &callsPerHour, in: 0...10_000)
        reader.bool("merged", &merged)
        while url.hasSuffix("/") { url.removeLast() }
        guard areThere else { return }
        if title.isEmpty { reader.note("title", "is missing: people see the category by it") }
        if url.isEmpty { reader.note("url", "is missing: a provider has no default address") }
        guard imageHosts.isEmpty, !url.isEmpty else { return }
        guard let host = Self.host(of: url) else {
            return reader.note(
                "imageHosts", "is needed: pictures are loaded by https, and \(url) is not https"
            )
        }
        imageHosts = [host]
    }

    /// The host of an https URL without a port.
    private static func host(of url: String) -> String? {
        let host = url.dropFirst("https://".count).prefix { $0 != "/" }.lowercased()
        return url.hasPrefix("https://") && isHost(host) ? host : nil
    }

    private static func isShown(_ text: String) -> Bool {
        (1...titleMax).contains(text.count) && !text.allSatisfy(\.isWhitespace)
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    private static func isHost(_ text: String) -> Bool {
        let label = /[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?/
        let labels = (text.hasPrefix("*.") ? text.dropFirst(2) : text[...])
            .split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253 && labels.count >= 2
            && labels.allSatisfy { $0.wholeMatch(of: label) != nil }
    }
}

extension WebConfiguration {
    mutating func readUpstreams(_ reader: inout ObjectReader, isPath: (String) -> Bool) {
        var found: [UpstreamConfiguration] = []
        reader.objects(
            "upstreams", "an id: 1 to 60 of a-z, 0-9 and _, with neither _ nor imgly_ first",
            where: {
                // Editors of IMG.LY have categories whose ids begin with that.
                $0.wholeMatch(of: /[a-z0-9][a-z0-9_]{0,59}/) != nil && !$0.hasPrefix("imgly_")
            }
        ) { name, reader in
            let upstream = UpstreamConfiguration.read(name, &reader, isPath: isPath)
            // Editors crash if two categories have one title.
            if let other = found.first(where: {
                $0.title.lowercased() == upstream.title.lowercased()
            }),
                !upstream.title.isEmpty
            {
                reader.note(
                    "title", "is that of \(other.identifier), too; give each one of its own")
            }
            found.append(upstream)
        }
        if found.count > UpstreamConfiguration.countMax {
            reader.note(
                "upstreams",
                "has \(found.count) entries, allowed are \(UpstreamConfiguration.countMax)")
        }
        upstreams = found
    }
}
