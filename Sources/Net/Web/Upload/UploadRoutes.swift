import Glibc
import Logging
import StickerConfiguration
import StickerHTTP
import StickerSystem
import StickerValues
import Synchronization

/// Stickers that users of an app make for themselves: users see, add and delete only their own.
final class UploadRoutes: Sendable {
    /// The most uploads at once: each holds a connection and a file.
    private static let uploadsAtOnceMax = 2000
    /// How often leftovers of crashed servers are removed.
    private static let sweepPause = Duration.seconds(3600)

    /// The title of a user's own stickers.
    static let title = "Custom"

    let settings: PersonalConfiguration
    private let drop: String
    private let tokens: UploadTokens
    private let daemon: DaemonFigures
    /// Whether the missing daemon was logged.
    private let isMissed = Mutex(false)
    /// The address of this server, with a slash at the end.
    private let base: String
    /// How often a user may upload, and send requests.
    private let uploadRate: RequestRate
    private let rate: RequestRate
    /// Uploads in progress, by user.
    private let arriving = Mutex<[String: Int]>([:])
    private let feeds: UploadFeeds
    private let sweptAt = Mutex<ContinuousClock.Instant?>(nil)
    private let logger: Logger

    /// - Parameters:
    ///   - settings: with absolute paths.
    ///   - tokens: the users' tokens.
    ///   - daemon: the metrics of the daemon for uploads.
    ///   - base: the address of this server, with a slash at the end.
    ///   - rate: requests a second and user; 0 for any number.
    ///   - logger: logs each upload and deletion.
    init?(
        _ settings: PersonalConfiguration, tokens: UploadTokens, daemon: DaemonFigures,
        base: String,
        rate: Int = 0, logger: Logger
    ) {
        guard let drop = settings.drop else { return nil }
        (self.settings, self.drop, self.tokens) = (settings, drop, tokens)
        self.daemon = daemon
        (self.base, self.logger) = (base, logger)
        uploadRate = RequestRate(perMinute: settings.uploadsPerMinute)
        self.rate = RequestRate(perSecond: rate)
        let published = settings.private
        feeds = UploadFeeds { user in
            UploadFolder(user: user, folder: "\(drop)/\(user)", published: published).mark
        }
        sweep()
    }

    private func sweep(now: ContinuousClock.Instant = .now) {
        let isDue = sweptAt.withLock { sweptAt in
            let isDue = sweptAt.map { $0 + Self.sweepPause <= now } ?? true
            if isDue { sweptAt = now }
            return isDue
        }
        if isDue { UploadFolder.sweep(drop) }
    }

    /// Answers a request with any method, except for uploads. May block.
    ///
    /// - Throws: `WebError`.
    func answer(_ asked: RoutedRequest) throws -> Answer {
        let request = asked.request
        let user = try tokens.user(request)
        try rate.count(user)
        let theirs = folder(of: user)
        do {
            switch (asked.route, request.method) {
            case (.uploads, "GET"), (.uploads, "HEAD"): return try list(theirs)
            case (.uploadEvents, "GET"), (.uploadEvents, "HEAD"):
                return try .events(feeds.listen(theirs.user, at: request.caller))
            case (.upload, "GET"), (.upload, "HEAD"):
                return entry(try one(asked.name, theirs))
            case (.upload, "DELETE"): return try delete(asked.name, theirs)
            case (.uploadFile, "GET"), (.uploadFile, "HEAD"):
                return try file(asked.values, theirs, request)
            default:
                throw WebError(
                    status: 405, message: "\(request.method.prefix(20)) is not answered here",
                    remedy: "see /api/openapi.json", headers: [("Allow", asked.methods)])
            }
        } catch let error as FileError {
            logger.error("uploads cannot be read", metadata: ["detail": "\(error)"])
            throw UploadReceiver.refusal(error)
        }
    }

    private func folder(of user: String) -> UploadFolder {
        UploadFolder(user: user, folder: "\(drop)/\(user)", published: settings.private)
    }

    // MARK: Uploading

