import CCURL
import StickerValues

/// An HTTP answer with any status.
struct FetchedAnswer: Hashable, Sendable {
    /// The status, 200 for example.
    var status: Int
    /// How many seconds the server asks to wait; `nil` if it did not say.
    var retryAfterSeconds: Int?
    /// The body.
    var body: [UInt8]
}

/// Why there is no answer. Never contains the address, which may include a key.
struct FetchFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// A clause for people: "it cannot be reached".
    let description: String

    init(_ description: String) { self.description = description }
}

/// Sends requests with limits on time and bytes. Redirects are not followed, and nothing is kept between two requests.
///
/// Uses libcurl, as Foundation's session neither keeps to a total time nor bounds a body.
public struct Fetcher: Sendable {
    /// The time limit of a request, from name lookup to the last byte.
    public var seconds = 20
    /// The largest body.
    public var bytesMax = 65_536
    /// The `User-Agent`.
    public var agent: String

    /// Creates a fetcher that calls itself `agent`.
    public init(agent: String) { self.agent = agent }

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Requests `address`. Blocks.
    ///
    /// - Parameter address: an https URL, or an http one. The certificate is checked; other protocols are refused.
    /// - Returns: the answer, with any status.
    /// - Throws: `FetchFault` if there is none, or only a part.
    func get(_ address: String) throws(FetchFault) -> FetchedAnswer {
        guard Self.isReady, let handle = curl_easy_init() else {
            throw FetchFault("libcurl cannot be used here")
        }
        defer { curl_easy_cleanup(handle) }
        let sink = Sink(bytesMax: bytesMax)
        let scheme = address.hasPrefix("http://") ? "http" : "https"
        let codes = [
            ccurl_set_text(handle, CURLOPT_URL, address),
            ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, scheme),
            ccurl_set_text(handle, CURLOPT_USERAGENT, agent),
            ccurl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0),
            // A proxy could read plain http; it only forwards TLS.
            ccurl_set_text(handle, CURLOPT_NOPROXY, scheme == "http" ? "*" : nil),
            ccurl_set_number(handle, CURLOPT_TIMEOUT, seconds),
            ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1),
            ccurl_set_writer(
                handle, Self.take, Unmanaged.passUnretained(sink).toOpaque()),
        ]
        guard codes.allSatisfy({ $0 == CURLE_OK }) else {
            throw FetchFault("libcurl is too old")
        }
        let code = withExtendedLifetime(sink) { curl_easy_perform(handle) }
        guard code == CURLE_OK else { throw fault(code, sink) }
        let pause = Int(ccurl_retry_after(handle))
        return FetchedAnswer(
            status: ccurl_status(handle), retryAfterSeconds: pause > 0 ? pause : nil,
            body: sink.bytes)
    }

    private static let take: curl_write_callback = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        let sink = Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
        let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
        // A lower number makes libcurl end.
        return sink.take(buffer) ? size * count : 0
    }

    private func fault(_ code: CURLcode, _ sink: Sink) -> FetchFault {
        switch code {
        case CURLE_OPERATION_TIMEDOUT: FetchFault("there is no complete answer within \(seconds) s")
        case CURLE_COULDNT_RESOLVE_HOST: FetchFault("its name cannot be resolved")
        case CURLE_COULDNT_CONNECT: FetchFault("it cannot be reached")
        case CURLE_WRITE_ERROR where sink.isFull:
            FetchFault("its answer has more than \(bytesMax.grouped) B")
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_GOT_NOTHING:
            FetchFault("its answer is cut off")
        case CURLE_PEER_FAILED_VERIFICATION: FetchFault("its certificate is not trusted")
        default: FetchFault("the request failed: \(String(cString: curl_easy_strerror(code)))")
        }
    }
}

/// The bytes of an answer, up to the limit.
private final class Sink {
    private let bytesMax: Int
    private(set) var bytes: [UInt8] = []
    private(set) var isFull = false

    init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// Whether there was room for `more`.
    func take(_ more: UnsafeRawBufferPointer) -> Bool {
        isFull = bytes.count + more.count > bytesMax
        if !isFull { bytes += more }
        return !isFull
    }
}
