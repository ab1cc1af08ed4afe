import Glibc
import StickerConfiguration
import StickerHTTP
import StickerStore
import StickerSystem
import StickerValues

/// Decides who may read and who may act: visitors on this machine, or with the token; and only through pages of this
/// server.
struct Visitor: Sendable {
    /// The name of the cookie that proves knowledge of the token.
    private static let cookie = "stickerd_console"

    /// A value in forms of this server that no other site can know.
    let formKey: String
    private let address: WebAddress
    private let token: String?
    private let secret: String

    /// - Parameters:
    ///   - address: where the server listens.
    ///   - token: the token for visitors; `nil` for none.
    ///   - secret: random, for the lifetime of this server.
    init(address: WebAddress, token: String?, secret: String) {
        self.address = address
        self.token = token
        formKey = ContentHash(of: Array("form \(secret)".utf8)).rawValue
        self.secret = secret
    }

    /// The value of the cookie on a day; it is also valid on the next one.
    private func pass(_ day: Int) -> String {
        ContentHash(of: Array("pass \(day) \(secret) \(token ?? "")".utf8)).rawValue
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
        // With a token any name is accepted, as other websites lack the cookie for it.
        guard token == nil else { return }
        let host = request.header("host") ?? ""
        // A tunnel may use another port. Other websites cannot have one of these names.
        let ownNames = /(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?/
        guard host == address.description || host.wholeMatch(of: ownNames) != nil else {
            throw WebError(
                status: 421, message: "that is not a name of this console",
                remedy: "open http://\(address)/")
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

    /// Whether the visitor may see anything.
    func isKnown(_ request: WebRequest) -> Bool {
        guard token != nil else { return true }
        let cookies = (request.header("cookie") ?? "").split(separator: ";")
            .map { $0.drop { $0 == " " } }
        return [today, today - 1].contains { day in
            cookies.contains { $0 == "\(Self.cookie)=\(pass(day))"[...] }
        }
    }

    /// The header field that admits a visitor with the right token; `nil` for a wrong one.
    func entrance(_ given: String) -> String? {
        // Comparing hashes reveals nothing about the token by its timing.
        guard let token,
            ContentHash(of: Array(given.utf8)) == ContentHash(of: Array(token.utf8))
        else { return nil }
        return "\(Self.cookie)=\(pass(today)); Path=/; HttpOnly; SameSite=Strict"
    }

    /// Refuses forms that are not of this server.
    ///
    /// - Throws: `WebError`.
    func checkForm(_ request: WebRequest) throws {
        try checkSender(request)
        try checkKey(request.form["key"])
    }

    /// Refuses what does not carry the key of this server's forms.
    ///
    /// - Throws: `WebError`.
    func checkKey(_ key: String?) throws {
        guard key == formKey else { throw Self.notOurs }
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
