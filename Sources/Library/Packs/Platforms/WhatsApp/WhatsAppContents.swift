import FoundationEssentials
import StickerValues

/// `contents.json` for Android and `sticker_packs.wasticker` for iOS: the same keys, though iOS reads fewer.
///
/// Android's parser refuses unknown keys and null, so absent values are left out.
struct WhatsAppContents: Encodable {
    struct Pack: Encodable {
        var identifier: String
        var name: String
        var publisher: String
        var trayImageFile: String
        /// Not read on iOS.
        var imageDataVersion: String?
        /// Present only for an animated pack.
        var animatedStickerPack: Bool?
        var publisherEmail: String?
        var publisherWebsite: String?
        var privacyPolicyWebsite: String?
        var licenseAgreementWebsite: String?
        var stickers: [Sticker]

        enum CodingKeys: String, CodingKey {
            case identifier, name, publisher, stickers
            case trayImageFile = "tray_image_file"
            case imageDataVersion = "image_data_version"
            case animatedStickerPack = "animated_sticker_pack"
            case publisherEmail = "publisher_email"
            case publisherWebsite = "publisher_website"
            case privacyPolicyWebsite = "privacy_policy_website"
            case licenseAgreementWebsite = "license_agreement_website"
        }
    }

    struct Sticker: Encodable {
        var imageFile: String
        var emojis: [String]
        var accessibilityText: String

        enum CodingKeys: String, CodingKey {
            case emojis
            case imageFile = "image_file"
            case accessibilityText = "accessibility_text"
        }
    }

    var playStore: String?
    var appStore: String?
    var packs: [Pack]

    enum CodingKeys: String, CodingKey {
        case playStore = "android_play_store_link"
        case appStore = "ios_app_store_link"
        case packs = "sticker_packs"
    }

    /// Describes packs, of one category or of several; `tray` returns the name of a pack's picture.
    init(_ packs: [StickerPacks.Pack], isForIOS: Bool, tray: (StickerPacks.Pack) -> String) {
        let links = packs.lazy.map { WhatsAppLinks($0.links) }
        playStore = links.compactMap(\.playStore).first
        appStore = links.compactMap(\.appStore).first
        self.packs = packs.map { Pack($0, tray: tray($0), isForIOS: isForIOS) }
    }
}

extension WhatsAppContents.Pack {
    fileprivate init(_ pack: Pack, tray: String, isForIOS: Bool) {
        let links = WhatsAppLinks(pack.links)
        identifier = pack.identifier
        name = pack.title.cut(toUTF16: WhatsApp.Limits.nameMax)
        publisher = (pack.publisher ?? "").cut(toUTF16: WhatsApp.Limits.nameMax)
        trayImageFile = tray
        imageDataVersion = isForIOS ? nil : "\(pack.version)"
        animatedStickerPack = pack.kind == .moving ? true : nil
        publisherEmail = isForIOS ? nil : links.email
        publisherWebsite = links.website
        privacyPolicyWebsite = links.privacyPolicy
        licenseAgreementWebsite = links.licence
        stickers = pack.stickers.map { .init($0, moves: pack.kind == .moving) }
    }
}

extension WhatsAppContents.Sticker {
    fileprivate init(_ sticker: PackSticker, moves: Bool) {
        imageFile = "\(sticker.identifier).webp"
        emojis = sticker.emojis.emojis(atMost: WhatsApp.Limits.emojisMax)
        accessibilityText = sticker.spokenText.cut(
            toUTF16: WhatsApp.Limits.accessibilityTextMax(moves: moves))
    }
}

/// The links of a pack that WhatsApp accepts; others are left out.
struct WhatsAppLinks {
    var playStore: String?
    var appStore: String?
    var website: String?
    var email: String?
    var privacyPolicy: String?
    var licence: String?
    /// The links left out, by key in `links`.
    private(set) var leftOut: [(key: String, value: String, limit: String)] = []

    init(_ links: Links) {
        playStore = take(links.playStore, "playStore", "an address at play.google.com") {
            Self.host(of: $0) == "play.google.com" ? $0 : nil
        }
        // The store's present address is refused.
        appStore = take(links.appStore, "appStore", "an address at apps.apple.com") { text in
            switch Self.host(of: text) {
            case "itunes.apple.com": text
            case "apps.apple.com": text.replacing("//apps.apple.com", with: "//itunes.apple.com")
            default: nil
            }
        }
        let site = "an address that begins with http:// or https://"
        let isSite = { (text: String) in Self.host(of: text) == nil ? nil : text }
        website = take(links.website, "website", site, isSite)
        privacyPolicy = take(links.privacyPolicy, "privacyPolicy", site, isSite)
        licence = take(links.licence, "licence", site, isSite)
        email = take(links.email, "email", "an e-mail address") { text in
            text.contains(
                /^[A-Za-z0-9+._%-]{1,256}@[A-Za-z0-9][A-Za-z0-9-]{0,64}(\.[A-Za-z0-9][A-Za-z0-9-]{0,25})+$/
            )
                ? text : nil
        }
    }

    private mutating func take(
        _ value: String?, _ key: String, _ limit: String, _ accepted: (String) -> String?
    ) -> String? {
        guard let value, !value.isEmpty else { return nil }
        let taken = accepted(value)
        if taken == nil { leftOut.append((key, value, limit)) }
        return taken
    }

    /// The host of an http or https address.
    private static func host(of text: String) -> String? {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(),
            scheme == "http" || scheme == "https"
        else { return nil }
        return url.host()
    }
}
