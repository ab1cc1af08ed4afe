import Glibc
import StickerHTTP
import StickerModel
import StickerStore
import StickerSystem

/// Who may look, and who may do something: whoever is on this machine, or has the token; and only through pages of this
/// server.
struct Visitor: Sendable {
    /// The name of the cookie with which a page says that its visitor knows the token.
    private static let cookie = "stickerd_console"

    /// What a form of this server says, and no other can know.
    let formKey: String
    private let address: WebAddress
    private let token: String?
    private let secret: String

    /// - Parameters:
    ///   - address: where the server listens.
    ///   - token: what visitors have to know; `nil` for nothing.
    ///   - secret: random, for as long as this server lives.
    init(address: WebAddress, token: String?, secret: String) {
        self.address = address
        self.token = token
        formKey = ContentHash(of: Array("form \(secret)".utf8)).rawValue
        self.secret = secret
    }

    /// What the cookie says on a day; it is taken on the next one, too, and then no more.
    private func pass(_ day: Int) -> String {
        ContentHash(of: Array("pass \(day) \(secret) \(token ?? "")".utf8)).rawValue
    }

    private var today: Int { Self.seconds / 86_400 }

    /// By a clock that nobody sets.
    static var seconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return time.tv_sec
    }

    /// Refuses a request that reached this server under the name of another: a page of a stranger may have given its
    /// own name this address.
    ///
    /// - Throws: `WebError`.
    func checkHost(_ request: WebRequest) throws {
        // Behind a token any name is right, as no stranger has the cookie of that name.
        guard token == nil else { return }
        let host = request.header("host") ?? ""
        // A tunnel may begin at another port. No stranger has one of these names.
        let ownNames = /(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?/
        guard host == address.description || host.wholeMatch(of: ownNames) != nil else {
            throw WebError(
                status: 421, message: "this console is not called that",
                remedy: "open http://\(address)/")
        }
        guard request.isLocal else {
            throw WebError(
                status: 403, message: "a server before this one asks for somebody else",
                remedy: "set console.tokenFile, so that not everybody is let in whom it lets in")
        }
    }

    /// Refuses what a page of another site asks for in the background; a link that somebody follows is none of that.
    ///
    /// - Throws: `WebError`.
    func checkSite(_ request: WebRequest) throws {
        guard request.header("sec-fetch-site") == "cross-site",
            request.header("sec-fetch-mode") != "navigate"
        else { return }
        throw WebError(
            status: 403, message: "another site asks for this", remedy: "open the console itself")
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

    /// The header field that lets a visitor in who knows the token; `nil` if it is another one.
    func entrance(_ given: String) -> String? {
        // Hashes tell nobody by their time how much of a token is right.
        guard let token,
            ContentHash(of: Array(given.utf8)) == ContentHash(of: Array(token.utf8))
        else { return nil }
        return "\(Self.cookie)=\(pass(today)); Path=/; HttpOnly; SameSite=Strict"
    }

    /// Refuses what did not come from a form of this server.
    ///
    /// - Throws: `WebError`.
    func checkForm(_ request: WebRequest) throws {
        try checkSender(request)
        guard request.form["key"] == formKey else { throw Self.notOurs }
    }

    /// Refuses a form that a page of another origin sent.
    ///
    /// - Throws: `WebError`.
    func checkSender(_ request: WebRequest) throws {
        let site = request.header("sec-fetch-site") ?? "same-origin"
        guard ["same-origin", "none"].contains(site) else { throw Self.notOurs }
    }

    private static var notOurs: WebError {
        WebError(
            status: 403, message: "that did not come from this page as it is now",
            remedy: "load the page again, and press the button again")
    }
}
