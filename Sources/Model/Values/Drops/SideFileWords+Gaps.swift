extension SideFileWords {
    /// These words, with gaps left by faults filled from `former`.
    ///
    /// - Parameters:
    ///   - gaps: as in `SideFileError`.
    ///   - former: the former words of the same file.
    /// - Returns: the combined words.
    public func filled(_ gaps: [[String]], from former: SideFileWords) -> SideFileWords {
        var words = self
        // Single values first: filling them does not affect the objects around.
        for gap in gaps where gap.count > 1 { words.fill(gap[...], from: former, besides: self) }
        var own = self
        // An object with a faulty value exists.
        if gaps.contains(where: { $0.count > 1 && $0[0] == "defaults" }) {
            own.defaults = words.defaults
        }
        for gap in gaps where gap.count < 2 { words.fill(gap[...], from: former, besides: own) }
        return words
    }

    /// Fills one gap; `own` are the words with all their gaps.
    private mutating func fill(
        _ gap: ArraySlice<String>, from former: SideFileWords, besides own: SideFileWords
    ) {
        switch gap.first {
        case nil:
            category.fill([], from: former.category)
            if own.defaults.isEmpty { defaults.fill([], from: former.defaults) }
            if !own.namesStickers { fillStickers(from: former) }
            if !own.listsStickers { fillPlaces(from: former) }
        case "defaults": defaults.fill(gap.dropFirst(), from: former.defaults)
        case "order": if !own.listsStickers { fillPlaces(from: former) }
        case "stickers":
            guard let path = gap.dropFirst().first else { return fillStickers(from: former) }
            guard let old = former.stickers[path] else { return }
            stickers[path, default: .init()].fill(gap.dropFirst(2), from: old)
        default: category.fill(gap, from: former.category)
        }
    }

    /// Whether it has words about single stickers besides their places.
    private var namesStickers: Bool { stickers.values.contains { !$0.saysPlaceAtMost } }

    private var listsStickers: Bool { stickers.values.contains { $0.place != nil } }

    /// About the most that a file can name.
    private static let stickersMax = 1 << 17

    /// Adds the former words about stickers without any.
    private mutating func fillStickers(from former: SideFileWords) {
        for (path, old) in former.stickers where !old.saysPlaceAtMost {
            guard stickers[path] != nil || stickers.count < Self.stickersMax else { continue }
            var words = stickers[path] ?? StickerWords()
            guard words.saysPlaceAtMost else { continue }
            let place = words.place
            words = old
            words.place = place
            stickers[path] = words
        }
    }

    private mutating func fillPlaces(from former: SideFileWords) {
        for (path, old) in former.stickers {
            guard let place = old.place else { continue }
            stickers[path, default: .init()].place = place
        }
    }
}

/// Fills one missing member of words.
private typealias Filling<Words> = @Sendable (inout Words, Words) -> Void

private func filling<Words, Value>(
    _ path: any WritableKeyPath<Words, Value?> & Sendable
) -> Filling<Words> {
    { words, former in
        if words[keyPath: path] == nil { words[keyPath: path] = former[keyPath: path] }
    }
}

/// Fills the member at the end of a gap, or every missing member of its object.
private func fillMembers<Words>(
    _ words: inout Words, _ gap: ArraySlice<String>, from former: Words,
    _ members: [String: Filling<Words>]
) {
    guard let key = gap.first else { return members.values.forEach { $0(&words, former) } }
    members[key]?(&words, former)
}

extension StickerWords {
    fileprivate var saysPlaceAtMost: Bool {
        var words = self
        words.place = nil
        return words.isEmpty
    }

    fileprivate mutating func fill(_ gap: ArraySlice<String>, from former: StickerWords) {
        if gap.first == "links" { return links.fill(gap.dropFirst(), from: former.links) }
        fillMembers(&self, gap, from: former, Self.members)
    }

