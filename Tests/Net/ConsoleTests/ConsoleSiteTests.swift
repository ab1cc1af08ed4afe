import FoundationEssentials
import Logging
import NIOCore
import StickerConfiguration
import StickerHTTP
import StickerSystem
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerConsole
@testable import StickerStore

/// The pages and verbs of the console, and its visitors.
struct ConsoleSiteTests {
    private static let hostile = "<img src=x onerror=alert(1)> \"'&.psd"

    private let folder: TemporaryFolder
    private let store: LibraryStore
    private let configuration: StickerConfiguration.Configuration

    init() throws {
        folder = try TemporaryFolder()
        for name in ["drop", "out", "state", "run"] { try folder.makeFolder(name) }
        var configuration = StickerConfiguration.Configuration()
        configuration.drops = [DropFolder(path: folder.path("drop"))]
        (configuration.out, configuration.state) = (folder.path("out"), folder.path("state"))
        configuration.run = folder.path("run")
        self.configuration = configuration
        store = try LibraryStore(
            path: folder.path("state/\(LibraryStore.fileName)"), policy: StorePolicy(configuration))
        // One is refused at once, and one waits.
        for name in [Self.hostile, "tom.png"] {
            try folder.write(Array("nothing".utf8), to: "drop/cats/\(name)")
            _ = try store.queue.accept([
                Sighting(
                    key: SourceKey(
                        drop: folder.path("drop"), directory: Array("cats".utf8),
                        name: Array(name.utf8)),
                    version: FileVersion(inode: 1, size: 7, mtime: 1, ctime: 1),
                    isRegularFile: true, origin: .closed)
            ])
        }
    }

    private func site(
        token: String? = nil,
        loading load: (@Sendable () throws -> StickerConfiguration.Configuration)? = nil
    ) -> ConsoleSite {
        let visitor = Visitor(ConsoleConfiguration(), token: token, secret: "random")
        let path = folder.path("state/\(LibraryStore.fileName)")
        return ConsoleSite(
            ConsoleLibrary(at: path) { [store] in store }, configuration, visitor: visitor,
            load: load ?? { [configuration] in configuration },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func ask(
        _ target: String, form: [String: String]? = nil, fields: [String: String] = [:],
        of site: ConsoleSite? = nil
    ) -> Shown {
        (site ?? self.site()).shown(target, form: form, fields: fields)
    }

    private func request(
        _ target: String, form: [String: String]? = nil, fields: [String: String] = [:]
    ) -> WebRequest {
        WebRequest(target, form: form, fields: fields)
    }

    private var key: String {
        Visitor(ConsoleConfiguration(), token: nil, secret: "random").formKey(of: .anyone)
    }

    private var refused: JobRecord {
        get throws {
            var filter = JobFilter()
            filter.needingAttention = true
            return try #require(try store.operations.jobs(filter).first)
        }
    }

    // MARK: Pages

    @Test func pagesShowWhatNeedsAttentionAndNamesAreTexts() throws {
        let job = try refused
        for target in [
            "/", "/jobs", "/jobs?attention=1", "/jobs/\(job.id)", "/log", "/trash", "/plan",
            "/parts",
        ] {
            let page = ask(target)
            #expect(page.status == 200, "\(target)")
            #expect(!page.text.contains("<img src=x"), "\(target)")
            #expect(page.headers["Content-Security-Policy"]?.contains("script-src 'self'") == true)
        }
        #expect(ask("/").text.contains("1 file in a format that is not read"))
        #expect(
            ask("/jobs").text.contains("&lt;img src=x onerror=alert(1)&gt; &quot;&#39;&amp;.psd"))
        #expect(ask("/jobs/\(job.id)").text.contains("Remedy: save it as PNG"))
        #expect(ask("/jobs?file=%3Cscript%3E").text.contains("value=\"&lt;script&gt;\""))
    }

    /// It may start before the daemon has made the library.
    @Test func libraryIsShownOnceItIsThere() throws {
        let path = folder.path("state/\(LibraryStore.fileName)")
        try FileManager.default.moveItem(atPath: path, toPath: "\(path).later")
        let site = site()
        let before = ask("/", of: site)
        let asset = ask("/_console/console.css", of: site)
        try FileManager.default.moveItem(atPath: "\(path).later", toPath: path)

        #expect(before.status == 503 && before.text.contains("there is no library yet"))
        #expect(before.text.contains("data-state=\"\""))
        #expect(asset.status == 200)
        #expect(ask("/", of: site).status == 200)
    }

    /// Markup of the code is markup as one of two choices, too, and what is put into it is not.
    @Test(arguments: [(true, "<p>&lt;b&gt;</p>&lt;b&gt;"), (false, "")])
    func choiceOfMarkupIsMarkup(_ isLong: Bool, _ text: String) {
        let name = "<b>"
        let page: HTML = "\(isLong ? "<p>\(name)</p>" : "")\(isLong ? name : "")"

        #expect(page.text == text)
    }

    @Test func listsShowWhatIsAskedFor() throws {
        #expect(ask("/jobs?state=available").text.contains("tom.png"))
        #expect(!ask("/jobs?state=discarded").text.contains("tom.png"))
        for part in ["tom", "om.p", "TOM", "cats/tom.png", "tóm"] {
            #expect(ask("/jobs?file=\(part.inAddress)").text.contains("tom.png"), "\(part)")
        }
        for other in ["tim", "%", "_", "dogs/tom.png"] {
            #expect(
                !ask("/jobs?file=\(other.inAddress)").text.contains(">cats/tom.png<"), "\(other)")
        }
        #expect(!ask("/jobs?category=dogs").text.contains("tom.png"))
    }

