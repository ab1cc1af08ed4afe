import StickerHTTP

/// The page on which people see what is published: plain HTML, one style sheet and one script, which ask this server alone.
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
    ///   - bases: where the published folder is found by others. The page takes everything of ours from its own server, so
    ///     that addresses that begin with one of these are taken from there, too.
    ///   - imageHosts: the hosts of others whose pictures it shows.
    init(bases: [String], imageHosts: [String] = []) {
        policy = PagePolicy(imageHosts: imageHosts)
        html = PageAsset(
            html: PageFile.bytes("gallery.html"),
            values: ["BASES": bases.filter { !$0.isEmpty }.joined(separator: " ")])
    }

    /// The page itself.
    func page(_ request: WebRequest) -> Answer { html.answer(request, policy: policy) }

    /// What the page is made of.
    ///
    /// - Throws: `WebError` if there is no such part.
    func part(_ name: String, _ request: WebRequest) throws -> Answer {
        guard let asset = parts[name] else { throw WebError.notFound }
        return asset.answer(request, policy: policy)
    }
}