    private static let members: [String: Filling<StickerWords>] = [
        "title": filling(\.title), "emojis": filling(\.emojis), "keywords": filling(\.keywords),
        "accessibilityText": filling(\.accessibilityText), "order": filling(\.order),
        "pinned": filling(\.pinned), "rating": filling(\.rating), "tintMode": filling(\.tintMode),
        "publisher": filling(\.publisher), "licence": filling(\.licence),
        "links": filling(\.links),
    ]
}

extension CategoryWords {
    fileprivate mutating func fill(_ gap: ArraySlice<String>, from former: CategoryWords) {
        switch gap.first {
        case "links": links.fill(gap.dropFirst(), from: former.links)
        case "packs": fillPacks(gap.dropFirst(), from: former.packs ?? [:])
        case "look": look.fill(gap.dropFirst(), from: former.look)
        case nil:
            look.fill([], from: former.look)
            fillMembers(&self, gap, from: former, Self.members)
        default: fillMembers(&self, gap, from: former, Self.members)
        }
    }

    private mutating func fillPacks(
        _ gap: ArraySlice<String>, from former: [PackPlatform: PackWords]
    ) {
        var own = packs ?? [:]
        if let name = gap.first {
            guard let platform = PackPlatform(rawValue: name), let old = former[platform] else {
                return
            }
            fillMembers(
                &own[platform, default: .init()], gap.dropFirst(), from: old, PackWords.members)
        } else {
            own.merge(former) { own, _ in own }
        }
        packs = own.isEmpty ? nil : own
    }

    private static let members: [String: Filling<CategoryWords>] = [
        "title": filling(\.title), "description": filling(\.description),
        "publisher": filling(\.publisher), "licence": filling(\.licence),
        "links": filling(\.links), "packs": filling(\.packs),
    ]
}

extension CategoryLook? {
    fileprivate mutating func fill(_ gap: ArraySlice<String>, from former: CategoryLook?) {
        guard let former else { return }
        var look = self ?? CategoryLook()
        // A mark is lost with its whole list.
        let path = gap.first == "watermarks" ? gap.prefix(1) : gap
        switch path.joined(separator: ".") {
        case "": look = look.filled(from: former)
        case "outline":
            look.outlinePixels = look.outlinePixels ?? former.outlinePixels
            look.outlineColor = look.outlineColor ?? former.outlineColor
        case "tint":
            look.tintMode = look.tintMode ?? former.tintMode
            look.tintColor = look.tintColor ?? former.tintColor
        default:
            fillMembers(&look, [path.joined(separator: ".")], from: former, CategoryLook.members)
        }
        if look != CategoryLook() { self = look }
    }
}

extension CategoryLook {
    fileprivate static let members: [String: Filling<CategoryLook>] = [
        "outline.pixels": filling(\.outlinePixels), "outline.color": filling(\.outlineColor),
        "tint.mode": filling(\.tintMode), "tint.color": filling(\.tintColor),
        "marginPixels": filling(\.marginPixels), "trim": filling(\.trim),
        "watermarks": filling(\.watermarks),
    ]
}

extension PackWords {
    fileprivate static let members: [String: Filling<PackWords>] = [
        "title": filling(\.title), "description": filling(\.description),
        "publisher": filling(\.publisher),
    ]
}

extension Links? {
    fileprivate mutating func fill(_ gap: ArraySlice<String>, from former: Links?) {
        guard let former else { return }
        guard self != nil || !gap.isEmpty else { return self = former }
        var links = self ?? Links()
        fillMembers(&links, gap, from: former, Links.members)
        if self != nil || links != Links() { self = links }
    }
}

extension Links {
    fileprivate static let members: [String: Filling<Links>] = [
        "website": filling(\.website), "email": filling(\.email),
        "privacyPolicy": filling(\.privacyPolicy), "licence": filling(\.licence),
        "appStore": filling(\.appStore), "playStore": filling(\.playStore),
    ]
}
