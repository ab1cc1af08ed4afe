import StickerHTTP
import StickerModel

/// The page on which people place stickers on a picture: plain HTML, one style sheet and some small scripts. Apps embed
/// it; `docs/compose.md` describes the messages between them and the page.
struct Compose: Sendable {
    private let html: PageAsset
    private let policy: PagePolicy

    private let parts: [String: PageAsset] = {
        let scripts = [
            "", "-assets", "-bridge", "-imgly", "-library", "-model", "-page", "-personal",
            "-picture",
            "-stage",
        ].map { "compose\($0).js" }
        let parts =
            scripts.map { ($0, "text/javascript; charset=utf-8") }
            + [("compose.css", "text/css; charset=utf-8")]
        return Dictionary(
            uniqueKeysWithValues: parts.map { ($0, PageAsset($1, PageFile.bytes($0))) })
    }()

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - bases: public addresses of the published folder; the page loads such files from its own server.
    ///   - origins: the origins of pages that may embed it and exchange messages with it.
    ///   - imageHosts: the hosts of upstreams' pictures.
    ///   - hasPersonal: whether this server keeps users' own stickers.
    init(
        bases: [String], origins: [String] = [], imageHosts: [String] = [],
        hasPersonal: Bool = false
    ) {
        html = PageAsset(
            html: PageFile.bytes("compose.html"),
            values: [
                "BASES": bases.filter { !$0.isEmpty }.joined(separator: " "),
                "ORIGINS": origins.joined(separator: " "), "PERSONAL": hasPersonal ? "yes" : "no",
                "VERSION": Stickerd.version,
            ])
        policy = PagePolicy(imageHosts: imageHosts, drawsPictures: true, frames: origins)
    }

    /// The page itself.
    func page(_ request: WebRequest) -> Answer { html.answer(request, policy: policy) }

    /// A file of the page.
    ///
    /// - Throws: `WebError` if there is no such file.
    func part(_ name: String, _ request: WebRequest) throws -> Answer {
        guard let asset = parts[name] else { throw WebError.notFound }
        return asset.answer(request, policy: policy)
    }
}
