import StickerCodecs
import StickerContainers
import StickerRaster
import StickerTestSupport
import StickerValues
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
        #expect(pictures.count == 5)
    }

    @Test func grayProfileSuitsPicturesWithoutChromaAlone() throws {
        func header(_ name: String) throws -> ImageHeader {
            try HEICDecoder(SourceBytes(try picture(name).file), limits: DecodeLimits()).header
        }
        let gray = try header("profile-gray.heic")
        let colour = try header("profile-colour.heic")

        #expect(gray.color != .sRGB && gray.warnings.isEmpty)
        #expect(colour.color == .sRGB && colour.warnings.map(\.code) == ["bad-profile"])
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

/// Statements of HEICs about their colours.
struct HEICColorTests {
    private func header(_ file: [UInt8]) throws(CodecError) -> ImageHeader {
        try HEICDecoder(SourceBytes(file), limits: DecodeLimits()).header
    }

    @Test func coloursThatOnlyTheVideoStatesCount() throws {
        #expect(try header(TestFormats.heic).color == .sRGB)
        #expect(try header(TestFormats.heic(primaries: 12, transfer: 13)).color != .sRGB)
        #expect(try header(TestFormats.heic(primaries: 1, transfer: 1)).color == .sRGB)
    }

    @Test(arguments: [(16, "PQ"), (18, "HLG")])
    func brightnessBeyondWhiteIsRefusedWhereOnlyTheVideoStatesIt(transfer: UInt8, name: String) {
        let error = #expect(throws: CodecError.self) {
            try header(TestFormats.heic(primaries: 9, transfer: transfer))
        }

        #expect(error?.code == .unsupported)
        #expect(error?.detail.contains("\(name), stated by the header of its video") == true)
    }
}
