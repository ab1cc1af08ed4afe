import StickerTestSupport
import StickerValues
import Testing

@testable import StickerWorkers

/// Work that keeps small files waiting is known before it runs.
struct PictureCostTests {
    private func cost(_ file: [UInt8]) -> PictureCost { PictureCost(SourceBytes(file)) }

    private func png(_ width: Int, _ height: Int, interlace: UInt8 = 0) -> PictureCost {
        cost(TestPNG.file([TestPNG.header(width, height, interlace: interlace)]))
    }

    private func gif(_ side: Int, frames: Int) -> PictureCost {
        let frame = TestGIF.Frame.filled(1, 1, 1)
        return cost(
            TestGIF(width: side, height: side, frames: Array(repeating: frame, count: frames))
                .bytes)
    }

    private func takesLong(_ cost: PictureCost) -> Bool {
        cost.foretold(within: DecodeLimits()) == .long
    }

    /// The start of a JPEG: a frame header, and the headers of its scans.
    private func jpeg(_ side: Int, marker: UInt8 = 0xC0, scans: Int = 1) -> PictureCost {
        let length = [UInt8(side >> 8), UInt8(side & 0xFF)]
        let frame: [UInt8] = [0xFF, marker, 0, 11, 8] + length + length + [1, 1, 0x11, 0]
        let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
        return cost([0xFF, 0xD8] + frame + Array(repeating: scan, count: scans).joined())
    }

    @Test func stickersAndCameraPicturesAreOrdinary() {
        #expect(!takesLong(png(2048, 2048)) && !png(2048, 2048).needsMuchMemory)
        #expect(!takesLong(jpeg(7000)) && jpeg(7000).needsMuchMemory)
        #expect(!takesLong(gif(512, frames: 90)))
    }

    @Test func whatTakesSecondsToDecodeTakesLong() {
        #expect(takesLong(png(7000, 7000, interlace: 1)))
        #expect(takesLong(gif(7000, frames: 2)))
        #expect(takesLong(gif(64, frames: 151)))
        #expect(takesLong(jpeg(7000, marker: 0xC2, scans: 20)))
        #expect(takesLong(jpeg(7000, marker: 0xCA, scans: 2)))
    }

    @Test func smallLaneIsForStillsAndFewFrames() {
        let costs = [png(512, 512), gif(512, frames: 5), gif(512, frames: 50), png(4000, 4000)]
            .map { $0.foretold(within: DecodeLimits()) }

        #expect(costs == [.small, .small, .ordinary, .small])
        #expect(gif(3000, frames: 5).foretold(within: DecodeLimits()) == .ordinary)
    }

    @Test func nothingForetellsWhatADrawingCosts() {
        let icon = cost(
            Array("<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>".utf8))

        #expect(icon.foretold(within: DecodeLimits()) == .unknown)
    }

    @Test func whatTheLimitsRefuseTakesNoTime() {
        #expect(!takesLong(png(16_000, 16_000, interlace: 1)))
        #expect(!takesLong(gif(64, frames: 1001)))
        #expect(!takesLong(jpeg(7000, marker: 0xC2, scans: 101)))
        #expect(!takesLong(png(0xFFFF_FFFF, 0xFFFF_FFFF, interlace: 1)))
    }

    @Test func whatIsNoPictureCostsNothing() {
        #expect(!takesLong(cost([])) && !cost([1, 2, 3]).needsMuchMemory)
    }
}
