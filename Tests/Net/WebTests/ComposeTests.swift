import Foundation
import NIOCore
import StickerHTTP
import StickerValues
import Testing

@testable import StickerWeb

/// The page on which stickers are placed; `deploy/check-compose.py` tests it in a browser.
struct ComposeTests {
    private func policy(origins: [String] = [], imageHosts: [String] = []) -> [String: String] {
        let page = WebPage.compose(bases: [], origins: origins, imageHosts: imageHosts)
        let answer = page.page(WebRequest("GET", "/compose", client: "127.0.0.1"))
        let text = answer.headers.first { $0.name == "Content-Security-Policy" }?.value ?? ""
        let rules = text.components(separatedBy: "; ").map {
            $0.split(separator: " ", maxSplits: 1).map(String.init)
        }
        return Dictionary(rules.map { ($0[0], $0[1]) }) { first, _ in first + " twice" }
    }

    @Test func pageRunsNothingFromElsewhere() throws {
        let shelf = try Shelf(base: "https://example.org/?a=\"><b>&/")

        let page = shelf.get("/compose")

        #expect(page.status == 200 && page.headers["Content-Type"] == "text/html; charset=utf-8")
        let text = String(decoding: page.bytes, as: UTF8.self)
        #expect(text.contains(#"data-bases="https://example.org/?a=&quot;>&lt;b>&amp;/""#))
        #expect(text.contains(#"data-origins="" data-personal="no""#))
        #expect(text.contains(#"data-version="\#(Stickerd.version)""#))
        #expect(!text.contains("://www") && !text.contains("style=") && !text.contains("<script>"))
        #expect(text.firstMatch(of: /\son[a-z]+=/) == nil, "no handler stands in the page")
    }

    @Test func policyAllowsThisServerAlone() {
        #expect(
            policy() == [
                "default-src": "'none'", "script-src": "'self'", "style-src": "'self'",
                "img-src": "'self' blob:", "connect-src": "'self'", "base-uri": "'none'",
                "form-action": "'none'", "frame-ancestors": "'none'",
            ])
    }

    @Test func originsOfTheConfigurationMayEmbedIt() throws {
        let origins = ["https://app.example.org", "http://localhost:3000"]

        let policy = policy(origins: origins)
        #expect(policy["frame-ancestors"] == origins.joined(separator: " "))
        // They may hand over stickers of theirs by address.
        #expect(policy["img-src"] == "'self' blob: " + origins.joined(separator: " "))
        #expect(policy["connect-src"] == "'self' " + origins.joined(separator: " "))
        #expect(policy["script-src"] == "'self'")
        let page = try Shelf(origins: origins).get("/compose")
        #expect(
            String(decoding: page.bytes, as: UTF8.self)
                .contains(#"data-origins="https://app.example.org http://localhost:3000""#))
    }

    @Test func pageKnowsWhetherThereAreStickersOfPeoplesOwn() throws {
        let page = WebPage.compose(bases: [], hasUploads: true)
            .page(WebRequest("GET", "/compose", client: "127.0.0.1"))

        guard case .bytes(let bytes) = page.body else { throw WebError.notFound }
        #expect(String(buffer: bytes).contains(#"data-personal="yes""#))
    }

    @Test func galleryMayBeEmbeddedByNobody() throws {
        let shelf = try Shelf(origins: ["https://app.example.org"])

        let policy = shelf.get("/").headers["Content-Security-Policy"] ?? ""

        #expect(policy.hasSuffix("frame-ancestors 'none'") && !policy.contains("blob:"))
    }

    @Test func picturesOfOtherHostsAreShownAndRead() {
        let policy = policy(imageHosts: ["media.example.org"])

        #expect(policy["img-src"] == "'self' blob: https://media.example.org")
        #expect(policy["connect-src"] == "'self' https://media.example.org")
        #expect(policy["script-src"] == "'self'")
    }

    @Test func everyPartThatThePageAndItsScriptsNameIsThere() throws {
        let shelf = try Shelf(keys: ["secret"])
        let text = String(decoding: shelf.get("/compose").bytes, as: UTF8.self)
        var named = Set(text.matches(of: /_compose\/([a-z.-]+)/).map { String($0.output.1) })
        var seen: Set<String> = []

        while let name = named.subtracting(seen).first {
            seen.insert(name)
            let part = shelf.get("/_compose/\(name)")
            #expect(part.status == 200 && !part.bytes.isEmpty, "\(name)")
            let type = name.hasSuffix(".css") ? "text/css" : "text/javascript"
            #expect(part.headers["Content-Type"] == "\(type); charset=utf-8")
            let script = String(decoding: part.bytes, as: UTF8.self)
            named.formUnion(
                script.matches(of: /from "\.\/([a-z.-]+)"/).map { String($0.output.1) })
        }

        // None is shipped that nobody asks for.
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/C/CPages")
        let shipped = try ["compose", "shared"]
            .flatMap {
                try FileManager.default.contentsOfDirectory(
                    atPath: folder.appendingPathComponent($0).path)
            }
            .filter { $0.hasSuffix(".js") || $0.hasSuffix(".css") }
        #expect(seen == Set(shipped))
    }

    @Test func partsThatHaveNotChangedAreNotSentAgain() throws {
        let shelf = try Shelf()
        let tag = try #require(shelf.get("/_compose/compose.js").headers["ETag"])

        let again = shelf.get("/_compose/compose.js", ["if-none-match": tag])

        #expect(again.status == 304 && again.bytes.isEmpty)
        #expect(shelf.get("/_compose/none.js").status == 404)
        #expect(shelf.get("/compose/").status == 404)
    }
}
