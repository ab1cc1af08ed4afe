import Foundation
import StickerCodecs
import StickerConfiguration
import StickerContainers
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerWorkers

/// SVG, which is drawn by the worker that may read fonts.
@Suite(.needsFonts)
struct DrawnFormatTests {
    private func make(
        _ file: [UInt8], seconds: Int? = nil, sourceBytesMax: Int? = nil,
        _ change: (inout Recipe) -> Void = { _ in }
    ) -> MakeReport {
        var recipe = Recipe(settings: StickerSettings())
        change(&recipe)
        var limits = DecodeLimits()
        if let sourceBytesMax { limits.sourceBytesMax = sourceBytesMax }
        if let seconds { limits.cpuSecondsMax = seconds }
        return WorkerMaking(program: Built.path("stickerd-worker"), isStickerAlone: true) {
            .init()
        }.make(SourceBytes(file), recipe: recipe, limits: limits, lane: .only)
    }

    @Test func drawingBecomesAStickerAtItsFullSize() throws {
        let icon =
            "<svg xmlns='http://www.w3.org/2000/svg' width='16' height='16'>"
            + "<circle cx='8' cy='8' r='8' fill='#1a2b3c'/></svg>"

        let report = make(Array(icon.utf8))

        let file = try #require(try report.result.get().files.first)
        let pixels = try WebPDecoder.still(file.bytes)
        #expect(report.format == .svg && file.size == PixelSize(width: 512, height: 512))
        let (centre, edge, corner) = (pixels[256, 256], pixels[256, 1], pixels[20, 20])
        #expect(centre == SIMD4(0x1A, 0x2B, 0x3C, 255))
        #expect(edge.w > 200 && corner.w == 0)
    }

    @Test(arguments: [true, false]) func drawingMayBeInUTF16(hasDeclaration: Bool) throws {
        let icon =
            (hasDeclaration ? "<?xml version='1.0' encoding='UTF-16'?>" : "")
            + "<svg xmlns='http://www.w3.org/2000/svg' width='16' height='16'>"
            + "<title>Grün 😀</title><rect width='16' height='16' fill='#1a2b3c'/></svg>"
        var texts = [Array(icon.utf8)]
        for isLittle in [true, false] {
            for hasMark in [true, false] {
                texts.append(TestSVG.utf16(icon, isLittle: isLittle, hasMark: hasMark))
            }
        }

        for text in texts {
            let file = try #require(try make(text).result.get().files.first)
            #expect(try WebPDecoder.still(file.bytes)[9, 9] == SIMD4(0x1A, 0x2B, 0x3C, 255))
        }
    }

    /// Files of one member and of two are drawn; damaged and large ones are refused.
    @Test func compressedDrawingIsInflatedWithinLimits() throws {
        let icon = Array(
            "<svg xmlns='http://www.w3.org/2000/svg'><rect width='8' height='8'/></svg>".utf8)
        let (head, tail) = (Array(icon[..<40]), Array(icon[40...]))
        func zipped(_ part: [UInt8]) -> [UInt8] {
            TestSVG.gzip(part, checksum: part.withUnsafeBytes(CRC32.checksum))
        }
        func reason(_ file: [UInt8], bytesMax: Int? = nil) -> Refusal? {
            guard
                case .failure(.refused(let refusal)) = make(file, sourceBytesMax: bytesMax).result
            else { return nil }
            return refusal
        }

        for file in [zipped(icon), zipped(head) + zipped(tail), zipped(icon) + [0, 0]] {
            _ = try make(file).result.get()
        }
        #expect(reason(Array(zipped(icon).dropLast(9)))?.reason == .truncated)
        #expect(reason(TestSVG.gzip(icon, checksum: 1))?.reason == .corrupt)
        let blank = [UInt8](repeating: 32, count: 100_000)
        let large = reason(zipped(icon + blank), bytesMax: 50_000)
        #expect(large?.reason == .tooComplex)
        #expect(large?.limit == "50,000 bytes (limits.sourceBytesMax)")
    }

