import StickerConfiguration
import StickerReports
import StickerStore
import StickerSystem
import StickerValues

/// The first page: problems, the work of now, and the last results.
struct OverviewPage {
    /// The most jobs of each list.
    private static let listed = 12
    /// The most groups of packs that are not ready, and of the categories that are named in one.
    private static let (groupsListed, categoriesNamed) = (10, 5)

    let layout: Layout
    let store: LibraryStore
    let desk: WordsDesk
    /// According to the current file.
    let configuration: Configuration
    /// The faults of that file.
    let faults: [String]
    /// The process number of a running daemon.
    let daemon: Int32?

    /// The page.
    ///
    /// - Returns: its markup.
    /// - Throws: `StoreError` if the database cannot be read.
    func html() throws -> HTML {
        let report = try StatusReport(
            configuration, faults: faults, store, daemon: daemon,
            freeBytes: try? FreeSpace.bytes(at: configuration.out), countsOutdated: false)
        var executing = JobFilter()
        executing.states = [.executing]
        let working = try store.operations.jobs(executing, limit: Self.listed)
        let waiting = try store.operations.nextInTurn(limit: Self.listed)
        // Files of words, and covers, are no stickers; the log has them.
        let last = try store.operations.lastEnded(limit: 8 * Self.listed)
            .filter { $0.sticker != nil || $0.needsAttention }.prefix(2 * Self.listed)
        let pictures = try JobPictures(of: working + waiting + Array(last), store.operations)
        func section(_ title: String, _ jobs: [JobRecord], _ more: HTML = "") -> HTML {
            jobs.isEmpty
                ? "" : "<section><h2>\(title)</h2>\(pictures.cards(jobs))\(more)</section>"
        }
        let body: HTML = """
            \(state(report))\(holds(report))\(tiles(report))\(try attention(report))\
            \(section("Working now", working))\
            \(section("Next", waiting))\
            \(section("Last", Array(last), "<p><a href=\"/log\">The whole log</a></p>"))\
            \(report.status.stickers == 0 && last.isEmpty && waiting.isEmpty && working.isEmpty ? nothing : "")\
            \(foot(report))
            """
        return layout.page(in: .overview, body)
    }

    // MARK: The overall state

    /// Notices of a daemon that does not run, and of pauses.
    private func state(_ report: StatusReport) -> HTML {
        var lines: [HTML] = []
        if report.pauses.all {
            lines.append(
                "Everything is paused. \(layout.button(.resume, "Resume everything", []))")
        }
        lines += report.pauses.categories.map { category in
            """
            \(category.rawValue) is paused. \
            \(layout.button(.resume, "Resume", [("category", category.rawValue)]))
            """
        }
        return HTML(lines.map { "<div class=\"notice bad\">\($0)</div>" })
    }

    /// Deletions that were stopped, with both ways out.
    private func holds(_ report: StatusReport) -> HTML {
        let holds = report.holds.map { hold -> HTML in
            let fields = [(name: "hold", value: hold.name), ("count", "\(hold.missing)")]
            let leave = "Let \(hold.missing.counted("sticker", "stickers")) leave"
            return """
                <section class="notice bad large"><h2>\(hold.name): \(hold.event)</h2>\
                <p>The stickers stay. Bring the files back, and this is over; or let the stickers leave.</p>\
                \(layout.careful(.confirm, leave, fields))</section>
                """
        }
        return HTML(holds)
    }

    private func tiles(_ report: StatusReport) -> HTML {
        let status = report.status
        let batch = report.batch
        var waiting: HTML = ""
        if let done = batch?.workDone {
            waiting = """
                <progress aria-label="Done of the batch" value="\(String(done))"></progress>
                """
        }
        if let left = batch?.secondsLeft, left > 0 {
            waiting = "\(waiting)<span>about \(left.asTime) left</span>"
        } else if let oldest = status.oldestWaitingMilliseconds, oldest > 1000 {
            waiting = "\(waiting)<span>the oldest for \(Int(oldest / 1000).asTime)</span>"
        }
        let alarm: HTML = status.needAttention > 0 ? " bad" : ""
        return """
            <ul class="tiles"><li><a class="tile" href="/library"><strong>\(status.stickers)</strong> published\
            <span>in \(status.categories.counted("category", "categories"))</span></a></li>\
            <li><a class="tile" href="/jobs?state=waiting"><strong>\(status.waiting)</strong> waiting\(waiting)</a></li>\
            <li><a class="tile" href="/jobs?state=working"><strong>\(status.working)</strong> working</a></li>\
            <li><a class="tile\(alarm)" href="/jobs?state=attention"><strong>\(status.needAttention)</strong> \
            \(status.needAttention == 1 ? "file needs attention" : "files need attention")</a></li></ul>
            """
    }

    private var nothing: HTML {
        let drop = configuration.drops.first?.path ?? ""
        return """
            <p class="empty">Nothing yet. Put a picture into a folder below \(drop): the folder becomes a category, \
            and the picture a sticker in it.\(configuration.console.drops.isEmpty ? "" : library)</p>
            """
    }

    private var library: HTML { " Or add pictures in the <a href=\"/library\">library</a>." }

