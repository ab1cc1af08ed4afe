import StickerHTTP

/// The page that shows the published stickers: plain HTML, one style sheet and one script, which send requests to this
/// server only.
struct Gallery: Sendable {
    private let policy: PagePolicy
    private let html: PageAsset
    private let parts = [
        "gallery.css": PageAsset("text/css; charset=utf-8", PageFile.bytes("gallery.css")),
        "gallery.js": PageAsset("text/javascript; charset=utf-8", PageFile.bytes("gallery.js")),
        "gallery.svg": PageAsset("image/svg+xml", PageFile.bytes("gallery.svg")),
    ]

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - bases: public addresses of the published folder. The page loads such files from its own server.
    ///   - imageHosts: the hosts of upstreams' pictures.
    init(bases: [String], imageHosts: [String] = []) {
        policy = PagePolicy(imageHosts: imageHosts)
        html = PageAsset(
            html: PageFile.bytes("gallery.html"),
            values: ["BASES": bases.filter { !$0.isEmpty }.joined(separator: " ")])
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
