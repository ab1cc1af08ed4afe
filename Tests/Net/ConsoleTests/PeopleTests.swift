import Foundation
import Logging
import NIOCore
import StickerConfiguration
import StickerHTTP
import StickerSystem
import StickerTestSupport
import StickerValues
import Synchronization
import Testing

@testable import StickerConsole
@testable import StickerStore

/// Artists, editors and operators: who comes in, and what each may see and do.
struct PeopleTests {
    private static let count = 200
    private static let proxy = "192.0.2.1"

    private let folder: TemporaryFolder
    private let store: LibraryStore
    private let site: ConsoleSite
    private let visitor: Visitor
    private let settings: ConsoleConfiguration
    private let configuration: StickerConfiguration.Configuration

    init() throws { try self.init(categories: ["cats", "dogs"]) }

    private init(categories: [String]) throws {
        folder = try TemporaryFolder()
        for name in ["drop", "out", "state"] { try folder.makeFolder(name) }
        var configuration = StickerConfiguration.Configuration()
        configuration.drops = [DropFolder(path: folder.path("drop"))]
        (configuration.out, configuration.state) = (folder.path("out"), folder.path("state"))
        configuration.run = folder.path("run")
        var settings = ConsoleConfiguration()
        settings.drops = [folder.path("drop")]
        settings.userHeader = "Remote-User"
        settings.trustedProxies = [try #require(AddressRange(Self.proxy))]
        settings.userSecretSHA256 = ContentHash(of: Array("secret".utf8)).rawValue
        for category in categories {
            settings.people["artist of \(category)"] = Self.person(.artist, [category])
        }
        settings.people["ada"] = Self.person(.artist, ["cats"], token: "token of ada")
        settings.people["both"] = Self.person(.artist, ["cats", "dogs"])
        settings.people["eve"] = Self.person(.editor, [], token: "token of eve")
        settings.people["root"] = Self.person(.operate, [], token: "token of root")
        configuration.console = settings
        self.settings = settings
        visitor = Visitor(settings, token: nil, secret: "random")
        self.configuration = configuration
        store = try LibraryStore(
            path: folder.path("state/\(LibraryStore.fileName)"), policy: StorePolicy(configuration))
        site = Self.site(store, configuration, visitor)
        for (index, category) in categories.enumerated() { try publish(category, index) }
    }

    private static func site(
        _ store: LibraryStore, _ configuration: StickerConfiguration.Configuration,
        _ visitor: Visitor,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) -> ConsoleSite {
        ConsoleSite(
            ConsoleLibrary(at: "\(configuration.state)/\(LibraryStore.fileName)") { store },
            configuration, visitor: visitor, load: { configuration }, logger: logger)
    }

    private static func person(
        _ role: ConsolePerson.Role, _ categories: [String], token: String? = nil
    ) -> ConsolePerson {
        var person = ConsolePerson()
        person.role = role
        person.categories = Set(categories.map { CategoryID(rawValue: $0) })
        person.tokenSHA256 = token.map { ContentHash(of: Array($0.utf8)).rawValue }
        return person
    }

    /// A category with one sticker of the same name.
    private func publish(_ category: String, _ number: Int) throws {
        try folder.write(Art.dot, to: "drop/\(category)/\(category).png")
        _ = try store.queue.accept([
            Sighting(
                key: SourceKey(
                    drop: folder.path("drop"), directory: Array(category.utf8),
                    name: Array("\(category).png".utf8)),
                version: FileVersion(inode: UInt64(number + 1), size: 1, mtime: 1, ctime: 1),
                isRegularFile: true, origin: .closed)
        ])
        let job = try #require(try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
        let file = StickerFile(
            role: .sticker, format: .webp, size: .sticker, bytes: 5,
            sha256: ContentHash(of: Array(category.utf8)))
        let product = StickerProduct(
            recipe: "recipe", animated: false, encoding: Encoding(mode: .lossless), files: [file])
        let end = FinishedJob(
            job: job,
            outcome: .made(product, content: ContentHash(of: Array(category.utf8))),
            log: StepLog())
        _ = try store.queue.turn(finished: [end], claiming: .any(0))
    }

    /// A request through the proxy, in the name of a person.
    private func request(
        _ name: String, _ target: String, form: [String: String]? = nil,
        from client: String? = nil, secret: String = "secret"
    ) -> WebRequest {
        let key = settings.people[name].map { visitor.formKey(of: Person(name, $0)) } ?? ""
        return WebRequest(
            target, form: form.map { ["key": key].merging($0) { $1 } },
            fields: ["remote-user": name, "x-key": key, "remote-user-secret": secret],
            from: client ?? Self.proxy,
            proxies: settings.trustedProxies)
    }

    private func ask(_ name: String, _ target: String, form: [String: String]? = nil) -> Shown {
        Shown(site.answer(request(name, target, form: form)))
    }

    // MARK: Looks

    @Test func lookIsTriedAndSavedByThoseWhoseCategoryItIs() throws {
        let form = ["part": "look", "was-look": "", "outlinePixels": "8"]

        let own = ask("ada", "/library/cats", form: form)

        #expect(own.status == 303)
        let written = try String(
            contentsOfFile: folder.path("drop/cats/category.json"), encoding: .utf8)
        #expect(written.contains(#""look": {"outline": {"pixels": 8}}"#))
        #expect(ask("ada", "/library/dogs", form: form).status == 403)
        #expect(ask("ada", "/library/dogs/look/dogs?outlinePixels=8").status == 403)
        // A picture of another category does not go by the name of one's own.
        #expect(ask("ada", "/library/cats/look/dogs?outlinePixels=8").status == 404)
        #expect(ask("eve", "/library/dogs/look/dogs?outlinePixels=99").status == 400)
    }

    // MARK: Coming in

    @Test func proxyThatIsTrustedTellsWhoSomebodyIs() {
        #expect(ask("ada", "/library").status == 200)
        #expect(ask("ada", "/library").text.contains("<span class=\"who\">ada</span>"))
        let unknown = ask("mallory", "/library")
        #expect(unknown.status == 403 && unknown.text.contains("nobody whom this console knows"))
        // Anybody can write a header.
        for client in ["127.0.0.1", "192.0.2.2"] {
            let own = Shown(site.answer(request("root", "/library", from: client)))
            #expect(own.status == 401)
            let form = request("root", "/do/pause", form: [:], from: client)
            #expect(Shown(site.answer(form)).status == 401)
        }
        for secret in ["", "Secret"] {
            let forged = request("root", "/library", secret: secret)
            #expect(Shown(site.answer(forged)).status == 401)
        }
        #expect(ask("", "/library").status == 401)
    }

    @Test func tokenOpensForItsPersonAlone() throws {
        func enter(_ token: String) -> Shown {
            site.shown("/enter", form: ["token": token, "to": "/library"])
        }
        #expect(site.shown("/library").status == 401)
        #expect(enter("token of nobody").status == 401)
        for (name, token) in [("ada", "token of ada"), ("root", "token of root")] {
            let cookie = try #require(enter(token).headers["Set-Cookie"]?.prefix { $0 != ";" })
            let page = site.shown("/library", fields: ["cookie": String(cookie)])
            #expect(page.status == 200 && page.text.contains("class=\"who\">\(name)</span>"))
            #expect(page.text.contains(">Plan</a>") == (name == "root"))
        }
        let ada = try #require(enter("token of ada").headers["Set-Cookie"]?.prefix { $0 != ";" })
        let pass = ada.split(separator: ".")[1]
        let forged = "stickerd_console=72-6f-6f-74.\(pass)"
        #expect(site.shown("/library", fields: ["cookie": forged]).status == 401)
    }

    /// The key in one person's pages presses no button in the name of another.
    @Test func formOfSomebodyElseIsRefused() throws {
        let ada = visitor.formKey(of: Person("ada", try #require(settings.people["ada"])))

        let answer = ask("root", "/do/pause", form: ["key": ada])

        #expect(answer.status == 403)
        #expect(ask("root", "/do/pause", form: [:]).status == 303)
    }

    // MARK: Rights

    /// One request to each route about a category and its sticker, and who may send it.
    private func requests(
        about category: String, job: Int64
    ) -> [(target: String, form: [String: String]?, right: Person.Right?)] {
        let id = CategoryID(rawValue: category)
        let own = Person.Right.category(id)
        return ConsoleRoute.allCases.flatMap {
            route -> [(String, [String: String]?, Person.Right?)] in
            switch route {
            case .overview: [("/", nil, .library)]
            case .jobs: [("/jobs", nil, .library), ("/jobs?category=\(category)", nil, .library)]
            case .log: [("/log", nil, .library)]
            case .job: [("/jobs/\(job)", nil, own)]
            case .source: [("/source/\(job)", nil, own)]
            case .review: [("/review/\(job)", nil, own)]
            case .library:
                [
                    ("/library", nil, nil),
                    (
                        "/library",
                        ["part": "publisher", "publisher": "Mallory", "categories": category],
                        .library
                    ),
                ]
            case .category:
                [
                    ("/library/\(category)", nil, own),
                    ("/library/\(category)?edit=1", nil, own),
                    ("/library/\(category)", ["part": "category", "title": "Mine"], own),
                    (
                        "/library/\(category)",
                        ["part": "many", "stickers": category, "licence": "Mine"], own
                    ),
                    // Stickers of another category than the address says.
                    (
                        "/library/cats",
                        ["part": "many", "stickers": category, "licence": "Mine"], own
                    ),
                    ("/library/\(category)", ["part": "order"], own),
                    (
                        "/library/\(category)",
                        ["part": "look", "was-look": "", "trim": "yes"], own
                    ),
                ]
            case .look:
                [("/library/\(category)/look/\(category)?outlinePixels=8", nil, own)]
            case .packs: [("/library/\(category)/packs/whatsapp", nil, own)]
            case .pack: [("/packs/whatsapp/\(category)/\(category).wastickers", nil, own)]
            case .sticker:
                [
                    ("/stickers/\(category)", nil, own),
                    ("/stickers/\(category)", ["title": "Mine", "was-title": ""], own),
                    (
                        "/stickers/\(category)",
                        [
                            "part": "file", "was": "\(category)/\(category).png",
                            "name": "mine.png", "category": category,
                        ], own
                    ),
                    (
                        "/stickers/\(category)",
                        ["part": "removal", "was": "\(category)/\(category).png"], .operation
                    ),
                    (
                        "/stickers/\(category)",
                        ["part": "cover", "was": "\(category)/\(category).png"], own
                    ),
                ]
            case .trash: [("/trash", nil, .operation), ("/trash", ["file": "x"], .operation)]
            case .plan: [("/plan", nil, .operation)]
            case .action:
                Verb.allCases.flatMap { verb -> [(String, [String: String]?, Person.Right?)] in
                    switch verb {
                    case .retry, .dismiss, .bump:
                        [
                            ("/do/\(verb)", ["job": "\(job)"], own),
                            ("/do/\(verb)", ["reason": "corrupt", "count": "0"], .library),
                            (
                                "/do/\(verb)",
                                ["job": "\(job)", "reason": "corrupt", "count": "0"], .library
                            ),
                        ]
                    case .redo:
                        [
                            ("/do/redo", ["sticker": category], own),
                            ("/do/redo", ["sticker": "\(category)/\(category).png"], .library),
                        ]
                    case .publish:
                        [
                            ("/do/publish", ["job": "\(job)"], .library),
                            (
                                "/do/publish",
                                ["reason": "needs-review", "category": category, "count": "0"],
                                .library
                            ),
                        ]
                    case .pause, .resume: [("/do/\(verb)", ["category": category], .operation)]
                    case .confirm: [("/do/confirm", ["hold": "x"], .operation)]
                    case .restore: [("/do/restore", ["sticker": category], .operation)]
                    }
                }
            // Everybody who came in has these; a change is undone by who made it, a file is known by its hash.
            case .parts, .state, .published, .asset, .enter, .undo: []
            // Tested apart, as a picture is received.
            case .drop: []
            }
        }.map { (target: $0.0, form: $0.1, right: $0.2) }
    }

    private func job(of category: String) throws -> Int64 {
        var filter = JobFilter()
        filter.category = CategoryID(rawValue: category)
        return try #require(try store.operations.jobs(filter).first).id.rawValue
    }

    private func files() throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        let root = folder.path("drop")
        for case let path as String in FileManager.default.enumerator(atPath: root) ?? .init() {
            found[path] = (try? Data(contentsOf: URL(filePath: "\(root)/\(path)"))).map(Array.init)
        }
        return found
    }

    @Test(arguments: ["ada", "eve", "root"])
    func everyRouteAsksForItsRight(name: String) throws {
        let person = Person(name, try #require(settings.people[name]))
        for category in ["cats", "dogs"] {
            for request in requests(about: category, job: try job(of: category)) {
                let answer = ask(name, request.target, form: request.form)
                let isRefused = answer.status == 403
                let isSentOn = request.target == "/" && answer.headers["Location"] == "/library"

                #expect(
                    (isRefused || isSentOn) == !(request.right.map(person.may) ?? true),
                    "\(name) \(request.target) \(request.form ?? [:]): \(answer.status)")
            }
        }
    }

    @Test func twoHundredArtistsChangeAndSeeNothingOfOneAnother() throws {
        let names = (0..<Self.count).map { "c\($0)" }
        let library = try PeopleTests(categories: names)
        let files = try library.files()
        let version = try library.store.dataVersion()
        let jobs = try names.map { try library.job(of: $0) }

        for (index, name) in names.enumerated() {
            let other = (index + 1) % names.count
            let artist = "artist of \(name)"
            let list = library.ask(artist, "/library").text
            #expect(
                list.contains("/library/\(name)\"") && !list.contains("/library/\(names[other])\""))
            #expect(library.ask(artist, "/library/\(name)").status == 200)
            for request in library.requests(about: names[other], job: jobs[other])
            where request.right != nil {
                let answer = library.ask(artist, request.target, form: request.form)
                #expect(
                    answer.status == 403 || request.target == "/", "\(artist) \(request.target)")
                var head = library.request(artist, request.target)
                head.method = "HEAD"
                let isPage = request.form == nil && request.target != "/"
                #expect(!isPage || library.site.answer(head).status == 403)
                #expect(!answer.text.contains("\(names[other]).png"))
            }
            for target in ["category=\(names[other])", "folder=\(names[other])", "folder=mine"] {
                let request = library.request(
                    artist, "/drop?\(target)&name=mine.png", form: [:])
                guard case .answer(let answer) = library.site.reply(to: request) else {
                    Issue.record("\(artist) may drop into \(target)")
                    continue
                }
                #expect(answer.status == 403)
            }
        }

        #expect(try library.files() == files)
        #expect(try library.store.dataVersion() == version)
        let shown = try library.store.operations.order(of: CategoryID(rawValue: "c0"))
        #expect(shown.map(\.path) == ["c0.png"])
    }

