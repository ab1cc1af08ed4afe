public import StickerModel

/// A text with all that a maintainer would ask for, in sections: a person reads it before it is sent.
///
/// No section holds another up, none is longer than it may be, and there are no secrets in any.
public struct SupportReport {
    /// The whole text, in bytes of UTF-8.
    public static let bytesMax = 1 << 20

    /// The part of a long section that is left out.
    public enum Cut: Sendable {
        /// The lines at its beginning.
        case start
        /// The lines at its end.
        case end
    }

    private var text: String
    private let secrets: SecretText

    /// Begins a report.
    ///
    /// - Parameters:
    ///   - introduction: lines before the first section.
    ///   - secrets: what is taken out of every line.
    public init(introduction: [String], without secrets: SecretText) {
        self.secrets = secrets
        text = "# stickerd report\n\n" + introduction.map { "\($0)\n" }.joined()
    }

    /// Adds a section.
    ///
    /// - Parameters:
    ///   - title: its heading.
    ///   - bytesMax: lines beyond that are left out and counted.
    ///   - cut: which ones are.
    ///   - lines: its lines. If they cannot be had, the section says why.
    public mutating func add(
        _ title: String, bytesMax: Int = 32 << 10, leavingOut cut: Cut = .end,
        _ lines: () throws -> [String]
    ) {
        text += "\n## \(title)\n\n"
        do {
            let all = try lines().flatMap {
                $0.split(separator: "\n", omittingEmptySubsequences: false)
            }
            .map { FileName.escaped(secrets.hidden(in: String($0))) }
            let kept = Self.kept(all, bytesMax: bytesMax, cut)
            let note = "(\((all.count - kept.count).counted("line", "lines")) left out)"
            let notes = kept.count < all.count ? [note] : []
            text += (cut == .start ? notes + kept : kept + notes).map { "\($0)\n" }.joined()
            if all.isEmpty { text += "nothing\n" }
        } catch {
            text += "this is missing: \(FileName.escaped(secrets.hidden(in: "\(error)")))\n"
        }
    }

    private static func kept(_ lines: [String], bytesMax: Int, _ cut: Cut) -> [String] {
        var room = bytesMax
        func fits(_ line: String) -> Bool {
            room -= line.utf8.count + 1
            return room >= 0
        }
        guard cut == .start else { return Array(lines.prefix(while: fits)) }
        return Array(Array(lines.reversed()).prefix(while: fits).reversed())
    }

    /// The text as it is written.
    public var bytes: [UInt8] {
        guard text.utf8.count > Self.bytesMax else { return Array(text.utf8) }
        return Array(String(decoding: text.utf8.prefix(Self.bytesMax - 3), as: UTF8.self).utf8)
    }
}
