import NIOCore
import StickerHTTP

/// A file of a page, embedded in the program.
struct PageAsset: Sendable {
    private let type: String
    private let bytes: [UInt8]
    private let tag: String

    init(_ type: String, _ bytes: [UInt8]) {
        (self.type, self.bytes) = (type, bytes)
        var print = Fingerprint()
        print.add(bytes)
        tag = "\"\(print.text)\""
    }

    /// Creates a page of HTML.
    ///
    /// - Parameters:
    ///   - html: the page.
    ///   - values: the replacements for words that are a whole attribute value in it.
    init(html: [UInt8], values: KeyValuePairs<String, String>) {
        var page = String(decoding: html, as: UTF8.self)
        for (word, value) in values {
            page = page.replacing("\"\(word)\"", with: "\"\(Self.escaped(value))\"")
        }
        self.init("text/html; charset=utf-8", Array(page.utf8))
    }

    /// The file, or the answer that it has not changed.
    func answer(_ request: WebRequest, policy: PagePolicy) -> Answer {
        let headers = [
            (name: "Content-Type", value: type), ("ETag", tag), ("Cache-Control", "no-cache"),
            ("Content-Security-Policy", policy.text), ("Referrer-Policy", "no-referrer"),
        ]
        let isKnown = request.knows(tag)
        return Answer(
            isKnown ? 304 : 200, headers, .bytes(ByteBuffer(bytes: isKnown ? [] : bytes)))
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
            .replacing("<", with: "&lt;")
    }
}
