import FoundationEssentials
import Glibc

/// Colour, only on a terminal and according to https://no-color.org.
enum Style {
    /// Something needs attention.
    static func alarming(_ text: String) -> String { colored(text, "31") }
    /// All is well.
    static func fine(_ text: String) -> String { colored(text, "32") }
    /// Something is waiting or paused.
    static func waiting(_ text: String) -> String { colored(text, "33") }

    private static func colored(_ text: String, _ code: String) -> String {
        isColored && !Terminal.isLeftOut ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    private static let isColored: Bool = {
        let environment = ProcessInfo.processInfo.environment
        return isatty(1) == 1 && (environment["NO_COLOR"] ?? "").isEmpty
            && environment["TERM"] != "dumb"
    }()
}
