import StickerCodecs
import StickerModel
import Testing

/// Every damaged, hostile or odd file of the outside collection against its verdict.
@Suite(.enabled(if: Corpus.isThere, Corpus.hint)) struct BadCorpusTests {
    @Test func verdictsHold() throws {
        let rows = try Corpus.table("bad/MANIFEST.tsv")
        var differences: [String] = []

        for row in rows {
            let file = try #require(row["file"])
            guard !Self.isGIF(try Corpus.source("bad/\(file)")) else { continue }
            let source = try Corpus.source("bad/\(file)")
            let outcome = Self.outcome(source)
            let verdict = row["verdict"]
            if verdict == "either" {
                if outcome != Self.outcome(source) { differences.append("\(file): unstable") }
            } else if verdict != (outcome == nil ? "accept" : "reject") {
                differences.append(
                    "\(file) \(row["class"] ?? "") \(verdict ?? "") \(outcome.map { "\($0)"} ?? "-") \(row["libpng/giflib/libjpeg"] ?? "")"
                )
            }
        }

        print(differences.joined(separator: "\n"), differences.count)
        #expect(differences.isEmpty)
    }

    private static func isGIF(_ source: SourceBytes) -> Bool {
        ImageFormat.sniff(source) == .picture(.gif)
    }

    private static func outcome(_ source: SourceBytes) -> CodecError? {
        guard case .picture = ImageFormat.sniff(source) else {
            return CodecError(.unsupported, .png, "foreign")
        }
        do throws(CodecError) {
            _ = try decodeStill(source, side: 512)
            return nil
        } catch {
            return error
        }
    }
}
