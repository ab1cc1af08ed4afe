import StickerValues

extension WebPage {
    /// The page on which people place stickers on a picture. Apps embed it; `docs/compose.md` describes the messages
    /// between them and the page.
    ///
    /// - Parameters:
    ///   - bases: public addresses of the published folder; the page loads such files from its own server.
    ///   - origins: the origins of pages that may embed it and exchange messages with it.
    ///   - imageHosts: the hosts of upstreams' pictures.
    ///   - hasUploads: whether this server keeps users' own stickers.
    /// - Returns: the page.
    static func compose(
        bases: [String], origins: [String] = [], imageHosts: [String] = [],
        hasUploads: Bool = false
    ) -> WebPage {
        let scripts = [
            "", "-assets", "-bridge", "-imgly", "-library", "-model", "-page", "-personal",
            "-picture", "-stage",
        ]
        return WebPage(
            PageAsset(
                html: "compose.html",
                values: [
                    "BASES": bases, "ORIGINS": origins, "PERSONAL": [hasUploads ? "yes" : "no"],
                    "VERSION": [Stickerd.version],
                ]),
            parts: scripts.map { "compose\($0).js" } + ["compose.css"],
            policy: PagePolicy(imageHosts: imageHosts, drawsPictures: true, frames: origins))
    }
}
