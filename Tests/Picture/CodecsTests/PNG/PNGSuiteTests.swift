import StickerValues
import Testing

/// The valid files of Willem van Schaik's PngSuite against their published pixels.
@Suite(.enabled(if: Corpus.isThere, Corpus.hint)) struct PNGSuiteTests {
    @Test func everyFileGivesItsPixels() throws {
        let rows = try Corpus.table("pngsuite/EXPECT.tsv")
        #expect(rows.count > 150)

        for row in rows {
            let file = try #require(row["file"])
            let decoded = try decodeStill(Corpus.source("pngsuite/\(file)"))
            let name = file.replacing(".png", with: ".rgba")
            let expected = try Corpus.bytes("pngsuite/expected/\(name)")
            #expect(decoded.rgba8 == expected, "\(file)")
        }
    }
}
