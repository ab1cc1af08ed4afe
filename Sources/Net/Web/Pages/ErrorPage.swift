import NIOCore
import StickerHTTP

/// The page that a browser shows if an address does not exist, or fails.
enum ErrorPage {
    /// Whether a request comes from an address bar or a link: programs ask for JSON, and elements of pages for their
    /// own content.
    static func isWanted(by request: WebRequest) -> Bool {
        guard ["GET", "HEAD"].contains(request.method), !request.target.hasPrefix("/api/") else {
            return false
        }
        return request.header("accept")?.contains("text/html") == true
    }

    /// The page of an error.
    static func answer(_ error: WebError) -> Answer {
        let html = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark">
            <title>\(error.status): \(escaped(error.message))</title>
            <link rel="icon" href="/_gallery/gallery.svg" type="image/svg+xml">
            <link rel="stylesheet" href="/_gallery/look.css">
            <main class="alone"><img src="/_gallery/gallery.svg" alt="" width="72" height="72">
            <h1>\(sentence(error.message))</h1>
            <p>\(sentence(error.remedy)). <span class="quiet">(\(error.status))</span></p>
            <p><a class="action" href="/">All stickers</a></p></main>
            </html>

            """
        return Answer(
            error.status,
            [
                ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
                ("Content-Security-Policy", PagePolicy().text),
            ] + error.headers, .bytes(ByteBuffer(string: html)))
    }

    private static func sentence(_ text: String) -> String {
        escaped(text.prefix(1).uppercased() + text.dropFirst())
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;")
    }
}
