import StickerModel
import StickerReports
import StickerStore

/// One sticker with its history, what was removed, and what a changed configuration would do.
struct StickerPages {
    let layout: Layout
    let store: JobStore

    /// One sticker; `nil` if there is none of that id.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    func one(_ id: StickerID, said: String?) throws -> HTML? {
        guard let story = try store.story(of: id.rawValue) else { return nil }
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
        let twins = story.twins.map { twin -> HTML in
            " <a href=\"/stickers/\(twin.rawValue)\">\(twin.rawValue)</a>"
        }
        return layout.page(
            story.sticker.rawValue, said: said,
            """
            <p>\(story.category.rawValue) · \(story.file)\(story.isGone ? ", gone" : "")</p>
            <dl><dt>Chosen</dt><dd>\(explanation.chosen)</dd><dt>Tried</dt><dd>\(explanation.tried)</dd>\
            <dt>Better</dt><dd>\(explanation.help)</dd></dl>\(redo)
            \(twins.isEmpty ? "" : "<p>The same picture:\(twins)</p>")\(picture ?? "")
            <section><h2>History</h2>\(try history(filter))</section>
            """)
    }

    /// What became of the sticker, version by version.
    private func history(_ filter: JobFilter) throws -> HTML {
        let jobs = try store.jobs(filter, limit: 50)
        guard !jobs.isEmpty else {
            return "<p>No job is on record any more; ended ones are kept for queue.historyDays.</p>"
        }
        let rows = jobs.map { job -> HTML in
            let newer = job.supersededBy.map { "<a href=\"/jobs/\($0)\">job \($0)</a>" as HTML }
            return """
                <tr><td><time>\(job.createdAt.asDate)</time></td>\
                <td><a href="/jobs/\(job.id)">\(job.id)</a></td><td>\(job.shownState)</td>\
                <td>\(job.file)</td><td>\(job.refusal?.detail ?? job.reason ?? "")</td>\
                <td>\(newer ?? "")</td></tr>
                """
        }
        return """
            <table><thead><tr><th>Seen</th><th>Job</th><th>State</th><th>File</th><th>Why</th>\
            <th>Its place was taken by</th></tr></thead><tbody>\(rows)</tbody></table>
            """
    }

    /// What was removed and can be restored.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    func trash(said: String?) throws -> HTML {
        let rows = try store.trash().prefix(500).map { sticker -> HTML in
            """
            <tr><td>\(sticker.sticker.rawValue)</td><td>\(sticker.title)</td><td>\(sticker.category.rawValue)</td>\
            <td>\(sticker.removedAt.ago) ago</td><td>\(sticker.keptUntil.map(\.asDate) ?? "")</td>\
            <td>\(layout.button(.restore, "Restore", [("sticker", sticker.sticker.rawValue), ("from", "trash")]))</td></tr>
            """
        }
        let table: HTML =
            rows.isEmpty
            ? "<p>The trash is empty.</p>"
            : """
            <table><thead><tr><th>Sticker</th><th>Title</th><th>Category</th><th>Removed</th><th>Kept until</th>\
            <th></th></tr></thead><tbody>\(rows)</tbody></table>
            """
        return layout.page("Trash", said: said, table)
    }

    /// What the configuration in the file would do.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    func plan(_ configuration: Configuration, daemon: Int32?) throws -> HTML {
        let plan = try Plan(configuration, store, daemon: daemon)
        let changes = plan.changes.map { change -> HTML in
            """
            <tr><td>\(change.key)</td><td>\(change.old)</td><td>\(change.new)</td>\
            <td>\(change.needsRestart ? "needs a restart" : "")</td></tr>
            """
        }
        let drops = plan.drops.map { "<li>\($0.sentence)</li>" as HTML }
        let stale = plan.categories.filter { $0.stale > 0 }.map { category -> HTML in
            "<li>\(category.category.rawValue): \(category.stale) of \(category.stickers) to make again</li>"
        }
        guard !(changes.isEmpty && drops.isEmpty && stale.isEmpty) else {
            return layout.page(
                "Plan", "<p>The file is in force, and nothing is to be made again.</p>")
        }
        return layout.page(
            "Plan",
            """
            <table><thead><tr><th>Key</th><th>In force</th><th>In the file</th><th></th></tr></thead>\
            <tbody>\(changes)</tbody></table><ul>\(drops)\(stale)</ul>
            <p>Put in force: <code>\(plan.remedy)</code></p>
            """)
    }
}
