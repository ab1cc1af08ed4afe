import StickerModel

/// A part of a page. Texts that are put into it are escaped, so that no name of a file is ever markup.
struct HTML: ExpressibleByStringInterpolation, Sendable {
    /// The markup.
    private(set) var text: String

    /// Markup that is written in the code.
    init(stringLiteral text: String) { self.text = text }

    /// Takes what was put together.
    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// Parts one after the other.
    init(_ parts: [HTML]) { text = parts.map(\.text).joined() }

    /// What is put together, piece by piece.
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

        /// Control characters are shown, and signs of markup are no markup, in attributes neither. Markup written in
        /// the code is taken as `HTML` wherever it may be either, also as one of two choices.
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
    /// As a part of a path or of a query.
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
