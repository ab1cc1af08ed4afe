import Dispatch
import Glibc
import Synchronization

/// A server on the loopback that answers as a test says, whole or not.
public final class FakeUpstream: Sendable {
    /// Its behaviour for one request.
    public enum Act: Sendable {
        /// Sends these bytes and hangs up.
        case send(String)
        /// Sends these bytes again and again, without an end.
        case flood(String)
        /// Sends a byte of them each tenth of a second.
        case drip(String)
        /// Says nothing, and does not hang up.
        case silence
    }

    /// The system gives it no port.
    public struct Failure: Error {}

    /// Closed by the last one that uses it: its number is soon that of another socket, from which nobody is to take a client.
    private final class Listener: Sendable {
        let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)

        deinit { close(raw) }
    }

    private let listener = Listener()
    private let isStopped = Atomic(false)
    private let asked = Mutex<[String]>([])
    private let answer: @Sendable (String) -> Act

    /// The port that it listens on.
    public let port: UInt16

    /// The first lines of all requests so far, `GET /path?query HTTP/1.1`.
    public var requests: [String] { asked.withLock { $0 } }

    /// Starts it. `answer` gets the first line of a request.
    public init(_ answer: @escaping @Sendable (String) -> Act) throws {
        self.answer = answer
        var address = Self.localhost
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let raw = listener.raw
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(raw, address, length) == 0 && listen(raw, 64) == 0
                    && getsockname(raw, address, &length) == 0
            }
        }
        guard isListening else { throw Failure() }
        port = UInt16(bigEndian: address.sin_port)
        Thread.start { [weak self] in
            while true {
                let client = accept(listener.raw, nil, nil)
                guard client >= 0, let self, !self.isStopped.load(ordering: .relaxed) else {
                    if client >= 0 { close(client) }
                    return
                }
                Thread.start { [weak self] in
                    self?.serve(client)
                    close(client)
                }
            }
        }
    }

    deinit {
        isStopped.store(true, ordering: .relaxed)
        shutdown(listener.raw, Int32(SHUT_RDWR))
    }

    /// Ends it; later requests are refused. The port stays taken: a port that the system chose is free after
    /// `shutdown`, and soon that of another server.
    public func stop() {
        isStopped.store(true, ordering: .relaxed)
        shutdown(listener.raw, Int32(SHUT_RDWR))
        var address = Self.localhost
        address.sin_port = port.bigEndian
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = bind(listener.raw, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static var localhost: sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// A whole answer with a body.
    public static func answer(
        _ status: Int, _ body: String = "", headers: [String] = []
    ) -> Act {
        let lines =
            ["HTTP/1.1 \(status) Something", "Content-Length: \(body.utf8.count)"] + headers
        return .send((lines + ["", body]).joined(separator: "\r\n"))
    }

    private func serve(_ client: Int32) {
        guard let line = requestLine(client) else { return }
        asked.withLock { $0.append(line) }
        switch answer(line) {
        case .send(let text): _ = send(text, client)
        case .flood(let text): while !isOver, send(text, client) {}
        case .drip(let text):
            for byte in text where !isOver {
                guard send(String(byte), client) else { return }
                usleep(100_000)
            }
            while !isOver { usleep(100_000) }
        case .silence:
            while !isOver, !hasHungUp(client) { usleep(20_000) }
        }
    }

    private var isOver: Bool { isStopped.load(ordering: .relaxed) }

    private func hasHungUp(_ client: Int32) -> Bool {
        var byte: UInt8 = 0
        return recv(client, &byte, 1, Int32(MSG_DONTWAIT)) == 0
    }

    private func requestLine(_ client: Int32) -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
            let count = recv(client, &buffer, buffer.count, 0)
            guard count > 0, bytes.count < 100_000 else { return nil }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes.prefix { $0 != 0x0D }, as: UTF8.self)
    }

    private func send(_ text: String, _ client: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }
}

/// A thread of its own for each client, as all of them wait.
private enum Thread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    static func start(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(body)).toOpaque()
        pthread_create(
            &thread, nil,
            { work in
                if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
                return nil
            }, work)
        pthread_detach(thread)
    }
}
