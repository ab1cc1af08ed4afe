import NIOCore
import StickerConfiguration
import StickerHTTP

@testable import StickerConsole

/// What a visitor sees of an answer.
struct Shown {
    let status: Int
    let text: String
    let headers: [String: String]

    init(_ answer: Answer) {
        status = answer.status
        text =
            if case .bytes(let bytes) = answer.body { String(buffer: bytes) } else { "" }
        headers = Dictionary(answer.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }
}

extension ConsoleSite {
    /// The answer to a visitor on this machine.
    func shown(
        _ target: String, form: [String: String]? = nil, fields: [String: String] = [:]
    ) -> Shown {
        Shown(answer(WebRequest(target, form: form, fields: fields)))
    }
}

extension WebRequest {
    /// A request by a visitor on this machine; with a form, that is sent.
    init(
        _ target: String, form: [String: String]? = nil, fields: [String: String] = [:],
        from client: String = "127.0.0.1", proxies: [AddressRange] = []
    ) {
        let known = ["host": "127.0.0.1:8513"].merging(fields) { $1 }
        self.init(
            form == nil ? "GET" : "POST", target, client: client, proxies: proxies
        ) { known[$0] }
        let pairs = (form ?? [:]).map { "\($0.key)=\($0.value.inAddress)" }
        body = Array(pairs.joined(separator: "&").utf8)
    }
}