    /// The receiver of an upload. May block.
    ///
    /// - Throws: `WebError` if the user may not upload now.
    func receiver(_ request: WebRequest) throws -> UploadReceiver {
        let user = try tokens.user(request)
        try rate.count(user)
        try uploadRate.count(user)
        sweep()
        let theirs = folder(of: user)
        if request.header("content-type")?.lowercased().hasPrefix("multipart/") == true {
            throw UploadReceiver.isForm
        }
        if let count = request.header("content-length").flatMap({ Int($0) }),
            count > settings.uploadBytesMax
        {
            throw UploadReceiver.tooMuch(settings.uploadBytesMax)
        }
        do {
            try reserve(theirs)
            return try UploadReceiver(
                user: user, folder: theirs.folder, bytesMax: settings.uploadBytesMax
            ) { [weak self] in self?.arriving.withLock { $0.leave(user) } }
        } catch let error as FileError {
            logger.error("an upload cannot be kept", metadata: ["detail": "\(error)"])
            throw UploadReceiver.refusal(error)
        }
    }

    /// Counts an upload in progress, so that several at once cannot exceed the user's limit.
    private func reserve(_ theirs: UploadFolder) throws {
        // Counted under the lock, so that an upload put in place meanwhile is counted at least once.
        let (isRoom, isQuiet) = try arriving.withLock { arriving -> (Bool, Bool) in
            let present = try theirs.names().count
            let isRoom = present + arriving[theirs.user, default: 0] < settings.stickersMax
            let isQuiet = arriving.values.reduce(0, +) < Self.uploadsAtOnceMax
            if isRoom, isQuiet { arriving[theirs.user, default: 0] += 1 }
            return (isRoom, isQuiet)
        }
        guard isQuiet else {
            throw WebError(
                status: 503, message: "too many pictures arrive at once",
                remedy: "try again in a minute", headers: [("Retry-After", "60")])
        }
        guard isRoom else {
            throw WebError(
                status: 409, message: "you have as many stickers as allowed",
                remedy: "delete one", details: [("limit", "\(settings.stickersMax)")])
        }
    }

    /// Puts an upload in place. May block.
    ///
    /// - Throws: `WebError` if that fails, or if the user may no longer upload.
    func put(_ receiver: UploadReceiver, _ request: WebRequest) throws -> Answer {
        _ = try tokens.user(request)
        let name = try receiver.put()
        let upload = UploadFolder.Upload(
            id: String(name.prefix { $0 != "." }), file: name, status: nil)
        logger.notice(
            "a picture was uploaded",
            metadata: ["user": "\(receiver.user)", "upload": "\(upload.id)"])
        lookForDaemon()
        return entry(upload, status: 202)
    }

    /// Logs once that uploads wait for a daemon that does not run.
    private func lookForDaemon() {
        let isMissing = !daemon.isWritten
        let isNew = isMissed.withLock { isMissed in
            defer { isMissed = isMissing }
            return isMissing && !isMissed
        }
        guard isNew else { return }
        logger.warning(
            "uploads wait",
            metadata: [
                "detail":
                    "no daemon on this machine makes stickers of them, or writes \(daemon.path)",
                "remedy": "unless one runs elsewhere, start stickerd-personal.service",
            ])
    }

    private func delete(_ id: String, _ theirs: UploadFolder) throws -> Answer {
        let upload = try one(id, theirs)
        let path = "\(theirs.folder)/\(upload.file)"
        guard unlink(path) == 0 || errno == ENOENT else {
            throw FileError(call: "unlink", path: path, errno: errno)
        }
        // A confirmed deletion must survive a power failure.
        try SystemCall.syncFolder(theirs.folder)
        logger.notice(
            "an upload was deleted", metadata: ["user": "\(theirs.user)", "upload": "\(id)"])
        return answer { json in
            json.text("id", id)
            json.text("state", "deleted")
        }
    }

    // MARK: Looking

    private func one(_ id: String, _ theirs: UploadFolder) throws -> UploadFolder.Upload {
        guard let upload = theirs.one(id) else {
            throw WebError(
                status: 404, message: "you have no such sticker",
                remedy: "your stickers are listed at /api/personal")
        }
        return upload
    }

    private func list(_ theirs: UploadFolder) throws -> Answer {
        let uploads = try theirs.names().map(theirs.upload)
        return answer { json in
            json.object("category") { json in
                json.text("id", "personal")
                json.text("title", Self.title)
            }
            json.objects("stickers", uploads) { write($0, into: &$1) }
            json.number("limit", settings.stickersMax)
        }
    }

    /// The user's stickers for the editors of IMG.LY; none without a token.
    ///
    /// - Throws: `WebError` if the token is unknown.
    func ready(for request: WebRequest) throws -> [IMGLYLibrary.Item] {
        let sent = (request.header("authorization") ?? "").lowercased()
        guard sent.hasPrefix("bearer ") else { return [] }
        let user = try tokens.user(request)
        try rate.count(user)
        let theirs = folder(of: user)
        do {
            let ready = try theirs.names().map(theirs.upload).filter { $0.shown != nil }
            return ready.enumerated().compactMap { item($1, number: $0 + 1) }
        } catch {
            logger.error("uploads cannot be read", metadata: ["detail": "\(error)"])
            throw UploadReceiver.refusal(error)
        }
    }

