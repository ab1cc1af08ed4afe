import StickerHTTP

/// A page with its files: plain HTML, style sheets and scripts, which send requests to this server only.
struct WebPage: Sendable {
    let html: PageAsset
    /// By name.
    let parts: [String: PageAsset]
    let policy: PagePolicy

    /// - Parameters:
    ///   - html: the page itself.
    ///   - parts: the names of its files.
    ///   - policy: its permissions.
    init(_ html: PageAsset, parts: [String], policy: PagePolicy) {
        (self.html, self.policy) = (html, policy)
        self.parts = Dictionary(
            uniqueKeysWithValues: (parts + ["elements.js", "look.css", "server.js"])
                .map { ($0, PageAsset($0)) })
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
