import StickerCodecs
import StickerContainers
import StickerModel
import StickerTestSupport
import Testing

@testable import StickerHEIC

/// The pictures are made by heif-enc, which a Debian system may have or not.
@Suite(.needsEncoder("heif-enc"), .needsPillow) struct HEICDecoderTests {
    private static let pictures = try? IndependentDecoders.pictures("heic")

    private func picture(_ name: String) throws -> IndependentDecoders.Picture {
        try #require(Self.pictures?.first { $0.name == name })
    }

    @Test func otherDecodersSeeTheSameHEICs() throws {
        let pictures = try #require(Self.pictures)

        for picture in pictures {
            let decoder = try HEICDecoder(SourceBytes(picture.file), limits: DecodeLimits())
            let decoded = try decode(decoder)
            #expect(picture.difference(decoded.bytes) <= picture.tolerance, "\(picture.name)")
        }
        #expect(pictures.count == 3)
    }

    @Test func limitsOfAHEICAreCheckedOnTheHeader() throws {
        let file = try picture("420.heic").file
        var limits = DecodeLimits()
        limits.sidePixelsMax = 100

        #expect(throws: CodecError.self) { try HEICDecoder(SourceBytes(file), limits: limits) }
        limits = DecodeLimits()
        limits.decoderBytesMax = 1000
        #expect(throws: CodecError.self) { try HEICDecoder(SourceBytes(file), limits: limits) }
        #expect(PictureOutline.read(SourceBytes(file))?.format == .heic)
    }
}
