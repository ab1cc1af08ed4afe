import Logging
import NIOCore
import StickerConfiguration
import StickerHTTP
import StickerPackFiles
import StickerStore
import StickerSystem
import StickerValues
import Synchronization

/// All pages of the console, and the actions of their buttons.
struct ConsoleSite: Sendable {
    private let library: ConsoleLibrary
    /// Reads the current configuration file, to preview changes.
    private let load: @Sendable () throws -> Configuration
    private let configuration: Configuration
    private let visitor: Visitor
    private let desk: WordsDesk
    private let outcomes = Outcomes()
    private let downloads: DownloadLists
    private let guesses = Guesses()
    private let previews = LookPreviews()
    private let logger: Logger

    /// - Parameters:
    ///   - library: the library shown.
    ///   - configuration: with absolute paths.
    ///   - visitor: checks access.
    ///   - load: reads the current configuration file.
    ///   - logger: logs each action.
    init(
        _ library: ConsoleLibrary, _ configuration: Configuration, visitor: Visitor,
        load: @escaping @Sendable () throws -> Configuration, logger: Logger
    ) {
        self.library = library
        self.configuration = configuration
        self.visitor = visitor
        desk = WordsDesk(drops: Set(configuration.console.drops))
        downloads = DownloadLists(PackShelf(out: configuration.out))
        self.load = load
        self.logger = logger
    }

    private var store: LibraryStore { get throws { try library.store } }

    /// The delay of a request whose client has sent many wrong tokens.
    func delay(of request: WebRequest) -> Duration {
        request.path == "enter" ? guesses.delay(of: request.caller) : .zero
    }

    func answer(_ request: WebRequest) -> Answer {
        do {
            try visitor.checkHost(request)
            try visitor.checkSite(request)
            let found = request.path.flatMap(ConsoleRoute.table.match)
            let (route, values) = (found?.route, found?.values ?? [])
            if route == .asset, let asset = asset(values[0]) { return asset }
            guard request.method != "POST" else { return try act(route, values, request) }
            guard ["GET", "HEAD"].contains(request.method) else {
                throw WebError(
                    status: 405, message: "\(request.method.prefix(20)) is not answered",
                    remedy: "use the pages", headers: [("Allow", "GET, HEAD, POST")])
            }
            guard let person = try visitor.person(of: request) else { return entrance(request) }
            try checkStore()
            return try show(route, values, request, person)
        } catch let error as WebError {
            return failure(error, request)
        } catch let error as StoreError {
            logger.error("the database cannot be used", metadata: ["detail": "\(error)"])
            return failure(
                WebError(
                    status: 503, message: "the database cannot be used: \(error)",
                    remedy: "load the page again in a moment"), request)
        } catch {
            logger.error("a page was not shown", metadata: ["detail": "\(error)"])
            return failure(
                WebError(status: 500, message: "that failed", remedy: "the log says more"), request)
        }
    }

    /// Checks that the database was not removed: writes to it would be lost, and a newer one may mean something else.
    private func checkStore() throws {
        try store.checkPlace()
        try store.checkVersion()
    }

    // MARK: Pages

