/// From where pages for people may take what they show. All of them have it from here.
struct PagePolicy: Sendable {
    /// From where pictures come, in the words of a Content-Security-Policy: this server, and the hosts of others that are
    /// configured.
    let imageSources: String

    /// - Parameter imageHosts: names of hosts, or `*.NAME`, which are asked by https.
    init(imageHosts: [String] = []) {
        // Names have letters, digits, dots and dashes alone: nothing in them ends the directive.
        imageSources = (["'self'"] + imageHosts.map { "https://\($0)" }).joined(separator: " ")
    }

    /// The header field: scripts and styles from here alone, and nothing that a title may say is run.
    var text: String {
        [
            "default-src 'none'", "script-src 'self'", "style-src 'self'",
            "img-src \(imageSources)", "connect-src 'self'", "base-uri 'none'",
            "form-action 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }
}
