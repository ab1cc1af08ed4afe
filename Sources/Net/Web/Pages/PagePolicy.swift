/// The permissions of a page in browsers: https://www.w3.org/TR/CSP3/. All pages use this.
///
/// Scripts and styles come only from this server, and nothing in a title is run.
struct PagePolicy: Sendable {
    /// The value of `Content-Security-Policy`.
    let text: String

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - imageHosts: hosts of upstreams' pictures: names, or `*.NAME`, loaded by https. Names have only letters,
    ///     digits, dots and dashes, so that they cannot end the directive.
    ///   - drawsPictures: whether the page draws with pictures: it shows its own and local ones, and reads those of
    ///     upstreams.
    ///   - frames: origins whose pages may embed it; a page that draws shows their pictures, too.
    init(imageHosts: [String] = [], drawsPictures: Bool = false, frames: [String] = []) {
        let hosts = (imageHosts.map { "https://\($0)" } + (drawsPictures ? frames : []))
            .map { " \($0)" }.joined()
        text = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'",
            "img-src 'self'\(drawsPictures ? " blob:" : "")\(hosts)",
            "connect-src 'self'\(drawsPictures ? hosts : "")", "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors \(frames.isEmpty ? "'none'" : frames.joined(separator: " "))",
        ].joined(separator: "; ")
    }
}