    @Test func artistDoesNotMoveAFileIntoACategoryOfOthers() throws {
        let form = [
            "part": "file", "was": "cats/cats.png", "name": "cats.png", "category": "dogs",
        ]

        #expect(ask("ada", "/stickers/cats", form: form).status == 403)
        #expect(try files()["cats/cats.png"] == Art.dot)
        #expect(ask("eve", "/stickers/cats", form: form).status == 303)
        #expect(try files()["dogs/cats.png"] == Art.dot)
    }

    @Test func changesBearTheNameOfWhoMadeThem() throws {
        let lines = Lines()
        let site = Self.site(
            store, configuration, visitor,
            logger: Logger(label: "test") { _ in Noting(lines: lines) })

        for (name, target, form) in [
            ("ada", "/stickers/cats", ["title": "Tom", "was-title": ""]),
            ("eve", "/do/redo", ["sticker": "dogs"]), ("root", "/do/pause", [:]),
        ] {
            let answer = site.answer(request(name, target, form: form))
            #expect(answer.status == 303)
            #expect(lines.all.withLock { $0.last }?.contains("by=\(name)") == true)
        }
    }

    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private struct Noting: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let fields = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
            let line = ([event.message.description] + fields).joined(separator: " ")
            lines.all.withLock { $0.append(line) }
        }
    }

    /// The token of the file stays that of an operator.
    @Test func holderOfTheFileIsAnOperatorBesideThem() throws {
        let visitor = Visitor(settings, token: "token of the file", secret: "random")

        let cookie = try #require(visitor.entrance("token of the file")?.prefix { $0 != ";" })
        let request = WebRequest("/plan", fields: ["cookie": String(cookie)])

        let person = try #require(try visitor.person(of: request))
        #expect(person.name == "operator" && person.may(.operation))
        #expect(try self.visitor.person(of: request) == nil)
    }

    /// A change is undone by who made it, and its outcome is told to nobody else.
    @Test func changesAreUndoneByWhoMadeThem() throws {
        let form = ["title": "Tom", "was-title": ""]
        let location = try #require(
            ask("eve", "/stickers/cats", form: form).headers["Location"])
        let number = try #require(location.split(separator: "=").last)

        #expect(ask("ada", location).text.contains("saved in") == false)
        #expect(ask("ada", "/undo/\(number)", form: [:]).status == 409)
        #expect(ask("root", "/undo/\(number)", form: [:]).status == 409)
        #expect(ask("eve", location).text.contains("saved in"))
        #expect(ask("eve", "/undo/\(number)", form: [:]).status == 303)
    }

    @Test func pagesOfferWhatAPersonMayDo() {
        let artist = ask("ada", "/library").text
        #expect(!artist.contains("New category") && !artist.contains(">Jobs</a>"))
        #expect(ask("eve", "/library").text.contains("New category"))
        for (name, isOffered) in [("ada", false), ("eve", false), ("root", true)] {
            #expect(ask(name, "/stickers/cats").text.contains("Remove…") == isOffered)
        }
        #expect(!ask("eve", "/").text.contains("/do/pause"))
        #expect(ask("root", "/").text.contains("/do/pause"))
        #expect(!ask("ada", "/stickers/cats").text.contains("value=\"dogs\""))
    }

    // MARK: Review

    /// A picture that waits for review.
    private func hold(_ path: String, _ number: UInt64) throws -> JobID {
        let parts = path.split(separator: "/").map { Array($0.utf8) }
        try folder.write(Art.dot, to: "drop/\(path)")
        _ = try store.queue.accept([
            Sighting(
                key: SourceKey(drop: folder.path("drop"), directory: parts[0], name: parts[1]),
                version: FileVersion(inode: number, size: 1, mtime: 1, ctime: 1),
                isRegularFile: true, origin: .closed)
        ])
        let job = try #require(try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
        try ReviewFolder(state: configuration.state).keep(Art.dot, of: job.id)
        let end = FinishedJob(
            job: job,
            outcome: .refused(
                Refusal(.needsReview, "it waits", remedy: "publish it"),
                content: ContentHash(of: Array(path.utf8))),
            log: StepLog())
        _ = try store.queue.turn(finished: [end], claiming: .any(0))
        return job.id
    }

    @Test func stickerInReviewIsShownToItsArtistAndToEditors() throws {
        let held = try hold("cats/new.png", 900)

        for name in ["ada", "eve", "root"] {
            #expect(ask(name, "/review/\(held)").status == 200)
            #expect(ask(name, "/library/cats").text.contains("Waits for review"))
            #expect(ask(name, "/jobs/\(held)").text.contains("/review/\(held)"))
        }
        #expect(ask("artist of dogs", "/review/\(held)").status == 403)
        #expect(ask("eve", "/review/\(held.rawValue + 1)").status == 404)
        #expect(ask("eve", "/jobs/\(held)").text.contains("/do/publish"))
        #expect(!ask("ada", "/jobs/\(held)").text.contains("/do/publish"))
        #expect(!ask("ada", "/library/cats").text.contains("/do/publish"))
    }

    @Test func editorsAlonePublish() throws {
        let held = try hold("cats/new.png", 900)
        let other = try hold("dogs/new.png", 901)
        let shown = ["jobs": "\(held)", "category": "cats"]

        for form in [["job": "\(held)"], shown, ["reason": "needs-review", "count": "2"]] {
            #expect(ask("ada", "/do/publish", form: form).status == 403)
        }
        // Others may have come since the page was shown.
        for form in [["reason": "needs-review", "count": "2"], ["jobs": ""]] {
            #expect(ask("eve", "/do/publish", form: form).status == 400)
        }
        #expect(try store.operations.jobsInReview() == [held, other])
        #expect(ask("eve", "/do/publish", form: shown).status == 303)
        #expect(try store.operations.jobsInReview() == [other])
        #expect(ask("eve", "/do/publish", form: ["job": "\(other)"]).status == 303)

        #expect(try store.operations.jobsInReview().isEmpty)
        let told = ask("ada", "/library/cats").text
        #expect(told.contains("published it after review") && told.contains("eve"))
    }

    @Test func jobsOfOthersAreNotDismissedByAList() throws {
        let (own, other) = (try hold("cats/new.png", 900), try hold("dogs/new.png", 901))

        for verb in ["dismiss", "retry", "bump"] {
            let form = ["jobs": "\(own),\(other)"]
            #expect(ask("ada", "/do/\(verb)", form: form).status == 403)
        }
        #expect(ask("ada", "/do/dismiss", form: ["jobs": "\(own)"]).status == 303)

        #expect(try store.operations.jobsInReview() == [other])
    }

    /// It would stay published there, and no editor has seen it.
    @Test func artistsMoveNothingIntoAReviewedCategory() throws {
        var reviewed = configuration
        var settings = StickerSettings()
        settings.review = true
        reviewed.categories["dogs"] = settings
        let site = Self.site(store, reviewed, visitor)
        let form = [
            "part": "file", "was": "cats/cats.png", "name": "cats.png", "category": "dogs",
        ]

        #expect(Shown(site.answer(request("both", "/stickers/cats", form: form))).status == 403)
        #expect(try files()["cats/cats.png"] != nil)
        #expect(Shown(site.answer(request("eve", "/stickers/cats", form: form))).status == 303)

        #expect(try files()["dogs/cats.png"] != nil)
    }

    @Test func stickerOfAnEarlierJobOfThatNumberIsNotShown() throws {
        let made = try job(of: "cats")
        try ReviewFolder(state: configuration.state).keep(Art.dot, of: JobID(rawValue: made))

        #expect(ask("eve", "/review/\(made)").status == 404)
    }

    @Test func changesAreShownWithNames() throws {
        let form = ["title": "Tom", "was-title": "", "part": "words"]
        #expect(ask("ada", "/stickers/cats", form: form).status == 303)

        let shown = ask("eve", "/stickers/cats").text

        #expect(shown.contains("<h2>Changes</h2>") && shown.contains("changed title"))
        #expect(shown.contains("<td>ada</td>") || shown.contains(">ada<"))
        #expect(!ask("artist of dogs", "/library/dogs").text.contains("changed title"))
    }
}
