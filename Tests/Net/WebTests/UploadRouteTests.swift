import Foundation
import Logging
import NIOCore
import StickerConfiguration
import StickerHTTP
import StickerSystem
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerWeb

/// Stickers of users: their owners, accepted uploads, and reports. The daemon's part is done by hand.
final class UploadRouteTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]
    private static let tokens = ["ada": "token-of-ada", "bob": "token-of-bob"]

    private let shelf: Shelf
    private let folder: TemporaryFolder
    private var settings = PersonalConfiguration()

    init() throws {
        shelf = try Shelf()
        folder = try TemporaryFolder()
        for name in ["uploads", "private"] {
            try FileManager.default.createDirectory(
                atPath: folder.path(name), withIntermediateDirectories: true)
        }
        settings.drop = folder.path("uploads")
        settings.private = folder.path("private")
        settings.uploadBytesMax = 2048
        settings.stickersMax = 3
    }

    private func site(
        _ logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) throws -> Site {
        let daemon = DaemonFigures(path: folder.path("run-personal/metrics.prom"))
        let users = Self.tokens.map { (ContentHash(of: Array($0.value.utf8)), $0.key) }
        let uploads = try #require(
            UploadRoutes(
                settings, tokens: UploadTokens(Dictionary(uniqueKeysWithValues: users)),
                daemon: daemon,
                base: "https://example.org/", logger: logger))
        return Site(
            shelf.library, out: shelf.folder.path("out"),
            addresses: PublicAddresses(base: "https://example.org/"),
            gallery: .gallery(bases: []), compose: .compose(bases: []),
            upstreams: shelf.upstreams, access: WebAccess(keys: AccessKeys(["key"])),
            uploads: uploads,
            metrics: WebMetrics(run: folder.path("run"), uploadDaemon: daemon), logger: logger)
    }

    private func request(
        _ method: String, _ path: String, as user: String?, _ headers: [String: String] = [:]
    ) -> WebRequest {
        var headers = headers
        if let user { headers["authorization"] = "Bearer \(Self.tokens[user] ?? user)" }
        return WebRequest(method, path) { [headers] in headers[$0] }
    }

    private func ask(
        _ site: Site, _ path: String = "/api/personal", as user: String?, method: String = "GET"
    ) -> Reply {
        Reply(site.answer(request(method, path, as: user)))
    }

    /// As the HTTP server does it.
    private func upload(
        _ bytes: [UInt8], _ site: Site, as user: String?, _ headers: [String: String] = [:]
    ) -> Reply {
        switch begin(site, as: user, headers) {
        case .answer(let answer): return Reply(answer)
        case .receive(let take, let answer):
            do {
                for part in stride(from: 0, to: bytes.count, by: 7) {
                    try take(ByteBuffer(bytes: bytes[part..<min(part + 7, bytes.count)]))
                }
            } catch let error as WebError {
                return Reply(answer(error))
            } catch {
                Issue.record(error)
            }
            return Reply(answer(nil))
        }
    }

    private func begin(
        _ site: Site, as user: String?, _ headers: [String: String] = [:]
    ) -> HTTPService.Reply {
        site.reply(to: RoutedRequest(request("POST", "/api/personal", as: user, headers)))
    }

    private func files(of user: String) throws -> [String] {
        let path = folder.path("uploads/\(user)")
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// The daemon's work on an upload.
    private func finish(_ status: UploadStatus, _ file: String, of user: String) throws {
        let path = UploadStatus.path(of: "\(user)/\(file)", in: settings.private)
        try SystemCall.makeFolders(SystemCall.parentFolder(of: path), mode: 0o755)
        try AtomicFile.replace(path, with: [UInt8](try JSONEncoder().encode(status)))
    }

    private func makeSticker(_ file: String, of user: String, content: String) throws {
        let files = [
            (StickerFile.Role.sticker, ImageFormat.webp), (.companion, .png), (.thumbnail, .png),
        ].map { role, format in
            StickerFile(
                role: role, format: format, size: PixelSize(width: 512, height: 512), bytes: 5,
                sha256: ContentHash(of: Array("\(content) \(role)".utf8)))
        }
        for file in files {
            let path = "\(settings.private)/\(file.path)"
            try SystemCall.makeFolders(SystemCall.parentFolder(of: path), mode: 0o755)
            try Data("\(content) \(file.role)".utf8).write(to: URL(filePath: path))
        }
        let product = StickerProduct(
            recipe: RecipeID(rawValue: "r"), revision: 1, animated: false,
            encoding: Encoding(mode: .lossless, quality: nil), files: files)
        try finish(UploadStatus(ready: product), file, of: user)
    }

    private func first(_ site: Site, as user: String) throws -> [String: Any] {
        let list = ask(site, as: user).json["stickers"] as? [[String: Any]]
        return try #require(list?.first)
    }

    // MARK: The way of an upload

    @Test func uploadWaitsAndIsAStickerOfItsUser() throws {
        let site = try site()

        let answer = upload(Self.png, site, as: "ada")

        let id = try #require(answer.json["id"] as? String)
        #expect(answer.status == 202 && answer.json["state"] as? String == "waiting")
        #expect(try files(of: "ada") == ["\(id).png"])
        #expect(
            try Data(contentsOf: URL(filePath: folder.path("uploads/ada/\(id).png")))
                == Data(Self.png))
        #expect(try first(site, as: "ada")["state"] as? String == "waiting")

        try makeSticker("\(id).png", of: "ada", content: "cat")

        let entry = try first(site, as: "ada")
        #expect(entry["state"] as? String == "ready" && entry["width"] as? Int == 512)
        for key in ["url", "webp", "thumbnail"] {
            let address = try #require(entry[key] as? String)
            #expect(address.hasPrefix("https://example.org/api/personal/\(id)/"))
            let reply = ask(site, String(address.dropFirst(19)), as: "ada")
            #expect(reply.status == 200 && reply.headers["Cache-Control"] == "private, no-cache")
        }
        let list = ask(site, as: "ada").json
        #expect((list["category"] as? [String: String])?["title"] == "Custom")
        #expect(list["limit"] as? Int == 3)
    }

    @Test func editorsOfIMGLYSeeWhatTheirUserHasAdded() throws {
        settings.tintMode = .solid
        try shelf.publish(["cats": [Shelf.Art("wave")]])
        let site = try site()
        let ids = try (0..<2).map { _ in
            try #require(upload(Self.png, site, as: "ada").json["id"] as? String)
        }
        try makeSticker("\(ids[0]).png", of: "ada", content: "cat")
        func categories(as user: String?) throws -> [[String: Any]] {
            let json = ask(site, "/api/imgly?api_key=key", as: user).json
            let sticker = try #require(json["sticker"] as? [String: Any])
            #expect(sticker["personalStickers"] as? Bool == true)
            #expect(sticker["defaultPersonalStickerTintMode"] as? String == "solid")
            return try #require(sticker["categories"] as? [[String: Any]])
        }

        let theirs = try categories(as: "ada")

        #expect(
            theirs.map { $0["identifier"] as? String } == [
                "imgly_sticker_category_personal", "cats",
            ])
        let items = try #require(theirs[0]["items"] as? [[String: Any]])
        #expect(items.map { $0["identifier"] as? String } == [ids[0]])
        #expect(items[0]["tintMode"] as? String == "solid")
        let address = try #require(items[0]["stickerURI"] as? String)
        #expect(ask(site, String(address.dropFirst(19)), as: "ada").status == 200)
        for user in ["bob", nil] {
            #expect(try categories(as: user).map { $0["identifier"] as? String } == ["cats"])
        }
        #expect(ask(site, "/api/imgly?api_key=key", as: "nobody").status == 401)
        #expect(ask(site, "/api/imgly", as: "ada").status == 401)
    }

    @Test func refusalIsExplainedToItsUser() throws {
        let site = try site()
        let id = try #require(upload(Self.png, site, as: "ada").json["id"] as? String)

        try finish(
            UploadStatus(
                refused: Refusal(
                    .tooManyPixels, "the PNG has too many pixels", measured: "40000x1",
                    limit: "16384x16384 (limits.sidePixelsMax)",
                    remedy: "raise limits.sidePixelsMax in /etc/stickerd/config.json")),
            "\(id).png", of: "ada")

        let entry = try first(site, as: "ada")
        #expect(entry["state"] as? String == "refused")
        #expect(entry["reason"] as? String == "too-many-pixels")
        #expect(entry["error"] as? String == "the picture is too large")
        #expect(entry["measured"] as? String == "40000x1")
        #expect(entry["limit"] as? String == "16384x16384")
        #expect(
            entry["remedy"] as? String == "scale it down; a sticker has 512x512 pixels"
                && entry["url"] == nil)
    }

    @Test func formIsNoPicture() throws {
        let site = try site()
        let form = upload(
            Self.png, site, as: "ada", ["content-type": "multipart/form-data; boundary=x"])
        #expect(form.status == 415 && form.json["remedy"] as? String != nil)
        #expect((form.json["error"] as? String)?.contains("form") == true)
        #expect(try files(of: "ada").isEmpty)
    }

    /// So that operators find the request that a user names.
    @Test func everyRefusalIsInTheLog() throws {
        let book = LogBook()
        let site = try site(book.logger)
        #expect(upload(Self.png, site, as: "nobody").status == 401)
        #expect(upload(Array(repeating: 1, count: 4096), site, as: "ada").status == 413)
        for status in [401, 413] {
            let lines = book.text.split(separator: "\n").filter {
                $0.contains("answered") && $0.contains("\"status\": \(status)")
            }
            #expect(lines.count == 1, "\(book.text)")
        }
    }

    @Test func whatIsDeletedIsShownToNobody() throws {
        let site = try site()
        let id = try #require(upload(Self.png, site, as: "ada").json["id"] as? String)
        try makeSticker("\(id).png", of: "ada", content: "cat")

        let answer = ask(site, "/api/personal/\(id)", as: "ada", method: "DELETE")

        #expect(answer.status == 200 && answer.json["state"] as? String == "deleted")
        #expect(try files(of: "ada").isEmpty)
        #expect(ask(site, "/api/personal/\(id)/sticker.webp", as: "ada").status == 404)
        #expect(ask(site, "/api/personal/\(id)", as: "ada", method: "DELETE").status == 404)
        #expect((ask(site, as: "ada").json["stickers"] as? [Any])?.isEmpty == true)
    }

    // MARK: Whose they are

    /// Every route, with every method, for another user, a client without a token, and one with a key of the API.
    @Test func nobodyElseSeesAByte() throws {
        let site = try site()
        let id = try #require(upload(Self.png, site, as: "ada").json["id"] as? String)
        try makeSticker("\(id).png", of: "ada", content: "cat")
        var paths = ["/api/personal", "/api/personal/events", "/api/personal/\(id)"]
        paths += ["sticker.webp", "companion.png", "thumbnail.png", "../\(id)", "poster.png"]
            .map { "/api/personal/\(id)/\($0)" }
        paths += ["/api/personal/../ada/\(id)", "/api/personal/..%2Fada%2F\(id)/sticker.webp"]
        paths += ["/private/_uploads/ada/\(id).png.json", "/_uploads/ada/\(id).png.json"]
        for path in paths {
            for method in ["GET", "HEAD", "DELETE", "PUT", "PATCH"] {
                for user in ["bob", nil, "key", "token-of-ad", ""] {
                    let reply = ask(site, path, as: user, method: method)
                    let text = String(decoding: reply.bytes, as: UTF8.self)
                    #expect(!text.contains(id) && !text.contains("cat "), "\(method) \(path)")
                    #expect(reply.headers["ETag"] == nil, "\(method) \(path)")
                    if user != "bob" { #expect(reply.status >= 400, "\(method) \(path)") }
                }
            }
            let keyed = Reply(
                site.answer(WebRequest("GET", "\(path)?api_key=key&token=token-of-ada")))
            #expect(keyed.status >= 400, "\(path)")
        }
        #expect(ask(site, "/api/personal/\(id)/sticker.webp", as: "bob").status == 404)
        #expect(try files(of: "ada") == ["\(id).png"])
    }

    /// The same bytes of two users are one file, and each gets it under an address of their own alone.
    @Test func sharedFileIsServedToThoseWhoHaveIt() throws {
        let site = try site()
        let ids = try ["ada", "bob"].map { user in
            let id = try #require(upload(Self.png, site, as: user).json["id"] as? String)
            try makeSticker("\(id).png", of: user, content: "cat")
            return id
        }

        #expect(ask(site, "/api/personal/\(ids[0])/sticker.webp", as: "ada").status == 200)
        #expect(ask(site, "/api/personal/\(ids[1])/sticker.webp", as: "ada").status == 404)
        #expect(ask(site, "/api/personal/\(ids[0])", as: "ada", method: "DELETE").status == 200)
        #expect(ask(site, "/api/personal/\(ids[1])/sticker.webp", as: "bob").status == 200)
    }

    @Test func anyPageMayAskButNoneWithoutAToken() throws {
        let site = try site()
        let preflight = ask(site, as: nil, method: "OPTIONS")
        #expect(preflight.status == 204)
        #expect(preflight.headers["Access-Control-Allow-Methods"] == "GET, HEAD, POST")
        #expect(ask(site, as: nil).status == 401)
        #expect(ask(site, as: nil).headers["WWW-Authenticate"] == "Bearer")
    }

    @Test func withoutADropThereIsNothing() {
        for path in ["/api/personal", "/api/personal/events", "/api/personal/u0/sticker.webp"] {
            for method in ["GET", "POST", "DELETE"] {
                #expect(shelf.get(path, method: method).status == 404)
                // Before it is looked whom else to ask, and with what method.
                #expect(RoutedRequest(WebRequest(method, path)).route?.mayBlock == true)
            }
        }
    }

    // MARK: Limits

    @Test func whatIsNoPictureIsRefused() throws {
        let site = try site()
        #expect(upload(Array("%PDF-1.7 and more".utf8), site, as: "ada").status == 415)
        #expect(upload([], site, as: "ada").status == 400)
        #expect(upload(Self.png, site, as: nil).status == 401)
        // Nothing is left of them.
        #expect(try files(of: "ada").isEmpty)
    }

    @Test func largePictureIsRefusedWhileItArrives() throws {
        let site = try site()
        let large = Self.png + [UInt8](repeating: 0, count: 2048)

        let reply = upload(large, site, as: "ada")

        #expect(reply.status == 413 && reply.json["remedy"] as? String == "send at most 2,048 B")
        #expect(try files(of: "ada").isEmpty)
        guard case .answer(let answer) = begin(site, as: "ada", ["content-length": "2049"]) else {
            Issue.record("its body is received")
            return
        }
        #expect(answer.status == 413)
    }

    /// A server died while it received one.
    @Test func whatIsLeftOfAnUploadIsRemoved() throws {
        _ = try site()
        try FileManager.default.createDirectory(
            atPath: folder.path("uploads/ada"), withIntermediateDirectories: true)
        for (name, age) in [(".tmp-1-1", 7200.0), (".tmp-1-2", 0), ("u\(UInt64.max).png", 7200)] {
            let path = try folder.write(Self.png, to: "uploads/ada/\(name)")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: path)
        }

        let site = try site()

        #expect(try files(of: "ada") == [".tmp-1-2", "u\(UInt64.max).png"])
        // Names that no server gives are nobody's.
        #expect((ask(site, as: "ada").json["stickers"] as? [Any])?.isEmpty == true)
    }

    /// Those that are on their way count.
    @Test func userHasNoMoreThanTheLimit() throws {
        let site = try site()
        var pending = (0..<3).map { _ in begin(site, as: "ada") }
        #expect(upload(Self.png, site, as: "ada").status == 409)
        #expect(upload(Self.png, site, as: "bob").status == 202)
        pending = []
        #expect(pending.isEmpty)

        #expect(
            (0..<4).map { _ in upload(Self.png, site, as: "ada").status } == [202, 202, 202, 409])
        let id = try #require(try first(site, as: "ada")["id"] as? String)
        #expect(ask(site, "/api/personal/\(id)", as: "ada", method: "DELETE").status == 200)
        #expect(upload(Self.png, site, as: "ada").status == 202)
    }

    @Test func userBeginsNoMoreUploadsThanAreAllowed() throws {
        settings.uploadsPerMinute = 1
        let site = try site()
        let replies = (0..<3).map { _ in upload(Self.png, site, as: "ada") }
        #expect(replies.map(\.status) == [202, 202, 429])
        #expect(replies[2].headers["Retry-After"] == "60")
        #expect(upload(Self.png, site, as: "bob").status == 202)
    }

    @Test func changesAreTold() async throws {
        let site = try site()
        guard
            case .changes(let stream) = site.answer(
                request("GET", "/api/personal/events", as: "ada")
            ).body
        else {
            Issue.record("no events")
            return
        }
        var marks = stream.makeAsyncIterator()
        let before = await marks.next()
        let id = try #require(upload(Self.png, site, as: "ada").json["id"] as? String)
        let uploaded = await next(after: before, &marks)
        try makeSticker("\(id).png", of: "ada", content: "cat")
        let ready = await next(after: uploaded, &marks)
        #expect(Set([before, uploaded, ready]).count == 3)
    }

    /// A state is repeated every 10 s.
    private func next(
        after mark: String?, _ marks: inout AsyncStream<String>.Iterator
    ) async -> String? {
        while let next = await marks.next() {
            if next != mark { return next }
        }
        return nil
    }

    @Test func pagesOfAnAddressAreBoundedWhosoeverTheyAre() {
        let feeds = UploadFeeds { _ in "1" }
        func caller(_ address: String) -> Caller {
            WebRequest("GET", "/", client: address).caller
        }
        let (one, other) = (caller("192.0.2.1"), caller("192.0.2.2"))
        var pages = (0..<64).map { feeds.listen("user\($0 / 16)", at: one) }
        #expect(pages.allSatisfy { $0 != nil })
        #expect(feeds.listen("user4", at: one) == nil)
        #expect(feeds.listen("user3", at: other) == nil)
        #expect(feeds.listen("user4", at: other) != nil)
        // A page that is closed makes room, for its address and its user.
        pages.removeLast()
        #expect(feeds.listen("user3", at: one) != nil)
        #expect(pages.allSatisfy { $0 != nil })
    }

    /// Files of users are on a disk that may hang, which is not to hold up everybody.
    @Test func fileOfAUserIsReadApart() throws {
        let site = try site()
        let id = try #require(upload(Self.png, site, as: "ada").json["id"] as? String)
        try makeSticker("\(id).png", of: "ada", content: "cat")

        let answer = site.answer(request("GET", "/api/personal/\(id)/sticker.webp", as: "ada"))

        guard case .file(let file, _) = answer.body else {
            Issue.record("no file")
            return
        }
        #expect(file.isApart)
    }

    // MARK: The daemon

    @Test func operatorsAreToldThatUploadsWait() throws {
        let book = LogBook()
        let site = try site(book.logger)
        func warnings() -> Int { book.text.split(separator: "warning uploads wait").count - 1 }
        func asked() -> String {
            let request = WebRequest("GET", "/metrics", client: "127.0.0.1") { _ in nil }
            return String(decoding: Reply(site.answer(request)).bytes, as: UTF8.self)
        }

        for _ in 1...2 { #expect(upload(Self.png, site, as: "ada").status == 202) }
        #expect(warnings() == 1 && asked().contains("stickerd_web_uploads_daemon 0\n"))

        try FileManager.default.createDirectory(
            atPath: folder.path("run-personal"), withIntermediateDirectories: true)
        try Data("\n".utf8).write(to: URL(filePath: folder.path("run-personal/metrics.prom")))
        #expect(upload(Self.png, site, as: "ada").status == 202)
        #expect(warnings() == 1 && asked().contains("stickerd_web_uploads_daemon 1\n"))

        try FileManager.default.removeItem(atPath: folder.path("run-personal"))
        #expect(upload(Self.png, site, as: "bob").status == 202)
        #expect(warnings() == 2)
    }

    // MARK: Tokens

    @Test func fileOfTokensIsRead() throws {
        let hash = ContentHash(of: Array("one".utf8)).rawValue
        settings.tokensFile = try folder.write(
            Array("# users\nada \(hash) # her phone\n\n".utf8), to: "tokens")
        #expect(
            try settings.checkedTokens(credentials: nil) == [ContentHash(rawValue: hash): "ada"])
        for line in ["ada", "ada one", "Ada \(hash)", "_a \(hash)", "ada \(hash)\nbob \(hash)"] {
            _ = try folder.write(Array(line.utf8), to: "tokens")
            let error = #expect(throws: ConfigurationError.self, "\(line)") {
                try settings.checkedTokens(credentials: nil)
            }
            #expect(error?.faults.first?.description.contains("one") != true || line.count > 8)
        }
        _ = try folder.write(Array("Ada \(hash)\nada \(hash)\nbob one\n".utf8), to: "tokens")
        let all = #expect(throws: ConfigurationError.self) {
            try settings.checkedTokens(credentials: nil)
        }
        #expect(all?.faults.count == 2)

        settings.tokensFile = nil
        #expect(throws: ConfigurationError.self) { try settings.checkedTokens(credentials: nil) }
        settings.drop = nil
        #expect(try settings.checkedTokens(credentials: nil) == nil)
    }
}
