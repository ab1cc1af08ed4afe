import StickerReports
import StickerStore
import StickerValues

/// The common parts of pages: a head, navigation, and forms that prove their origin.
struct Layout: Sendable {
    /// Proves that a form comes from this server.
    let formKey: String
    /// The state of the library and the daemon before the page was read: a page reloads as soon as the state changes.
    /// `nil` for pages that do not change.
    var state: String?

    /// The pages that every page leads to.
    enum Place: String, CaseIterable, Sendable {
        case overview, jobs, log, trash, plan

        var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
        var address: String { self == .overview ? "/" : "/\(rawValue)" }
    }

    /// A whole page.
    ///
    /// - Parameters:
    ///   - title: the title; absent for that of the place.
    ///   - place: which link of the head it belongs to.
    ///   - said: the outcome of the pressed button.
    ///   - body: the part below the head.
    /// - Returns: its markup.
    func page(
        _ title: String? = nil, in place: Place? = nil, said: String? = nil, _ body: HTML
    ) -> HTML {
        let name = title ?? place?.title ?? ""
        let links = Place.allCases.map { other -> HTML in
            let kind: HTML = title == nil ? "page" : "true"
            let current: HTML = other == place ? " aria-current=\"\(kind)\"" : ""
            return "<a href=\"\(other.address)\"\(current)>\(other.title)</a> "
        }
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(name) · stickerd</title>
            <link rel="icon" href="/_console/console.svg" type="image/svg+xml">
            <link rel="stylesheet" href="/_console/look.css">
            <link rel="stylesheet" href="/_console/console.css">
            <script src="/_console/console.js" defer></script>
            </head><body>
            <a class="skip" href="#main">Skip to the content</a>
            <header><a class="home" href="/"><img src="/_console/console.svg" alt="" width="24" height="24">stickerd</a>
            <nav aria-label="Pages">\(links)</nav>
            <form action="/jobs" method="get" role="search"><input name="file" type="search" \
            aria-label="Find a file or a sticker" placeholder="Find a file or sticker"></form>
            <span id="live" role="status"></span></header>
            <main id="main"\(stateAttribute) data-now="\(Timestamp.now.asDate)" tabindex="-1"><h1>\(name)</h1>
            \(said.map { "<p class=\"notice good\" role=\"status\">\($0)</p>" as HTML } ?? "")\(body)
            </main></body></html>

            """
    }

    private var stateAttribute: HTML { state.map { " data-state=\"\($0)\"" } ?? "" }

    /// A form with one button.
    ///
    /// - Parameters:
    ///   - verb: its action.
    ///   - label: its label.
    ///   - fields: the subject of the action.
    ///   - options: further controls before the button.
    /// - Returns: its markup.
    func button(
        _ verb: Verb, _ label: String, _ fields: [(name: String, value: String)],
        options: HTML = ""
    ) -> HTML {
        let hidden = fields.map { name, value -> HTML in
            "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
        }
        return """
            <form class="verb" method="post" action="/do/\(verb.rawValue)">\
            <input type="hidden" name="key" value="\(formKey)">\(hidden)\(options)\
            <button>\(label)</button></form>
            """
    }

    /// A form with one button that affects several files or stickers; it appears after a first click.
    ///
    /// - Parameters: as of `button`.
    /// - Returns: its markup.
    func careful(
        _ verb: Verb, _ label: String, _ fields: [(name: String, value: String)],
        options: HTML = ""
    ) -> HTML {
        """
        <details class="verb"><summary class="action">\(label)…</summary>\(button(verb, label, fields, options: options))</details>
        """
    }

    /// Controls for concessions to another attempt.
    ///
    /// - Parameter reason: of the refusal.
    /// - Returns: the controls; nothing if no concession would help.
    func grants(_ reason: Refusal.Reason?) -> HTML {
        switch reason {
        case .tooLong:
            """
            <label>If it plays too long <select name="tooLong"><option value="">as configured</option>\
            <option value="faster">faster</option><option value="trim">trim</option></select></label>
            """
        case .truncated, .corrupt:
            "<label><input type=\"checkbox\" name=\"acceptDamaged\"> accept readable parts</label>"
        default: ""
        }
    }

    /// The page on which visitors enter the token.
    ///
    /// - Parameters:
    ///   - target: the page requested.
    ///   - wrong: why the given token was refused.
    /// - Returns: its markup.
    func entrance(to target: String, wrong: String? = nil) -> HTML {
        page(
            "Token",
            """
            \(wrong.map { "<p class=\"notice bad\" role=\"alert\">\($0)</p>" as HTML } ?? "")\
            <form method="post" action="/enter"><input type="hidden" name="to" value="\(target)">\
            <label>Token <input name="token" type="password" autocomplete="off" required autofocus></label> \
            <button class="main">Open</button></form>
            """)
    }
}

extension JobRecord {
    /// Its state, for people, in the colour that it has everywhere.
    var shownState: HTML {
        if needsAttention { return "<span class=\"chip bad\">needs attention</span>" }
        let kind: HTML =
            switch state {
            case .completed: " good"
            case .executing: " busy"
            case .available, .scheduled, .retryable, .cancelled, .discarded: ""
            }
        return "<span class=\"chip\(kind)\">\(isDismissed ? "dismissed" : state.shown)</span>"
    }

    /// Whether an operator dismissed it from the list of problems.
    var isDismissed: Bool { state == .cancelled && reason == CancelReason.dismissed.rawValue }

    /// A link to its page, with its number.
    var link: HTML { "<a href=\"/jobs/\(id)\">\(id)</a>" }

    /// Why it ended this way.
    var why: HTML { "\(refusal?.detail ?? reason ?? "")" }
}

extension [JobRecord] {
    /// A table of jobs.
    ///
    /// - Parameter pictures: those of the jobs.
    /// - Returns: its markup.
    func table(_ pictures: JobPictures) -> HTML {
        guard !isEmpty else { return "<p class=\"empty\">None.</p>" }
        let rows = map { job -> [HTML] in
            [
                pictures.picture(job), job.link, job.shownState, "\(job.file)",
                "\(job.category.rawValue)", job.why, job.createdAt.shownAgo,
            ]
        }
        return Table(
            columns: [
                .picture, .number("Job"), "State", "File", "Category", "Why", .short("Seen"),
            ], rows: rows
        ).html
    }
}
