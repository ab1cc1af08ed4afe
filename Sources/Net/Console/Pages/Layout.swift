import StickerReports
import StickerStore
import StickerValues

/// The common parts of pages: a head, navigation, and forms that prove their origin.
struct Layout: Sendable {
    /// Proves that a form comes from this server.
    let formKey: String
    /// The visitor; `nil` for somebody who did not come in.
    let person: Person?
    /// The state of the library and the daemon before the page was read: a page reloads as soon as the state changes.
    /// `nil` for pages that do not change.
    var state: String?
    /// The outcome of the pressed button.
    var said: Said?
    /// Whether nothing becomes a sticker now.
    var isWithoutDaemon = false

    /// The pages that every page leads to.
    enum Place: String, CaseIterable, Sendable {
        case overview, library, jobs, log, trash, plan

        var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
        var address: String { self == .overview ? "/" : "/\(rawValue)" }

        /// The right to see it.
        fileprivate var right: Person.Right? {
            switch self {
            case .overview, .jobs, .log: .library
            case .trash, .plan: .operation
            case .library: nil
            }
        }
    }

    /// A whole page.
    ///
    /// - Parameters:
    ///   - title: the title; absent for that of the place.
    ///   - place: which link of the head it belongs to.
    ///   - body: the part below the head.
    /// - Returns: its markup.
    func page(
        _ title: String? = nil, in place: Place? = nil, _ body: HTML
    ) -> HTML {
        let name = title ?? place?.title ?? ""
        let places = Place.allCases.filter { $0.right.map(may) ?? true }
        let links = places.map { other -> HTML in
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
            <script src="/_console/library.js" defer></script>
            </head><body>
            <a class="skip" href="#main">Skip to the content</a>
            <header><a class="home" href="/"><img src="/_console/console.svg" alt="" width="24" height="24">stickerd</a>
            <nav aria-label="Pages">\(links)</nav>
            \(may(.library) ? Self.search : "<form></form>")\(person?.name.map { "<span class=\"who\">\($0)</span>" as HTML } ?? "")
            <span id="live" role="status"></span></header>
            <main id="main"\(stateAttribute) data-now="\(Timestamp.now.asDate)" tabindex="-1"><h1>\(name)</h1>
            \(isWithoutDaemon ? Self.idle : "")\(said.map(outcome) ?? "")\(body)
            </main></body></html>

            """
    }

    private static let search: HTML = """
        <form action="/jobs" method="get" role="search"><input name="file" type="search" \
        aria-label="Find a file or a sticker" placeholder="Find a file or sticker"></form>
        """

    /// Whether the page offers what takes a right.
    func may(_ right: Person.Right) -> Bool { person?.may(right) ?? false }

    private static let idle: HTML = """
        <div class="notice bad"><strong>stickerd does not run.</strong> Nothing new becomes a sticker, and no word or order \
        is published, until it is started.</div>
        """

    private func outcome(_ said: Said) -> HTML {
        let undo = said.undo.map { " \(self.undo($0))" as HTML }
        return "<div class=\"notice good\" role=\"status\">\(said.sentence)\(undo ?? "")</div>"
    }

    /// A button that undoes the changes of an outcome.
    func undo(_ outcome: Int) -> HTML { form(to: "/undo/\(outcome)", [], "<button>Undo</button>") }

    /// A form that proves its origin.
    ///
    /// - Parameters:
    ///   - address: where it is sent.
    ///   - fields: hidden ones.
    ///   - content: its controls.
    ///   - kind: its class.
    ///   - isHidden: whether a script shows it when it is needed.
    /// - Returns: its markup.
    func form(
        to address: String, _ fields: [(name: String, value: String)], _ content: HTML,
        kind: HTML = "verb", isHidden: Bool = false
    ) -> HTML {
        let hidden = ([(name: "key", value: formKey)] + fields).map { name, value -> HTML in
            "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
        }
        return
            "<form class=\"\(kind)\" method=\"post\" action=\"\(address)\"\(isHidden ? " hidden" : "")>\(hidden)\(content)</form>"
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
        guard verb.right.map(may) ?? true else { return "" }
        return form(to: "/do/\(verb.rawValue)", fields, "\(options)<button>\(label)</button>")
    }

    /// A form with one button that affects several files or stickers; it appears after a first click.
    ///
    /// - Parameters: as of `button`.
    /// - Returns: its markup.
    func careful(
        _ verb: Verb, _ label: String, _ fields: [(name: String, value: String)],
        options: HTML = ""
    ) -> HTML {
        guard verb.right.map(may) ?? true else { return "" }
        return """
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
            "<label><input type=\"checkbox\" name=\"acceptDamaged\"> publish the part that can be read</label>"
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
            <p>Enter the token that you were given.</p><label>Token <input name="token" type="password" autocomplete="off" required autofocus></label> \
            <button class="main">Open</button></form>
            """)
    }
}

extension JobRecord {
    /// Its state, for people, in the colour that it has everywhere.
    var shownState: HTML {
        if awaitsReview { return "<span class=\"chip busy\">waits for review</span>" }
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
