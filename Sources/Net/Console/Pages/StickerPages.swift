import StickerConfiguration
import StickerReports
import StickerStore
import StickerValues

/// One sticker with its history, the trash, and the preview of a changed configuration.
struct StickerPages {
    let layout: Layout
    let operations: Operations
    let desk: WordsDesk
    let removed: RemovedFiles

    /// The most removed files on the page of the trash.
    static let removedListed = 500
    /// The most changes by people.
    private static let changesListed = 50
    /// The most categories to move a file to.
    private static let categoriesListed = 200

    /// One sticker; `nil` if it does not exist.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    func one(_ id: StickerID, tried: TriedWords? = nil) throws -> HTML? {
        guard let story = try operations.story(of: id.rawValue) else { return nil }
        let explanation = Explanation(story)
        var filter = JobFilter()
        filter.file = story.sticker.rawValue
        let jobs = try operations.jobs(filter, limit: 50)
        let redo =
            story.product == nil
            ? "" : layout.button(.redo, "Make it again", [("sticker", story.sticker.rawValue)])
        let scaled = explanation.scaled.map { text -> HTML in
            "<dt>Scaled</dt><dd>to \(text).</dd>"
        }
        let visible = try story.twins.filter { twin in
            try operations.category(of: twin).map { layout.may(.category($0)) } ?? false
        }
        let twins = visible.map { twin -> HTML in
            " <a href=\"/stickers/\(twin.rawValue)\">\(twin.rawValue)</a>"
        }
        let faults = explanation.faults.map { "<p>In an earlier release \($0).</p>" as HTML }
        let former = explanation.former.map { "<p>\($0)</p>" as HTML }
        let wording = try operations.wording(of: story.sticker)
        return layout.page(
            wording?.settled.title ?? story.sticker.rawValue, in: .library,
            """
            \(former ?? "")\(tried?.notice(layout) ?? "")<p><a href="/library/\(story.category.rawValue.inAddress)">\
            \(story.category.rawValue)</a> · \(story.sticker.rawValue) · \(story.file)\(story.isGone ? ", gone" : "")</p>
            \(pictures(story, jobs))\(words(story.sticker, wording, tried))
            <section><h2>How it was made</h2><dl class="facts"><dt>Chosen</dt><dd>\(explanation.chosen)</dd>\
            \(explanation.search == nil ? "<dt>Tried</dt><dd>\(explanation.tried)</dd>" : "")\
            <dt>Better</dt><dd>\(explanation.help)</dd>\(scaled ?? "")</dl>\(explanation.search.map(chart) ?? "")\
            \(faults)\(redo)</section>
            \(twins.isEmpty ? "" : "<p>The same picture:\(twins)</p>")\(files(story))\(try place(story, wording))
            <section><h2>History</h2>\(history(jobs))</section>\
            \(try operations.changes(of: story, limit: Self.changesListed).section)
            """)
    }

    /// The sticker on every ground, and its file beside it.
    private func pictures(_ story: StickerStory, _ jobs: [JobRecord]) -> HTML {
        // Its own, not one of another file with the same bytes.
        let job = jobs.first { $0.file == story.file && ConsolePictures.areShown($0.file) }
        let before = story.isGone ? nil : job.map { Ground.figure("/source/\($0.id)", "The file") }
        let after = story.product.map { Ground.figure("/out/\($0.files[0].path)", "The sticker") }
        return "<section class=\"pictures\">\(before ?? "")\(after ?? "")</section>"
    }

    /// Every encoding that was tried, with its bytes against the limit.
    private func chart(_ search: FitRecord) -> HTML {
        let most = max(search.bytesMax, search.attempts.map(\.bytes).max() ?? 0)
        let limit = search.bytesMax.asBytes
        let rows = search.attempts.map { attempt -> [HTML] in
            let sort = attempt.bytes > search.bytesMax ? "too large" : "fits"
            let chosen: HTML = attempt.isChosen ? " <span class=\"chip good\">chosen</span>" : ""
            let about = attempt.isGuess == true ? "about " : ""
            return [
                "\(attempt.setting)\(chosen)",
                """
                <meter min="0" max="\(String(most))" high="\(String(search.bytesMax))" optimum="0" \
                value="\(String(attempt.bytes))" title="\(sort)"></meter>
                """,
                "\(about)\(attempt.bytes.asBytes)", "\(attempt.score.map(\.asFigure) ?? "")",
            ]
        }
        let table = Table(
            columns: [
                "Encoding", Table.Column(name: "Against the limit of \(limit)"), .number("Bytes"),
                .number("Score"),
            ],
            rows: rows)
        return table.html
    }

    /// Fields for the words of its side file.
    private func words(
        _ sticker: StickerID, _ wording: Wording<StickerWords>?, _ tried: TriedWords?
    ) -> HTML {
        guard let wording else { return "" }
        guard let file = desk.file(wording.file) else {
            return desk.obstacle(wording.file).map { "<p class=\"quiet\">\($0)</p>" } ?? ""
        }
        let content: HTML
        do throws(WordsFileError) {
            // Words of earlier names begin a new file.
            let members = try file.members() ?? wording.kept?.members ?? [:]
            var form = WordsForm(WordsField.ofSticker, of: members, settled: wording.settled)
            tried?.fill(&form, file)
            content = layout.form(
                to: "/stickers/\(sticker.rawValue.inAddress)", [],
                "\(form.html)<button class=\"main\">Save</button>", kind: "words fields")
        } catch {
            content = "<p class=\"bad\">\(error.sentence(file))</p>"
        }
        return "<section><h2>Words</h2>\(content)</section>"
    }

    /// The categories that the visitor may move a file to, with its own.
    private func targets(of category: CategoryID) throws -> [ListedCategory] {
        var list: [ListedCategory]
        if let person = layout.person, !person.may(.library) {
            list = try person.categories.compactMap { try operations.category($0) }
        } else {
            list = try operations.categories(limit: Self.categoriesListed)
        }
        if !list.contains(where: { $0.identifier == category }) {
            list += try operations.category(category).map { [$0] } ?? []
        }
        return list.sorted { $0.identifier.rawValue < $1.identifier.rawValue }
    }

    /// Where the file is, to be changed.
    private func place(
        _ story: StickerStory, _ wording: Wording<StickerWords>?
    ) throws -> HTML {
        guard let words = desk.file(wording?.file) else { return "" }
        let file = SideFile.picture(of: words.key)
        let address = "/stickers/\(story.sticker.rawValue.inAddress)"
        let was = (name: "was", value: FileName.display(file.relativePath))
        let categories = try targets(of: story.category)
            .map { category -> HTML in
                let selected: HTML = category.identifier == story.category ? " selected" : ""
                return
                    "<option value=\"\(category.identifier.rawValue)\"\(selected)>\(category.title)</option>"
            }
        let name = FileName.display(file.name)
        let move = layout.form(
            to: address, [("part", "file"), was],
            """
            <label class="field"><span>Name of the file</span><input name="name" required value="\(name)"></label>\
            <label class="field"><span>Category</span><select name="category">\(categories)</select></label>\
            <button>Rename or move</button>
            """, kind: "words fields")
        let cover = layout.form(
            to: address, [("part", "cover"), was],
            "<button>Use as the picture of the category</button>")
        let removal = layout.form(
            to: address, [("part", "removal"), was], "<button>Remove \(file.display)</button>")
        return """
            <section><h2>Its file</h2><div class="panel">\(move)</div>\(cover)\
            \(layout.may(.operation) ? "<details class=\"verb\"><summary class=\"action\">Remove…</summary>\(removal)</details>" as HTML : "")</section>
            """
    }

    /// Every published file, to be kept by a click.
    private func files(_ story: StickerStory) -> HTML {
        guard let product = story.product else { return "" }
        let rows = product.files.map { file -> [HTML] in
            let uses = [file.target, file.style].compactMap(\.self)
            let parts = [story.sticker.rawValue] + uses + [String(file.size.width)]
            let name = "\(parts.joined(separator: "-")).\(file.format.fileExtension)"
            let of = uses.joined(separator: ", ")
            return [
                "\(file.role.rawValue)", "\(of)", "\(file.format.rawValue)",
                "\(String(file.size.width))x\(String(file.size.height))", "\(file.bytes.asBytes)",
                "\(file.encoding?.score.map { "\(($0 * 10).rounded() / 10)" } ?? "")",
                "<a href=\"/out/\(file.path)\" download=\"\(name)\">Download</a>",
            ]
        }
        let table = Table(
            columns: [
                "File", "Of", "Format", .short("Pixels"), .number("Bytes"), .number("Score"), "",
            ], rows: rows)
        return "<section><h2>Files</h2>\(table.html)</section>"
    }

    /// The history of the sticker, version by version.
    private func history(_ jobs: [JobRecord]) -> HTML {
        guard !jobs.isEmpty else {
            return "<p>No job is on record any more: old ones are forgotten after a while.</p>"
        }
        let rows = jobs.map { job -> [HTML] in
            let newer = job.supersededBy.map { "<a href=\"/jobs/\($0)\">job \($0)</a>" as HTML }
            return [
                job.createdAt.shownAgo, job.link, job.shownState, "\(job.file)",
                job.why, newer ?? "",
            ]
        }
        return Table(
            columns: [
                .short("Seen"), .number("Job"), "State", "File", "Why", "Its place was taken by",
            ], rows: rows
        ).html
    }

    /// The removed stickers that can be restored.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    func trash() throws -> HTML {
        let rows = try operations.trash().prefix(500).map { sticker -> [HTML] in
            let fields = [(name: "sticker", value: sticker.sticker.rawValue), ("from", "trash")]
            return [
                "\(sticker.sticker.rawValue)", "\(sticker.title)", "\(sticker.category.rawValue)",
                sticker.removedAt.shownAgo, "\(sticker.keptUntil.map(\.asDate) ?? "")",
                layout.button(.restore, "Restore", fields),
            ]
        }
        let table: HTML =
            rows.isEmpty
            ? "<p class=\"empty\">The trash is empty.</p>"
            : Table(
                columns: ["Sticker", "Title", "Category", "Removed", "Kept until", ""], rows: rows
            ).html
        let files = removed.list(limit: Self.removedListed).map { file -> [HTML] in
            [
                "\(file.back.to.display)", file.removed.shownAgo,
                layout.form(to: "/trash", [("file", file.place)], "<button>Put back</button>"),
            ]
        }
        let list: HTML =
            files.isEmpty
            ? ""
            : """
            <section><h2>Files removed here</h2><p class="quiet">Kept for \(Int(removed.days.rounded(.up)).counted("day", "days")). A file that is put back is \
            its sticker again.</p>\(Table(columns: ["File", "Removed", ""], rows: files).html)</section>
            """
        return layout.page(in: .trash, "<section><h2>Stickers</h2>\(table)</section>\(list)")
    }

    /// The effect of the configuration in the file.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    func plan(
        _ configuration: Configuration, _ store: LibraryStore, daemon: Int32?
    ) throws -> HTML {
        let plan = try Plan(configuration, store, daemon: daemon)
        let changes = plan.changes.map { change -> [HTML] in
            [
                "\(change.key)", "\(change.old)", "\(change.new)",
                change.needsRestart ? "a restart" : "",
            ]
        }
        let drops = plan.drops.map { "<li>\($0.sentence)</li>" as HTML }
        let stale = plan.categories.filter {
            $0.stale + $0.relisted + $0.outdated + $0.unseen > 0
        }.map { category -> HTML in
            "<li>\(plan.sentence(of: category))</li>"
        }
        let faults = plan.faults.map { "<li>\(plan.sentence(of: $0))</li>" as HTML }
        let remedy: HTML = plan.remedyOfWrong.map { "<p>\($0)</p>" } ?? ""
        guard !(changes.isEmpty && drops.isEmpty && stale.isEmpty) else {
            return layout.page(
                in: .plan,
                "<p class=\"empty\">The file is in force, and nothing is to be made again.</p>")
        }
        return layout.page(
            in: .plan,
            """
            \(Table(columns: ["Key", "In force", "In the file", "Needs"], rows: changes).html)
            <ul>\(drops)\(stale)\(faults)</ul>
            \(remedy)
            <p>Put in force: <code>\(plan.remedy)</code></p>
            """)
    }
}