    /// Addresses of earlier releases show the same.
    @Test(arguments: [
        ("waiting", true, false), ("attention", false, true), ("working", false, false),
        ("done", false, false), ("any", true, true), ("available", true, false),
        ("unmade", false, true),
        ("nonsense", true, true),
    ]) func tabShowsItsJobs(_ tab: String, _ showsWaiting: Bool, _ showsRefused: Bool) {
        let page = ask("/jobs?state=\(tab)").text

        #expect(page.contains(">cats/tom.png<") == showsWaiting)
        #expect(page.contains(".psd</td>") == showsRefused)
        #expect(page.contains(">Needs attention <span class=\"count\">1</span></a>"))
    }

    /// The filters offer what there is, and lead on with what was chosen.
    @Test func filtersOfferWhatThereIs() {
        let page = ask("/jobs?state=waiting&category=birds").text

        #expect(page.contains("<option>cats</option>"))
        #expect(page.contains("<option selected>birds</option>"))
        #expect(page.contains("<option>unsupported-format</option>"))
        #expect(page.contains("href=\"/jobs?state=done&amp;category=birds\""))
    }

    /// The longest wait for a writer is one line, and not hundreds.
    @Test func stepsThatRepeatAreFolded() throws {
        let job = try #require(try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
        var log = StepLog()
        for _ in 0..<3 { log.append(StepEntry("read", milliseconds: 1, "5 B")) }
        log.append(StepEntry("read", milliseconds: 1, "6 B"))
        let refusal = Refusal(.truncated, "it is cut off", remedy: "copy it again")
        let end = FinishedJob(job: job, outcome: .refused(refusal, content: nil), log: log)
        _ = try store.queue.turn(finished: [end], claiming: .any(0))
        let page = ask("/jobs/\(job.id)").text

        #expect(page.matches(of: />read<\/td>/).count == 2)
        #expect(page.contains(">5 B (3 times)</td>") && page.contains(">6 B</td>"))
    }

