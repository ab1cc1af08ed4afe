import StickerModel
import StickerReports
import StickerStore

/// What runs, what waits, and what needs somebody.
struct OverviewPage {
    let layout: Layout
    let store: JobStore
    let configuration: Configuration
    /// The process number of the daemon, if one runs.
    let daemon: Int32?

    /// The page.
    ///
    /// - Parameter said: what came of the button that was pressed.
    /// - Returns: its markup.
    /// - Throws: `StoreError` if the database cannot be read.
    func html(said: String?) throws -> HTML {
        let report = try StatusReport(
            configuration, faults: [], store, daemon: daemon, freeBytes: nil)
        let working = try jobs([.executing])
        let body: HTML = """
            \(head(report))
            \(attention(report))
            <section><h2>Working</h2>\(working.table)</section>
            <section><h2>Waiting</h2><p>\(report.status.waiting) in all\(oldest(report))</p>\
            \(try jobs([.available, .scheduled, .retryable]).table)</section>
            <section><h2>Last</h2>\(try jobs([.completed, .discarded, .cancelled]).table)</section>
            """
        return layout.page("Overview", said: said, body)
    }

    private func jobs(_ states: Set<JobState>) throws -> [JobRecord] {
        var filter = JobFilter()
        filter.states = states
        return try store.jobs(filter, limit: 10)
    }

    private func oldest(_ report: StatusReport) -> HTML {
        guard let oldest = report.status.oldestWaitingMilliseconds, oldest > 1000 else { return "" }
        return ", the oldest for \(Int(oldest / 1000).asTime)"
    }

    private func head(_ report: StatusReport) -> HTML {
        let state: HTML =
            daemon == nil
            ? "<strong class=\"attention\">stickerd does not run</strong>"
            : "stickerd \(report.live?.version ?? "") runs (process \(String(daemon ?? 0)))"
        let batch = daemon == nil ? nil : report.live?.batch?.shown
        let pause =
            report.pauses.all
            ? layout.button(.resume, "Resume everything", [])
            : layout.button(.pause, "Pause everything", [])
        let categories = report.pauses.categories.map { category -> HTML in
            """
            <p class="attention">\(category.rawValue) is paused \
            \(layout.button(.resume, "Resume", [("category", category.rawValue)]))</p>
            """
        }
        return """
            <section class="status"><p>\(state)</p>
            <p>\(report.status.stickers.counted("sticker", "stickers")) in \
            \(report.status.categories.counted("category", "categories")) · \
            \(report.status.waiting) waiting · \(report.status.working) working · \
            \(report.status.needAttention.needingAttention)</p>\
            \(batch.map { "<p>\($0)</p>" as HTML } ?? "")\
            \(report.pauses.all ? "<p class=\"attention\">Everything is paused.</p>" : "")\
            \(categories)\(weather(report))\(pause)</section>
            """
    }

    private func weather(_ report: StatusReport) -> HTML {
        guard let trouble = report.weather?.trouble else { return "" }
        return "<p>Weather: \(trouble)</p>"
    }

    private func attention(_ report: StatusReport) -> HTML {
        let paused = daemon == nil ? nil : report.live?.paused
        let lines = (paused.map { [$0] } ?? []) + (daemon == nil ? [] : report.live?.troubles ?? [])
        let troubles = lines.map { "<p class=\"attention\">\($0)</p>" as HTML }
        let holds = report.holds.map { hold -> HTML in
            """
            <p class="attention">\(hold.name): \(hold.event); the stickers stay. Bring the files back, or \
            \(layout.button(.confirm, "Let \(hold.missing) stickers leave", [("hold", hold.name), ("count", "\(hold.missing)")]))</p>
            """
        }
        let reasons = report.status.reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { reason, count -> HTML in
                """
                <li><a href="/jobs?reason=\(reason.inAddress)&amp;attention=1">\(count) × \(reason)</a> \
                \(layout.button(.retry, "Retry all", [("reason", reason), ("count", "\(count)")])) \
                \(layout.button(.dismiss, "Dismiss all", [("reason", reason), ("count", "\(count)")]))</li>
                """
            }
        guard !(troubles.isEmpty && holds.isEmpty && reasons.isEmpty) else { return "" }
        return """
            <section><h2>Needs attention</h2>\(troubles)\(holds)<ul class="reasons">\(reasons)</ul></section>
            """
    }
}
