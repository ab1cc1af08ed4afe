import StickerValues

/// Parses a manifest.
extension WhatsAppValidator.Inspection {
    typealias AppManifest = WhatsAppValidator.AppManifest
    typealias Place = WhatsAppValidator.Place
    typealias Rule = WhatsAppValidator.Rule

    /// One object of the manifest.
    private struct Node {
        let members: JSONObject
        let place: Place
        /// The rule for an unknown key, or a value of the wrong kind, in this object.
        let rule: Rule
    }

    /// Reads the manifest; `nil` if it cannot be parsed.
    mutating func readManifest() -> AppManifest? {
        let value: JSONValue
        do throws(JSONSyntaxError) { value = try JSONParser.parse(text) } catch {
            note(
                .p1, Place(), "the manifest is not valid JSON: \(error.message)",
                measured: "line \(error.line), column \(error.column)", limit: "JSON in UTF-8",
                remedy: "correct that line")
            return nil
        }
        guard let node = node(value, Place(), .p1, "the manifest") else { return nil }
        noteUnknownKeys(
            of: node, known: ["android_play_store_link", "ios_app_store_link", "sticker_packs"])
        return AppManifest(
            playStoreLink: text("android_play_store_link", of: node),
            appStoreLink: text("ios_app_store_link", of: node), packs: packs(of: node))
    }

    private mutating func packs(of node: Node) -> [AppManifest.Pack] {
        let place = node.place.key("sticker_packs")
        let remedy = "export at least one pack"
        switch node.members["sticker_packs"] {
        case nil:
            note(
                .l2, Place(), "there is no sticker_packs", measured: "0 packs", limit: "1 or more",
                remedy: remedy)
            return []
        case .array([])?:
            note(
                .p2, place, "sticker_packs is empty", measured: "0 packs", limit: "1 or more",
                remedy: remedy)
            return []
        case .array(let values)?:
            return values.enumerated().compactMap { pack($1, place.item($0)) }
        case let value?:
            noteKind(of: value, .p1, place, "sticker_packs", wanted: "a list of packs")
            return []
        }
    }

    private mutating func pack(_ value: JSONValue, _ place: Place) -> AppManifest.Pack? {
        var place = place
        place.pack = place.path
        if case .object(let members) = value, case .string(let identifier)? = members["identifier"],
            !identifier.isEmpty
        {
            place.pack = identifier
        }
        guard let node = node(value, place, .p3, "the pack") else { return nil }
        var pack = AppManifest.Pack(place: place)
        pack.identifier = requiredText(
            "identifier", of: node, app == .ios ? .i5 : .p3,
            WhatsAppValidator.Limits.identifierRemedy)
        pack.name = requiredText("name", of: node, .p3, "give the pack a name")
        pack.publisher = requiredText("publisher", of: node, .p3, "say who made the pack")
        pack.trayFile = requiredText(
            "tray_image_file", of: node, .p3, "name the PNG that represents the pack")
        pack.isAnimated = flag("animated_sticker_pack", of: node) ?? false
        readStickers(of: node, &pack)
        if app == .android { readWordsForAndroid(of: node, &pack) }
        return pack
    }

    /// Reads values that the iOS sample ignores or passes on unchecked.
    private mutating func readWordsForAndroid(of node: Node, _ pack: inout AppManifest.Pack) {
        _ = requiredText(
            "image_data_version", of: node, .p3,
            "write a version, \"1\" at first, and raise it whenever a picture changes")
        _ = flag("avoid_cache", of: node)
        pack.email = text("publisher_email", of: node)
        let keys = [
            "publisher_website", "privacy_policy_website", "license_agreement_website",
        ]
        for key in keys {
            guard let address = text(key, of: node) else { continue }
            pack.websites.append((key, address))
        }
    }

