import StickerValues

/// A part of a page. Inserted texts are escaped, so that a file name is never markup.
struct HTML: ExpressibleByStringInterpolation, Sendable {
    /// The markup.
    private(set) var text: String

    /// Markup written in the code.
    init(stringLiteral text: String) { self.text = text }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// Joins parts.
    init(_ parts: [HTML]) { text = parts.map(\.text).joined() }

    /// Collects the pieces of an interpolation.
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate(set) var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ part: HTML) { text += part.text }
        mutating func appendInterpolation(_ parts: [HTML]) {
            for part in parts { text += part.text }
        }
        mutating func appendInterpolation(_ number: Int) { text += number.grouped }
        mutating func appendInterpolation(_ job: JobID) { text += "\(job)" }

        /// Shows control characters, and escapes markup, in attributes, too. Markup written in the code counts as
        /// `HTML` wherever both are possible, also as one of two choices.
        @_disfavoredOverload
        mutating func appendInterpolation(_ value: String) {
            for scalar in FileName.escaped(value).unicodeScalars {
                switch scalar {
                case "&": text += "&amp;"
                case "<": text += "&lt;"
                case ">": text += "&gt;"
                case "\"": text += "&quot;"
                case "'": text += "&#39;"
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
    }
}

extension String {
    /// Escaped for a path or a query.
    var inAddress: String {
        var text = ""
        for byte in utf8 {
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || "-._~".utf8.contains(byte)
            if isPlain {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return text
    }
}
