import StickerCodecs
import StickerContainers
import StickerRaster
import StickerTestSupport
import StickerValues
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

    @Test(arguments: [[:], [338: 0]])
    func sampleWithoutMeaningIsStraightAlphaUnlessItIsConstant(tags: [Int: Int]) throws {
        let varied = try opened(file(samples: 4, tags: tags, [10, 20, 30, 4, 50, 60, 70, 8]))
        let constant = try opened(file(samples: 4, tags: tags, [10, 20, 30, 4, 50, 60, 70, 4]))
        let gray = try opened(file(photometric: 1, samples: 2, tags: tags, [10, 4, 50, 8]))

        #expect(try decode(varied)[1, 0] == [50, 60, 70, 8])
        #expect(varied.header.hasAlpha && varied.header.warnings == [])
        #expect(try decode(constant)[1, 0] == [50, 60, 70, 255])
        #expect(!constant.header.hasAlpha)
        #expect(constant.header.warnings.map(\.code) == ["unknown-samples"])
        #expect(try decode(gray)[1, 0] == [50, 50, 50, 8])
    }

    @Test func twoSamplesWithoutMeaningAreIgnored() throws {
        let decoder = try opened(file(width: 1, samples: 5, [10, 20, 30, 4, 5]))

        #expect(try decode(decoder)[0, 0] == [10, 20, 30, 255])
        #expect(decoder.header.warnings.map(\.code) == ["unknown-samples"])
    }

    @Test func paletteMayHaveAnAlpha() throws {
        // Entry 1 is 100, 50, 0; all other entries are 0.
        var bytes = file(photometric: 3, samples: 2, tags: [338: 2, 320: 0], [1, 40, 0, 255])
        var map = [UInt8](repeating: 0, count: 3 * 256 * 2)
        (map[3], map[2 * 256 + 3]) = (100, 50)
        let entry = try #require(
            bytes.indices.first { bytes[$0...].starts(with: [0x40, 1, 4, 0, 1, 0, 0, 0]) })
        bytes.replaceSubrange(
            entry..<(entry + 12),
            with: RIFF.little(320, 2) + RIFF.little(3, 2) + RIFF.little(768, 4)
                + RIFF.little(bytes.count, 4))
        let decoder = try opened(bytes + map)

        let decoded = try decode(decoder)
        #expect([decoded[0, 0], decoded[1, 0]] == [[100, 50, 0, 40], [0, 0, 0, 255]])
        #expect(decoder.header.hasAlpha)
    }

    @Test func inksMayHaveAnAlpha() throws {
        let straight = try opened(
            file(photometric: 5, samples: 5, tags: [338: 2], [10, 20, 30, 40, 50, 1, 2, 3, 4, 255]))
        let premultiplied = try opened(
            file(width: 1, photometric: 5, samples: 5, tags: [338: 1], [10, 20, 30, 40, 51]))
        let unnamed = try opened(file(photometric: 5, samples: 5, [1, 2, 3, 4, 5, 1, 2, 3, 4, 6]))

        #expect(straight.header.layout == .cmyka8 && straight.header.hasAlpha)
        #expect(rows(straight) == [10, 20, 30, 40, 50, 1, 2, 3, 4, 255])
        #expect(rows(premultiplied) == [50, 100, 150, 200, 51])
        // It may be a fifth ink.
        #expect(unnamed.header.layout == .cmyk8)
        #expect(unnamed.header.warnings.map(\.code) == ["unknown-samples"])
    }

    private func rows(_ decoder: TIFFDecoder) -> [UInt8] {
        var bytes: [UInt8] = []
        do throws(CodecError) {
            try decoder.decode(size: decoder.header.size) { row throws(CodecError) in
                bytes += Array(row)
            }
        } catch {
            Issue.record("\(error)")
        }
        return bytes
    }

    // MARK: Other numbers and colours

    private func bytes(_ values: [some BinaryFloatingPoint & BitwiseCopyable]) -> [UInt8] {
        values.flatMap { value in withUnsafeBytes(of: value) { Array($0) } }
    }

    @Test(arguments: [16, 32, 64]) func fractionsReachFromZeroToOne(bits: Int) throws {
        let values = [0, 0.5, 1, -3, 7, Double.nan]
        let pixels =
            switch bits {
            case 16: bytes(values.map { Float16($0) })
            case 32: bytes(values.map { Float($0) })
            default: bytes(values)
            }
        let decoder = try opened(file(bits: bits, tags: [339: 3], pixels))

        let decoded = try decode(decoder)
        #expect(decoder.header.layout == .rgba16)
        #expect([decoded[0, 0], decoded[1, 0]] == [[0, 128, 255, 255], [0, 255, 0, 255]])
    }

    @Test func ofLongIntegersTheUpperBitsCount() throws {
        let values: [UInt32] = [0, 0x8080_0000, .max, 0x4040_FFFF, 1, 0xFFFF]
        let pixels = values.flatMap { RIFF.little(Int($0), 4) }

        let decoder = try opened(file(bits: 32, pixels))

        #expect(decoder.header.layout == .rgba16)
        let decoded = try decode(decoder)
        #expect([decoded[0, 0], decoded[1, 0]] == [[0, 128, 255, 255], [64, 0, 0, 255]])
    }

    @Test func labBecomesSRGB() throws {
        // Red, and a middle gray, with the white of D50.
        let signed = try decode(opened(file(photometric: 8, [138, 81, 70, 136, 0, 0])))
        let shifted = try decode(opened(file(photometric: 9, [138, 209, 198, 136, 128, 128])))

        for decoded in [signed, shifted] {
            #expect(decoded[0, 0][0] >= 254 && decoded[0, 0][1] <= 1 && decoded[0, 0][2] <= 1)
            #expect(decoded[1, 0] == [127, 127, 127, 255])
        }
    }

    @Test func chromaIsSharedByABlock() throws {
        // Two blocks of 2x2: gray, and a red whose last pixel is darker.
        let pixels: [UInt8] = [10, 20, 30, 40, 128, 128, 76, 76, 76, 26, 85, 255]
        var bytes = file(width: 4, height: 2, photometric: 6, tags: [530: 0], pixels)
        let entry = try #require(
            bytes.indices.first { bytes[$0...].starts(with: [0x12, 2, 4, 0, 1, 0, 0, 0]) })
        bytes.replaceSubrange(
            entry..<(entry + 12),
            with: RIFF.little(530, 2) + RIFF.little(3, 2)
                + RIFF.little(2, 4) + RIFF.little(2, 2) + RIFF.little(2, 2))

        let decoded = try decode(opened(bytes))

        #expect([decoded[0, 0], decoded[1, 1]] == [[10, 10, 10, 255], [40, 40, 40, 255]])
        #expect(decoded[2, 0] == [254, 0, 0, 255] && decoded[3, 1] == [204, 0, 0, 255])
    }

    // MARK: Pages

    @Test(arguments: [[254: 1], [255: 2]])
    func reducedCopiesArePassedOver(tags: [Int: Int]) throws {
        let copy = file(tags: tags, [1, 1, 1, 2, 2, 2])
        let page = file(width: 3, [1, 2, 3, 4, 5, 6, 7, 8, 9])
        let bytes = joined(copy, page)
        let decoder = try opened(bytes)

        #expect(try decode(decoder)[2, 0] == [7, 8, 9, 255])
        #expect(decoder.header.warnings == [])
        #expect(PictureOutline.read(SourceBytes(bytes))?.size == PixelSize(width: 3, height: 1))
    }

    @Test func fileOfReducedCopiesAloneShowsTheFirst() throws {
        let decoder = try opened(file(tags: [254: 1], pages: 2, [1, 2, 3, 4, 5, 6]))

        #expect(try decode(decoder)[1, 0] == [4, 5, 6, 255])
    }

    /// A file with the only directory of `first`, then that of `second`.
    private func joined(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
        let start = RIFF.size(second, 4)
        var directory = Array(second[start...])
        for entry in stride(from: 2, to: directory.count - 4, by: 12)
        where directory[entry] == 0x11 && directory[entry + 1] == 1 {
            let offset = RIFF.size(directory, entry + 8) + first.count
            directory.replaceSubrange((entry + 8)..<(entry + 12), with: RIFF.little(offset, 4))
        }
        let place = first.count + start
        return Array(first[..<(first.count - 4)]) + RIFF.little(place, 4) + Array(second[..<start])
            + directory
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

    @Test(arguments: [
        [339: 3], [339: 2], [262: 10], [262: 6, 258: 16], [258: 64], [258: 12],
        [262: 6, 259: 6], [339: 3, 262: 8, 258: 32],
    ])
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
