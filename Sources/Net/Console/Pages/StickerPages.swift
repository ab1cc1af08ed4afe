import StickerConfiguration
import StickerReports
import StickerStore
import StickerValues

/// One sticker with its history, the trash, and the preview of a changed configuration.
struct StickerPages {
    let layout: Layout
    let operations: Operations

    /// One sticker; `nil` if it does not exist.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    func one(_ id: StickerID, said: String?) throws -> HTML? {
        guard let story = try operations.story(of: id.rawValue) else { return nil }
        let explanation = Explanation(story)
        var filter = JobFilter()
        filter.file = story.sticker.rawValue
        let picture = story.product?.files.first.map { file -> HTML in
            """
            <section class="pictures"><figure><div class="light"><img src="/out/\(file.path)" alt="The sticker"></div>\
            <div class="dark"><img src="/out/\(file.path)" alt=""></div></figure></section>
            """
        }
        let redo =
            story.product == nil
            ? "" : layout.button(.redo, "Redo", [("sticker", story.sticker.rawValue)])
        let scaled = explanation.scaled.map { text -> HTML in
            "<dt>Scaled</dt><dd>to \(text).</dd>"
        }
        let twins = story.twins.map { twin -> HTML in
            " <a href=\"/stickers/\(twin.rawValue)\">\(twin.rawValue)</a>"
        }
        let faults = explanation.faults.map { "<p>In an earlier release \($0).</p>" as HTML }
        let former = explanation.former.map { "<p>\($0)</p>" as HTML }
        return layout.page(
            story.sticker.rawValue, said: said,
            """
            \(former ?? "")<p>\(story.category.rawValue) · \(story.file)\(story.isGone ? ", gone" : "")</p>
            <dl><dt>Chosen</dt><dd>\(explanation.chosen)</dd><dt>Tried</dt><dd>\(explanation.tried)</dd>\
            <dt>Better</dt><dd>\(explanation.help)</dd>\(scaled ?? "")</dl>\(faults)\(redo)
            \(twins.isEmpty ? "" : "<p>The same picture:\(twins)</p>")\(picture ?? "")
            <section><h2>History</h2>\(try history(filter))</section>
            """)
    }

    /// The history of the sticker, version by version.
    private func history(_ filter: JobFilter) throws -> HTML {
        let jobs = try operations.jobs(filter, limit: 50)
        guard !jobs.isEmpty else {
            return "<p>No job is on record any more; ended ones are kept for queue.historyDays.</p>"
        }
        let rows = jobs.map { job -> [HTML] in
            let newer = job.supersededBy.map { "<a href=\"/jobs/\($0)\">job \($0)</a>" as HTML }
            return [
                "<time>\(job.createdAt.asDate)</time>", job.link, job.shownState, "\(job.file)",
                job.why, newer ?? "",
            ]
        }
        return Table(
            columns: ["Seen", "Job", "State", "File", "Why", "Its place was taken by"], rows: rows
        ).html
    }

    /// The removed stickers that can be restored.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    func trash(said: String?) throws -> HTML {
        let rows = try operations.trash().prefix(500).map { sticker -> [HTML] in
            let fields = [(name: "sticker", value: sticker.sticker.rawValue), ("from", "trash")]
            return [
                "\(sticker.sticker.rawValue)", "\(sticker.title)", "\(sticker.category.rawValue)",
                "\(sticker.removedAt.ago) ago", "\(sticker.keptUntil.map(\.asDate) ?? "")",
                layout.button(.restore, "Restore", fields),
            ]
        }
        let table: HTML =
            rows.isEmpty
            ? "<p>The trash is empty.</p>"
            : Table(
                columns: ["Sticker", "Title", "Category", "Removed", "Kept until", ""], rows: rows
            ).html
        return layout.page("Trash", said: said, table)
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
                "Plan", "<p>The file is in force, and nothing is to be made again.</p>")
        }
        return layout.page(
            "Plan",
            """
            \(Table(columns: ["Key", "In force", "In the file", "Needs"], rows: changes).html)
            <ul>\(drops)\(stale)\(faults)</ul>
            \(remedy)
            <p>Put in force: <code>\(plan.remedy)</code></p>
            """)
    }
}
