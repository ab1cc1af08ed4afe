import Glibc
import Synchronization

/// The terminal behind standard error: log lines scroll by, and one line below them may show the progress.
public final class Terminal: Sendable {
    private let foot = Mutex("")
    private let put: @Sendable (String) -> Void

    init(put: @escaping @Sendable (String) -> Void) { self.put = put }

    /// The terminal behind standard error; `nil` if that is a file, a pipe or the journal.
    public static let standardError: Terminal? =
        isatty(2) == 1
        ? Terminal { text in
            let bytes = Array(text.utf8)
            _ = Glibc.write(2, bytes, bytes.count)
        } : nil

    /// Writes a line above the foot.
    package func write(_ line: String) {
        foot.withLock { foot in put(Self.clear(foot) + line + "\n" + foot) }
    }

    /// Shows a different line at the foot, or none if it is empty.
    package func showFoot(_ line: String) {
        foot.withLock { foot in
            guard foot != line else { return }
            put(Self.clear(foot) + line)
            foot = line
        }
    }

    private static func clear(_ foot: String) -> String { foot.isEmpty ? "" : "\r\u{1B}[K" }
}
