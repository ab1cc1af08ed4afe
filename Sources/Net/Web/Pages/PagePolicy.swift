/// What a browser lets a page do: https://www.w3.org/TR/CSP3/. All pages have it from here.
///
/// Scripts and styles come from this server alone, and nothing that a title may say is run.
struct PagePolicy: Sendable {
    /// The value of `Content-Security-Policy`.
    let text: String

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - imageHosts: hosts of others whose pictures are shown: names, or `*.NAME`, which are asked by https. Names have
    ///     letters, digits, dots and dashes alone, so that nothing in them ends the directive.
    ///   - drawsPictures: whether the page draws with pictures: it shows those that it has made or was given, and reads
    ///     those of others.
    ///   - frames: origins whose pages may embed it; one that draws shows their pictures, too.
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