    /// A list shows the small still of what is published, which browsers keep, and otherwise the file.
    @Test func listsShowPictures() throws {
        let waiting = ask("/jobs?state=waiting").text
        let job = try #require(try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
        let files = [(StickerFile.Role.sticker, 512), (.thumbnail, 96), (.thumbnail, 144)].map {
            role, side in
            let digit = Character(String(side % 10))
            return StickerFile(
                role: role, format: .webp, size: PixelSize(width: side, height: side), bytes: 5,
                sha256: ContentHash(rawValue: String(repeating: digit, count: 64)))
        }
        for file in files { try folder.write(Array("webp".utf8), to: "out/\(file.path)") }
        let product = StickerProduct(
            recipe: RecipeID(rawValue: "r"), revision: 1, animated: false,
            encoding: Encoding(mode: .lossless, quality: nil), files: files)
        let content = ContentHash(rawValue: String(repeating: "a", count: 64))
        let end = FinishedJob(job: job, outcome: .made(product, content: content), log: StepLog())
        _ = try store.queue.turn(finished: [end], claiming: .any(0))
        let small = "/out/\(files[2].path)"

        #expect(waiting.contains("<img src=\"/source/\(job.id)\""))
        for target in ["/", "/jobs", "/log"] {
            let page = ask(target).text
            #expect(page.contains("<img src=\"\(small)\""), "\(target)")
            #expect(page.contains("<span class=\"small none\" aria-hidden=\"true\">PSD</span>"))
        }
        #expect(ask(small).headers["Cache-Control"]?.contains("immutable") == true)
        #expect(ask("/source/\(job.id)").headers["Cache-Control"] == "no-store")
        let sticker = ask("/stickers/\(try #require(job.sticker).rawValue)").text
        #expect(sticker.contains("download=\"tom-144.webp\""))
    }

    @Test(arguments: [
        "/nowhere", "/jobs/99", "/jobs/x", "/stickers/nobody", "/out/_/ab/../../state/x",
        "/out/_/ab/cd.webp", "/source/99", "/source/1", "/jobs/1/2",
    ]) func whatIsNotThereIsNotFound(_ target: String) {
        #expect(ask(target).status == 404, "\(target)")
    }