    private func foot(_ report: StatusReport) -> HTML {
        var parts: [HTML] = []
        if let daemon {
            parts.append("stickerd \(report.live?.version ?? "") runs (process \(String(daemon)))")
        }
        if let bytes = report.freeBytes { parts.append("\(Int(bytes).asBytes) free") }
        if daemon != nil, let live = report.live, let scannedAt = live.scannedAt {
            parts.append(
                """
                \(live.folders.counted("folder", "folders")) watched, all looked at \(scannedAt.shownAgo)
                """)
        }
        if let batch = report.batch { parts.append("The batch: \(batch.shown)") }
        if let files = report.goneFiles { parts.append("\(files)") }
        if let trouble = report.weather?.trouble { parts.append("Weather: \(trouble)") }
        let pause: HTML =
            !layout.may(.operation)
            ? ""
            : """
            \(layout.button(.pause, "Pause everything", []))\
            <details class="verb"><summary class="action">Pause a category…</summary>\
            \(layout.button(.pause, "Pause", [], options: "<label>Category <input name=\"category\" required></label>"))\
            </details>
            """
        return """
            <section class="foot"><h2>The machine</h2><ul>\(parts.map { "<li>\($0)</li>" as HTML })</ul>\
            \(report.pauses.all ? "" : pause)</section>
            """
    }

    // MARK: Problems

    private func attention(_ report: StatusReport) throws -> HTML {
        let lines = (troubles(report) + (try packs(report))).map { "<li>\($0)</li>" as HTML }
        let reasons = report.status.reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { refused($0, $1) }
        guard !(lines.isEmpty && reasons.isEmpty) else { return "" }
        return """
            <section class="causes"><h2>Needs attention</h2><ul>\(reasons)\(lines)</ul></section>
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
        return lines
            + report.slowTemplates.map { template in
                "\(template.file): \(template.sentence). \(remedy(SlowTemplate.remedy))"
            }
    }

    /// Packs that are not ready, together where they lack the same.
    private func packs(_ report: StatusReport) throws -> [HTML] {
        var causes: [[LackingPacks]] = []
        for lacking in report.lackingPacks {
            let place = causes.firstIndex { $0[0].isLike(lacking) }
            if let place { causes[place].append(lacking) } else { causes.append([lacking]) }
        }
        let lines = try causes.prefix(Self.groupsListed).map { cause -> HTML in
            let (first, named) = (cause[0], cause.prefix(Self.categoriesNamed))
            let finding = first.finding
            let lack =
                cause.count == 1 && finding.sticker != nil
                ? finding.sentence
                : finding.detail
                    + Finding.figures(cause.count == 1 ? finding.measured : nil, finding.limit)
            let names = named.map(\.category.rawValue).joined(separator: ", ")
            let others = cause.count > named.count ? " and \(cause.count - named.count) more" : ""
            return """
                \(cause.count.counted("category is", "categories are")) not ready for \(first.platform.title): \
                \(lack) <span class="quiet">(\(names)\(others))</span> \
                \(try mending(cause) ?? remedy(
                    cause.count == 1 ? finding.remedy : "\(first.remedy), and likewise for the others"))
                """
        }
        let others = causes.dropFirst(Self.groupsListed).reduce(0) { $0 + $1.count }
        return others > 0
            ? lines + ["\(others.counted("pack is", "packs are")) not ready besides"] : lines
    }

    /// A field or a way to mend it here; `nil` if there is none.
    private func mending(_ cause: [LackingPacks]) throws -> HTML? {
        guard let first = cause.first, let word = first.finding.mendingWord else { return nil }
        let edited = try cause.prefix(WordsDesk.categoriesMax).map(\.category).filter {
            desk.file(try store.operations.wording(of: $0)?.file) != nil
        }
        switch word {
        case .publisher where !edited.isEmpty:
            let categories = edited.map(\.rawValue).joined(separator: ",")
            return layout.form(
                to: "/library", [("part", "publisher"), ("categories", categories)],
                """
                <label>Publisher <input name="publisher" required></label>\
                <button>\(edited.count == 1 ? "Set" : edited.count == cause.count ? "Set for all" : "Set for \(edited.count) of them")</button>
                """)
        case .emoji where cause.count == 1 && edited.count == 1:
            let address = "/library/\(first.category.rawValue.inAddress)?edit=1#stickers"
            return "<a class=\"action\" href=\"\(address)\">Give emoji</a>"
        case .emoji, .publisher: return nil
        }
    }

    private func remedy(_ text: String) -> HTML { "<span class=\"remedy\">Remedy: \(text)</span>" }

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
            <li\(reason == .needsReview ? " class=\"fine\"" : "" as HTML)>\
            <a href="/jobs?reason=\(name.inAddress)&amp;state=attention" title="\(name)">\
            \(count.counted("file", "files")) \(reason?.inWords ?? name)</a> \
            \(retry)\(layout.careful(.dismiss, "Dismiss all", fields))</li>
            """
    }
}

extension LackingPacks {
    /// Whether it lacks the same for the same platform.
    fileprivate func isLike(_ other: LackingPacks) -> Bool {
        platform == other.platform && finding.rule == other.finding.rule
            && finding.detail == other.finding.detail && finding.limit == other.finding.limit
    }
}
