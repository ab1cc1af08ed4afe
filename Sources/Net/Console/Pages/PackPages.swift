import StickerPackFiles
import StickerPacks
import StickerStore
import StickerValues

/// The packs of a category: what they lack, how apps show them, and their files.
struct PackPages {
    /// The most findings of a card, and packs of a preview.
    private static let (findingsListed, packsListed) = (5, 12)

    let layout: Layout
    let records: PackRecords
    let downloads: DownloadLists

    /// A card for each platform.
    ///
    /// - Parameters:
    ///   - id: the category.
    ///   - canEdit: whether lacking words can be written here.
    /// - Returns: their markup; empty if no packs are kept.
    /// - Throws: `StoreError` if the database cannot be read.
    func cards(_ id: CategoryID, canEdit: Bool) throws -> HTML {
        guard let readiness = try records.readiness(of: id), !readiness.isEmpty else { return "" }
        let cards = PackPlatform.allCases.compactMap { platform in
            readiness[platform].map { card(platform, id, $0, canEdit) }
        }
        return "<section id=\"packs\"><h2>Packs</h2><ul class=\"packs\">\(cards)</ul></section>"
    }

    /// A link to the cards, which says where packs lack something; nothing if no packs are kept.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    func summary(_ id: CategoryID) throws -> HTML {
        guard let readiness = try records.readiness(of: id), !readiness.isEmpty else { return "" }
        let lacking = PackPlatform.allCases.filter { readiness[$0]?.ready == false }.map(\.title)
        let words =
            switch lacking.count {
            case 0: "packs"
            case 1: "the pack for \(lacking[0]) lacks something"
            default: "packs for \(lacking.count) platforms lack something"
            }
        return " · <a href=\"#packs\">\(words)</a>"
    }

    private func card(
        _ platform: PackPlatform, _ id: CategoryID, _ state: Readiness, _ canEdit: Bool
    ) -> HTML {
        let chip: HTML =
            state.ready
            ? "<span class=\"chip good\">ready</span>"
            : "<span class=\"chip bad\">lacks something</span>"
        let parts = state.packs.prefix(Self.packsListed).map { pack -> HTML in
            "<li>\(pack.title): \(pack.stickers.counted("sticker", "stickers"))</li>"
        }
        let groups = FindingGroup.groups(of: state.findings)
        let findings = groups.prefix(Self.findingsListed).map {
            "<li>\(shown($0, id, canEdit))</li>" as HTML
        }
        let preview: HTML =
            state.packs.isEmpty
            ? ""
            : """
            <a class="action" href="/library/\(id.rawValue.inAddress)/packs/\(platform.rawValue)">Preview</a>
            """
        return """
            <li class="pack"><h3>\(platform.title) \(chip)</h3>\
            <ul>\(parts)\(more(state.packs.count - parts.count))</ul>\
            <p>\(preview) \(links(platform, id))</p>\
            <ul>\(findings)\(more(groups.count - findings.count))</ul></li>
            """
    }

    private func more(_ count: Int) -> HTML { count > 0 ? "<li>and \(count) more</li>" : "" }

    /// Findings of one kind, with a way to mend them here if there is one.
    private func shown(_ group: FindingGroup, _ id: CategoryID, _ canEdit: Bool) -> HTML {
        let count = group.findings.count
        let what: HTML =
            count == 1
            ? "\(group.findings[0].sentence)"
            : "\(group.detail)\(Finding.figures(nil, group.limit)), \(count) times"
        let address = "/library/\(id.rawValue.inAddress)"
        switch canEdit ? group.findings[0].mendingWord : nil {
        case .emoji:
            return """
                \(what) <a class="action" href="\(address)?edit=1#stickers">Give emoji</a>
                """
        case .publisher:
            return """
                \(what) <a class="action" href="\(address)?words=1#words">Set the publisher</a>
                """
        case nil: break
        }
        let remedy = count == 1 ? group.findings[0].remedy : group.remedy
        return "\(what)<span class=\"remedy\">Remedy: \(remedy)</span>"
    }

    private func links(_ platform: PackPlatform, _ id: CategoryID) -> [HTML] {
        downloads.list(platform, id).filter { !$0.isOfLibrary || layout.may(.library) }.map {
            download in
            let address =
                "/packs/\(platform.rawValue)/\(id.rawValue.inAddress)/\(download.name.inAddress)"
            return """
                <span class="download"><a class="action" href="\(address)" \
                download="\(download.name)">Download \(download.name)</a> \
                <span class="quiet">\(download.bytes.asBytes)</span></span>
                """
        }
    }

    // MARK: Previews

    /// The packs of a category as an app shows them: tray, title, and stickers in their order.
    ///
    /// - Parameters:
    ///   - id: the category.
    ///   - platform: the platform.
    ///   - first: the index of the first pack shown.
    /// - Returns: the page; `nil` if the platform has no pack of it.
    /// - Throws: `StoreError`, or a decoding error if the database is damaged.
    func one(_ id: CategoryID, _ platform: PackPlatform, from first: Int) throws -> HTML? {
        let first = max(0, first)
        let (packs, parts) = try PackBooks(records, downloads.shelf).packs(
            of: id, for: platform, from: first, limit: Self.packsListed)
        guard let title = packs.first?.title else { return nil }
        let count = try records.readiness(of: id)?[platform]?.packs.count ?? packs.count
        let address = "/library/\(id.rawValue.inAddress)"
        func link(_ to: Int, _ name: String) -> HTML {
            "<a class=\"action\" href=\"\(address)/packs/\(platform.rawValue)?from=\(String(to))\">\(name)</a> "
        }
        let earlier = first > 0 ? link(max(0, first - Self.packsListed), "Previous") : ""
        let next = first + Self.packsListed
        let later = next < parts ? link(next, "Next") : ""
        return layout.page(
            "\(title) for \(platform.title)", in: .library,
            """
            <p class="quiet">\(count.counted("pack", "packs")), as apps get them now. \
            <a href="\(address)">Back to the category</a></p>\
            <p>\(links(platform, id))</p>\
            <div class="previews">\(packs.map(preview))</div><p>\(earlier)\(later)</p>
            """)
    }

    private func preview(_ pack: Pack) -> HTML {
        let tray: HTML =
            pack.tray.map { tray in
                "<img class=\"tray\" src=\"/out/\(tray.path)\" alt=\"The picture of the pack\" width=\"48\" height=\"48\">"
            } ?? ""
        let stickers = pack.stickers.map { sticker -> HTML in
            let still = sticker.thumbnail ?? sticker.picture.published
            let moving: HTML =
                sticker.picture.moves
                ? "<source media=\"(prefers-reduced-motion: no-preference)\" srcset=\"/out/\(sticker.picture.published.path)\">"
                : ""
            let words = ([sticker.title] + sticker.emojis).joined(separator: " ")
            return """
                <li><a href="/stickers/\(sticker.identifier.rawValue.inAddress)" title="\(words)"><picture>\(moving)\
                <img src="/out/\(still.path)" alt="\(sticker.spokenText)" loading="lazy"></picture></a></li>
                """
        }
        let about = [pack.publisher, pack.stickers.count.counted("sticker", "stickers")]
            .compactMap(\.self).joined(separator: " · ")
        return """
            <section class="preview" data-backdrop="chat"><div class="top">\(tray)<div><h2>\(pack.title)</h2>\(about)</div></div>\
            <ol>\(stickers)</ol></section>
            """
    }
}

extension Finding {
    /// A word that a pack may lack.
    enum MendingWord { case emoji, publisher }

    /// The word that mends it; the remedy names it by the option of a command.
    var mendingWord: MendingWord? {
        remedy.contains("--emoji ") ? .emoji : remedy.contains("--publisher ") ? .publisher : nil
    }
}
