import FoundationEssentials
import StickerModel

/// Who may ask, and how often.
struct WebAccess: Sendable {
    private let keys: Set<String>
    private let rate: RequestRate
    private let metrics: WebConfiguration.Audience

    /// - Parameters:
    ///   - keys: those that are taken; if there are none, any is.
    ///   - rate: requests a second and client; 0 for any number.
    ///   - metrics: who may read the metrics.
    init(
        keys: some Sequence<String>, rate: Int = 0, metrics: WebConfiguration.Audience = .local
    ) {
        self.keys = Set(keys)
        self.metrics = metrics
        self.rate = RequestRate(perSecond: rate)
    }

    /// Refuses a request without one of the keys, and one too many.
    ///
    /// - Throws: `WebError`.
    func check(_ request: WebRequest) throws {
        let given = request.query["api_key"] ?? ""
        // A hash tells nobody by its time how much of a key is right.
        guard keys.isEmpty || keys.contains(given) else {
            throw WebError(
                status: 401,
                message: given.isEmpty ? "there is no api_key" : "the api_key is not known",
                remedy: "add api_key=KEY, with a key that the operator gave you")
        }
        try rate.count(keys.isEmpty ? request.client : given)
    }

    /// Refuses metrics to others than those they are for. Keys make no difference: apps have them.
    ///
    /// - Throws: `WebError`.
    func checkForMetrics(_ request: WebRequest) throws {
        guard metrics == .everyone || request.isLocal else {
            throw WebError(
                status: 403, message: "metrics are for this machine",
                remedy: "ask from this machine, or set web.metrics to everyone")
        }
    }
}

extension WebConfiguration {
    /// The keys of the configuration and of its file.
    ///
    /// - Parameter credentials: the folder in which systemd puts credentials; a file there comes before one of the same
    ///   name elsewhere.
    /// - Returns: the keys; none if any is taken.
    /// - Throws: `WebServerError` if the file cannot be read.
    func allKeys(credentials: String?) throws -> [String] {
        guard let keysFile else { return keys }
        let name = keysFile.split(separator: "/").last.map(String.init) ?? ""
        let handed = credentials.map { "\($0)/\(name)" }
        let isHanded = handed.map { FileManager.default.fileExists(atPath: $0) } ?? false
        let path = isHanded ? handed ?? keysFile : keysFile
        let text: String
        do {
            text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        } catch {
            throw WebServerError(
                description: "web.keysFile: \(path) cannot be read: \(FileTrouble(error))")
        }
        let lines = text.split(whereSeparator: \.isNewline)
            .map { $0.trimmingPrefix(while: \.isWhitespace) }
            .map { line in String(line.prefix { !$0.isWhitespace }) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
        guard let wrong = lines.first(where: { !Self.isKey($0) }) else { return keys + lines }
        throw WebServerError(
            description: "web.keysFile: \(path) has a line of \(wrong.count) characters that is "
                + "no key: a key has letters, digits, _ and -, at most 200")
    }
}