    @Test func whatIsLeftOutOrReplacedIsTold() throws {
        let report = make(
            Array(
                """
                <svg xmlns="http://www.w3.org/2000/svg" width="90" height="90">
                <image href="photo.jpg" width="90" height="90"/><script/><use href="parts.svg#a"/>
                <image href="data:image/gif;base64,R0" width="9" height="9"/>
                <style>text { font-family: Nowhere, "Other Font" } .a { font-family: Inter }</style>
                <text y="50" font-family='"Papyrus", serif'>a</text>
                <text y="80" style="font-family:'Comic Sans MS';fill:red">b</text><set/></svg>
                """.utf8))

        _ = try report.result.get()
        #expect(report.warnings.map(\.code) == ["svg-left-out", "font-replaced"])
        #expect(
            report.warnings.first?.detail.hasPrefix(
                "not drawn: \"photo.jpg\", scripts, \"parts.svg#a\", its motion and 1 more; embed")
                == true)
        #expect(
            report.warnings.last?.detail.hasPrefix(
                "there is no font \"Nowhere\", \"Comic Sans MS\", so another was used") == true)
    }

    /// By librsvg, by us, and in a drawing within the drawing.
    @Test(arguments: [
        "<text y='50'>a&#x10FFFD;</text>",
        "<text y='50' data-fit='9' fill='#000'>a&#x10FFFD;</text>",
        "<image width='9' height='9' href=\"data:image/svg+xml,%3Csvg "
            + "xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'%3E%3Ctext "
            + "y='9'%3Ea%26%23x10FFFD;%3C/text%3E%3C/svg%3E\"/>",
    ])
    func charactersWithoutAFontAreToldOrRefused(text: String) throws {
        let drawing = Array(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 90 90'>\(text)</svg>".utf8)

        let report = make(drawing)
        let strict = make(drawing) { $0.refusesUnknownCharacters = true }

        _ = try report.result.get()
        #expect(report.warnings.map(\.code) == ["unknown-characters"])
        let detail = report.warnings.first?.detail ?? ""
        #expect(detail.hasPrefix("no font has U+10FFFD; no package is known"))
        guard case .failure(.refused(let refusal)) = strict.result else {
            Issue.record("\(strict.result)")
            return
        }
        #expect(refusal.reason == .unknownCharacters && refusal.detail == "no font has U+10FFFD")
    }

    @Test func sizeIsThatOfTheDocumentOrElseOfWhatIsDrawn() throws {
        let cases: [String: Double] = [
            "width='200' height='100'": 0.5, "width='50mm' height='100mm'": 2,
            "viewBox='5 5 300 100'": 1 / 3, "width='100%' viewBox='0 0 100 50'": 0.5,
            "": 0.25, "width='100%' height='100%'": 0.25,
        ]
        for (attributes, proportion) in cases {
            let report = make(
                Array(
                    ("<svg xmlns='http://www.w3.org/2000/svg' \(attributes)><rect x='40' y='40' "
                        + "width='80' height='20' fill='#080'/></svg>").utf8)
            ) { $0.targets[0].canvas.fit = .within }
            let size = try #require(try report.result.get().files.first?.size)
            #expect(size.longSide == 512, "\(attributes)")
            let found = Double(size.height) / Double(size.width)
            #expect(abs(found / proportion - 1) < 0.01, "\(attributes): \(size)")
        }
    }

    /// A mark of words, an outline and a cut: what is drawn goes the way of all pictures.
    @Test func drawingWearsWhatPicturesWear() throws {
        let drawing =
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>"
            + "<rect x='40' y='40' width='10' height='10' fill='#00f'/></svg>"

        let report = make(Array(drawing.utf8)) { recipe in
            recipe.settings.trim = true
            recipe.settings.outline.pixels = 16
            recipe.settings.outline.color = "#FF0000"
        }

        let pixels = try WebPDecoder.still(try #require(try report.result.get().files.first).bytes)
        let (centre, border) = (pixels[256, 256], pixels[6, 256])
        #expect(centre == SIMD4(0, 0, 255, 255) && border == SIMD4(255, 0, 0, 255))
    }

    /// The pixels of a drawing of one text with `attributes`, on a square of 512 units.
    private func pixels(of text: String, _ attributes: String) throws -> PixelBuffer {
        let drawing =
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 512 512'><text x='256' y='300' "
            + "text-anchor='middle' font-family='Inter' font-size='100' \(attributes)>\(text)</text>"
            + "</svg>"
        let report = make(Array(drawing.utf8))
        return try WebPDecoder.still(try #require(try report.result.get().files.first).bytes)
    }

    @Test func fittedTextKeepsToItsWidthAndIsAsLargeAsItMayBe() throws {
        let free = try pixels(of: "Donnerstag", "fill='#008000'").columns
        let fitted = try pixels(of: "Donnerstag", "fill='#008000' data-fit='300'").columns
        let short = try pixels(of: "Mo", "fill='#008000' data-fit='300'").columns
        let shortFree = try pixels(of: "Mo", "fill='#008000'").columns

        #expect(free.count > 400 && 280...300 ~= fitted.count)
        #expect(abs(fitted.lowerBound + fitted.upperBound - 512) < 12)
        #expect(abs(short.count - shortFree.count) <= 3)
    }

    @Test func fittedTextHasEmojiInColourABorderAndWhatEscapesStandFor() throws {
        let emoji = try pixels(of: "\u{1F600}", "data-fit='300'")
        let escaped = try pixels(of: "\n  caf&#233;\n", "fill='#008000' data-fit='300'")
        let plain = try pixels(of: "café", "fill='#008000' data-fit='300'")
        let bordered = try pixels(
            of: "I", "fill='#008000' stroke='#0000FF' stroke-width='40' data-fit='300'")

        let yellow = emoji.count { $0.x > 200 && $0.y > 150 && $0.z < 120 && $0.w == 255 }
        #expect(yellow > 1000)
        let bytes = escaped.withUnsafeBytes { Array($0) }
        let isEqual = plain.withUnsafeBytes { $0.elementsEqual(bytes) }
        #expect(isEqual)
        let (blue, green) = (
            bordered.count { $0.z > 200 }, bordered.count { $0.y > 100 && $0.z == 0 }
        )
        #expect(blue > 1000 && green > 100)
    }

    /// A colour by its name is not understood, so that librsvg draws the text, as wide as it is.
    @Test func textWithAnotherColourIsAnOrdinaryOne() throws {
        let named = try pixels(of: "Donnerstag", "fill='green' data-fit='300'")

        let (width, green) = (named.columns.count, named.count { $0.y > 100 && $0.x == 0 })
        #expect(width > 400 && green > 1000)
    }

    /// Nothing of it is read, asked for, or waited for longer than allowed, and every end is explained.
    @Test func hostileDrawingsAreHarmless() throws {
        let folder = try TemporaryFolder()
        let red = PixelBuffer.drawn(PixelSize(width: 64, height: 64)) { _, _ in
            SIMD4(255, 0, 0, 255)
        }
        try folder.write(try PNGEncoder.encode(red), to: "red.png")
        try folder.write(
            Array(
                ("<svg xmlns='http://www.w3.org/2000/svg'><rect id='r' width='512' height='512' "
                    + "fill='#f00'/></svg>").utf8), to: "red.svg")
        let server = try SilentServer()
        let files = HostileSVG.all(
            picture: folder.path("red.png"), drawing: folder.path("red.svg"),
            server: "http://127.0.0.1:\(server.port)")
        #expect(files.count >= 100)

        for file in files {
            let start = ContinuousClock.now
            let report = make(file.bytes, seconds: 1)

            // Without limits some would take hours.
            #expect(.now - start < .seconds(60), "\(file.name)")
            switch report.result {
            case .success(let made):
                let pixels = try WebPDecoder.still(try #require(made.files.first).bytes)
                let hasRed = pixels.hasRed
                #expect(!hasRed, "\(file.name) shows what is outside")
            case .failure(.refused(let refusal)), .failure(.worker(let refusal)):
                // Turbulence of endless octaves is drawn with those that can be seen: noise.
                let isNoise = file.name == "turbulence" && refusal.reason == .willNotFit
                #expect(
                    isNoise
                        || [
                            .corrupt, .truncated, .tooComplex, .badDimensions, .outOfMemory,
                            .unsupportedVariant, .decoderCrashed, .noFrames,
                        ].contains(refusal.reason), "\(file.name): \(refusal)")
                #expect(!refusal.detail.contains("SIGSYS"), "\(file.name): \(refusal)")
            case .failure(let failure):
                Issue.record("\(file.name): \(failure)")
            }
        }
        #expect(!server.wasAsked)
    }
}

extension PixelBuffer {
    /// From the first column of which something is seen to the last.
    fileprivate var columns: Range<Int> {
        let seen = (0..<size.width).filter { x in (0..<size.height).contains { self[x, $0].w > 40 }
        }
        return (seen.first ?? 0)..<((seen.last ?? -1) + 1)
    }

    /// How many pixels are so.
    fileprivate func count(where isSo: (SIMD4<UInt8>) -> Bool) -> Int {
        (0..<size.height).reduce(0) { sum, y in
            sum + (0..<size.width).count { isSo(self[$0, y]) }
        }
    }

    fileprivate var hasRed: Bool {
        withUnsafeBytes { bytes in
            Swift.stride(from: 0, to: bytes.count, by: 4).contains {
                bytes[$0 + 3] > 200 && bytes[$0] > 200 && bytes[$0 + 1] < 60 && bytes[$0 + 2] < 60
            }
        }
    }
}

/// Listens, and answers nobody.
private final class SilentServer {
    let port: UInt16
    private let socket: Int32

    init() throws {
        socket = Glibc.socket(
            AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && listen(socket, 16) == 0
                    && getsockname(socket, $0, &length) == 0
            }
        }
        try #require(bound)
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(socket) }

    /// Whether anybody came.
    var wasAsked: Bool {
        let connection = accept(socket, nil, nil)
        if connection >= 0 { close(connection) }
        return connection >= 0
    }
}
