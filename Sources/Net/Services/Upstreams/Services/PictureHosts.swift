import StickerValues

/// The allowed hosts of pictures.
struct PictureHosts: Hashable, Sendable {
    private static let bytesMax = 2000
    /// The characters of RFC 3986 without `'`, which ends texts in carelessly written pages.
    private static let allowed = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?@!$&()*+,;=%".utf8)

    private let names: Set<String>
    private let endings: [String]

    /// - Parameter hosts: names, or `*.NAME` for all below one.
    init(_ hosts: [String]) {
        names = Set(hosts.filter { !$0.hasPrefix("*") })
        endings = hosts.filter { $0.hasPrefix("*.") }.map { String($0.dropFirst()) }
    }

    /// An address of a picture.
    ///
    /// - Throws: `LeftOut` if it is no text, no https URL of one of the hosts without user and port, or has the
    ///   extension of another kind.
    func address(_ value: JSONValue?, of kind: PictureKind) throws(LeftOut) -> String {
        guard case .string(let text)? = value else { throw .shape }
        guard !text.lowercased().hasPrefix("http://") else { throw .insecure }
        guard text.utf8.count <= Self.bytesMax, text.hasPrefix("https://"),
            text.utf8.allSatisfy(Self.allowed.contains)
        else { throw .address }
        let host = text.dropFirst("https://".count).prefix { $0 != "/" && $0 != "?" }
        guard names.contains(String(host)) || endings.contains(where: { isBelow($0, host) }) else {
            throw .address
        }
        guard kind.mayBe(text) else { throw .kind }
        return text
    }

    private func isBelow(_ ending: String, _ host: Substring) -> Bool {
        let rest = host.dropLast(ending.count)
        return host.hasSuffix(ending) && !rest.isEmpty && !rest.hasPrefix(".")
            && rest.utf8.allSatisfy {
                ("a"..."z").contains(Character(Unicode.Scalar($0)))
                    || ("0"..."9").contains(Character(Unicode.Scalar($0))) || $0 == 0x2D
                    || $0 == 0x2E
            }
    }
}

/// The expected kind of a picture.
enum PictureKind {
    /// A PNG or GIF.
    case sticker
    case webP
    /// Anything that browsers show.
    case thumbnail

    private var endings: Set<String> {
        switch self {
        case .sticker: ["png", "apng", "gif"]
        case .webP: ["webp"]
        case .thumbnail: ["png", "apng", "gif", "webp", "jpg", "jpeg"]
        }
    }

    /// Whether the extension of an address fits; many have none.
    func mayBe(_ url: String) -> Bool {
        let path = url.dropFirst("https://".count).prefix { $0 != "?" }
        guard
            let name = path.split(separator: "/", omittingEmptySubsequences: false)
                .dropFirst().last, let dot = name.lastIndex(of: ".")
        else { return true }
        let ending = name[name.index(after: dot)...].lowercased()
        // `v1.2` has no extension.
        return !ending.contains { $0.isLetter } || endings.contains(ending)
    }
}

extension String {
    /// Escaped for a query: RFC 3986, section 2.
    var inQuery: String {
        var text = ""
        for byte in utf8 {
            let scalar = Unicode.Scalar(byte)
            switch Character(scalar) {
            case "A"..."Z", "a"..."z", "0"..."9", "-", ".", "_", "~":
                text.unicodeScalars.append(scalar)
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return text
    }
}

extension JSONValue {
    /// A member of an object.
    subscript(_ name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// A whole number, also as a text: upstreams write both.
    var asWhole: Int? {
        switch self {
        case .integer(let number): number
        case .string(let text) where text.utf8.count <= 18: Int(text)
        default: nil
        }
    }

    /// The object in a body.
    ///
    /// - Throws: `UpstreamFault` if it is none.
    static func object(in body: [UInt8]) throws(UpstreamFault) -> JSONValue {
        // The details of a syntax error do not help operators.
        let value =
            (try? JSONParser.parse(body))
            ?? (try? JSONParser.parse(SurrogateMending.mended(body)))
        guard let value, case .object = value else {
            throw UpstreamFault(.unreadable, "its answer is not a JSON object")
        }
        return value
    }
}
