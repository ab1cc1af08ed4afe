import StickerConfiguration
import StickerReports
import StickerStore
import StickerSystem
import StickerValues

/// Running and waiting jobs, and problems.
struct OverviewPage {
    /// The most jobs of each list.
    private static let listed = 10
    /// The most categories without packs that are named.
    private static let packsListed = 10

    let layout: Layout
    let store: LibraryStore
    /// According to the current file.
    let configuration: Configuration
    /// The faults of that file.
    let faults: [String]
    /// The process number of a running daemon.
    let daemon: Int32?

    /// The page.
    ///
    /// - Parameter said: the outcome of the pressed button.
    /// - Returns: its markup.
    /// - Throws: `StoreError` if the database cannot be read.
    func html(said: String?) throws -> HTML {
        let report = try StatusReport(
            configuration, faults: faults, store, daemon: daemon,
            freeBytes: try? FreeSpace.bytes(at: configuration.out), countsOutdated: false)
        var working = JobFilter()
        working.states = [.executing]
        let body: HTML = """
            \(head(report))
            \(attention(report))
            <section><h2>Working</h2>\(try store.operations.jobs(working, limit: Self.listed).table)</section>
            <section><h2>Waiting</h2><p>\(report.status.waiting) in all\(oldest(report))</p>\
            \(try store.operations.nextInTurn(limit: Self.listed).table)</section>
            <section><h2>Last</h2>\(try store.operations.lastEnded(limit: Self.listed).table)\
            <p><a href="/log">Follow the log</a></p></section>
            """
        return layout.page("Overview", said: said, body)
    }

    private func oldest(_ report: StatusReport) -> HTML {
        guard let oldest = report.status.oldestWaitingMilliseconds, oldest > 1000 else { return "" }
        return ", the oldest for \(Int(oldest / 1000).asTime)"
    }

    // MARK: The overall state

    private func head(_ report: StatusReport) -> HTML {
        let state: HTML =
            daemon == nil
            ? "<strong class=\"attention\">stickerd does not run</strong>"
            : "stickerd \(report.live?.version ?? "") runs (process \(String(daemon ?? 0)))"
        return """
            <section class="status"><p>\(state)</p>
            <p>\(report.status.stickers.counted("sticker", "stickers")) in \
            \(report.status.categories.counted("category", "categories")) · \
            \(report.status.waiting) waiting · \(report.status.working) working · \
            \(report.status.needAttention.needingAttention)</p>\
            \(batch(report))\(surroundings(report))\(pauses(report))</section>
            """
    }

    private func batch(_ report: StatusReport) -> HTML {
        guard let batch = report.batch else { return "" }
        return """
            <p><label>The batch since \(batch.startedAt.asDate) \
            <progress value="\(String(batch.workDone ?? 0))"></progress></label></p>\
            <p>\(batch.shown)</p>
            """
    }

    private func surroundings(_ report: StatusReport) -> HTML {
        var parts: [HTML] = []
        if let bytes = report.freeBytes { parts.append("\(Int(bytes).asBytes) free") }
        if daemon != nil, let live = report.live, let scannedAt = live.scannedAt {
            parts.append(
                """
                \(live.folders.counted("folder", "folders")) watched, all looked at \(scannedAt.ago) ago
                """)
        }
        if let files = report.goneFiles { parts.append("\(files)") }
        if let trouble = report.weather?.trouble { parts.append("Weather: \(trouble)") }
        return HTML(parts.map { "<p>\($0)</p>" })
    }

    private func pauses(_ report: StatusReport) -> HTML {
        guard !report.pauses.all else {
            return """
                <p class="attention">Everything is paused. \(layout.button(.resume, "Resume everything", []))</p>
                """
        }
        let categories = report.pauses.categories.map { category -> HTML in
            """
            <p class="attention">\(category.rawValue) is paused. \
            \(layout.button(.resume, "Resume", [("category", category.rawValue)]))</p>
            """
        }
        let one: HTML = """
            <details class="verb"><summary>Pause a category…</summary>\
            \(layout.button(.pause, "Pause", [], options: "<label>Category <input name=\"category\" required></label>"))\
            </details>
            """
        return "\(categories)\(layout.button(.pause, "Pause everything", []))\(one)"
    }

    // MARK: Problems

    private func attention(_ report: StatusReport) -> HTML {
        let lines = troubles(report).map { "<p class=\"attention\">\($0)</p>" as HTML }
        let holds = report.holds.map { hold -> HTML in
            """
            <p class="attention">\(hold.name): \(hold.event); the stickers stay. Bring the files back, or \
            \(layout.careful(.confirm, "Let \(hold.missing.grouped) stickers leave", [("hold", hold.name), ("count", "\(hold.missing)")]))</p>
            """
        }
        let reasons = report.status.reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { refused($0, $1) }
        guard !(lines.isEmpty && holds.isEmpty && reasons.isEmpty) else { return "" }
        return """
            <section><h2>Needs attention</h2>\(lines)\(holds)<ul class="reasons">\(reasons)</ul></section>
            """
    }

    private func troubles(_ report: StatusReport) -> [HTML] {
        var lines: [HTML] = faults.map { "The configuration: \($0)" }
        if faults.isEmpty, report.changedKeys > 0 {
            let keys = report.changedKeys.counted("key", "keys")
            lines.append(
                """
                The configuration file differs in \(keys) from the settings in force: \
                <a href="/plan">the changes that it would make</a>
                """)
        }
        if daemon != nil, let live = report.live {
            if let paused = live.paused { lines.append("\(paused); goes on by itself") }
            lines += live.troubles.map { "\($0)" }
        }
        lines += report.slowTemplates.map { template in
            "\(template.file): \(template.sentence). Remedy: \(SlowTemplate.remedy)"
        }
        lines += report.lackingPacks.prefix(Self.packsListed).map { packs in
            """
            \(packs.category.rawValue) is not ready for \(packs.platform.rawValue): \
            \(packs.finding.sentence). Remedy: \(packs.remedy)
            """
        }
        let others = report.lackingPacks.count - Self.packsListed
        if others > 0 {
            lines.append("\(others.counted("pack is", "packs are")) not ready besides")
        }
        return lines
    }

    /// Files refused for one reason, and the actions for all of them.
    private func refused(_ name: String, _ count: Int) -> HTML {
        let fields = [(name: "reason", value: name), ("count", "\(count)")]
        let reason = Refusal.Reason(rawValue: name)
        // Final refusals are retried only if a concession may help.
        let helps = [.tooLong, .truncated, .corrupt].contains(reason) || reason?.isFinal != true
        let retry: HTML =
            helps
            ? layout.careful(.retry, "Retry all", fields, options: layout.grants(reason)) : ""
        return """
            <li><a href="/jobs?reason=\(name.inAddress)&amp;attention=1">\(count) × \(name)</a> \
            \(retry)\(layout.careful(.dismiss, "Dismiss all", fields))</li>
            """
    }
}
