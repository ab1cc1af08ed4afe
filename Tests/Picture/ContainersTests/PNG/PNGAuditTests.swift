import StickerCodecs
import StickerContainers
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

struct PNGAuditTests {
    private let size = PixelSize(width: 20, height: 20)

    private func faults(_ file: [UInt8]) -> [String] { PNGAudit.faults(in: file, size: size) }

    /// A grey picture whose pixels nobody looks at.
    private func file(_ chunks: [[UInt8]], header: [UInt8]? = nil) -> [UInt8] {
        TestPNG.file(
            [header ?? TestPNG.header(20, 20, color: 0)] + chunks + [TestPNG.chunk("IEND")])
    }

    @Test(arguments: [128, 255] as [UInt8]) func filesOfOursPass(alpha: UInt8) throws {
        let colors = try PNGEncoder.encode(.gradient(20, 20, alpha: alpha))
        let palette = try PNGEncoder.encode(
            .drawn(size) { x, _ in SIMD4(x < 9 ? 255 : 0, 0, 0, alpha) })

        #expect(faults(colors) == [])
        #expect(faults(palette) == [])
    }

    @Test func anyDamageIsFound() throws {
        let files = [
            try PNGEncoder.encode(.gradient(20, 20, alpha: 9)), try PNGEncoder.encode(.disc(size)),
        ]
        for file in files {
            forEachDamage(of: file) { damaged in
                let found = faults(damaged)
                #expect((1...20).contains(found.count))
            }
        }
    }

    @Test func anotherSizeIsFound() throws {
        let file = try PNGEncoder.encode(.gradient(20, 21))

        #expect(faults(file) == ["the picture is 20x21 instead of 20x20"])
    }

    @Test func bytesBehindTheEndAreFound() {
        let whole = file([TestPNG.chunk("IDAT", [1])])

        #expect(faults(whole) == [])
        #expect(faults(whole + [0, 0]) == ["2 bytes stand behind IEND"])
    }

    @Test(arguments: ["tEXt", "eXIf", "iCCP", "tIME", "acTL", "ABCD"])
    func otherChunksAreFound(type: String) {
        let stuffed = file([TestPNG.chunk(type, [1, 2]), TestPNG.chunk("IDAT", [1])])

        #expect(faults(stuffed) == ["there is a chunk \"\(type)\""])
    }

    @Test func orderAndNumberOfChunksAreChecked() {
        let data = TestPNG.chunk("IDAT", [1])
        let color = TestPNG.chunk("sRGB", [0])

        #expect(faults(file([color, color, data])) == [#"there is a second "sRGB""#])
        #expect(faults(file([data, color])) == [#""sRGB" stands behind the pixels"#])
        #expect(faults(file([])) == ["there is no IDAT chunk"])
        #expect(
            faults(file([data, color, data])).contains("other chunks stand between those of IDAT"))
    }

    @Test func headersThatDoNotExistAreFound() {
        let data = TestPNG.chunk("IDAT", [1])
        let depth = file([data], header: TestPNG.header(20, 20, depth: 4, color: 6))
        let interlaced = file([data], header: TestPNG.header(20, 20, interlace: 1))
        let bare = file([data], header: TestPNG.header(20, 20, color: 3))

        #expect(faults(depth) == ["4 bits do not go with colour type 6"])
        #expect(faults(interlaced) == ["compression, filter or interlace method is not 0"])
        #expect(faults(bare) == ["a palette picture has no PLTE chunk"])
    }

    @Test func faultsAreNotManyHoweverManyThereAre() {
        let stuffed = file(Array(repeating: TestPNG.chunk("tEXt"), count: 100))

        #expect(faults(stuffed).count == 20)
    }
}
