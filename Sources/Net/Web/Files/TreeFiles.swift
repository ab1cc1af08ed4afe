import Glibc
import NIOCore
import StickerHTTP
import StickerSystem
import StickerValues
import Synchronization

/// Serves the published files where no other server does.
struct TreeFiles: Sendable {
    /// Larger files are read while they are sent, so that a client that does not read holds no more memory.
    private static let bytesAtOnce = 64 << 10

    /// The published folder.
    let out: String
    /// Whether published files were there before.
    var isRead: @Sendable () -> Bool = { false }

    /// Answers a GET or HEAD for a path below the folder.
    ///
    /// - Throws: `WebError`, or `FileError`.
    func answer(_ path: String, _ request: WebRequest) throws -> Answer {
        guard let type = Self.type(of: path) else { throw WebError.notFound }
        let file = try open(path)
        let status = try FileStatus(file.descriptor, path: path)
        guard status.kind == .regular else { throw WebError.notFound }
        let isForEver = Self.isNamedByContent(path)
        let count = Int(status.size)
        // A name that depends on the content serves as the tag; other files are always replaced as a whole, by a new
        // file.
        let tag =
            isForEver
            ? "\"\(Self.tag(of: path))\""
            : "\"\(status.identity.inode)-\(status.mtime)-\(count)\""
        var headers = [
            (name: "Content-Type", value: type), ("ETag", tag), ("Accept-Ranges", "bytes"),
            (
                "Cache-Control",
                isForEver ? "public, max-age=31536000, immutable" : "no-cache"
            ),
        ]
        if request.knows(tag) { return Answer(304, headers, .none) }
        // Ranges are for GET only (RFC 9110, 14.2).
        let range =
            request.method == "GET" ? try ByteRange.asked(request, tag: tag, count: count) : nil
        if let range {
            headers.append(
                ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)"))
        }
        let part = range ?? 0..<count
        let body: Answer.Body =
            request.method == "GET" && part.count <= Self.bytesAtOnce
            ? .bytes(
                ByteBuffer(
                    bytes: try file.descriptor.bytes(part.count, at: part.lowerBound, path: path)))
            : .file(file, part)
        return Answer(range == nil ? 200 : 206, headers, body)
    }

    /// No link is followed, and nothing outside is opened.
    private func open(_ path: String) throws -> OpenFile {
        do {
            return try OpenFile(path, below: out)
        } catch {
            let isNone = [ENOENT, ENOTDIR, ELOOP, EXDEV, EACCES, ENAMETOOLONG].contains(error.errno)
            guard isNone else { throw error }
            throw isAway ? Self.away : WebError.notFound
        }
    }

    /// Whether published files have disappeared, for example because a share is not mounted.
    private var isAway: Bool {
        isRead() && (try? FileStatus(link: "\(out)/index.json")) == nil
    }

    private static let away = WebError(
        status: 503, message: "the published folder is away",
        remedy: "try again in a minute; the operator sees the cause at /readyz",
        headers: [("Retry-After", "60")])

    /// The types of the published tree, by extension; no other and no temporary file is served.
    private static func type(of path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.first != "." }),
            let name = parts.last, let dot = name.lastIndex(of: ".")
        else { return nil }
        let ending = String(name[name.index(after: dot)...])
        return types[ending] ?? (path.hasPrefix("_packs/") ? packTypes[ending] : nil)
    }

    private static let types = [
        "webp": "image/webp", "png": "image/png", "gif": "image/gif", "json": Answer.jsonType,
    ]

    private static let packTypes = [
        "jpg": "image/jpeg", "zip": "application/zip", "gz": "application/gzip",
        "wastickers": "application/zip", "wasticker": Answer.jsonType,
        "txt": "text/plain; charset=utf-8", "md": "text/plain; charset=utf-8",
        "tsv": "text/plain; charset=utf-8", "csv": "text/plain; charset=utf-8",
        "py": "text/plain; charset=utf-8", "sh": "text/plain; charset=utf-8",
    ]

    /// Pictures and files in folders of packs have names that depend on their content.
    private static func isNamedByContent(_ path: String) -> Bool {
        path.hasPrefix("_/")
            || path.hasPrefix("_packs/") && path.split(separator: "/").last != "current.json"
    }

    /// A name may contain characters that are not allowed in a tag.
    private static func tag(of path: String) -> String {
        path.utf8.map { byte in
            let isPlain = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"")
            return isPlain ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16)
        }.joined()
    }
}
