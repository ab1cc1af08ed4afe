import StickerCodecs
import StickerContainers
import StickerValues
import Testing

/// Every damaged, hostile or odd file of the outside collection against its verdict.
@Suite(.enabled(if: Corpus.isThere, Corpus.hint)) struct BadCorpusTests {
    @Test func verdictsHold() throws {
        let rows = try Corpus.table("bad/MANIFEST.tsv")
        var differences: [String] = []

        for row in rows {
            let file = try #require(row["file"])
            let source = try Corpus.source("bad/\(file)")
            let outcome = Self.outcome(source)
            let verdict = Self.shown.contains(file) ? "accept" : row["verdict"]
            if verdict == "either" {
                if outcome != Self.outcome(source) { differences.append("\(file): unstable") }
            } else if row["class"] == "other-image" {
                // A file that is readable now may turn out to be a picture or to be damaged; see below.
            } else if verdict != (outcome == nil ? "accept" : "reject") {
                differences.append(
                    "\(file) \(row["class"] ?? "") \(verdict ?? "") \(outcome.map { "\($0)"} ?? "-") \(row["libpng/giflib/libjpeg"] ?? "")"
                )
            }
        }

        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }

    /// Their screens have no area, and grow until they hold the first frame, as in browsers.
    private static let shown = ["synthetic/gif-canvas-0x0.gif", "synthetic/gif-canvas-0xn.gif"]

    private static func outcome(_ source: SourceBytes) -> CodecError? {
        do throws(CodecError) {
            switch ImageFormat.sniff(source) {
            case .picture(.gif): _ = try decodeAnimation(source)
            case .picture: _ = try decodeStill(source, side: 512)
            case let other: throw CodecError(.unsupported, .png, "not a picture: \(other)")
            }
            return nil
        } catch {
            return error
        }
    }
}
