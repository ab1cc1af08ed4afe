import Foundation
import FoundationNetworking
import StickerTestSupport
import Synchronization

/// A server without a network: a session that only it answers, and what it was asked.
final class StubServer: Sendable {
    /// The answer.
    struct Answer: Sendable {
        var status = 200
        var body = Data()
        var headers: [String: String] = [:]

        static func json(_ text: String, status: Int = 200) -> Answer {
            Answer(status: status, body: Data(text.utf8))
        }
    }

    private let host = "\(UUID().uuidString.lowercased()).example.org"
    private let requests: WaitableValue<[URL]>

    /// Answers each request by what `answer` gives; `nil` is no answer at all.
    init(_ answer: @escaping @Sendable (URL) async -> Answer?) {
        requests = WaitableValue([])
        StubProtocol.servers.withLock { servers in
            servers[host] = { [requests] url in
                requests.update { $0.append(url) }
                return await answer(url)
            }
        }
    }

    /// Answers each path as given, and others with 404.
    convenience init(_ answers: [String: Answer]) {
        self.init { url in answers[url.path] ?? Answer(status: 404) }
    }

    deinit { StubProtocol.servers.withLock { _ = $0.removeValue(forKey: host) } }

    var session: URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [StubProtocol.self]
        return URLSession(configuration: configuration)
    }

    func url(_ path: String) -> URL { URL(string: "https://\(host)\(path)") ?? URL(filePath: "/") }

    /// Paths and queries of all requests so far.
    var asked: [String] {
        requests.value.map { String($0.absoluteString.dropFirst("https://\(host)".count)) }
    }

    /// Waits until it was asked for something.
    func isAsked() async { _ = await requests.wait { !$0.isEmpty } }
}

/// Hands the requests of a session to the server of their host.
final class StubProtocol: URLProtocol {
    static let servers = Mutex<[String: @Sendable (URL) async -> StubServer.Answer?]>([:])

    private let work = Mutex<Task<Void, Never>?>(nil)

    override static func canInit(with request: URLRequest) -> Bool { true }
    override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url else { return }
        let server = Self.servers.withLock { $0[url.host ?? ""] }
        // Unsafe because URLProtocol is not Sendable; the session leaves it alone until it has answered.
        nonisolated(unsafe) let itself = self
        work.withLock { work in
            work = Task {
                let answer = await server?(url)
                if !Task.isCancelled { itself.give(answer) }
            }
        }
    }

    override func stopLoading() { work.withLock { $0?.cancel() } }

    private func give(_ answer: StubServer.Answer?) {
        guard let answer, let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: answer.status, httpVersion: "HTTP/1.1",
                headerFields: answer.headers)
        else {
            client?.urlProtocol(self, didFailWithError: URLError(.cannotConnectToHost))
            return
        }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: answer.body)
        client?.urlProtocolDidFinishLoading(self)
    }
}