    private func show(
        _ route: ConsoleRoute?, _ values: [String], _ request: WebRequest, _ person: Person
    ) throws -> Answer {
        guard let route else { throw WebError.nothingHere }
        if route == .overview, !person.may(.library) {
            return Answer(303, [("Location", "/library")], .none)
        }
        let store = try store
        if let right = try rights.toSee(route, values) {
            try person.need(right)
        }
        // Before anything is read: later changes are shown by the next look.
        let state = try state
        var layout = layout(for: person)
        layout.state = state
        layout.isWithoutDaemon = daemon == nil
        layout.said = outcomes.said(request.query["did"], to: person)
        let jobs = JobPages(
            layout: layout, operations: store.operations, catalog: store.catalog)
        let stickers = stickerPages(layout, store)
        let library = libraryPages(layout, store)
        switch route {
        case .overview: return page(try overview(layout).html())
        case .jobs: return page(try jobs.list(request.query))
        case .log: return page(try jobs.log(request.query))
        case .job:
            guard let number = Int64(values[0]),
                let html = try jobs.one(JobID(rawValue: number))
            else { throw WebError.nothingHere }
            return page(html)
        case .library: return page(try library.list(after: request.query["after"]))
        case .category:
            let html = try library.one(
                CategoryID(rawValue: values[0]), from: number(request.query["from"]),
                isEditing: request.query["edit"] != nil,
                isOpen: request.query["words"] != nil)
            guard let html else { throw WebError.nothingHere }
            return page(html)
        case .look:
            do {
                return try previews.answer(
                    CategoryID(rawValue: values[0]), StickerID(rawValue: values[1]),
                    request.query, store, present)
            } catch let error as WebError {
                return error.answer(to: request)
            }
        case .packs:
            guard let platform = PackPlatform(rawValue: values[1]),
                let html = try packPages(layout, store).one(
                    CategoryID(rawValue: values[0]), platform, from: number(request.query["from"]))
            else { throw WebError.nothingHere }
            return page(html)
        case .sticker:
            guard let html = try stickers.one(StickerID(rawValue: values[0])) else {
                throw WebError.nothingHere
            }
            return page(html)
        case .trash: return page(try stickers.trash())
        case .plan:
            do {
                return page(try stickers.plan(try load(), store, daemon: daemon))
            } catch let error as ConfigurationError {
                let faults = error.faults.map { "<li>\($0.description)</li>" as HTML }
                return page(
                    layout.page(
                        in: .plan, "<p>The file has faults:</p><ul>\(faults)</ul>"))
            }
        case .parts: return page(layout.page("Parts", Parts(layout: layout).html))
        case .state:
            return Answer(
                200, [("Content-Type", "text/plain"), ("Cache-Control", "no-store")],
                .bytes(ByteBuffer(string: state)))
        case .source:
            guard let number = Int64(values[0]),
                let file = try store.operations.file(of: JobID(rawValue: number))
            else { throw WebError.nothingHere }
            return try ConsolePictures.source(file)
        case .review:
            guard let number = Int64(values[0]),
                let job = try store.operations.job(JobID(rawValue: number))?.job, job.awaitsReview
            else { throw WebError.nothingHere }
            return try ConsolePictures.inReview(job.id, state: configuration.state)
        case .pack:
            return try ConsolePictures.pack(values, downloads, configuration, for: person)
        case .published: return try ConsolePictures.published(values, configuration.out)
        case .asset, .enter, .action, .drop, .undo: throw WebError.nothingHere
        }
    }

    private var rights: Rights {
        get throws {
            let store = try store
            return Rights(operations: store.operations) { category in
                present.settings(of: try store.catalog.names(of: category)).review
            }
        }
    }

    private func overview(_ layout: Layout) throws -> OverviewPage {
        var (present, faults) = (configuration, [String]())
        do {
            present = try load()
        } catch let error as ConfigurationError {
            faults = error.faults.map(\.description)
        }
        return OverviewPage(
            layout: layout, store: try store, desk: desk, configuration: present, faults: faults,
            daemon: daemon
        )
    }

    /// The configuration as its file is now; if that has faults, the one of the start.
    private var present: Configuration { (try? load()) ?? configuration }

    /// Differs when pages do: after changes by others, changes made here, the end of a daemon, a start of this server.
    private var state: String {
        get throws {
            let process = daemon.map { "\($0)" } ?? "-"
            return "\(try store.dataVersion()) \(outcomes.count) \(process) "
                + visitor.start
        }
    }

    private var daemon: Int32? { StateLock.holder(state: configuration.state) }

    // MARK: Buttons

