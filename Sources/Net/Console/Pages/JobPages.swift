import StickerHTTP
import StickerReports
import StickerStore
import StickerValues

/// Lists of jobs, and one job with its steps and its pictures.
struct JobPages {
    /// The most jobs of a list.
    private static let listed = 100

    let layout: Layout
    let operations: Operations

    /// The jobs that a query selects, newest first.
    ///
    /// - Parameters:
    ///   - query: `state`, `category`, `reason`, `file` (a part of a name or of an id, or a path), and `attention`.
    ///   - said: the outcome of the pressed button.
    /// - Returns: the page.
    /// - Throws: `StoreError` if the database cannot be read.
    func list(_ query: [String: String], said: String?) throws -> HTML {
        func given(_ name: String) -> String? {
            query[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        var filter = JobFilter()
        filter.states = given("state").flatMap(JobState.init).map { [$0] } ?? []
        filter.category = given("category").map(CategoryID.init)
        filter.reason = given("reason")
        filter.needingAttention = query["attention"] != nil
        filter.search = given("file")
        let found = try operations.jobs(filter, limit: Self.listed + 1)
        let jobs = Array(found.prefix(Self.listed))
        let options = JobState.allCases.map { state -> HTML in
            let isChosen = filter.states == [state]
            return """
                <option value="\(state.rawValue)"\(isChosen ? " selected" : "")>\(state.shown)</option>
                """
        }
        let sought: HTML =
            filter.search.map { "<p>Files and stickers with “\($0)” in their names:</p>" } ?? ""
        let more: HTML =
            found.count > jobs.count
            ? "<p>The newest \(jobs.count) are shown; narrow the search.</p>" : ""
        return layout.page(
            "Jobs", said: said,
            """
            <form class="filter" method="get" action="/jobs">\
            <label>State <select name="state"><option value="">any</option>\(options)</select></label>\
            <label>Category <input name="category" value="\(given("category") ?? "")"></label>\
            <label>Reason <input name="reason" value="\(given("reason") ?? "")"></label>\
            <label>File <input name="file" value="\(given("file") ?? "")"></label>\
            <button>Show</button></form>\(sought)\(jobs.table)\(more)
            """)
    }

    /// The jobs that ended last, updated live.
    ///
    /// - Parameter query: `category` and `attention`.
    /// - Returns: the page.
    /// - Throws: `StoreError` if the database cannot be read.
    func log(_ query: [String: String]) throws -> HTML {
        let category = query["category"].flatMap { $0.isEmpty ? nil : CategoryID(rawValue: $0) }
        let isAlarming = query["attention"] != nil
        let jobs = try operations.lastEnded(
            limit: Self.listed, category: category, needingAttention: isAlarming)
        let rows = jobs.map { job -> [HTML] in
            let seconds = job.finishedAt.flatMap { end in
                job.startedAt.map { Double(end.milliseconds - $0.milliseconds) / 1000 }
            }
            return [
                "<time>\(job.finishedAt?.asDate ?? "")</time>", job.link, job.shownState,
                "\(job.file)", "\(job.category.rawValue)", "\(seconds.map { "\($0) s" } ?? "")",
                job.why,
            ]
        }
        let table: HTML =
            rows.isEmpty
            ? "<p>\(category == nil ? "Nothing yet." : "Nothing among the last 10,000 jobs.")</p>"
            : Table(
                columns: [
                    "Ended", "Job", "State", "File", "Category", .number("Took"), "Why",
                ], rows: rows
            ).html
        return layout.page(
            "Log",
            """
            <form class="filter" method="get" action="/log">\
            <label>Category <input name="category" value="\(category?.rawValue ?? "")"></label>\
            <label><input type="checkbox" name="attention"\(isAlarming ? " checked" : "")> \
            only jobs that need attention</label><button>Show</button></form>\(table)
            """)
    }

    /// One job; `nil` if it does not exist.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    func one(_ id: JobID, said: String?) throws -> HTML? {
        guard let details = try operations.job(id) else { return nil }
        let job = details.job
        let story = try job.sticker.flatMap { try operations.story(of: $0.rawValue) }
        let sticker = job.sticker.map { sticker -> HTML in
            " · <a href=\"/stickers/\(sticker.rawValue)\">\(sticker.rawValue)</a>"
        }
        return layout.page(
            "Job \(id)", said: said,
            """
            <p>\(job.shownState) · \(job.file) · \(job.category.rawValue)\(sticker ?? "")</p>
            <p>Seen \(job.createdAt.asDate), \(Int(job.bytes)) B\
            \(job.startedAt.map { ", started \($0.asDate)" } ?? "")\
            \(job.finishedAt.map { ", ended \($0.asDate)" } ?? ""), attempt \(job.attempt)</p>
            \(newer(job))\(refusal(job))\(actions(job, isPublished: story?.product != nil))
            \(pictures(job, story))
            <section><h2>Steps</h2>\(steps(details.log))</section>
            <section><h2>Other jobs of this file</h2>\(details.related.table)</section>
            """)
    }

    private func newer(_ job: JobRecord) -> HTML {
        guard let newer = job.supersededBy else { return "" }
        return """
            <p>Its place was taken by <a href="/jobs/\(newer)">job \(newer)</a>.</p>
            """
    }

    private func refusal(_ job: JobRecord) -> HTML {
        let warnings = (job.warnings ?? []).map { warning -> HTML in
            "<p>Warning \(warning.code): \(warning.detail)</p>"
        }
        guard let refusal = job.refusal else { return HTML(warnings) }
        return """
            <section class="refusal"><p><strong>\(refusal.detail)</strong></p>\
            <p>\(refusal.reason.rawValue)\(refusal.measured.map { "; found \($0)" } ?? "")\
            \(refusal.limit.map { "; allowed \($0)" } ?? "")</p>\
            <p>Remedy: \(refusal.remedy)</p></section>\(warnings)
            """
    }

    private func actions(_ job: JobRecord, isPublished: Bool) -> HTML {
        let name = [(name: "job", value: "\(job.id)")]
        var buttons: [HTML] = []
        if job.needsAttention || (job.isDismissed && job.supersededBy == nil) {
            let force: HTML =
                job.mayEndOtherwise ? "" : "<input type=\"hidden\" name=\"force\" value=\"1\">"
            buttons.append(
                layout.button(
                    .retry, "Retry", name, options: "\(layout.grants(job.refusal?.reason))\(force)")
            )
        }
        if job.needsAttention {
            buttons.append(
                layout.button(
                    .dismiss, "Dismiss", name,
                    options: "<label>Note <input name=\"note\" maxlength=\"200\"></label>"))
        }
        if [.available, .scheduled, .retryable].contains(job.state) {
            buttons.append(layout.button(.bump, "To the front", name))
        }
        if let sticker = job.sticker, isPublished {
            buttons.append(layout.button(.redo, "Redo", [("sticker", sticker.rawValue)]))
        }
        return "<p class=\"actions\">\(buttons)</p>"
    }

    /// The current file, and its published pictures, on backgrounds of chats.
    private func pictures(_ job: JobRecord, _ story: StickerStory?) -> HTML {
        let after = story?.product?.files.first.map { "/out/\($0.path)" }
        let before: HTML =
            ConsolePictures.areShown(job.file)
            ? both("/source/\(job.id)", "The file")
            : "<p>Browsers cannot show files like this one.</p>"
        func both(_ address: String, _ what: String) -> HTML {
            """
            <figure><div class="light"><img src="\(address)" alt="\(what), on a light ground" loading="lazy"></div>\
            <div class="dark"><img src="\(address)" alt="" loading="lazy"></div>\
            <figcaption>\(what)</figcaption></figure>
            """
        }
        return """
            <section class="pictures">\(before)\
            \(after.map { both($0, "The published sticker") } ?? "")</section>
            """
    }

    private func steps(_ log: StepLog) -> HTML {
        guard !log.entries.isEmpty else { return "<p>None yet.</p>" }
        let rows = log.entries.map { entry -> [HTML] in
            let attempts = (entry.fit?.lines ?? []).map { "<br>\($0)" as HTML }
            let times = [entry.milliseconds, entry.cpuMilliseconds].map { time -> HTML in
                "\(time.map { "\(($0 * 10).rounded() / 10)" } ?? "")"
            }
            return ["\(entry.step)"] + times + ["\(entry.detail)\(attempts)"]
        }
        let omitted: HTML =
            log.omitted > 0 ? "<p>\(log.omitted) steps in the middle are left out.</p>" : ""
        let table = Table(columns: ["Step", .number("ms"), .number("CPU ms"), "What"], rows: rows)
        return "\(table.html)\(omitted)"
    }
}