    private func item(_ upload: UploadFolder.Upload, number: Int) -> IMGLYLibrary.Item? {
        guard let (shown, thumbnail) = upload.shown, shown.format != .webp else { return nil }
        return IMGLYLibrary.Item(
            identifier: upload.id, name: "\(Self.title) \(number)",
            stickerURI: address(shown, of: upload),
            thumbnailURI: address(thumbnail ?? shown, of: upload), tintMode: settings.tintMode,
            moves: upload.status?.animated == true)
    }

    private func address(_ file: UploadStatus.File, of upload: UploadFolder.Upload) -> String {
        "\(base)api/personal/\(upload.id)/\(file.name)"
    }

    private func entry(_ upload: UploadFolder.Upload, status: Int = 200) -> Answer {
        answer(status) { write(upload, into: &$0) }
    }

    private func write(_ upload: UploadFolder.Upload, into json: inout JSONWriter) {
        json.text("id", upload.id)
        json.text("state", upload.status?.state.rawValue ?? "waiting")
        guard let status = upload.status else { return }
        if status.state == .refused, status.refusal == nil {
            json.text("error", "it was refused; the reason is no longer known")
            json.text("remedy", "delete it, and upload it again")
        }
        if let refusal = status.refusal {
            json.text("error", refusal.detail)
            json.text("reason", refusal.reason.rawValue)
            if let measured = refusal.measured { json.text("measured", measured) }
            if let limit = refusal.limit { json.text("limit", limit) }
            json.text("remedy", refusal.remedy)
        }
        guard let sticker = status.files.first, let (shown, thumbnail) = upload.shown else {
            return
        }
        json.flag("animated", status.animated)
        // Editors cannot tint moving stickers.
        json.text("tintMode", status.animated ? "none" : settings.tintMode.rawValue)
        json.number("width", sticker.size.width)
        json.number("height", sticker.size.height)
        json.text("url", address(shown, of: upload))
        json.text("webp", address(sticker, of: upload))
        json.text("thumbnail", address(thumbnail ?? shown, of: upload))
    }

    private func file(
        _ names: [String], _ theirs: UploadFolder, _ request: WebRequest
    ) throws -> Answer {
        let files = try one(names[0], theirs).status?.files
        guard let file = files?.first(where: { $0.name == names[1] }) else {
            throw WebError.notFound
        }
        // Caches must revalidate it, as another user may share them.
        let tag = "\"\(file.sha256.rawValue.prefix(32))\""
        let headers = [
            (name: "Content-Type", value: "image/\(file.format.rawValue)"), ("ETag", tag),
            ("Cache-Control", "private, no-cache"),
            ("Content-Security-Policy", "default-src 'none'; sandbox"),
        ]
        if request.knows(tag) { return Answer(304, headers, .none) }
        let open = try OpenFile(file.path, below: settings.private, isApart: true)
        let count = Int(try FileStatus(open.descriptor, path: open.path).size)
        return Answer(200, headers, .file(open, 0..<count))
    }

    // MARK: Answers

    private func answer(
        _ status: Int = 200, _ write: (inout JSONWriter) -> Void
    ) -> Answer {
        var answer = Answer.json(status, write)
        answer.set("Cache-Control", "no-store")
        return answer
    }
}

extension UploadFolder.Upload {
    /// The picture for editors without WebP, if there is one, and a small one; `nil` if it is no sticker.
    fileprivate var shown: (picture: UploadStatus.File, thumbnail: UploadStatus.File?)? {
        guard let files = status?.files, let sticker = files.first else { return nil }
        return (
            files.first { $0.role == .companion } ?? sticker,
            files.first { $0.role == .thumbnail && $0.format == .png }
        )
    }
}

extension UploadStatus.File {
    /// The name in addresses: `sticker.webp`.
    fileprivate var name: String { "\(role.rawValue).\(format.fileExtension)" }

    /// The path below the private folder.
    fileprivate var path: String {
        "_/\(sha256.rawValue.prefix(2))/\(sha256.rawValue).\(format.fileExtension)"
    }
}

extension [String: Int] {
    /// Decrements a count.
    fileprivate mutating func leave(_ key: String) {
        guard let count = self[key] else { return }
        self[key] = count > 1 ? count - 1 : nil
    }
}
