import Foundation
import NIOCore
import StickerHTTP
import StickerModel

/// The page on which people see what is published: plain HTML, one style sheet and one script, which ask this server alone.
struct Gallery: Sendable {
    private let policy: PagePolicy
    private let html: Asset
    private let parts: [String: Asset]

    private struct Asset {
        let type: String
        let bytes: [UInt8]
        let tag: String

        init(_ type: String, _ bytes: [UInt8]) {
            (self.type, self.bytes) = (type, bytes)
            var print = Fingerprint()
            print.add(bytes)
            tag = "\"\(print.text)\""
        }
    }

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - bases: where the published folder is found by others. The page takes everything of ours from its own server, so
    ///     that addresses that begin with one of these are taken from there, too.
    ///   - policy: from where else pictures may come.
    init(bases: [String], policy: PagePolicy = PagePolicy()) {
        self.policy = policy
        let bases = bases.filter { !$0.isEmpty }.map(Self.escaped).joined(separator: " ")
        let page = String(decoding: PackageResources.gallery_html, as: UTF8.self)
            .replacing("BASES", with: bases)
        html = Asset("text/html; charset=utf-8", Array(page.utf8))
        parts = [
            "gallery.css": Asset("text/css; charset=utf-8", PackageResources.gallery_css),
            "gallery.js": Asset("text/javascript; charset=utf-8", PackageResources.gallery_js),
            "gallery.svg": Asset("image/svg+xml", PackageResources.gallery_svg),
        ]
    }

    /// The page itself.
    func page(_ request: WebRequest) -> Answer { answer(html, request) }

    /// What the page is made of.
    ///
    /// - Throws: `WebError` if there is no such part.
    func part(_ name: String, _ request: WebRequest) throws -> Answer {
        guard let asset = parts[name] else { throw WebError.notFound }
        return answer(asset, request)
    }

    private func answer(_ asset: Asset, _ request: WebRequest) -> Answer {
        let headers = [
            (name: "Content-Type", value: asset.type), ("ETag", asset.tag),
            ("Cache-Control", "no-cache"), ("Content-Security-Policy", policy.text),
            ("Referrer-Policy", "no-referrer"),
        ]
        let isKnown = request.knows(asset.tag)
        return Answer(
            isKnown ? 304 : 200, headers, .bytes(ByteBuffer(bytes: isKnown ? [] : asset.bytes)))
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
            .replacing("<", with: "&lt;")
    }
}
