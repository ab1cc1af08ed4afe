import Foundation
import Glibc
import StickerConfiguration
import StickerHTTP
import StickerMetrics
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerWeb

/// `/metrics`.
struct MetricsTests {
    private let shelf: Shelf

    init() throws {
        shelf = try Shelf()
        try shelf.publish(["cats": [Shelf.Art("wave"), Shelf.Art("spin")]])
    }

    private func ask(
        _ shelf: Shelf, from client: String = "127.0.0.1", _ headers: [String: String] = [:]
    ) -> Reply {
        Reply(
            shelf.site.answer(
                WebRequest("GET", "/metrics", client: client) { headers[$0] }))
    }

    private func lines(_ reply: Reply) -> [Substring] {
        String(decoding: reply.bytes, as: UTF8.self).split(separator: "\n")
    }

    /// The figures that a daemon on this machine has written.
    private func write(_ text: String, secondsAgo: Int = 0) throws {
        let path = shelf.folder.path("run/metrics.prom")
        try shelf.folder.write(Array(text.utf8), to: "run/metrics.prom")
        let written = timespec(tv_sec: time(nil) - secondsAgo, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, path, [written, written], 0) == 0)
    }

    @Test func requestsAreCountedByRouteAndStatus() throws {
        for target in [
            "/api/stickers/trending", "/api/stickers/trending?limit=1",
            "/api/stickers/search?q=wave", "/api/stickers/none", "/nothing", "/%zz",
            "/cats/manifest.json", "/index.json", "/_/00/none.png", "/healthz",
            "/api/stickers/trending?limit=x", "/", "/_gallery/gallery.js", "/api/categories",
            "/api/categories/cats", "/metricsandmore",
        ] {
            _ = shelf.get(target)
        }
        _ = shelf.get("/healthz", method: "HEAD")
        _ = shelf.get("/healthz", method: "POST")

        let reply = ask(shelf)

        #expect(reply.status == 200)
        #expect(reply.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
        let found = lines(reply)
        for (labels, count) in [
            ("route=\"trending\",status=\"200\"", 2), ("route=\"trending\",status=\"400\"", 1),
            ("route=\"search\",status=\"200\"", 1), ("route=\"sticker\",status=\"404\"", 1),
            ("route=\"other\",status=\"404\"", 2), ("route=\"other\",status=\"400\"", 1),
            ("route=\"gallery\",status=\"200\"", 2), ("route=\"categories\",status=\"200\"", 2),
            ("route=\"manifest\",status=\"200\"", 2), ("route=\"file\",status=\"404\"", 1),
            ("route=\"health\",status=\"200\"", 2), ("route=\"health\",status=\"405\"", 1),
        ] {
            #expect(found.contains("stickerd_web_requests_total{\(labels)} \(count)"), "\(labels)")
        }
        #expect(
            found.contains("stickerd_web_request_duration_seconds_count{route=\"trending\"} 3"))
        // The answer to a HEAD is sent without its body.
        let bytes = ["GET", "POST"].map { shelf.get("/healthz", method: $0).bytes.count }
        let sum = bytes.reduce(0, +)
        #expect(found.contains("stickerd_web_answered_bytes_total{route=\"health\"} \(sum)"))
    }

    @Test func libraryIsShown() throws {
        try shelf.bury("nap")
        let found = lines(ask(shelf))
        for line in [
            "ready 1", "stickers 2", "categories 1", "removed_stickers 1", "trouble 0",
            "daemon_metrics 0", "library_generation \(shelf.library.now.generation)",
        ] {
            #expect(found.contains("stickerd_web_\(line)"), "\(line)")
        }
        let published = try #require(
            found.first { $0.hasPrefix("stickerd_web_last_publication_timestamp_seconds ") })
        let seconds = try #require(published.split(separator: " ").last.flatMap { Double($0) })
        let newest =
            try FileManager.default.attributesOfItem(
                atPath: shelf.folder.path("out/_removed.json"))[.modificationDate] as? Date
        #expect(abs(seconds - (newest?.timeIntervalSince1970 ?? 0)) < 0.01)
    }

    @Test func metricsAreForThisMachineUnlessTheyAreForEveryone() throws {
        for client in ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"] {
            #expect(ask(shelf, from: client).status == 200, "\(client)")
        }
        for client in ["192.0.2.1", "::2", "", "::ffff:192.0.2.1", "fe80::1"] {
            #expect(ask(shelf, from: client).status == 403, "\(client)")
        }
        // A proxy asks for another client, whatever name that gives.
        for header in ["x-forwarded-for", "forwarded", "via", "x-real-ip"] {
            #expect(ask(shelf, [header: "127.0.0.1"]).status == 403, "\(header)")
        }
        let open = try Shelf(metrics: .everyone)
        #expect(ask(open, from: "192.0.2.1").status == 200)
        let keyed = try Shelf(keys: ["one"])
        #expect(ask(keyed).status == 200 && ask(keyed, from: "192.0.2.1").status == 403)
    }

    @Test func figuresOfTheDaemonAreShownWhileTheyAreNew() throws {
        try write("# TYPE stickerd_stickers gauge\nstickerd_stickers 7\n")
        let found = lines(ask(shelf))
        #expect(found.contains("stickerd_stickers 7"))
        #expect(found.contains("stickerd_web_daemon_metrics 1"))

        try write("stickerd_stickers 7\n", secondsAgo: 61)
        let later = lines(ask(shelf))
        #expect(!later.contains { $0.hasPrefix("stickerd_stickers") })
        #expect(later.contains("stickerd_web_daemon_metrics 0"))
    }

    @Test func whatIsNoFileOfTheDaemonIsLeftOut() throws {
        try write("stickerd_stickers 7")
        #expect(lines(ask(shelf)).contains("stickerd_web_daemon_metrics 0"))
        try write("")
        #expect(lines(ask(shelf)).contains("stickerd_web_daemon_metrics 0"))
        let path = shelf.folder.path("run/metrics.prom")
        unlink(path)
        try shelf.folder.write(Array("secret 1\n".utf8), to: "secret")
        #expect(symlink(shelf.folder.path("secret"), path) == 0)
        #expect(lines(ask(shelf)).contains("stickerd_web_daemon_metrics 0"))
        unlink(path)
        #expect(mkfifo(path, 0o644) == 0)
        #expect(lines(ask(shelf)).contains("stickerd_web_daemon_metrics 0"))
    }

    @Test func manualNamesEveryMetric() throws {
        let page = String(
            decoding: try Repository.data("deploy/man/stickerd-web.8"), as: UTF8.self)
        for family in WebFamilies.all {
            let name = family.name.dropFirst("stickerd_web_".count)
            #expect(page.contains(".It Va \(name)") || page.contains(" , \(name)"), "\(name)")
        }
    }
}
