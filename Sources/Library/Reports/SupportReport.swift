public import StickerConfiguration
import StickerValues

/// A text in sections with everything that a maintainer needs: a person reads it before sending it.
///
/// A failing section does not delay others, each has a length limit, and none has secrets.
public struct SupportReport {
    /// The limit of the whole text, in bytes of UTF-8.
    public static let bytesMax = 1 << 20

    /// The omitted part of a long section.
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
    ///   - secrets: removed from every line.
    public init(introduction: [String], without secrets: SecretText) {
        self.secrets = secrets
        text = "# stickerd report\n\n" + introduction.map { "\($0)\n" }.joined()
    }

    /// Adds a section.
    ///
    /// - Parameters:
    ///   - title: its heading.
    ///   - bytesMax: lines beyond that are left out and counted.
    ///   - cut: the part that is left out.
    ///   - lines: its lines. If they fail, the section says why.
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

    /// The text in UTF-8.
    public var bytes: [UInt8] {
        guard text.utf8.count > Self.bytesMax else { return Array(text.utf8) }
        return Array(String(decoding: text.utf8.prefix(Self.bytesMax - 3), as: UTF8.self).utf8)
    }
}
