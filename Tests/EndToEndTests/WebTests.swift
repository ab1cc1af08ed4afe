import Foundation
import FoundationNetworking
import Glibc
import StickerTestSupport
import Testing

extension EndToEnd {
    /// A library over HTTP, while it changes.
    struct WebTests {
        private let workshop: Workshop
        private let address: String

        init() throws {
            address = "127.0.0.1:\(try Self.freePort())"
            var settings = Workshop.Settings()
            settings.publish["deleteGraceSeconds"] = 0
            settings.web = ["listen": address]
            workshop = try Workshop(settings)
        }

        /// A port that nobody listens on at this moment.
        static func freePort() throws -> UInt16 {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(listener) }
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_addr.s_addr = inet_addr("127.0.0.1")
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &place) { place in
                place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
                }
            }
            try #require(isBound)
            return UInt16(bigEndian: place.sin_port)
        }

        private func serve() async throws -> Program {
            let server = try Program("stickerd-web", ["--config", workshop.config])
            try await server.says("serves")
            return server
        }

        private func get(_ target: String) async throws -> (status: Int, bytes: Data) {
            let url = try #require(
                URL(string: target.hasPrefix("http") ? target : "http://\(address)\(target)"))
            var request = URLRequest(url: url)
            request.cachePolicy = .reloadIgnoringLocalCacheData
            let (bytes, response) = try await URLSession.shared.data(for: request)
            return ((response as? HTTPURLResponse)?.statusCode ?? 0, bytes)
        }

        /// When the server says that it answered, as HTTP writes it.
        private func date(of target: String) async throws -> Date? {
            let url = try #require(URL(string: "http://\(address)\(target)"))
            let (_, response) = try await URLSession.shared.data(from: url)
            let format = DateFormatter()
            format.locale = Locale(identifier: "en_US_POSIX")
            format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
            let text = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Date")
            return text.flatMap(format.date)
        }

        private func images(_ target: String) async throws -> [[String: Any]] {
            let answer = try await get(target)
            let json = try JSONSerialization.jsonObject(with: answer.bytes) as? [String: Any]
            return json?["images"] as? [[String: Any]] ?? []
        }

        /// Asks until the answer has so many images.
        private func waits(for count: Int, at target: String) async throws -> [[String: Any]] {
            let end = ContinuousClock.now + .seconds(60)
            var found = try await images(target)
            while found.count != count, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(50))
                found = try await images(target)
            }
            return found
        }

        @Test func stickersAreServedAsTheyAreDroppedAndRemoved() async throws {
            let server = try await serve()
            #expect(try await get("/healthz").status == 200)
            let answered = try #require(try await date(of: "/healthz"))
            #expect(abs(answered.timeIntervalSinceNow) < 60)
            let daemon = try await workshop.start()
            try workshop.put(try Art.png(1), "cats/happy cat.png")
            try workshop.put(try Art.png(2), "cats/sad cat.png")

            let found = try await waits(for: 1, at: "/api/stickers/search?q=hap")

            let image = try #require(found.first)
            #expect(image["id"] as? String == "happy_cat")
            for name in ["url", "thumbnail"] {
                let answer = try await get(try #require(image[name] as? String))
                #expect(answer.status == 200)
                #expect(answer.bytes.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
            }
            try workshop.remove("cats/happy cat.png")
            #expect(try await waits(for: 0, at: "/api/stickers/search?q=hap").isEmpty)
            #expect(try await waits(for: 1, at: "/api/stickers/trending").count == 1)
            let removed = try await get("/api/stickers/happy_cat")
            #expect(removed.status == 410)
            #expect(
                String(decoding: removed.bytes, as: UTF8.self).contains("\"title\":\"happy cat\""))
            daemon.send(SIGTERM)
            server.send(SIGTERM)
            #expect(try await daemon.ending().exitCode == 0)
            #expect(try await server.ending().exitCode == 0)
        }

        @Test func busyPortEndsThisProgramAloneAndSaysWhatToDo() async throws {
            let server = try await serve()
            let second = try await Program("stickerd-web", ["--config", workshop.config]).ending()
            #expect(second.exitCode == 1)
            #expect(second.errors.contains("\(address) is in use; stop the other program"))
            #expect(try await get("/healthz").status == 200)
            server.send(SIGTERM)
            #expect(try await server.ending().exitCode == 0)
        }

        @Test func addressThatTheMachineDoesNotHaveIsNamed() async throws {
            var settings = Workshop.Settings()
            let file = "\(workshop.config).keys"
            settings.web = ["listen": "192.0.2.1:8512", "keysFile": file]
            try workshop.configure(settings)
            try Data("one\n".utf8).write(to: URL(filePath: file))
            let ending = try await Program("stickerd-web", ["--config", workshop.config]).ending()
            #expect(ending.exitCode == 1)
            #expect(ending.errors.contains("192.0.2.1:8512 is not an address of this machine; set"))
        }

        @Test func wrongUsageEndsAsThatOfTheDaemon() async throws {
            let ending = try await Program("stickerd-web", ["--bogus"]).ending()
            #expect(ending.exitCode == 2)
            #expect(ending.errors.contains("Unknown option '--bogus'"))
        }

        @Test func keysAreReadAgainWhenASignalAsks() async throws {
            var settings = Workshop.Settings()
            let file = "\(workshop.config).keys"
            settings.web = ["listen": address, "keysFile": file, "publicURL": "https://a.example/"]
            try workshop.configure(settings)
            try Data("one\n".utf8).write(to: URL(filePath: file))
            let server = try await serve()
            try await server.says("address=\(address)")
            try await server.says("url=https://a.example/")
            #expect(try await get("/api/categories?api_key=two").status == 401)

            try Data("two\n".utf8).write(to: URL(filePath: file))
            server.send(SIGHUP)
            try await server.says("keys of clients were read")

            #expect(try await get("/api/categories?api_key=one").status == 401)
            // Nothing is published yet.
            #expect(try await get("/api/categories?api_key=two").status == 503)
            server.send(SIGTERM)
            #expect(try await server.ending().exitCode == 0)
        }

        @Test func faultyConfigurationEndsItAsItEndsTheDaemon() async throws {
            var settings = Workshop.Settings()
            settings.web = ["listen": "0.0.0.0:\(try Self.freePort())"]
            try workshop.configure(settings)
            let ending = try await Program("stickerd-web", ["--config", workshop.config]).ending()
            #expect(ending.exitCode == EX_CONFIG)
            #expect(ending.errors.contains("set web.keys, or web.open if everyone may read"))
            #expect(ending.errors.contains("web.publicURL: is needed"))
        }

        @Test func requestsThatAreNoneHarmNobody() async throws {
            let server = try await serve()
            let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
            for text in [
                "GET / HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "a", count: 20_000))\r\n\r\n",
                "\u{0}\u{1}\u{2}\r\n\r\n", "GET \r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
                "POST /api/stickers/trending HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            ] {
                let answer = try Self.exchange(text, port)
                #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"), "\(text.prefix(20))")
            }
            #expect(try await get("/healthz").status == 200)
            server.send(SIGTERM)
            #expect(try await server.ending().exitCode == 0)
        }

        @Test func requestsSayWhichServerTheyAreFor() async throws {
            let server = try await serve()
            defer { server.send(SIGTERM) }
            let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
            func status(_ target: String, _ fields: String..., version: String = "1.1") throws
                -> String
            {
                let fields = (fields + ["Connection: close"]).map { "\($0)\r\n" }.joined()
                let text = try Self.exchange(
                    "GET \(target) HTTP/\(version)\r\n\(fields)\r\n", port)
                return String(text.split(separator: " ").dropFirst().first ?? "")
            }
            #expect(try status("/metrics", "Host: \(address)") == "200")
            #expect(try status("/metrics", "Host: evil.example") == "421")
            #expect(try status("/healthz", "Host: evil.example") == "200")
            #expect(try status("/healthz") == "400")
            #expect(try status("/healthz", version: "1.0") == "200")
            #expect(try status("/metrics", version: "1.0") == "200")
            #expect(try status("/healthz", "Host:") == "400")
            #expect(try status("/metrics", "Host: ", version: "1.0") == "200")
            #expect(try status("/metrics", "Host: localhost:65535") == "200")
            #expect(try status("/metrics", "Host: localhost:65536") == "400")
            #expect(try status("/metrics", "Host: a b") == "400")
            #expect(try status("http:///metrics", "Host: localhost") == "400")
            #expect(try status("/healthz", "Host: localhost", "Host: localhost") == "400")
            #expect(try status("http://evil.example/metrics", "Host: localhost") == "421")
            #expect(try status("http://localhost/metrics", "Host: localhost") == "200")
        }

        @Test func requestsInOneGoAreAnsweredInTurn() async throws {
            let server = try await serve()
            defer { server.send(SIGTERM) }
            let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
            let host = "Host: localhost\r\n"
            let upload = "POST /healthz HTTP/1.1\r\n\(host)Content-Length: 4\r\n\r\n\n\n\n\n"
            let chunks =
                "POST /healthz HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n"
                + String(repeating: "1\r\n\n\r\n", count: 500) + "0\r\n\r\n"
            let last = "GET /none HTTP/1.1\r\n\(host)Connection: close\r\n\r\n"
            let get = "GET /api/openapi.json HTTP/1.1\r\n\(host)\r\n"
            let text = try Self.exchange(
                String(repeating: get, count: 40) + upload + "\r\n" + chunks + get + last, port,
                toTheEnd: true)
            let statuses = text.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
            let wanted = Array(repeating: "200", count: 40) + ["405", "405", "200", "404"]
            #expect(statuses.map(String.init) == wanted)
        }

        /// Chunks are unknown to HTTP/1.0; such an answer ends with the connection.
        @Test func eventsForAnOldClientAreNotChunked() async throws {
            let server = try await serve()
            let daemon = try await workshop.start()
            try workshop.put(try Art.png(1), "cats/cat.png")
            _ = try await waits(for: 1, at: "/api/stickers/trending")
            let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
            let old = try Self.exchange("GET /api/events HTTP/1.0\r\nHost: localhost\r\n\r\n", port)
                .lowercased()
            #expect(old.contains(" 200 ") && old.contains("connection: close"))
            #expect(!old.contains("chunked"))
            let new = try Self.exchange("GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n", port)
            #expect(new.lowercased().contains("transfer-encoding: chunked"))
            daemon.send(SIGTERM)
            server.send(SIGTERM)
            #expect(try await daemon.ending().exitCode == 0)
            #expect(try await server.ending().exitCode == 0)
        }

        /// Sends bytes as they are, and returns the beginning of what comes back, or all.
        private static func exchange(
            _ text: String, _ port: UInt16, toTheEnd: Bool = false
        ) throws -> String {
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(client) }
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_addr.s_addr = inet_addr("127.0.0.1")
            place.sin_port = port.bigEndian
            let isConnected = withUnsafePointer(to: &place) { place in
                place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            try #require(isConnected)
            var limit = timeval(tv_sec: 10, tv_usec: 0)
            setsockopt(
                client, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            let bytes = Array(text.utf8)
            // A server that has read enough closes before everything is sent.
            _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            var buffer = [UInt8](repeating: 0, count: 4096)
            var answer: [UInt8] = []
            repeat {
                let count = recv(client, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                answer += buffer.prefix(count)
            } while toTheEnd
            return String(decoding: answer, as: UTF8.self)
        }
    }
}
