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
    let catalog: Catalog

    /// The jobs that a query selects, newest first.
    ///
    /// - Parameter query: `state`, a tab or a state; `category`, `reason`, `file` (a part of a name or of an id, or a path).
    /// - Returns: the page.
    /// - Throws: `StoreError` if the database cannot be read.
    func list(_ query: [String: String]) throws -> HTML {
        var query = query.filter { !$0.value.isEmpty }
        // Addresses of earlier releases say it this way.
        if query["attention"] != nil { query["state"] = JobTab.attention.rawValue }
        let state = query["state"].flatMap(JobState.init)
        let tab =
            query["state"].flatMap(JobTab.init)
            ?? JobTab.allCases.first { tab in state.map(tab.states.contains) ?? false } ?? .any
        var filter = JobFilter()
        filter.states = state.map { [$0] } ?? tab.states
        filter.category = query["category"].map(CategoryID.init)
        filter.reason = query["reason"]
        filter.needingAttention = state == nil && tab == .attention
        filter.search = query["file"]
        let found = try operations.jobs(filter, limit: Self.listed + 1)
        let jobs = Array(found.prefix(Self.listed))
        let status = try operations.status(countsOutdated: false)
        let reasons = status.reasons.keys.sorted() + CancelReason.allCases.map(\.rawValue)
        let sought: HTML =
            filter.search.map { "<p>Files and stickers with “\($0)” in their names:</p>" } ?? ""
        let more: HTML =
            found.count > jobs.count
            ? "<p>The newest \(jobs.count) are shown; narrow the search.</p>" : ""
        return layout.page(
            in: .jobs,
            """
            \(tabs(tab, query, status))<form class="filter" method="get" action="/jobs">\
            <input type="hidden" name="state" value="\(query["state"] ?? "")">\
            <label>Category \(Self.choice("category", query["category"], try categories))</label>\
            <label>Reason <input name="reason" list="reasons" value="\(query["reason"] ?? "")"></label>\
            <datalist id="reasons">\(reasons.map { "<option>\($0)</option>" as HTML })</datalist>\
            <label>File <input name="file" value="\(query["file"] ?? "")"></label>\
            <button>Show</button></form>\(sought)\(jobs.table(try JobPictures(of: jobs, operations)))\(more)
            """)
    }

    /// Kinds of jobs; counted if nothing else is asked for.
    private func tabs(_ chosen: JobTab, _ query: [String: String], _ status: StoreStatus) -> HTML {
        let others = query.filter { ["category", "reason", "file"].contains($0.key) }
        let fields = others.sorted { $0.key < $1.key }.map { "&\($0.key)=\($0.value.inAddress)" }
            .joined()
        let links = JobTab.allCases.map { tab -> HTML in
            let current: HTML = tab == chosen ? " aria-current=\"true\"" : ""
            let count: HTML =
                others.isEmpty ? " <span class=\"count\">\(tab.count(status))</span>" : ""
            return """
                <a href="/jobs?state=\(tab.rawValue)\(fields)"\(current)>\(tab.title)\(count)</a>
                """
        }
        return "<nav class=\"tabs\" aria-label=\"Jobs\">\(links)</nav>"
    }

    private var categories: [String] {
        get throws { try catalog.categoryNames().keys.map(\.rawValue).sorted() }
    }

    /// A choice of what there is; what is chosen stays in it.
    private static func choice(_ name: String, _ chosen: String?, _ values: [String]) -> HTML {
        let lacks = chosen.map { !values.contains($0) } ?? false
        let options = (lacks ? values + [chosen ?? ""] : values).map { value -> HTML in
            "<option\(value == chosen ? " selected" : "")>\(value)</option>"
        }
        return """
            <select name="\(name)"><option value="">any</option>\(options)</select>
            """
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
        let pictures = try JobPictures(of: jobs, operations)
        let rows = jobs.map { job -> [HTML] in
            [
                pictures.picture(job), job.finishedAt?.shownAgo ?? "", job.link, job.shownState,
                "\(job.file)", "\(job.category.rawValue)", job.why,
            ]
        }
        let table: HTML =
            rows.isEmpty
            ? """
            <p class="empty">\(category == nil ? "Nothing yet." : "Nothing among the last 10,000 jobs.")</p>
            """
            : Table(
                columns: [
                    .picture, .short("Ended"), .number("Job"), "State", "File", "Category", "Why",
                ], rows: rows
            ).html
        return layout.page(
            in: .log,
            """
            <form class="filter" method="get" action="/log">\
            <label>Category \(Self.choice("category", category?.rawValue, try categories))</label>\
            <label><input type="checkbox" name="attention"\(isAlarming ? " checked" : "")> \
            only jobs that need attention</label><button>Show</button></form>\(table)
            """)
    }

    /// One job; `nil` if it does not exist.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    func one(_ id: JobID) throws -> HTML? {
        guard let details = try operations.job(id) else { return nil }
        let job = details.job
        let story = try job.sticker.flatMap { try operations.story(of: $0.rawValue) }
        let sticker = job.sticker.map { sticker -> HTML in
            "<dt>Sticker</dt><dd><a href=\"/stickers/\(sticker.rawValue)\">\(sticker.rawValue)</a></dd>"
        }
        let times = [
            ("Seen", job.createdAt), ("Started", job.startedAt), ("Ended", job.finishedAt),
        ]
        .map { name, time -> HTML in
            time.map {
                "<dt>\(name)</dt><dd>\($0.shownAgo) <span class=\"quiet\">\($0.asDate)</span></dd>"
            } ?? ""
        }
        return layout.page(
            "Job \(id)", in: .jobs,
            """
            <p>\(job.shownState) <strong>\(job.file)</strong></p>
            <dl class="facts"><dt>Category</dt><dd>\(Self.link(job.category))</dd>\(sticker ?? "")\
            <dt>Size</dt><dd>\(Int(job.bytes).asBytes)</dd>\(times)\
            <dt>Attempt</dt><dd>\(job.attempt)</dd></dl>
            \(waiting(job))\(newer(job))\(refusal(job))\(actions(job, isPublished: story?.product != nil))
            \(pictures(job, story))
            \(steps(details.log))
            \(try related(details.related))
            """)
    }

    private static func link(_ category: CategoryID) -> HTML {
        "<a href=\"/library/\(category.rawValue.inAddress)\">\(category.rawValue)</a>"
    }

    private func related(_ jobs: [JobRecord]) throws -> HTML {
        guard !jobs.isEmpty else { return "" }
        return """
            <section><h2>Other jobs of this file</h2>\(jobs.table(try JobPictures(of: jobs, operations)))</section>
            """
    }

    /// The reason why a job waits; nothing for others.
    private func waiting(_ job: JobRecord) -> HTML {
        switch job.state {
        case .available: "<p>It waits for its turn.</p>"
        case .scheduled: "<p>It waits until its file is whole and has not changed for a moment.</p>"
        case .retryable: "<p>It waits before its next attempt.</p>"
        case .executing, .completed, .cancelled, .discarded: ""
        }
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
        if job.awaitsReview {
            return """
                <section class="notice"><p><strong>It waits for an editor.</strong> Until it is published, \
                only the artists of its category and editors see it; an earlier version stays.</p></section>\(warnings)
                """
        }
        return """
            <section class="notice bad"><p><strong>\(refusal.detail)</strong></p>\
            <p>\(refusal.reason.rawValue)\(refusal.measured.map { "; found \($0)" } ?? "")\
            \(refusal.limit.map { "; allowed \($0)" } ?? "")</p>\
            \(job.supersededBy == nil ? "<p>Remedy: \(refusal.remedy)</p>\(mending(job))" : "")</section>\(warnings)
            """
    }

    /// The way to replace a file that will be refused again.
    private func mending(_ job: JobRecord) -> HTML {
        guard !job.mayEndOtherwise, job.sticker != nil else { return "" }
        return """
            <p>Then add the picture to \(Self.link(job.category)) under the same name: it takes the place of this one.</p>
            """
    }

    private func actions(_ job: JobRecord, isPublished: Bool) -> HTML {
        let name = [(name: "job", value: "\(job.id)")]
        var buttons: [HTML] = []
        if job.awaitsReview {
            buttons.append(layout.button(.publish, "Publish", name))
        } else if job.needsAttention || (job.isDismissed && job.supersededBy == nil) {
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
                    options:
                        "<label>Note to the artist <input name=\"note\" maxlength=\"200\"></label>")
            )
        }
        if [.available, .scheduled, .retryable].contains(job.state) {
            buttons.append(layout.button(.bump, "To the front", name))
        }
        if let sticker = job.sticker, isPublished, job.supersededBy == nil {
            buttons.append(layout.button(.redo, "Make it again", [("sticker", sticker.rawValue)]))
        }
        return "<p class=\"actions\">\(buttons)</p>"
    }

    /// The current file, and its published pictures, on backgrounds of chats.
    private func pictures(_ job: JobRecord, _ story: StickerStory?) -> HTML {
        let after = story?.product?.files.first.map { "/out/\($0.path)" }
        let held = job.awaitsReview ? both("/review/\(job.id)", "The sticker in review") : ""
        let before: HTML =
            !job.isAboutItsFile
            ? "<p>The file that this was about is gone or has changed.</p>"
            : ConsolePictures.areShown(job.file)
                ? both("/source/\(job.id)", "The file")
                : "<p>Browsers cannot show files like this one.</p>"
        func both(_ address: String, _ what: String) -> HTML {
            Ground.figure(address, what, on: [.day, .night])
        }
        return """
            <section class="pictures">\(before)\(held)\
            \(after.map { both($0, "The published sticker") } ?? "")</section>
            """
    }

    private func steps(_ log: StepLog) -> HTML {
        guard !log.entries.isEmpty else { return "" }
        let rows = log.entries.folded.map { entry -> [HTML] in
            let attempts = (entry.fit?.lines ?? []).map { "<br>\($0)" as HTML }
            let times = [entry.milliseconds, entry.cpuMilliseconds].map { time -> HTML in
                "\(time.map { "\(($0 * 10).rounded() / 10)" } ?? "")"
            }
            return ["\(entry.step)"] + times + ["\(entry.detail)\(attempts)"]
        }
        let omitted: HTML =
            log.omitted > 0 ? "<p>\(log.omitted) steps in the middle are left out.</p>" : ""
        let table = Table(
            columns: [.short("Step"), .number("ms"), .number("CPU ms"), "What"], rows: rows)
        // Artists can do without them.
        return layout.may(.library)
            ? "<section><h2>Steps</h2>\(table.html)\(omitted)</section>"
            : """
            <details class="panel"><summary class="action">Steps</summary>\(table.html)\(omitted)</details>
            """
    }
}

/// The kinds of jobs among which the list of them chooses.
enum JobTab: String, CaseIterable {
    case any, waiting, working, done, attention, unmade

    var title: String {
        switch self {
        case .any: "All"
        case .attention: "Needs attention"
        case .unmade: "Without a sticker"
        case .waiting, .working, .done: rawValue.prefix(1).uppercased() + rawValue.dropFirst()
        }
    }

    /// The states of its jobs; empty for any.
    var states: Set<JobState> {
        switch self {
        case .any: []
        case .waiting: [.available, .scheduled, .retryable]
        case .working: [.executing]
        case .done: [.completed]
        case .attention: [.discarded]
        case .unmade: [.discarded, .cancelled]
        }
    }

    /// How many there are.
    func count(_ status: StoreStatus) -> Int {
        switch self {
        case .any: status.jobs.values.reduce(0, +)
        case .attention: status.needAttention
        case .waiting, .working, .done, .unmade:
            states.reduce(0) { $0 + status.jobs[$1.rawValue, default: 0] }
        }
    }
}
