import Foundation
import StickerCodecs
import StickerContainers
import StickerRaster
import StickerValues
import Testing

/// Pictures as people make them: all are whole and decode, but for those above the limits.
@Suite(.enabled(if: Corpus.isThere, Corpus.hint)) struct OrdinaryCorpusTests {
    /// Bytes follow the trailer of these.
    private static let filesWithATail = [
        "tim_callview_hangup_loading.gif", "gifrs_moon_impact.gif",
    ]

    @Test(arguments: ["png", "jpeg", "gif"]) func everyPictureDecodes(folder: String) throws {
        let root = try #require(Corpus.root)
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")
        var decoded = 0

        for file in files where !file.hasSuffix(".md") {
            let source = try Corpus.source("\(folder)/\(file)")
            let isWhole = Container.completeness(of: source) == .whole
            #expect(isWhole != Self.filesWithATail.contains(file), "\(file)")
            do throws(CodecError) {
                decoded +=
                    folder == "gif" ? try frameCount(source) : try rowCount(source) > 0 ? 1 : 0
            } catch {
                #expect(error.limit != nil, "\(file): \(error)")
            }
        }

        #expect(decoded > 10)
    }

    private func rowCount(_ source: SourceBytes) throws(CodecError) -> Int {
        let decoder = try stillDecoder(source)
        let conversion = ColorConversion(decoder.header)
        let size = decoder.decodedSize(longSideAtLeast: 512)
        var rows = 0
        try decoder.decode(size: size) { row in
            let converted = conversion.convert(row: row, pixels: size.width)
            #expect(converted.count == size.width * conversion.layout.bytesPerPixel)
            rows += 1
        }
        #expect(rows == size.height)
        return rows
    }

    private func frameCount(_ source: SourceBytes) throws(CodecError) -> Int {
        let decoder = try GIFDecoder(source, limits: DecodeLimits())
        var frames = 0
        while try decoder.next() != nil { frames += 1 }
        #expect(frames == decoder.frameCount)
        return frames
    }
}
