import Glibc

/// Splits a style sheet into tokens (CSS Syntax Level 3, section 4.3), without comments.
struct CSSTokenizer: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var at = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    static func tokens(of text: String) -> [CSSToken] {
        CSSTokenizer(text).filter { $0.kind != .comment }
    }

    mutating func next() -> CSSToken? {
        guard let byte = peek() else { return nil }
        let start = at
        let (kind, value, number) = consume(byte)
        return CSSToken(kind: kind, text: string(start..<at), value: value, number: number)
    }

    private mutating func consume(_ byte: UInt8) -> (CSSToken.Kind, String, Double) {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0C, 0x0D:
            while let next = peek(), Self.isSpace(next) { at += 1 }
            return (.whitespace, "", 0)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return consumeString(byte)
        case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): return consumeComment()
        case UInt8(ascii: "<") where has("<!--"), UInt8(ascii: "-") where has("-->"):
            at += byte == UInt8(ascii: "<") ? 4 : 3
            return (.whitespace, "", 0)
        case UInt8(ascii: "#") where isName(1):
            at += 1
            return (.hash, consumeName(), 0)
        case UInt8(ascii: "@") where startsName(1):
            at += 1
            return (.atKeyword, consumeName(), 0)
        case _ where startsNumber(): return consumeNumeric()
        case _ where startsName(0): return consumeIdentLike()
        default:
            at += 1
            return (Self.sign(byte), "", 0)
        }
    }

    private static func sign(_ byte: UInt8) -> CSSToken.Kind {
        switch byte {
        case UInt8(ascii: ":"): .colon
        case UInt8(ascii: ";"): .semicolon
        case UInt8(ascii: ","): .comma
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): .open
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): .close
        default: .delimiter
        }
    }

    // MARK: Parts

    private mutating func consumeComment() -> (CSSToken.Kind, String, Double) {
        at += 2
        while at < bytes.count, !has("*/") { at += 1 }
        at = Swift.min(bytes.count, at + 2)
        return (.comment, "", 0)
    }

    private mutating func consumeString(_ quote: UInt8) -> (CSSToken.Kind, String, Double) {
        at += 1
        var value: [UInt8] = []
        while let byte = peek(), byte != quote {
            switch byte {
            case 0x0A, 0x0C, 0x0D: return (.badString, "", 0)
            case UInt8(ascii: "\\") where peek(1) == 0x0A: at += 2
            case UInt8(ascii: "\\"): consumeEscape(into: &value)
            default:
                value.append(byte)
                at += 1
            }
        }
        if at < bytes.count { at += 1 }
        return (.string, String(decoding: value, as: UTF8.self), 0)
    }

    private mutating func consumeIdentLike() -> (CSSToken.Kind, String, Double) {
        let name = consumeName()
        guard peek() == UInt8(ascii: "(") else { return (.ident, name, 0) }
        at += 1
        guard name.lowercased() == "url" else { return (.function, name, 0) }
        var ahead = at
        while ahead < bytes.count, Self.isSpace(bytes[ahead]) { ahead += 1 }
        let first = ahead < bytes.count ? bytes[ahead] : 0
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            at = ahead
            let inner = consumeString(first)
            return consumeURLEnd(inner.0 == .string ? inner.1 : nil)
        }
        at = ahead
        var value: [UInt8] = []
        while let byte = peek(), byte != UInt8(ascii: ")"), !Self.isSpace(byte) {
            if byte == UInt8(ascii: "\\") {
                consumeEscape(into: &value)
            } else {
                value.append(byte)
                at += 1
            }
        }
        return consumeURLEnd(String(decoding: value, as: UTF8.self))
    }

    private mutating func consumeURLEnd(_ value: String?) -> (CSSToken.Kind, String, Double) {
        while let byte = peek(), Self.isSpace(byte) { at += 1 }
        let isWhole = at == bytes.count || peek() == UInt8(ascii: ")")
        while let byte = peek() {
            at += 1
            if byte == UInt8(ascii: ")") { break }
        }
        guard isWhole, let value else { return (.badURL, "", 0) }
        return (.url, value, 0)
    }

    private mutating func consumeName() -> String {
        var name: [UInt8] = []
        while let byte = peek() {
            if Self.isNamePart(byte) {
                name.append(byte)
                at += 1
            } else if isEscape(0) {
                consumeEscape(into: &name)
            } else {
                break
            }
        }
        return String(decoding: name, as: UTF8.self)
    }

    private mutating func consumeEscape(into bytes: inout [UInt8]) {
        at += 1
        let start = at
        while at < start + 6, let byte = peek(), Self.isHexadecimal(byte) { at += 1 }
        guard at > start else {
            if let byte = peek() {
                bytes.append(byte)
                at += 1
            }
            return
        }
        let number = UInt32(string(start..<at), radix: 16) ?? 0
        if let byte = peek(), Self.isSpace(byte) { at += 1 }
        let scalar = number == 0 ? nil : Unicode.Scalar(number)
        bytes += Array(String(Character(scalar ?? "\u{FFFD}")).utf8)
    }

    private mutating func consumeNumeric() -> (CSSToken.Kind, String, Double) {
        let start = at
        if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { at += 1 }
        skipDigits()
        if peek() == UInt8(ascii: "."), isDigit(1) {
            at += 1
            skipDigits()
        }
        if peek().map({ $0 | 0x20 }) == UInt8(ascii: "e") {
            let sign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
            if isDigit(sign ? 2 : 1) {
                at += sign ? 2 : 1
                skipDigits()
            }
        }
        let number = strtod(string(start..<at), nil)
        let clamped = number.isFinite ? number : number.sign == .minus ? -1e30 : 1e30
        if peek() == UInt8(ascii: "%") {
            at += 1
            return (.percentage, "%", clamped)
        }
        return startsName(0) ? (.dimension, consumeName(), clamped) : (.number, "", clamped)
    }

    private mutating func skipDigits() { while isDigit(0) { at += 1 } }

    // MARK: Looking ahead

    private func peek(_ ahead: Int = 0) -> UInt8? {
        at + ahead < bytes.count ? bytes[at + ahead] : nil
    }

    private func has(_ text: StaticString) -> Bool {
        at + text.utf8CodeUnitCount <= bytes.count
            && (0..<text.utf8CodeUnitCount).allSatisfy { bytes[at + $0] == text.utf8Start[$0] }
    }

    private func string(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    private func isDigit(_ ahead: Int) -> Bool {
        peek(ahead).map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false
    }

    private func isEscape(_ ahead: Int) -> Bool {
        guard peek(ahead) == UInt8(ascii: "\\"), let next = peek(ahead + 1) else { return false }
        return next != 0x0A
    }

    private func isName(_ ahead: Int) -> Bool {
        peek(ahead).map(Self.isNamePart) ?? false || isEscape(ahead)
    }

    private func startsName(_ ahead: Int) -> Bool {
        guard let byte = peek(ahead) else { return false }
        if byte == UInt8(ascii: "-") {
            guard let next = peek(ahead + 1) else { return false }
            return Self.isNameStart(next) || next == UInt8(ascii: "-") || isEscape(ahead + 1)
        }
        return Self.isNameStart(byte) || isEscape(ahead)
    }

    private func startsNumber() -> Bool {
        let sign = peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") ? 1 : 0
        return isDigit(sign) || peek(sign) == UInt8(ascii: ".") && isDigit(sign + 1)
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
            || byte >= 0x80
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        isNameStart(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            || byte == UInt8(ascii: "-")
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
    }
}
