import StickerCodecs
import StickerContainers
import StickerModel
import StickerRaster
import StickerTestSupport
import Testing

@testable import StickerFormats

struct TIFFDecoderTests {
    /// A file of one strip, uncompressed, with the fields in `tags` besides those of every picture.
    private func file(
        width: Int = 2, height: Int = 1, photometric: Int = 2, bits: Int = 8, samples: Int = 3,
        tags: [Int: Int] = [:], pages: Int = 1, _ pixels: [UInt8]
    ) -> [UInt8] {
        var fields = [
            256: width, 257: height, 258: bits, 259: 1, 262: photometric, 273: 8, 277: samples,
            278: height, 279: pixels.count,
        ]
        fields.merge(tags) { $1 }
        var bytes =
            Array("II".utf8) + RIFF.little(42, 2) + RIFF.little(8 + pixels.count, 4) + pixels
        for page in 1...pages {
            let size = 2 + 12 * fields.count + 4
            let next = page < pages ? bytes.count + size : 0
            bytes += RIFF.little(fields.count, 2)
            for (tag, value) in fields.sorted(by: { $0.key < $1.key }) {
                bytes += RIFF.little(tag, 2) + RIFF.little(4, 2) + RIFF.little(1, 4)
                bytes += RIFF.little(value, 4)
            }
            bytes += RIFF.little(next, 4)
        }
        return bytes
    }

    private func opened(_ file: [UInt8], _ limits: DecodeLimits = DecodeLimits())
        throws(CodecError) -> TIFFDecoder
    {
        try TIFFDecoder(SourceBytes(file), limits: limits)
    }

    private func ending(_ file: [UInt8]) -> Ending {
        Ending { () throws(CodecError) in try decode(try opened(file)) }
    }

    private func failure(_ file: [UInt8], _ limits: DecodeLimits = DecodeLimits()) -> CodecError? {
        do throws(CodecError) {
            _ = try decode(try opened(file, limits))
            return nil
        } catch {
            return error
        }
    }

    @Test(.needsPillow) func otherDecodersSeeTheSameTIFFs() throws {
        let pictures = try IndependentDecoders.pictures("tiff")

        for picture in pictures {
            let decoded = try decode(try opened(picture.file))
            #expect(picture.difference(decoded.bytes) <= picture.tolerance, "\(picture.name)")
        }
        #expect(pictures.count >= 11)
    }

    @Test func premultipliedAlphaIsUndone() throws {
        let pixels: [UInt8] = [100, 50, 0, 100, 128, 0, 0, 255]

        let premultiplied = try decode(opened(file(samples: 4, tags: [338: 1], pixels)))
        let straight = try decode(opened(file(samples: 4, tags: [338: 2], pixels)))

        #expect(
            [premultiplied[0, 0], premultiplied[1, 0]] == [[255, 128, 0, 100], [128, 0, 0, 255]])
        #expect(straight[0, 0] == [100, 50, 0, 100])
    }

    @Test func sampleWithoutMeaningIsNoAlpha() throws {
        let decoder = try opened(file(samples: 4, tags: [338: 0], [1, 2, 3, 4, 5, 6, 7, 8]))

        #expect(try decode(decoder)[1, 0] == [5, 6, 7, 255])
        #expect(decoder.header.warnings.map(\.code) == ["unknown-samples"])
    }

    @Test func sixteenBitsAreKept() throws {
        let decoder = try opened(
            file(width: 1, photometric: 1, bits: 16, samples: 1, [0x34, 0x12]))

        #expect(decoder.header.layout == .rgba16)
        #expect(try decode(decoder)[0, 0] == [0x12, 0x12, 0x12, 255])
    }

    @Test func inksAreHandedOn() throws {
        let bytes = file(width: 1, photometric: 5, samples: 4, [10, 20, 30, 40])
        let decoder = try opened(bytes)

        #expect(decoder.header.layout == .cmyk8)
        #expect(try decode(decoder)[0, 0] == [10, 20, 30, 40])
        #expect(PictureOutline.isCMYK(SourceBytes(bytes)))
    }

    @Test func orientationIsThatOfTheTag() throws {
        #expect(try opened(file(tags: [274: 6], [1, 2, 3, 4, 5, 6])).header.orientation == .right)
    }

    /// `pixels` as 2x1 pixels with a profile (tag 34675), a field of bytes behind the pixels.
    private func header(
        _ photometric: Int, _ bits: Int, _ profile: [UInt8], _ pixels: [UInt8]
    ) throws -> ImageHeader {
        let bytes = file(
            photometric: photometric, bits: bits, samples: photometric == 1 ? 1 : 3,
            tags: [34675: 8 + pixels.count], pixels + profile)
        // The field's type and count are those of one number.
        let entry = RIFF.little(34675, 2)
        let place = bytes.indices.first { bytes[$0...].starts(with: entry + RIFF.little(4, 2)) }
        var changed = bytes
        let start = try #require(place)
        changed.replaceSubrange(
            (start + 2)..<(start + 8), with: RIFF.little(7, 2) + RIFF.little(profile.count, 4))
        return try opened(changed).header
    }

    @Test(arguments: [8, 16]) func profileOfOtherPixelsIsSetAside(bits: Int) throws {
        let (rgb, gray) = (TestICC.screen(gamma: 1.8).bytes, TestICC.gray(gamma: 1.8).bytes)
        let samples = [UInt8](repeating: 77, count: 6 * bits / 8)

        #expect(try header(1, bits, rgb, samples).color == .icc(rgb))
        #expect(try header(1, bits, gray, samples).color == .icc(gray))
        #expect(try header(2, bits, rgb, samples).color == .icc(rgb))
        #expect(try header(2, bits, gray, samples).color == .sRGB)
        #expect(try header(2, bits, gray, samples).warnings.map(\.code) == ["bad-profile"])
    }

    @Test func furtherPagesAreTold() throws {
        let decoder = try opened(file(pages: 3, [1, 2, 3, 4, 5, 6]))

        #expect(decoder.header.warnings.map(\.detail) == ["the first of 3 pages was taken"])
    }

    @Test func directoriesThatRunInACircleEnd() throws {
        var bytes = file([1, 2, 3, 4, 5, 6])
        bytes.replaceSubrange((bytes.count - 4)..., with: RIFF.little(14, 4))

        #expect(PictureOutline.read(SourceBytes(bytes))?.size == PixelSize(width: 2, height: 1))
        _ = ending(bytes)
    }

    @Test(arguments: [[339: 3], [262: 8], [262: 6], [258: 32], [258: 12]])
    func whatIsNotReadIsRefusedInWords(tags: [Int: Int]) {
        let error = failure(file(tags: tags, [UInt8](repeating: 1, count: 24)))

        #expect(error?.code == .unsupported && error?.detail.isEmpty == false)
    }

    @Test func cutTIFFsGiveNoPixels() {
        expectNoPixelsFromAnyPrefix(of: file([1, 2, 3, 4, 5, 6]), ending)
    }

    @Test func damagedTIFFsEndTheSameEveryTime() {
        expectStableEndings(of: file([1, 2, 3, 4, 5, 6]), rounds: 2000, ending)
    }

    @Test func limitsOfATIFFAreCheckedOnTheHeader() {
        var limits = DecodeLimits()
        limits.decoderBytesMax = 1000
        let wide = file(width: 20000, [1, 2, 3])
        let strip = file(width: 100, height: 100, [UInt8](repeating: 0, count: 30000))

        #expect(failure(wide)?.code == .badDimensions)
        #expect(failure(strip, limits)?.code == .tooComplex)
    }
}