    @Test func logShowsWhatEndedLastAndWhatIsAskedFor() throws {
        #expect(ask("/log").text.contains("&amp;.psd") && !ask("/log").text.contains("tom.png"))
        #expect(
            ask("/log").text.contains("<td role=\"cell\" data-label=\"Job\" class=\"number\">"))
        #expect(ask("/log?attention=on&category=cats").text.contains("&amp;.psd"))
        #expect(ask("/log?category=dogs").text.contains("Nothing among the last 10,000 jobs."))
    }

    /// The second version of a file takes the place of the first.
    @Test func jobSaysWhichOneTookItsPlace() throws {
        let first = try #require(
            try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
        _ = try store.queue.accept([
            Sighting(
                key: SourceKey(
                    drop: folder.path("drop"), directory: Array("cats".utf8),
                    name: Array("tom.png".utf8)),
                version: FileVersion(inode: 2, size: 5, mtime: 2, ctime: 2),
                isRegularFile: true, origin: .closed)
        ])
        let newer = try #require(try store.operations.job(first.id)?.job.supersededBy)

        #expect(
            ask("/jobs/\(first.id)").text
                .contains("taken by <a href=\"/jobs/\(newer)\">job \(newer)</a>"))
        // The file is another one by now.
        #expect(ask("/jobs/\(newer)").text.contains("src=\"/source/\(newer)\""))
        for target in ["/jobs/\(first.id)", "/jobs?state=working"] {
            #expect(!ask(target).text.contains("/source/\(first.id)"), "\(target)")
        }
    }

    @Test func overviewTellsOfTheFileOfTheConfiguration() throws {
        let faulty = site(loading: {
            throw ConfigurationError(faults: [JSONFault(path: "workers", message: "is too many")])
        })

        #expect(ask("/", of: faulty).text.contains("workers: is too many"))
        #expect(ask("/plan", of: faulty).text.contains("workers: is too many"))
    }

    @Test func planTellsWhatAChangeTakes() throws {
        let job = try #require(try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
        let content = ContentHash(rawValue: String(repeating: "a", count: 64))
        let file = StickerFile(
            role: .sticker, format: .webp, size: PixelSize(width: 512, height: 512), bytes: 5,
            sha256: content)
        let product = StickerProduct(
            recipe: RecipeID(rawValue: "old"), revision: 1, animated: false,
            encoding: Encoding(mode: .lossless, quality: nil), files: [file])
        let end = FinishedJob(job: job, outcome: .made(product, content: content), log: StepLog())
        _ = try store.queue.turn(finished: [end], claiming: .any(0))

        let page = ask("/plan").text
        #expect(page.contains("<li>cats: 1 picture, 1 to encode"))
    }

    /// A file that would be refused again gets no button to retry, unless something can be granted.
    @Test func buttonsForAllAreOfferedWhereTheyHelp() throws {
        let page = ask("/").text

        #expect(page.contains(">Dismiss all…</summary>"))
        #expect(!page.contains("Retry all"))
    }

    /// It would be too much for the browser of whoever wants to dismiss it, too.
    @Test(arguments: [
        (Refusal.Reason.tooManyPixels, false), (.decoderCrashed, false), (.corrupt, true),
    ])
    func fileThatWasTooMuchIsNotShownInLists(
        _ reason: Refusal.Reason, _ isShown: Bool
    ) throws {
        let job = try #require(try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
        let refusal = Refusal(reason, "it is too much", remedy: "make it smaller")
        let end = FinishedJob(job: job, outcome: .refused(refusal, content: nil), log: StepLog())
        _ = try store.queue.turn(finished: [end], claiming: .any(0))

        for target in ["/", "/jobs", "/log"] {
            #expect(ask(target).text.contains("/source/\(job.id)") == isShown, "\(target)")
        }
    }

    /// The jobs of an idle library leave after some days, and its stickers stay.
    @Test func libraryWithoutJobsIsNotCalledEmpty() throws {
        let job = try #require(try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
        let file = StickerFile(
            role: .sticker, format: .webp, size: PixelSize(width: 512, height: 512), bytes: 5,
            sha256: ContentHash(rawValue: String(repeating: "b", count: 64)))
        let product = StickerProduct(
            recipe: RecipeID(rawValue: "r"), revision: 1, animated: false,
            encoding: Encoding(mode: .lossless, quality: nil), files: [file])
        let content = ContentHash(rawValue: String(repeating: "a", count: 64))
        let end = FinishedJob(job: job, outcome: .made(product, content: content), log: StepLog())
        _ = try store.queue.turn(finished: [end], claiming: .any(0))
        try store.operations.write { _ = try $0.run("DELETE FROM job") }
        let idle = ask("/").text
        try store.operations.write { _ = try $0.run("UPDATE tally SET jobs = 0") }

        #expect(!idle.contains("Nothing yet."))
        #expect(ask("/").text.contains("Nothing yet."))
    }

    @Test func filesAreShownAsPicturesAndAsNothingElse() throws {
        let jobs = try store.operations.jobs().filter { $0.file.hasSuffix("tom.png") }
        let target = "/source/\(try #require(jobs.first).id)"
        let picture = ask(target)

        #expect(picture.status == 200)
        // From the disk while it is sent, so that no reader keeps it in memory.
        guard case .file(let file, let range) = site().answer(request(target)).body else {
            Issue.record("no file")
            return
        }
        #expect(try file.descriptor.bytes(range.count, at: 0, path: "") == Array("nothing".utf8))
        #expect(picture.headers["Content-Type"] == "image/png")
        #expect(picture.headers["Content-Security-Policy"] == "default-src 'none'; sandbox")
    }

    // MARK: Buttons

    @Test func buttonsDoWhatStickerctlDoes() throws {
        let job = try refused
        let name = ["key": key, "job": "\(job.id)"]
        let site = site()

        let dismissed = ask(
            "/do/dismiss", form: name.merging(["note": "told Ada"]) { $1 }, of: site)
        #expect(dismissed.status == 303)
        let next = try #require(dismissed.headers["Location"])
        #expect(next == "/jobs/\(job.id)?did=1")
        #expect(ask(next, of: site).text.contains("1 file taken off the list"))
        #expect(try store.operations.job(job.id)?.job.reason == "dismissed")
        #expect(try store.operations.job(job.id)?.log.entries.last?.detail == "told Ada")

        #expect(ask("/do/pause", form: ["key": key], of: site).status == 303)
        #expect(
            try store.operations.pauses().all
                && ask("/", of: site).text.contains("Everything is paused."))
        #expect(ask("/do/resume", form: ["key": key], of: site).status == 303)
        #expect(try !store.operations.pauses().all)
        let one = ["key": key, "category": "cats"]
        #expect(ask("/do/pause", form: one, of: site).status == 303)
        #expect(
            try store.operations.pauses().categories == ["cats"].map(CategoryID.init(rawValue:)))
    }

    @Test func buttonWithoutAnythingToDoItToDoesNothing() throws {
        for verb in ["retry", "dismiss", "bump", "redo", "confirm", "restore"] {
            #expect(ask("/do/\(verb)", form: ["key": key]).status == 400, "\(verb)")
        }
        #expect(ask("/do/retry", form: ["key": key, "job": "x"]).status == 400)
        #expect(ask("/do/format", form: ["key": key]).status == 404)
        #expect(try refused.needsAttention)
    }

    @Test(arguments: [
        ("pause", ["category": "dogs"], "there is no category “dogs”"),
        ("redo", ["sticker": "nobody"], "there is no such sticker"),
        ("bump", ["job": "99"], "there is nothing to do any more"),
    ]) func buttonThatDidNothingSaysWhy(
        _ verb: String, _ form: [String: String], _ why: String
    ) throws {
        let site = site()
        let answer = ask("/do/\(verb)", form: form.merging(["key": key]) { $1 }, of: site)
        let said = ask(try #require(answer.headers["Location"]), of: site)

        #expect(answer.status == 303)
        #expect(said.status == 200 && said.text.contains("nothing was done: \(why)"))
    }

    /// It is not taken for one that was cancelled, and may be tried again.
    @Test func dismissedFileIsCalledThatAndMayBeRetried() throws {
        let job = try #require(try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
        let refusal = Refusal(.corrupt, "it is damaged", remedy: "copy it again")
        let end = FinishedJob(job: job, outcome: .refused(refusal, content: nil), log: StepLog())
        _ = try store.queue.turn(finished: [end], claiming: .any(0))
        let site = site()
        let form = ["key": key, "job": "\(job.id)", "force": "1"]
        #expect(ask("/do/dismiss", form: form, of: site).status == 303)

        let page = ask("/jobs/\(job.id)", of: site).text
        #expect(page.contains(">dismissed<") && page.contains(">Retry<"))
        #expect(!page.contains(">Dismiss<"))
        let retried = ask("/do/retry", form: form, of: site)
        let next = try #require(retried.headers["Location"])
        #expect(ask(next, of: site).text.contains("1 file queued again"))
    }

    /// Something else was refused since the page was shown.
    @Test func buttonForAllConcernsNoMoreThanThePageShowed() throws {
        var form = ["key": key, "reason": "unsupported-format", "count": "2"]
        #expect(ask("/do/dismiss", form: form).status == 400)
        form["count"] = nil
        #expect(ask("/do/dismiss", form: form).status == 400)
        #expect(try refused.needsAttention)

        form["count"] = "1"
        #expect(ask("/do/dismiss", form: form).status == 303)
        #expect(try store.operations.status().needAttention == 0)
    }

    @Test func databaseThatWasRemovedIsNotWrittenTo() throws {
        let site = site()
        #expect(ask("/", of: site).status == 200)
        try FileManager.default.removeItem(atPath: folder.path("state/\(LibraryStore.fileName)"))

        #expect(ask("/do/pause", form: ["key": key], of: site).status == 503)
        let page = ask("/", of: site)
        #expect(page.status == 503 && page.text.contains("was removed or replaced"))
    }

    /// Pages show themselves again when this differs; the database tells no process of its own changes.
    @Test func stateDiffersAfterAButton() throws {
        let site = site()
        let before = ask("/state", of: site).text
        #expect(ask("/state", of: site).text == before && !before.isEmpty)

        #expect(ask("/do/pause", form: ["key": key], of: site).status == 303)

        #expect(ask("/state", of: site).text != before)
    }

    /// A change while a page is on its way is noticed at its first check.
    @Test func pageCarriesTheStateThatItShows() throws {
        let site = site()
        func shown(_ target: String) -> String? {
            ask(target, of: site).text.firstMatch(of: /<main id="main" data-state="([^"]*)"/)
                .map { String($0.1) }
        }
        for target in ["/", "/jobs", "/log", "/trash", "/plan", "/jobs/99"] {
            #expect(shown(target) == ask("/state", of: site).text, "\(target)")
        }
        let before = shown("/log")
        #expect(ask("/do/pause", form: ["key": key], of: site).status == 303)
        #expect(shown("/log") != before)

        // A failed action of a button stays on the page.
        let failed = ask("/do/redo", form: ["key": key], of: site)
        #expect(failed.status == 400 && failed.text.contains("<main id=\"main\" data-now="))
    }

    @Test func nobodySaysWhatThePageSays() {
        #expect(!ask("/?did=Everything+is+lost").text.contains("lost"))
        #expect(!ask("/?did=7").text.contains("class=\"notice good\""))
    }

    // MARK: Strangers

    @Test func pageOfAStrangerPressesNoButton() throws {
        let job = "\(try refused.id)"
        #expect(ask("/do/dismiss", form: ["job": job]).status == 403)
        #expect(ask("/do/dismiss", form: ["job": job, "key": "x"]).status == 403)
        let crossed = ask(
            "/do/dismiss", form: ["job": job, "key": key], fields: ["sec-fetch-site": "cross-site"])
        #expect(crossed.status == 403)
        #expect(ask("/do/dismiss?job=\(job)&key=\(key)").status == 404)
        let background = ["sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"]
        #expect(ask("/source/1", fields: background).status == 403)
        let link = ["sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"]
        #expect(ask("/", fields: link).status == 200)
        #expect(try refused.needsAttention)
    }

    /// The name of another site may lead to this address.
    @Test func otherNamesAreNotAnswered() {
        for host in [
            "evil.example:8513", "evil.example", "", "127.0.0.1:8513.evil.example",
            "localhost.evil.example",
        ] {
            #expect(ask("/", fields: ["host": host]).status == 421, "\(host)")
        }
        #expect(ask("/", fields: ["host": "localhost:8513"]).status == 200)
        #expect(ask("/", fields: ["host": "[::1]:8513"]).status == 200)
        // Through a tunnel that begins at another port.
        #expect(ask("/", fields: ["host": "localhost:9000"]).status == 200)
    }

    /// A server on this machine that asks for others lets in whom it likes; a token decides then.
    @Test func serverBeforeThisOneNeedsAToken() {
        for field in ["x-forwarded-for", "forwarded", "via"] {
            #expect(ask("/", fields: [field: "192.0.2.1"]).status == 403, "\(field)")
        }
        let site = site(token: "0123456789abcdef")
        #expect(ask("/", fields: ["x-forwarded-for": "192.0.2.1"], of: site).status == 401)
    }

    @Test func tokenIsAskedForOnceAndNothingIsSeenWithoutIt() throws {
        let site = site(token: "0123456789abcdef")
        let job = try refused
        for target in ["/", "/jobs", "/jobs/\(job.id)", "/state", "/source/\(job.id)", "/plan"] {
            let page = ask(target, of: site)
            #expect(page.status == 401 && !page.text.contains("psd"), "\(target)")
        }
        #expect(ask("/do/dismiss", form: ["key": key, "job": "\(job.id)"], of: site).status == 401)
        #expect(ask("/enter", form: ["token": "wrong"], of: site).status == 401)
        let entrance = ask("/enter", form: ["token": "0123456789abcdef"], of: site)
        let cookie = try #require(entrance.headers["Set-Cookie"]).split(separator: ";")[0]
        #expect(entrance.status == 303 && !cookie.contains("0123456789abcdef"))
        #expect(ask("/", fields: ["cookie": "a=b; \(cookie)"], of: site).status == 200)
        #expect(ask("/", fields: ["cookie": "\(cookie)x"], of: site).status == 401)
    }

    @Test(arguments: [
        ("/jobs?reason=too-long&attention=1", "/jobs?reason=too-long&attention=1"), ("/", "/"),
        ("//evil.example/", "/"), ("/\\evil.example/", "/"), ("https://evil.example/", "/"),
        ("/a\r\nb: c", "/"), ("", "/"), ("/enter", "/"), ("/do/retry", "/"),
    ]) func tokenLeadsToThePageThatWasAskedFor(_ asked: String, _ target: String) {
        let form = ["token": "0123456789abcdef", "to": asked]
        let entrance = ask("/enter", form: form, of: site(token: "0123456789abcdef"))
        #expect(entrance.status == 303 && entrance.headers["Location"] == target)
    }

    @Test func pageOfTheTokenKnowsWhatWasAskedForAndSaysWhatWasWrong() {
        let site = site(token: "0123456789abcdef")
        let first = ask("/log?category=cats", of: site).text
        #expect(
            first.contains("name=\"to\" value=\"/log?category=cats\"")
                && !first.contains("not the token"))
        let second = ask("/enter", form: ["token": "x", "to": "/log?category=cats"], of: site).text
        #expect(
            second.contains("That is not the token.")
                && second.contains("value=\"/log?category=cats\""))
    }

    @Test func guessesOfOneAddressAreSlowedAndLockNobodyOut() {
        let site = site(token: "0123456789abcdef")
        let entrance = WebRequest("POST", "/enter", client: "127.0.0.1")
        #expect(site.delay(of: entrance) == .zero)
        // A busy machine gives time for further ones.
        for _ in 0..<10 * Guesses.allowed where site.delay(of: entrance) == .zero {
            #expect(ask("/enter", form: ["token": "wrong"], of: site).status == 401)
        }
        #expect(site.delay(of: entrance) == Guesses.delay)
        #expect(site.delay(of: WebRequest("GET", "/", client: "127.0.0.1")) == .zero)
        #expect(site.delay(of: WebRequest("POST", "/enter", client: "192.0.2.1")) == .zero)
        #expect(ask("/enter", form: ["token": "wrong"], of: site).status == 401)
        let strangers = ["sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"]
        let crossed = ask("/enter", form: ["token": "wrong"], fields: strangers, of: site)
        #expect(crossed.status == 403)
        #expect(ask("/enter", form: ["token": "0123456789abcdef"], of: site).status == 303)
    }

    @Test func addressForOthersNeedsAToken() throws {
        func console(_ json: String) throws -> ConsoleConfiguration {
            try StickerConfiguration.Configuration(json: Data(json.utf8)).console
        }
        let open = try console(#"{ "console": { "listen": "0.0.0.0:8513" } }"#)
        #expect(throws: ConfigurationError.self) { try open.checkedToken(credentials: nil) }
        #expect(try ConsoleConfiguration().checkedToken(credentials: nil) == nil)
        var short = open
        short.tokenFile = try folder.write(Array("short".utf8), to: "token")
        #expect(throws: ConfigurationError.self) { try short.checkedToken(credentials: nil) }
        try folder.write(Array("0123456789abcdef".utf8), to: "token")
        #expect(try short.checkedToken(credentials: nil) == "0123456789abcdef")
    }
}
