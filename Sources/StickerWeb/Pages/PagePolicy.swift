/// What a browser lets a page do: https://www.w3.org/TR/CSP3/.
///
/// Scripts and styles come from this server alone, and nothing that a title may say is run.
struct PagePolicy: Sendable {
    /// The value of `Content-Security-Policy`.
    let text: String

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - imageHosts: origins besides this server whose pictures are shown and read.
    ///   - showsBlobs: whether the page shows pictures that it has made or was given.
    ///   - frames: origins whose pages may embed it.
    init(imageHosts: [String] = [], showsBlobs: Bool = false, frames: [String] = []) {
        let hosts = imageHosts.map { " \($0)" }.joined()
        text = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'",
            "img-src 'self'\(showsBlobs ? " blob:" : "")\(hosts)", "connect-src 'self'\(hosts)",
            "base-uri 'none'", "form-action 'none'",
            "frame-ancestors \(frames.isEmpty ? "'none'" : frames.joined(separator: " "))",
        ].joined(separator: "; ")
    }
}