    private func act(
        _ route: ConsoleRoute?, _ values: [String], _ request: WebRequest
    ) throws -> Answer {
        let form = request.form
        if route == .enter { return try enter(request, form) }
        guard let person = try visitor.person(of: request) else { return entrance(request) }
        try visitor.checkForm(request, of: person)
        try checkStore()
        for right in try rights.toSend(route, values, form) {
            try person.need(right)
        }
        let actions = try actions(request, person)
        switch route {
        case .sticker:
            return answer(try actions.save(StickerID(rawValue: values[0]), form))
        case .category:
            return answer(try actions.save(CategoryID(rawValue: values[0]), form))
        case .library: return answer(try actions.savePublisher(form))
        case .trash: return answer(try actions.putBack(form, removed))
        case .undo: return answer(try actions.undo(number(values[0])))
        default: break
        }
        guard route == .action, let verb = Verb(rawValue: values[0]) else {
            throw WebError.nothingHere
        }
        guard let outcome = try verb.carryOut(form, in: store, by: person) else {
            throw WebError(
                status: 400, message: "that has changed since the page was loaded",
                remedy: "load the page again, and check what it shows now")
        }
        try note(verb, outcome, form, person, store)
        let concerned = form.filter { !["key", "note", "from"].contains($0.key) }
            .map { "\($0.key)=\(FileName.escaped($0.value))" }.sorted().joined(separator: " ")
        logger.notice(
            "a button was pressed",
            metadata: person.metadata([
                "verb": "\(verb.rawValue)", "of": "\(concerned)", "files": "\(outcome.done)",
                "client": "\(request.client)",
            ]))
        return Answer(
            303,
            [("Location", "\(try back(form))did=\(outcomes.keep(outcome.sentence, by: person))")],
            .none)
    }

    /// Notes a pressed button about one file in its history; those about many are in the logs of their jobs.
    private func note(
        _ verb: Verb, _ outcome: Verb.Outcome, _ form: [String: String], _ person: Person,
        _ store: LibraryStore
    ) throws {
        guard outcome.done > 0, let done = verb.done, let name = form["job"] ?? form["sticker"]
        else { return }
        let job = Int64(name).map(JobID.init(rawValue:))
        let file =
            try form["job"] == nil
            ? store.operations.pictures(of: name).first?.key
            : job.flatMap { try store.operations.file(of: $0) }
        LibraryHistory(operations: store.operations, logger: logger)
            .note([NewChange(done, of: file.map { [$0] } ?? [])], by: person)
    }

    private func layout(for person: Person?) -> Layout {
        Layout(formKey: person.map(visitor.formKey) ?? "", person: person)
    }

    // MARK: Words

    private func libraryPages(_ layout: Layout, _ store: LibraryStore) -> LibraryPages {
        LibraryPages(
            layout: layout, operations: store.operations, packs: packPages(layout, store),
            desk: desk, drop: configuration.console.drops.first,
            looks: LookPanel(
                layout: layout, store: store, canPreview: previews.areMade,
                configuration: { present }))
    }

    private func stickerPages(_ layout: Layout, _ store: LibraryStore) -> StickerPages {
        StickerPages(
            layout: layout, operations: store.operations, desk: desk, removed: removed)
    }

    private var removed: RemovedFiles {
        RemovedFiles(
            drops: configuration.console.drops, days: configuration.publish.trashDays)
    }

    private func packPages(_ layout: Layout, _ store: LibraryStore) -> PackPages {
        PackPages(
            layout: layout, records: store.packs, downloads: downloads)
    }

    private func number(_ text: String?) -> Int { text.flatMap { Int($0) } ?? 0 }

    private func actions(_ request: WebRequest, _ person: Person) throws -> WordsActions {
        let (store, layout) = (try store, layout(for: person))
        return WordsActions(
            desk: desk, outcomes: outcomes, store: store,
            stickers: stickerPages(layout, store),
            library: libraryPages(layout, store), logger: logger,
            history: LibraryHistory(operations: store.operations, logger: logger),
            bytesMax: configuration.limits.sourceBytesMax, person: person,
            client: request.client)
    }

