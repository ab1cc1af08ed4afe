import Glibc
import StickerConfiguration
import StickerHTTP
import StickerStore
import StickerSystem
import StickerValues

/// Decides who comes in: visitors on this machine, or with the token; where people are named, each by a token of their
/// own, or by the word of a trusted proxy. And only through pages of this server.
struct Visitor: Sendable {
    /// The name of the cookie that proves knowledge of a token.
    private static let cookie = "stickerd_console"
    /// The name of the holder of the token of the file, where people are named.
    private static let keeper = "operator"

    private let settings: ConsoleConfiguration
    private let token: String?
    private let secret: String

    /// - Parameters:
    ///   - settings: where the server listens, and for whom.
    ///   - token: the token of the file, for an operator; `nil` for none.
    ///   - secret: random, for the lifetime of this server.
    init(_ settings: ConsoleConfiguration, token: String?, secret: String) {
        (self.settings, self.token, self.secret) = (settings, token, secret)
    }

    /// Whether everybody on this machine comes in.
    private var isOpen: Bool { token == nil && settings.people.isEmpty }

    /// Differs for each start of a server.
    var start: String { String(ContentHash(of: Array("start \(secret)".utf8)).rawValue.prefix(8)) }

    /// A value in forms for a person that neither another site nor another person can know.
    func formKey(of person: Person) -> String {
        let name = person.name.map { " \($0)" } ?? ""
        return ContentHash(of: Array("form \(secret)\(name)".utf8)).rawValue
    }

    /// The value of a person's cookie on a day; it is also valid on the next one.
    private func pass(_ day: Int, _ name: String, _ tokenHash: String) -> String {
        let text = "pass \(day) \(secret) \(tokenHash) \(name)"
        return ContentHash(of: Array(text.utf8)).rawValue
    }

    private var today: Int { Self.seconds / 86_400 }

    /// By the monotonic clock.
    static var seconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return time.tv_sec
    }

    /// Refuses a request to this server under a foreign name: another website may have pointed its own name at this
    /// address.
    ///
    /// - Throws: `WebError`.
    func checkHost(_ request: WebRequest) throws {
        // With a token any name is accepted, as other websites lack the cookie for it, or the secret of a proxy.
        guard isOpen else { return }
        let host = request.header("host") ?? ""
        // A tunnel may use another port. Other websites cannot have one of these names.
        let ownNames = /(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?/
        guard host == settings.listen.description || host.wholeMatch(of: ownNames) != nil else {
            throw WebError(
                status: 421, message: "that is not a name of this console",
                remedy: "open http://\(settings.listen)/")
        }
        guard request.isLocal else {
            throw WebError(
                status: 403, message: "another server forwards this request",
                remedy: "set console.tokenFile, so that not every visitor of that server gets in")
        }
    }

    /// Refuses background requests by pages of other sites; following a link is allowed.
    ///
    /// - Throws: `WebError`.
    func checkSite(_ request: WebRequest) throws {
        guard request.header("sec-fetch-site") == "cross-site",
            request.header("sec-fetch-mode") != "navigate"
        else { return }
        throw WebError(
            status: 403, message: "another website sent this request",
            remedy: "open the console itself")
    }

    /// The person who asks; `nil` if that is yet to be proved by a token.
    ///
    /// - Throws: `WebError` if a trusted proxy names somebody unknown.
    func person(of request: WebRequest) throws -> Person? {
        if isOpen { return .anyone }
        if let header = settings.userHeader, request.isFromTrustedProxy, isProved(header, request),
            let name = request.header(header.lowercased()), !name.isEmpty
        {
            guard let person = settings.people[name] else {
                throw WebError(
                    status: 403,
                    message:
                        "“\(FileName.escaped(name).prefix(100))” is nobody whom this console knows",
                    remedy: "ask the operator to name you in console.people")
            }
            return Person(name, person)
        }
        let cookies = (request.header("cookie") ?? "").split(separator: ";")
            .map { $0.drop { $0 == " " } }
        for cookie in cookies where cookie.hasPrefix("\(Self.cookie)=") {
            let parts = cookie.dropFirst(Self.cookie.count + 1).split(separator: ".")
            guard parts.count == 2, let (person, hash) = holder(String(parts[0])) else { continue }
            let isValid = [today, today - 1].contains { day in
                parts[1] == pass(day, String(parts[0]), hash)
            }
            if isValid { return person }
        }
        return nil
    }

    /// Whether a header comes from the proxy and not from another program on its machine.
    private func isProved(_ header: String, _ request: WebRequest) -> Bool {
        guard let wanted = settings.userSecretSHA256 else { return true }
        return request.header("\(header.lowercased())-secret").map(Self.hash) == wanted
    }

    /// The person whose cookies begin with `mark`, and the hash of the token for it.
    private func holder(_ mark: String) -> (Person, hash: String)? {
        if mark == Self.mark(Self.keeper), let token {
            return (keeper, Self.hash(token))
        }
        let found = settings.people.first { Self.mark($0.key) == mark }
        return found.flatMap { name, person in
            person.tokenSHA256.map { (Person(name, person), $0) }
        }
    }

    /// The holder of the token of the file.
    private var keeper: Person {
        settings.people.isEmpty
            ? .anyone : Person(name: Self.keeper, role: .operate, categories: [])
    }

    /// A name in a cookie, which may hold few characters.
    private static func mark(_ name: String) -> String {
        name.utf8.map { String($0, radix: 16) }.joined(separator: "-")
    }

    private static func hash(_ token: String) -> String {
        ContentHash(of: Array(token.utf8)).rawValue
    }

    /// The header field that admits a visitor with the right token; `nil` for a wrong one.
    func entrance(_ given: String) -> String? {
        // Comparing hashes reveals nothing about the token by its timing.
        let hash = Self.hash(given)
        let name =
            token.map(Self.hash) == hash
            ? Self.keeper : settings.people.first { $0.value.tokenSHA256 == hash }?.key
        guard let name else { return nil }
        let mark = Self.mark(name)
        return
            "\(Self.cookie)=\(mark).\(pass(today, mark, hash)); Path=/; HttpOnly; SameSite=Strict"
    }

    /// Refuses forms that are not of this server, or not for this person.
    ///
    /// - Throws: `WebError`.
    func checkForm(_ request: WebRequest, of person: Person) throws {
        try checkSender(request)
        try checkKey(request.form["key"], of: person)
    }

    /// Refuses what does not carry the key of this server's forms for a person.
    ///
    /// - Throws: `WebError`.
    func checkKey(_ key: String?, of person: Person) throws {
        guard key == formKey(of: person) else { throw Self.notOurs }
    }

    /// Refuses forms sent by a page of another origin.
    ///
    /// - Throws: `WebError`.
    func checkSender(_ request: WebRequest) throws {
        let site = request.header("sec-fetch-site") ?? "same-origin"
        guard ["same-origin", "none"].contains(site) else { throw Self.notOurs }
    }

    private static var notOurs: WebError {
        WebError(
            status: 403, message: "that did not come from the current page",
            remedy: "load the page again, and press the button again")
    }
}
