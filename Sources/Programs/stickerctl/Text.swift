import Glibc
import StickerValues

/// The destination of the output.
enum Terminal {
    /// Whether lines are for a file, wherever the command was given.
    @TaskLocal static var isLeftOut = false

    private static let isOutput = isatty(STDOUT_FILENO) != 0

    /// Whether the output is read by a person, and not by another program.
    static var isThere: Bool { isOutput && !isLeftOut }

    /// The number of columns of lines. Without a terminal, nothing is wrapped or cut, as programs look for complete
    /// words.
    static var width: Int { isThere ? 80 : 1_000_000 }

    /// The number of lines that fit; 24 if it does not tell.
    static var rows: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 1 else { return 24 }
        return Int(size.ws_row)
    }
}

extension Character {
    /// The columns of the character: 2 for emoji and East Asian characters, by the ranges of Unicode Standard Annex
    /// #11.
    fileprivate var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if unicodeScalars.contains(where: \.properties.isEmojiPresentation)
            || unicodeScalars.contains("\u{FE0F}")
        {
            return 2
        }
        return Self.wide.contains { $0.contains(first.value) } ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F000...0x1FAFF,
        0x20000...0x3FFFD,
    ]
}

extension String {
    /// The columns of the text on a terminal.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// Padded with spaces at the end.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - columns))
    }

    /// Padded with spaces at the start.
    func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - columns)) + self
    }

    /// At most `width` columns, with `…` at the end if it is cut.
    func cut(to width: Int) -> String {
        columns <= width || !Terminal.isThere
            ? self : Self.prefix(of: self, columns: width - 1) + "…"
    }

    /// At most `width` columns, with `…` at the start if it is cut.
    func cutInFront(to width: Int) -> String {
        guard columns > width, Terminal.isThere else { return self }
        return "…" + String(Self.prefix(of: reversed(), columns: width - 1).reversed())
    }

    fileprivate static func prefix(of characters: some Sequence<Character>, columns: Int) -> String
    {
        var left = columns
        var kept = ""
        for character in characters {
            left -= character.columns
            guard left >= 0 else { break }
            kept.append(character)
        }
        return kept
    }

    /// Lines of at most 80 columns on a terminal, broken at spaces, or within words longer than a line; all lines but
    /// the first begin with `indent` spaces.
    func wrapped(indent: Int) -> [String] {
        var lines: [String] = []
        var line = String(prefix { $0 == " " })
        var isEmpty = true
        let words = dropFirst(line.count).split(separator: " ", omittingEmptySubsequences: false)
            .flatMap { String($0).pieces(columns: Terminal.width - indent) }
        for word in words {
            let longer = isEmpty ? line + word : "\(line) \(word)"
            if longer.columns <= Terminal.width || isEmpty {
                line = longer
            } else {
                lines.append(line)
                line = String(repeating: " ", count: indent) + word
            }
            isEmpty = false
        }
        return lines + [line]
    }
}

extension String {
    /// The text in pieces of at most `columns` columns.
    fileprivate func pieces(columns: Int) -> [String] {
        guard self.columns > columns else { return [self] }
        let first = Self.prefix(of: self, columns: columns)
        guard !first.isEmpty else { return [self] }
        return [first] + String(dropFirst(first.count)).pieces(columns: columns)
    }
}

/// Lines of a report: a heading in a separate column, and wrapped text next to it.
func entry(_ heading: String, _ text: String) -> [String] {
    "  \(heading.padded(to: 10))\(text)".wrapped(indent: 12)
}
