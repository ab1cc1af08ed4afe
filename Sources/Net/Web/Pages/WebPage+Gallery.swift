extension WebPage {
    /// The page that shows the published stickers.
    ///
    /// - Parameters:
    ///   - bases: public addresses of the published folder. The page loads such files from its own server.
    ///   - imageHosts: the hosts of upstreams' pictures.
    /// - Returns: the page.
    static func gallery(bases: [String], imageHosts: [String] = []) -> WebPage {
        WebPage(
            PageAsset(html: "gallery.html", values: ["BASES": bases]),
            parts: ["gallery.css", "gallery.js", "gallery.svg"],
            policy: PagePolicy(imageHosts: imageHosts))
    }
}
