import Testing

@testable import StickerWeb

/// The page for people; `deploy/check-gallery.py` tests it in a browser.
struct GalleryTests {
    private let shelf: Shelf

    init() throws { shelf = try Shelf(base: "https://example.org/?a=\"><b>&/") }

    @Test func pageRunsNothingFromElsewhere() {
        let page = shelf.get("/")
        #expect(page.status == 200 && page.headers["Content-Type"] == "text/html; charset=utf-8")
        let policy = page.headers["Content-Security-Policy"] ?? ""
        #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"))
        #expect(!policy.contains("unsafe") && !policy.contains("*"))
        let text = String(decoding: page.bytes, as: UTF8.self)
        #expect(text.contains(#"data-bases="https://example.org/?a=&quot;>&lt;b>&amp;/""#))
        #expect(!text.contains("://www") && !text.contains("style=") && !text.contains("<script>"))
    }

    @Test(arguments: [
        ("gallery.css", "text/css; charset=utf-8"), ("gallery.svg", "image/svg+xml"),
        ("gallery.js", "text/javascript; charset=utf-8"),
        ("server.js", "text/javascript; charset=utf-8"),
    ])
    func partsHaveTheirTypesAndTags(name: String, type: String) throws {
        let part = shelf.get("/_gallery/\(name)")
        #expect(part.status == 200 && part.headers["Content-Type"] == type)
        #expect(!part.bytes.isEmpty)
        let tag = try #require(part.headers["ETag"])
        let again = shelf.get("/_gallery/\(name)", ["if-none-match": tag])
        #expect(again.status == 304 && again.bytes.isEmpty)
    }

    @Test func everyPartThatThePageNamesIsThere() {
        let text = String(decoding: shelf.get("/").bytes, as: UTF8.self)
        let names = text.matches(of: /_gallery\/[a-z.]+/).map { String($0.output) }
        #expect(Set(names).count == 4)
        let script = String(decoding: shelf.get("/_gallery/gallery.js").bytes, as: UTF8.self)
        let imported = script.matches(of: /from "\.\/([a-z.-]+)"/).map { "_gallery/\($0.output.1)" }
        #expect(Set(imported).count == 2)
        for name in names + imported { #expect(shelf.get("/\(name)").status == 200) }
    }
}