    private func answer(_ reply: WordsActions.Reply) -> Answer {
        switch reply {
        case .seeOther(let address): Answer(303, [("Location", address)], .none)
        case .again(let html): page(html, status: 409)
        case .shown(let html): page(html)
        }
    }

    // MARK: Pictures

    /// Whether the body of a request is a picture, which is not kept in memory.
    static func isPicture(_ request: WebRequest) -> Bool {
        request.method == "POST" && request.path == "drop"
    }

    /// Answers, or lets a picture arrive first. May block.
    func reply(to request: WebRequest) -> HTTPService.Reply {
        guard Self.isPicture(request) else { return .answer(answer(request)) }
        do {
            try visitor.checkHost(request)
            try visitor.checkSite(request)
            try visitor.checkSender(request)
            guard let person = try visitor.person(of: request) else {
                throw WebError(
                    status: 401, message: "the token is asked for again",
                    remedy: "load the page again")
            }
            try visitor.checkKey(request.header("x-key"), of: person)
            try checkStore()
            let store = try store
            try person.need(rights.toDrop(request.query))
            let picture = try DroppedPicture(
                request.query, into: configuration, store.operations, store.catalog,
                editor: present.hasReviews && person.may(.library) ? person : nil)
            let address = request.query["category"].map { "/library/\($0.inAddress)" } ?? "/library"
            return .receive(take: picture.take) { [logger, outcomes] error in
                do {
                    if let error { throw error }
                    let outcome = try picture.put()
                    LibraryHistory(operations: store.operations, logger: logger)
                        .note([picture.change(outcome)].compactMap(\.self), by: person)
                    logger.notice(
                        "a picture was dropped",
                        metadata: person.metadata([
                            "file": "\(FileName.escaped(picture.shown))",
                            "state": "\(outcome.state.rawValue)", "client": "\(request.client)",
                        ]))
                    let did = outcome.back.map { back in
                        outcomes.keep(
                            "\(picture.shown) took the place of the earlier picture",
                            undoing: [.move(back: back)], on: address, by: person)
                    }
                    return outcome.answer(did: did)
                } catch {
                    picture.discard()
                    return Self.refused(error, request, logger)
                }
            }
        } catch {
            return .answer(Self.refused(error, request, logger))
        }
    }

    private static func refused(
        _ error: any Error, _ request: WebRequest, _ logger: Logger
    ) -> Answer {
        if let error = error as? WebError { return error.answer(to: request) }
        logger.error("a picture was not kept", metadata: ["detail": "\(error)"])
        return WebError(
            status: 503, message: "it cannot be kept now", remedy: "try again in a minute"
        ).answer(to: request)
    }

    // MARK: The token

    private func entrance(_ request: WebRequest) -> Answer {
        // The entrance leads on to a page, never to an action.
        page(
            layout(for: nil).entrance(to: request.method == "POST" ? "/" : request.target),
            status: 401)
    }

    private func enter(_ request: WebRequest, _ form: [String: String]) throws -> Answer {
        // Pages of other websites must not guess tokens in the visitor's name.
        try visitor.checkSender(request)
        let target = Self.ownTarget(form["to"])
        guard let cookie = visitor.entrance(form["token"] ?? "") else {
            if guesses.add(request.caller) {
                logger.warning("a wrong token", metadata: ["client": "\(request.client)"])
            }
            let place =
                configuration.console.people.isEmpty
                ? "It is in the file that console.tokenFile names."
                : "Ask an operator for a token of your own."
            let wrong = "That is not the token. \(place)"
            return page(layout(for: nil).entrance(to: target, wrong: wrong), status: 401)
        }
        return Answer(303, [("Location", target), ("Set-Cookie", cookie)], .none)
    }

