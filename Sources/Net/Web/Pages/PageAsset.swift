import NIOCore
import StickerHTTP

/// A file of a page, embedded in the program.
struct PageAsset: Sendable {
    private let type: String
    private let bytes: [UInt8]
    private let tag: String

    private static let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml",
    ]

    /// The file `name` of `CPages`.
    init(_ name: String) {
        let type = name.split(separator: ".").last.flatMap { Self.types[String($0)] }
        self.init(type ?? "application/octet-stream", PageFile.bytes(name))
    }

    private init(_ type: String, _ bytes: [UInt8]) {
        (self.type, self.bytes) = (type, bytes)
        var print = Fingerprint()
        print.add(bytes)
        tag = "\"\(print.text)\""
    }

    /// Creates a page of HTML.
    ///
    /// - Parameters:
    ///   - html: the name of the page.
    ///   - values: the lists that replace words that are a whole attribute value in it.
    init(html: String, values: KeyValuePairs<String, [String]>) {
        var page = String(decoding: PageFile.bytes(html), as: UTF8.self)
        for (word, values) in values {
            let value = values.filter { !$0.isEmpty }.joined(separator: " ")
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
