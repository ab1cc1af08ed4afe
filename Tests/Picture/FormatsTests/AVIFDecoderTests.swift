import StickerCodecs
import StickerContainers
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerFormats

/// The pictures are made by avifenc, which a Debian system may have or not.
@Suite(.needsEncoder("avifenc"), .needsPillow) struct AVIFDecoderTests {
    private static let pictures = try? IndependentDecoders.pictures("avif")

    private func picture(_ name: String) throws -> IndependentDecoders.Picture {
        try #require(Self.pictures?.first { $0.name == name })
    }

    @Test func otherDecodersSeeTheSameAVIFs() throws {
        let pictures = try #require(Self.pictures).filter { $0.frames.count == 1 }

        for picture in pictures {
            let decoder = try AVIFStillDecoder(SourceBytes(picture.file), limits: DecodeLimits())
            let decoded = try decode(decoder)
            #expect(picture.difference(decoded.bytes) <= picture.tolerance, "\(picture.name)")
        }
        #expect(pictures.count == 18)
    }

    @Test func grayProfileSuitsPicturesWithoutChromaAlone() throws {
        func header(_ name: String) throws -> ImageHeader {
            try AVIFFile(SourceBytes(try picture(name).file), limits: DecodeLimits()).header
        }
        let gray = try header("profile-gray.avif")
        let colour = try header("profile-colour.avif")

        #expect(gray.color != .sRGB && gray.warnings.isEmpty)
        #expect(colour.color == .sRGB && colour.warnings.map(\.code) == ["bad-profile"])
    }

    /// As libheif before 1.12 wrote them, and avif-serialize before 0.7.4.
    @Test(arguments: ["pixi", "alpha ispe"])
    func propertiesThatOldProgramsLeftOutAreNotNeeded(name: String) throws {
        let whole = try #require(
            try Self.pictures?.first { picture in
                let decoder = try AVIFStillDecoder(
                    SourceBytes(picture.file), limits: DecodeLimits())
                return decoder.header.hasAlpha && picture.frames.count == 1
            })
        let file =
            name == "pixi" ? without(pixiOf: whole.file) : try without(ispeOfAlpha: whole.file)

        let decoded = try decode(AVIFStillDecoder(SourceBytes(file), limits: DecodeLimits()))

        #expect(file != whole.file)
        #expect(whole.difference(decoded.bytes) <= whole.tolerance)
    }

    /// Gives the property a name that nobody knows.
    private func without(pixiOf file: [UInt8]) -> [UInt8] {
        var file = file
        let (pixi, skip) = (Array("pixi".utf8), Array("skip".utf8))
        for place in file.indices.dropLast(4) where file[place...].starts(with: pixi) {
            file.replaceSubrange(place..<(place + 4), with: skip)
        }
        return file
    }

    /// Lets the second item have its second property twice, instead of its size.
    private func without(ispeOfAlpha file: [UInt8]) throws -> [UInt8] {
        var file = file
        let ipma = try #require(
            file.indices.first { file[$0...].starts(with: Array("ipma".utf8)) })
        let first = ipma + 12
        let second = first + 3 + Int(file[first + 2])
        file[second + 3] = file[second + 4]
        return file
    }

    @Test func sequencesMove() throws {
        let picture = try picture("moving.avif")
        let decoder = try AVIFMovingDecoder(SourceBytes(picture.file), limits: DecodeLimits())

        #expect(decoder.frameCount == 3 && decoder.durationMilliseconds == 300)
        for round in 0..<2 {
            for index in 0..<3 {
                let frame = try #require(try decoder.next())
                #expect(frame.delayMilliseconds == 100 && frame.index == index)
                let shown = decoder.withCanvas { Array($0) }
                #expect(picture.difference(shown, frame: index) == 0, "\(round), frame \(index)")
            }
            #expect(try decoder.next() == nil)
            try decoder.rewind()
        }
    }

    @Test func outlineTellsSizeAndFrames() throws {
        let still = PictureOutline.read(SourceBytes(try picture("opaque.avif").file))
        let moving = PictureOutline.read(SourceBytes(try picture("moving.avif").file))

        #expect(still?.size == PixelSize(width: 150, height: 102) && still?.frames == 1)
        #expect(moving?.frames == 3)
    }

    @Test func limitsOfAnAVIFAreCheckedOnTheHeader() throws {
        var limits = DecodeLimits()
        limits.sidePixelsMax = 100
        let file = SourceBytes(try picture("moving.avif").file)
        func failure(_ limits: DecodeLimits) -> CodecError? {
            do throws(CodecError) {
                _ = try AVIFFile(file, limits: limits)
                return nil
            } catch {
                return error
            }
        }

        #expect(failure(limits)?.code == .badDimensions)
        limits = DecodeLimits()
        limits.framesMax = 2
        #expect(failure(limits)?.code == .tooManyFrames)
        limits = DecodeLimits()
        limits.decoderBytesMax = 1000
        #expect(failure(limits)?.code == .tooComplex)
    }
}
