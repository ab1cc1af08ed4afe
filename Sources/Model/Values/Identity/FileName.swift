/// Reads and displays file names, which are bytes to the kernel.
public enum FileName {
    /// The bytes before the last dot; all of them if the only dot is at the start.
    public static func stem(_ name: [UInt8]) -> [UInt8] {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name }
        return Array(name[..<dot])
    }

    /// The bytes after the last dot, in lower case; empty if there is none.
    public static func fileExtension(_ name: [UInt8]) -> String {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return "" }
        return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
    }

    /// The suffix of a template's name, in any case.
    public static let templateSuffix = ".smart.svg"

    /// Whether the name is that of a template.
    public static func isTemplate(_ name: [UInt8]) -> Bool {
        name.count > templateSuffix.utf8.count
            && String(decoding: name.suffix(templateSuffix.utf8.count), as: UTF8.self).lowercased()
                == templateSuffix
    }

    /// The name as text: unchanged if it is valid UTF-8, else with every byte but printable ASCII as `%XX`.
    public static func display(_ name: [UInt8]) -> String {
        String(validating: name, as: UTF8.self) ?? percentEncoded(name)
    }

    /// Whether the name is valid UTF-8, so that `display` shows it unchanged.
    public static func isText(_ name: [UInt8]) -> Bool {
        String(validating: name, as: UTF8.self) != nil
    }

    /// `name` as a title: runs of white space become single blanks; control characters and invisible ones
    /// that could reorder the text are removed. A name that consists only of these is shown escaped.
    public static func title(_ name: String) -> String {
        let title = visible(name)
        return title.isEmpty ? escaped(name) : title
    }

    /// The visible part of `text`: runs of white space become single blanks; control characters and invisible ones that
    /// could reorder the text are removed.
    public static func visible(_ text: String) -> String {
        var words = ""
        for character in text {
            if character.isEmoji {
                words.append(character)
            } else if character.isWhitespace {
                words.append(" ")
            } else {
                for scalar in character.unicodeScalars where scalar.isText {
                    words.unicodeScalars.append(scalar)
                }
            }
        }
        return words.split(separator: " ").joined(separator: " ")
    }

    /// `text` with everything that could forge a line or control a terminal written as `\u{..}`: control characters,
    /// line separators, and invisible characters such as those that change the writing direction. Emoji stay intact.
    public static func escaped(_ text: String) -> String {
        if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return text }
        var shown = ""
        for character in text {
            guard !character.isEmoji else {
                shown.append(character)
                continue
            }
            for scalar in character.unicodeScalars {
                if scalar.isInvisible {
                    shown += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    shown.unicodeScalars.append(scalar)
                }
            }
        }
        return shown
    }

    private static func percentEncoded(_ name: [UInt8]) -> String {
        var text = ""
        for byte in name {
            if (0x20...0x7E).contains(byte), byte != UInt8(ascii: "%") {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let hex = String(byte, radix: 16, uppercase: true)
                text += "%" + (hex.count == 1 ? "0" : "") + hex
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether it may appear in a title: anything visible, the joiners that some scripts need for spelling, and the
    /// marks that only set the direction of their neighbours.
    var isText: Bool { !isInvisible || [0x200C, 0x200D, 0x200E, 0x200F].contains(value) }

    /// Whether it controls lines, terminals or the order of text instead of being visible.
    var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
