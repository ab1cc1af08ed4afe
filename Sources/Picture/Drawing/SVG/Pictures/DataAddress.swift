import StickerContainers

/// The contents of a `data:` address (RFC 2397), as browsers read it.
struct DataAddress {
    /// In lower case, without parameters; empty if unspecified.
    let type: String
    let bytes: [UInt8]

    /// Reads an address; `nil` if it is of another kind, or faulty.
    init?(_ address: String) {
        let address = address.drop { $0.isWhitespace }
        guard address.prefix(5).lowercased() == "data:",
            let comma = address.utf8.firstIndex(of: UInt8(ascii: ","))
        else { return nil }
        let head = address[address.index(address.startIndex, offsetBy: 5)..<comma].lowercased()
        let parts = head.split(separator: ";", omittingEmptySubsequences: false)
        type = parts.first.map { String($0).trimmingSuffix { $0.isWhitespace } } ?? ""
        let content = Self.unescaped(address[address.utf8.index(after: comma)...].utf8)
        let isBase64 = parts.last?.trimmingSuffix { $0.isWhitespace }.drop { $0 == " " } == "base64"
        guard isBase64 else {
            bytes = content
            return
        }
        guard let decoded = Base64.decoded(content) else { return nil }
        bytes = decoded
    }

    /// An unescaped text; `nil` if the result is no UTF-8.
    static func plain(_ text: String) -> String? {
        String(validating: unescaped(text[...].utf8), as: UTF8.self)
    }

    /// The address of a file.
    static func text(_ type: String, _ bytes: [UInt8]) -> String {
        "data:\(type);base64,\(Base64.encoded(bytes))"
    }

    private static func unescaped(_ text: Substring.UTF8View) -> [UInt8] {
        guard text.contains(UInt8(ascii: "%")) else { return Array(text) }
        let bytes = Array(text)
        var (result, at): ([UInt8], Int) = ([], 0)
        result.reserveCapacity(bytes.count)
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.count,
                let high = Character(Unicode.Scalar(bytes[at + 1])).hexDigitValue,
                let low = Character(Unicode.Scalar(bytes[at + 2])).hexDigitValue
            {
                result.append(UInt8(high * 16 + low))
                at += 3
            } else {
                result.append(bytes[at])
                at += 1
            }
        }
        return result
    }
}
