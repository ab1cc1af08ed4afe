import StickerStore
import StickerValues

/// The categories, and one of them with its stickers: where pictures are dropped, named and put in order.
struct LibraryPages {
    /// The most categories and stickers of a page.
    static let (categoriesListed, stickersListed) = (200, 200)
    /// The most changes by people.
    private static let changesListed = 20
    /// The most jobs of each list.
    private static let jobsListed = 12
    /// The newest jobs that need attention, or wait for review.
    private static let attentionListed = 200

    let layout: Layout
    let operations: Operations
    let packs: PackPages
    let desk: WordsDesk
    /// The drop that new categories come into; `nil` if the console may not write to any.
    let drop: String?
    let looks: LookPanel

    /// All categories, `after` one by id.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    func list(after: String?) throws -> HTML {
        let categories = try categories(after: after.map(CategoryID.init(rawValue:)))
        let cards = categories.prefix(Self.categoriesListed).map { category -> HTML in
            """
            <li><a class="card" href="/library/\(category.identifier.rawValue.inAddress)">\
            \(category.cover.map(JobPictures.picture) ?? "<span class=\"small none\" aria-hidden=\"true\"></span>")\
            <span class="name">\(category.title)</span>\
            <span class="quiet">\(category.stickers.counted("sticker", "stickers"))</span></a></li>
            """
        }
        let next: HTML =
            categories.count > Self.categoriesListed
            ? """
            <p><a class="action" href="/library?after=\
            \(categories[Self.categoriesListed - 1].identifier.rawValue.inAddress)">Next</a></p>
            """ : ""
        let nothing: HTML = "<p class=\"empty\">No category yet.</p>"
        return layout.page(
            in: .library,
            "\(dropZone(of: nil))\(cards.isEmpty ? nothing : "<ul class=\"cards\">\(cards)</ul>")\(next)"
        )
    }

    /// The categories that the visitor may see, one more than is listed.
    private func categories(after: CategoryID?) throws -> [ListedCategory] {
        let limit = Self.categoriesListed + 1
        guard let person = layout.person, !person.may(.library) else {
            return try operations.categories(after: after, limit: limit)
        }
        let own = person.categories.filter { $0.rawValue > after?.rawValue ?? "" }
        return try own.sorted { $0.rawValue < $1.rawValue }.prefix(limit)
            .compactMap { try operations.category($0) }
    }

    /// One category; `nil` if there is none of this id.
    ///
    /// - Parameters:
    ///   - id: the category.
    ///   - first: the number of the first sticker shown.
    ///   - isEditing: whether titles and emoji are fields.
    ///   - isOpen: whether the words of the category are shown at once.
    ///   - tried: what was filled in and not saved.
    /// - Returns: its markup.
    /// - Throws: `StoreError` if the database cannot be read.
    func one(
        _ id: CategoryID, from first: Int, isEditing: Bool, isOpen: Bool = false,
        tried: TriedWords? = nil
    ) throws -> HTML? {
        guard let category = try operations.category(id),
            let wording = try operations.wording(of: id)
        else { return nil }
        let first = max(0, min(first, category.stickers))
        let stickers = try operations.stickers(in: id, from: first, limit: Self.stickersListed)
        let ready = try packs.summary(id)
        let changes = try operations.changes(in: id, limit: Self.changesListed)
        let file = desk.file(wording.file)
        let canEdit = file != nil
        let address = "/library/\(id.rawValue.inAddress)"
        let edit: HTML =
            !canEdit || stickers.isEmpty
            ? ""
            : isEditing
                ? "<a class=\"action\" href=\"\(address)?from=\(String(first))\">Show as pictures</a>"
                : "<a class=\"action\" href=\"\(address)?from=\(String(first))&amp;edit=1\">Edit titles and emoji</a>"
        return layout.page(
            category.title, in: .library,
            """
            <p class="quiet">\(category.stickers.counted("sticker", "stickers")) · \(id.rawValue)\(ready)\
            \(layout.may(.library) ? " · <a href=\"/jobs?category=\(id.rawValue.inAddress)\">jobs</a>" as HTML : "")</p>\(tried?.notice(layout) ?? "")\
            \(canEdit ? dropZone(of: id) : "")\(try coming(id))\
            \(try words(id, wording, tried, isOpen))\(try file.map { try looks.html(of: id, $0, tried) } ?? "")\
            <section id="stickers"><h2>Stickers</h2><p>\(edit)</p>\
            \(isEditing && canEdit ? try fields(id, stickers, first, tried) : cards(id, stickers, first, of: category.stickers, file, tried))\
            \(pager(address, first, category.stickers, isEditing))</section>\(try packs.cards(id, canEdit: canEdit))\
            \(changes.section)
            """)
    }

    // MARK: Pictures

    /// Where pictures are dropped; for a new category if there is none.
    private func dropZone(of category: CategoryID?) -> HTML {
        guard drop != nil, category != nil || layout.may(.library) else { return "" }
        let folder: HTML =
            category == nil
            ? """
            <label class="field"><span>New category</span><input name="folder" required autocomplete="off" \
            placeholder="Its name"></label>
            """ : ""
        return """
            <form class="drop" data-drop data-key="\(layout.formKey)"\
            \(category.map { " data-category=\"\($0.rawValue)\"" as HTML } ?? "")>\(folder)\
            <label class="field"><span>Pictures</span><input type="file" accept="image/*" multiple required></label>\
            <button class="main">Add</button><p class="quiet">Or drop pictures here\(category == nil ? ", or whole folders: each becomes a category" : "").</p>\
            <ul class="arriving" aria-live="polite"></ul></form>
            """
    }

    /// Pictures of the category that are no stickers yet.
    private func coming(_ id: CategoryID) throws -> HTML {
        var filter = JobFilter()
        filter.category = id
        filter.states = [.available, .scheduled, .retryable, .executing]
        let waiting = try operations.jobs(filter, limit: Self.jobsListed)
        filter.states = []
        filter.needingAttention = true
        let attention = try operations.jobs(filter, limit: Self.attentionListed)
        let refused = Array(attention.filter { !$0.awaitsReview }.prefix(Self.jobsListed))
        filter.reason = Refusal.Reason.needsReview.rawValue
        let held = try operations.jobs(filter, limit: Self.attentionListed)
        let pictures = try JobPictures(of: waiting + refused + held, operations)
        func section(_ title: String, _ jobs: [JobRecord], _ actions: HTML = "") -> HTML {
            jobs.isEmpty
                ? "" : "<section><h2>\(title)</h2>\(pictures.cards(jobs))\(actions)</section>"
        }
        let publish = layout.careful(
            .publish, held.count == 1 ? "Publish it" : "Publish these \(held.count)",
            [
                ("jobs", held.map { "\($0.id)" }.joined(separator: ",")),
                ("category", id.rawValue),
            ])
        return """
            \(section("Waits for review", held, publish))\(section("Coming", waiting))\
            \(section("Needs attention", refused))
            """
    }

    /// The stickers as cards; with the side file of their category, they can be put in order and selected.
    private func cards(
        _ id: CategoryID, _ stickers: [ListedSticker], _ first: Int, of count: Int,
        _ file: WordsFile?, _ tried: TriedWords?
    ) -> HTML {
        guard !stickers.isEmpty else { return "<p class=\"empty\">No sticker yet.</p>" }
        let selected = tried?.selected ?? []
        let cards = stickers.map { sticker -> HTML in
            let name = sticker.identifier.rawValue
            return """
                <li data-path="\(sticker.path)" data-id="\(name)">\
                <a class="card" href="/stickers/\(name.inAddress)">\(JobPictures.picture(sticker.product))\
                <span class="name">\(sticker.title)</span><span>\(sticker.emojis.joined(separator: " "))&nbsp;</span></a>\
                \(file == nil ? "" : tools(sticker, isSelected: selected.contains(name)))</li>
                """
        }
        guard let file else { return "<ul class=\"cards\">\(cards)</ul>" }
        let address = "/library/\(id.rawValue.inAddress)"
        let shown = stickers.map { JSONText.quoted($0.path) }.joined(separator: ",")
        let order = layout.form(
            to: address,
            [
                ("part", "order"), ("from", String(first)), ("shown", "[\(shown)]"),
                ("listed", ListOrder.mark(try? file.members())),
            ],
            """
            <input type="hidden" name="order"><strong>The order has changed.</strong> <button class="main">Save the order</button> \
            <button type="button" data-discard>Discard</button>
            """, kind: "bar order", isHidden: true)
        var many = WordsForm(fields: WordsField.ofMany)
        many.none = "leave as it is"
        if !selected.isEmpty { many.typed = tried?.form ?? [:] }
        let words = layout.form(
            to: address, [("part", "many"), ("from", String(first))],
            """
            <input type="hidden" name="stickers" value="\(selected.sorted().joined(separator: ","))">\
            <p><strong><span data-count>\(selected.count)</span> selected.</strong> \
            Fields that you fill in replace those of all of them.</p><details\(selected.isEmpty ? "" : " open")>\
            <summary class="action">Change words…</summary>\
            <div class="fields">\(many.html)</div></details><button class="main">Save for all</button> \
            <button type="button" data-none>Select none</button>
            """, kind: "bar many", isHidden: selected.isEmpty)
        return """
            <p class="quiet" id="order-hint">Drag a sticker to its place, or use its arrows. \
            Select several to change them together. <button type="button" data-all>\(stickers.count < count ? "Select all of this page" : "Select all")</button></p>\
            <ul class="cards sortable" aria-describedby="order-hint">\(cards)</ul>\(order)\(words)
            """
    }

    private func tools(_ sticker: ListedSticker, isSelected: Bool) -> HTML {
        """
        <div class="tools"><button type="button" data-move="-1" aria-label="\(sticker.title): earlier">←</button>\
        <label><input type="checkbox" data-select\(isSelected ? " checked" : "") \
        aria-label="\(sticker.title): select"></label>\
        <button type="button" data-move="1" aria-label="\(sticker.title): later">→</button></div>
        """
    }

    /// Titles and emoji as fields beside the pictures.
    private func fields(
        _ id: CategoryID, _ stickers: [ListedSticker], _ first: Int, _ tried: TriedWords?
    ) throws -> HTML {
        let rows = try stickers.compactMap { sticker -> [HTML]? in
            guard let wording = try operations.wording(of: sticker.identifier),
                let file = desk.file(wording.file)
            else { return nil }
            let picture: HTML = """
                <a href="/stickers/\(sticker.identifier.rawValue.inAddress)" \
                aria-label="\(sticker.title)">\(JobPictures.picture(sticker.product))</a>
                """
            do throws(WordsFileError) {
                var form = WordsForm(
                    WordsField.inPlace, of: try file.members() ?? wording.kept?.members ?? [:],
                    settled: wording.settled)
                form.suffix = "-\(sticker.identifier.rawValue)"
                tried?.fill(&form, file)
                return [picture]
                    + form.fields.map { form.bare($0, label: "\($0.label) of \(sticker.title)") }
            } catch {
                return [picture, "<span class=\"bad\">\(error.sentence(file))</span>", ""]
            }
        }
        let ids = stickers.map(\.identifier.rawValue).joined(separator: ",")
        let table = Table(
            columns: [.picture] + WordsField.inPlace.map { Table.Column(name: $0.label) },
            rows: rows)
        return layout.form(
            to: "/library/\(id.rawValue.inAddress)",
            [("part", "stickers"), ("stickers", ids), ("from", String(first)), ("edit", "1")],
            "\(table.html)<p><button class=\"main\">Save all</button></p>", kind: "words")
    }

    private func pager(_ address: String, _ first: Int, _ count: Int, _ isEditing: Bool) -> HTML {
        func link(_ to: Int, _ name: String) -> HTML {
            "<a class=\"action\" href=\"\(address)?from=\(String(to))\(isEditing ? "&amp;edit=1" : "")\">\(name)</a> "
        }
        let size = Self.stickersListed
        let earlier = first > 0 ? link(max(0, first - size), "Previous") : ""
        let later = first + size < count ? link(first + size, "Next") : ""
        return "<p>\(earlier)\(later)</p>"
    }

    // MARK: Words

    private func words(
        _ id: CategoryID, _ wording: Wording<CategoryWords>, _ tried: TriedWords?,
        _ isOpen: Bool
    ) throws -> HTML {
        let isOpen: HTML = isOpen || tried?.isAboutCategory == true ? " open" : ""
        guard let file = desk.file(wording.file) else {
            return "<p class=\"quiet\">\(desk.obstacle(wording.file) ?? "")</p>"
        }
        let content: HTML
        do throws(WordsFileError) {
            var form = WordsForm(
                WordsField.ofCategory, of: try file.members() ?? [:], settled: wording.settled)
            tried?.fill(&form, file)
            content = layout.form(
                to: "/library/\(id.rawValue.inAddress)", [("part", "category")],
                "\(form.html)<button class=\"main\">Save</button>", kind: "words fields")
        } catch {
            content = "<p class=\"bad\">\(error.sentence(file))</p>"
        }
        return """
            <details class="panel" id="words"\(isOpen)><summary class="action">Title, publisher and licence</summary>\(content)</details>
            """
    }
}

