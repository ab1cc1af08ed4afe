import StickerValues

/// The texts of the manifest about the app and its packs.
extension WhatsAppValidator.Inspection {
    private typealias Limits = WhatsAppValidator.Limits

    /// The iOS sample passes links on unchecked.
    mutating func checkStoreLinks(of manifest: AppManifest) {
        guard app == .android else { return }
        checkStoreLink(
            .v04, "android_play_store_link", manifest.playStoreLink, host: Limits.playStoreHost)
        checkStoreLink(
            .v05, "ios_app_store_link", manifest.appStoreLink, host: Limits.appStoreHost)
    }

    private mutating func checkStoreLink(
        _ rule: Rule, _ key: String, _ address: String?, host: String
    ) {
        guard let address, !address.isEmpty, WebLink(address)?.host != host else { return }
        note(
            rule, Place().key(key), "\(key) does not lead to \(host)", measured: address.shown,
            limit: "https://\(host)/...",
            remedy: "write the address that the app has at \(host), or leave the link empty")
    }

    /// WhatsApp takes two packs with the same identifier for one.
    mutating func checkIdentifiersAreUnique(_ packs: [AppManifest.Pack]) {
        var seen: Set<String> = []
        for pack in packs {
            guard let identifier = pack.identifier, !seen.insert(identifier).inserted else {
                continue
            }
            note(
                app == .android ? .l1 : .i5, pack.place.key("identifier"),
                "another pack has this identifier as well", measured: identifier.shown,
                limit: "1 pack for each identifier",
                remedy: "give one of the packs another identifier")
        }
    }

    /// Checks the texts of a pack and the number of its stickers.
    mutating func checkWords(of pack: AppManifest.Pack) {
        let place = pack.place
        let most = Limits.wordsLengthMax
        checkIdentifier(of: pack)
        checkLength(.v03, pack.publisher, place.key("publisher"), "the publisher", most: most)
        checkLength(.v03, pack.name, place.key("name"), "the name", most: most)
        for (key, address) in pack.websites where !address.isEmpty && WebLink(address) == nil {
            note(
                .v06, place.key(key), "\(key) is not a web address", measured: address.shown,
                limit: "an address that begins with http:// or https://",
                remedy: "write the whole address, or leave it empty")
        }
        if let email = pack.email, !email.isEmpty, !EmailAddress.isAccepted(email) {
            note(
                .v07, place.key("publisher_email"), "publisher_email is not an e-mail address",
                measured: email.shown, limit: "an address like name@example.org",
                remedy: "write the whole address, or leave it empty")
        }
        checkCount(of: pack)
    }

    private mutating func checkIdentifier(of pack: AppManifest.Pack) {
        guard let identifier = pack.identifier else { return }
        let place = pack.place.key("identifier")
        checkLength(.v01, identifier, place, "the identifier", most: Limits.wordsLengthMax)
        guard app == .android else { return }
        if !identifier.isFileName {
            note(
                .p4, place, "the identifier, which names a folder, has .. or / in it",
                measured: identifier.shown, limit: "neither .. nor /",
                remedy: Limits.identifierRemedy)
        }
        let wrong = identifier.unicodeScalars.filter { !$0.isOfIdentifier && $0 != "/" }
        guard !wrong.isEmpty else { return }
        note(
            .v02, place, "the identifier has characters that are not allowed",
            measured: wrong.map { $0.escaped(asASCII: false) }.joined(separator: " "),
            limit: "a-z A-Z 0-9 _ - . , ' and blanks",
            remedy: Limits.identifierRemedy)
    }

    /// An empty list is a fault of the parser. The iOS sample lets the 31st sticker pass, which WhatsApp does not
    /// promise to accept.
    private mutating func checkCount(of pack: AppManifest.Pack) {
        let count = pack.stickerCount
        guard count > 0, !Limits.stickers.contains(count) else { return }
        let isTooFew = count < Limits.stickers.lowerBound
        note(
            .v09, pack.place.key("stickers"),
            "the pack has too \(isTooFew ? "few" : "many") stickers",
            measured: "\(count) stickers", limit: Limits.stickersShown,
            remedy: isTooFew ? "add stickers" : "divide the stickers into several packs")
    }
}

extension Unicode.Scalar {
    /// Whether the sample's expression for identifiers, `[\w-.,'\s]+`, matches it. On Android, `\w` includes letters of
    /// all languages; WhatsApp's instructions name only ASCII, which applies here.
    fileprivate var isOfIdentifier: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", ",", "'": true
        case " ", "\t", "\n", "\u{B}", "\u{C}", "\r": true
        default: false
        }
    }
}

extension String {
    /// Whether it names a file or folder directly here. Examines bytes: a combining mark after a slash would hide it
    /// among characters.
    var isFileName: Bool {
        let dot = UInt8(ascii: ".")
        return !utf8.contains(UInt8(ascii: "/"))
            && !zip(utf8, utf8.dropFirst()).contains { $0 == dot && $1 == dot }
    }

    /// Quoted, without control characters, and cut if long.
    var shown: String { JSONValue.string(self).shown }
}
