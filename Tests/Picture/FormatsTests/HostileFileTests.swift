import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerFormats
@testable import StickerHEIC

/// Cut and damaged files of every further format, without a program that makes them.
struct HostileFileTests {
    private func avif(_ file: [UInt8]) -> Ending {
        Ending { () throws(CodecError) in
            try decode(AVIFStillDecoder(SourceBytes(file), limits: DecodeLimits()))
        }
    }

    private func movingAVIF(_ file: [UInt8]) -> Ending {
        Ending { () throws(CodecError) in
            let decoder = try AVIFMovingDecoder(SourceBytes(file), limits: DecodeLimits())
            while try decoder.next() != nil {}
            return Decoded(size: decoder.header.size, bytes: decoder.withCanvas { Array($0) })
        }
    }

    private func heic(_ file: [UInt8]) -> Ending {
        Ending { () throws(CodecError) in
            try decode(HEICDecoder(SourceBytes(file), limits: DecodeLimits()))
        }
    }

    private func tiff(_ file: [UInt8]) -> Ending {
        Ending { () throws(CodecError) in
            try decode(TIFFDecoder(SourceBytes(file), limits: DecodeLimits()))
        }
    }

    @Test func wholeFilesShowTheDrawing() throws {
        let pictures = [
            try decode(AVIFStillDecoder(SourceBytes(TestFormats.avif), limits: DecodeLimits())),
            try decode(HEICDecoder(SourceBytes(TestFormats.heic), limits: DecodeLimits())),
            try decode(TIFFDecoder(SourceBytes(TestFormats.tiff), limits: DecodeLimits())),
        ]

        for picture in pictures {
            #expect(picture.size == PixelSize(width: 64, height: 48))
            for (x, y, color) in [
                (8, 24, [200, 40, 40, 255]), (48, 10, [40, 160, 60, 255]),
                (48, 40, [0, 0, 0, 255]),
            ] {
                let differences = zip(picture[x, y], color).map { abs(Int($0) - $1) }
                #expect(differences.allSatisfy { $0 <= 8 }, "\(picture[x, y])")
            }
        }
    }

    @Test func cutFilesOfFurtherFormatsGiveNoPixels() {
        expectNoPixelsFromAnyPrefix(of: TestFormats.avif, avif)
        expectNoPixelsFromAnyPrefix(of: TestFormats.movingAVIF, movingAVIF)
        expectNoPixelsFromAnyPrefix(of: TestFormats.heic, heic)
        expectNoPixelsFromAnyPrefix(of: TestFormats.tiff, tiff)
    }

    @Test func damagedFilesOfFurtherFormatsEndTheSameEveryTime() {
        expectStableEndings(of: TestFormats.avif, rounds: 500, avif)
        expectStableEndings(of: TestFormats.movingAVIF, rounds: 200, movingAVIF)
        expectStableEndings(of: TestFormats.tiff, rounds: 1000, tiff)
    }

    @Test func damagedHEICsEnd() {
        // libde265 has threads, and what they notice first may differ.
        var numbers = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            var damaged = TestFormats.heic
            let place = Int.random(in: 0..<damaged.count, using: &numbers)
            damaged[place] = UInt8.random(in: 0...255, using: &numbers)
            _ = heic(damaged)
        }
    }
}