/// A form that could not be saved, for the page that shows it again.
struct TriedWords: Sendable {
    /// The fields that were sent.
    let form: [String: String]
    let failures: [(entry: WordsDesk.Entry, error: WordsFileError)]
    /// How many files were written nevertheless, and what undoes that.
    var saved = 0
    var undo: Int?

    var isAboutLook: Bool { form["part"] == LookPanel.part }
    var isAboutCategory: Bool { form["part"] == "category" }

    /// Why not.
    func notice(_ layout: Layout) -> HTML {
        guard saved > 0 || !failures.isEmpty else { return "" }
        let lines = failures.prefix(10).map { failure -> HTML in
            let typed = failure.entry.texts.filter {
                $0.value.was != nil && $0.value.was != $0.value.now
            }
            let words = typed.sorted { $0.key < $1.key }.map { "\($0.key) “\($0.value.now)”" }
            let mine = words.isEmpty ? "" : " You wrote: \(words.joined(separator: ", "))."
            return "<p>\(failure.error.sentence(failure.entry.file)).\(mine)</p>"
        }
        let others = failures.count - lines.count
        let undo = undo.map { layout.undo($0) }
        let what =
            saved > 0
            ? "\(saved.counted("file was", "files were")) saved, the others were not"
            : "Nothing was saved"
        return """
            <section class="notice bad" role="alert"><p><strong>\(what)</strong> \(undo ?? "")</p>\
            \(lines)\(others > 0 ? "<p>and \(others) more</p>" : "")</section>
            """
    }

    /// The stickers that one form was filled in for.
    var selected: Set<String> {
        guard form["part"] == "many" else { return [] }
        return Set((form["stickers"] ?? "").split(separator: ",").map { String($0) })
    }

    /// Fills the form of a file in again.
    func fill(_ form: inout WordsForm, _ file: WordsFile) {
        guard let failure = failures.first(where: { $0.entry.file == file }) else { return }
        for (key, text) in failure.entry.texts where text.now != text.was {
            form.typed[key] = text.now
        }
        if case .contested(let keys) = failure.error { form.contested = keys }
    }
}