    /// A page of this server; the first one if `target` leads elsewhere.
    private static func ownTarget(_ target: String?) -> String {
        // Browsers treat a backslash as a slash, and two of them as the start of a server name.
        guard let target, target.hasPrefix("/"), !target.hasPrefix("//"), target != "/enter",
            !target.hasPrefix("/do/"),
            target.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return "/" }
        return target
    }

    /// The page of the changed item, never one elsewhere.
    private func back(_ form: [String: String]) throws -> String {
        if let job = form["job"].flatMap({ Int64($0) }) {
            return try store.operations.job(JobID(rawValue: job)) == nil ? "/?" : "/jobs/\(job)?"
        }
        if form["jobs"] != nil, let category = form["category"] {
            return "/library/\(category.inAddress)?"
        }
        if form["reason"] != nil { return "/jobs?state=attention&" }
        guard let sticker = form["sticker"] else { return "/?" }
        if form["from"] == "trash" { return "/trash?" }
        return try store.operations.story(of: sticker) == nil
            ? "/?" : "/stickers/\(sticker.inAddress)?"
    }

    // MARK: Answers

    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
        "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    private func page(_ html: HTML, status: Int = 200) -> Answer {
        Answer(
            status,
            [
                ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
                ("Content-Security-Policy", Self.policy), ("Referrer-Policy", "same-origin"),
            ], .bytes(ByteBuffer(string: html.text)))
    }

    private func failure(_ error: WebError, _ request: WebRequest) -> Answer {
        let person = try? visitor.person(of: request)
        if error.status == 403, person?.name != nil {
            logger.notice(
                "a request was refused",
                metadata: person?.metadata([
                    "detail": "\(error.message)", "path": "\(FileName.escaped(request.path ?? ""))",
                    "client": "\(request.client)",
                ]))
        }
        var layout = layout(for: person)
        // A page about a failed action must not reload itself.
        if request.method != "POST", person != nil {
            // A page about a temporary error reloads itself.
            layout.state = error.status >= 500 ? "" : (try? state) ?? ""
        }
        let html = layout.page(
            Self.title(of: error),
            """
            <section class="notice bad"><p><strong>\(error.message)</strong></p>\
            <p>Remedy: \(error.remedy)</p></section>\(back(from: request))
            """)
        var answer = page(html, status: error.status)
        answer.headers += error.headers
        return answer
    }

    private static func title(of error: WebError) -> String {
        switch error.status {
        case 403: "Not allowed"
        case 404: "Not found"
        default: "Error \(error.status)"
        }
    }

    /// The page that sent a form, which loading this one again would send once more.
    private func back(from request: WebRequest) -> HTML {
        guard request.method == "POST", let path = request.path else { return "" }
        let isPage = path.hasPrefix("library") || path.hasPrefix("stickers/")
        let parts = isPage ? path.split(separator: "/").map { String($0).inAddress } : []
        let address = "/" + parts.joined(separator: "/")
        return "<p><a class=\"action\" href=\"\(address)\">Load the page again</a></p>"
    }

    private func asset(_ name: String) -> Answer? {
        if name == "emoji.json" {
            return Answer(
                200,
                [("Content-Type", Answer.jsonType), ("Cache-Control", "private, max-age=86400")],
                .bytes(ByteBuffer(bytes: EmojiNames.json)))
        }
        guard let type = Self.assets[name] else { return nil }
        return Answer(
            200, [("Content-Type", type), ("Cache-Control", "no-cache")],
            .bytes(ByteBuffer(bytes: PageFile.bytes(name))))
    }

    /// The media types of the files that pages consist of.
    private static let assets = [
        "library.js": "text/javascript; charset=utf-8",
        "console.css": "text/css; charset=utf-8", "console.js": "text/javascript; charset=utf-8",
        "console.svg": "image/svg+xml", "look.css": "text/css; charset=utf-8",
    ]
}
