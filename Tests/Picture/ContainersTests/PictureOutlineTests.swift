import StickerContainers
import StickerTestSupport
import StickerValues
import Testing

struct PictureOutlineTests {
    private func outline(_ bytes: [UInt8]) -> PictureOutline? {
        PictureOutline.read(SourceBytes(bytes))
    }

    @Test(arguments: [0, 1] as [UInt8]) func pngTellsItsSizeAndInterlacing(interlace: UInt8) {
        let file = TestPNG.file([TestPNG.header(70_000, 3, interlace: interlace)])

        let outline = outline(file)

        #expect(outline?.size == PixelSize(width: 70_000, height: 3))
        #expect(outline?.isInterlacedOrProgressive == (interlace == 1))
        #expect(outline?.workPixels == 210_000)
    }

    @Test func apngTellsTheFramesThatAreThere() {
        let picture = TestAPNG(
            width: 3, height: 3,
            frames: Array(repeating: .filled(TestAPNG.red, 3, 3), count: 5))
        var chunks = picture.chunks
        let (whole, one) = (chunks, chunks[1])
        chunks[1] = TestAPNG.animation(0x7FFF_FFFF)

        #expect(outline(TestPNG.file(whole))?.frames == 5)
        #expect(outline(TestPNG.file(chunks))?.frames == 5)
        #expect(outline(TestPNG.file(whole.filter { $0 != one }))?.frames == 1)
    }

    @Test func jpegTellsItsProcessAndScans() {
        let baseline = outline(JPEGSkeleton().bytes)
        let progressive = outline(JPEGSkeleton(marker: 0xC2, scans: 5).bytes)
        let arithmetic = outline(JPEGSkeleton(marker: 0xCA, scans: 2).bytes)

        #expect(baseline?.size == PixelSize(width: 20, height: 30))
        #expect(baseline?.isInterlacedOrProgressive == false)
        #expect(progressive?.isInterlacedOrProgressive == true)
        #expect(progressive?.isArithmetic == false)
        #expect(progressive?.workPixels == 3000)
        #expect(arithmetic?.isArithmetic == true)
        #expect(arithmetic?.scans == 2)
    }

    @Test func jpegTellsWhetherItIsInCMYK() {
        let inks = TestInkJPEG(cyan: 255, magenta: 0, yellow: 0, black: 0).bytes
        let pictures = [inks, JPEGSkeleton().bytes, Array(inks[..<20]), [], Array("GIF89a".utf8)]

        #expect(
            pictures.map { PictureOutline.isCMYK(SourceBytes($0)) }
                == [true, false, false, false, false])
        #expect(pictures.map { outline($0)?.isCMYK } == [true, false, nil, nil, nil])
    }

    @Test func gifTellsItsCanvasAndImages() {
        let frame = TestGIF.Frame.filled(1, 2, 2)

        let outline = outline(
            TestGIF(width: 8, height: 9, frames: [frame, frame, frame]).bytes)

        #expect(outline?.size == PixelSize(width: 8, height: 9))
        #expect(outline?.frames == 3)
    }

    @Test func numbersThatOverflowAreTheLargest() {
        let size = PixelSize(width: .max, height: .max)
        var outline = PictureOutline(format: .gif, size: size)
        outline.frames = 1000

        #expect(outline.workPixels == .max)
    }

    @Test func damagedFilesGiveAnOutlineOrNone() {
        let gif = TestGIF(width: 8, height: 9, frames: [.filled(1, 2, 2)]).bytes
        let png = TestPNG.file([TestPNG.header(9, 9), TestPNG.chunk("IEND")])
        for file in [gif, png, JPEGSkeleton(marker: 0xC2, scans: 3).bytes] {
            forEachDamage(of: file) { damaged in
                #expect(outline(damaged) == outline(damaged))
            }
        }
        #expect(outline([]) == nil)
        #expect(outline(Array("hello".utf8)) == nil)
    }
}