    private mutating func readStickers(of node: Node, _ pack: inout AppManifest.Pack) {
        let place = node.place.key("stickers")
        switch node.members["stickers"] {
        case .array(let values)? where !values.isEmpty:
            pack.stickerCount = values.count
            pack.stickers = values.enumerated().compactMap { sticker($1, place.item($0)) }
        case nil, .array?:
            note(
                .p3, place, "the pack has no stickers", measured: "0 stickers",
                limit: WhatsAppValidator.Limits.stickersShown,
                remedy: "give the pack stickers, or leave it out")
        case let value?:
            noteKind(of: value, .p3, place, "stickers", wanted: "a list of stickers")
        }
    }

    private mutating func sticker(_ value: JSONValue, _ place: Place) -> AppManifest.Sticker? {
        guard let node = node(value, place, .p5, "the sticker") else { return nil }
        noteUnknownKeys(of: node, known: ["image_file", "emojis", "accessibility_text"])
        var sticker = AppManifest.Sticker(place: place)
        sticker.imageFile = requiredText(
            "image_file", of: node, .p6, "name the file of the sticker")
        sticker.emojis = emojis(of: node)
        sticker.accessibilityText = text("accessibility_text", of: node)
        return sticker
    }

    /// The emojis that an app counts: the iOS sample counts empty ones, the Android sample drops them.
    private mutating func emojis(of node: Node) -> [String]? {
        guard let value = node.members["emojis"] else { return [] }
        let emojis: [String]? =
            if case .array(let items) = value { items.allTexts } else { nil }
        guard let emojis else {
            noteOptionalKind(of: value, node, "emojis", wanted: "a list of texts")
            return nil
        }
        return app == .android ? emojis.filter { !$0.isEmpty } : emojis
    }

    // MARK: Values

    private mutating func node(
        _ value: JSONValue, _ place: Place, _ rule: Rule, _ name: String
    ) -> Node? {
        if case .object(let members) = value {
            return Node(members: members, place: place, rule: rule)
        }
        noteKind(of: value, rule, place, name, wanted: "an object")
        return nil
    }

    private mutating func requiredText(
        _ key: String, of node: Node, _ rule: Rule, _ remedy: String
    ) -> String? {
        let value = node.members[key]
        if case .string(let text)? = value, !text.isEmpty { return text }
        let found = value == .string("") ? "empty" : value?.shown ?? "missing"
        note(
            rule, node.place.key(key), "\(key) is \(found)", measured: found,
            limit: "a text that is not empty", remedy: remedy)
        return nil
    }

    private mutating func text(_ key: String, of node: Node) -> String? {
        guard let value = node.members[key] else { return nil }
        if case .string(let text) = value { return text }
        noteOptionalKind(of: value, node, key, wanted: "a text")
        return nil
    }

    private mutating func flag(_ key: String, of node: Node) -> Bool? {
        guard let value = node.members[key] else { return nil }
        if case .bool(let flag) = value { return flag }
        noteOptionalKind(of: value, node, key, wanted: "true or false")
        return nil
    }

    // MARK: Faults

    /// In the iOS sample, an optional value of the wrong kind, including `null`, counts as absent.
    private mutating func noteOptionalKind(
        of value: JSONValue, _ node: Node, _ key: String, wanted: String
    ) {
        guard app == .android else { return }
        noteKind(of: value, node.rule, node.place.key(key), key, wanted: wanted)
    }

    private mutating func noteKind(
        of value: JSONValue, _ rule: Rule, _ place: Place, _ name: String, wanted: String
    ) {
        note(
            rule, place, "\(name) is \(value.shown)", measured: value.shown, limit: wanted,
            remedy: "write \(wanted)")
    }

    private mutating func noteUnknownKeys(of node: Node, known: [String]) {
        guard app == .android else { return }
        for key in node.members.keys.sorted() where !known.contains(key) {
            let shown = FileName.escaped(key)
            note(
                node.rule, node.place.key(shown), "\(shown) is an unknown key",
                measured: shown, limit: known.joined(separator: ", "),
                remedy: known.hint(for: key) ?? "remove the key")
        }
    }
}

extension [JSONValue] {
    /// The texts of a list that contains only texts.
    fileprivate var allTexts: [String]? {
        let texts = compactMap { value in
            if case .string(let text) = value { text } else { nil }
        }
        return texts.count == count ? texts : nil
    }
}
