import Foundation
import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerPipeline

/// Marks on stickers.
struct MarkTests {
    private static let red = SIMD4<UInt8>(255, 0, 0, 255)
    private static let blue = SIMD4<UInt8>(0, 0, 255, 255)

    private func report(
        _ source: SourceBytes, _ marks: [Watermark], targets: [String] = ["whatsapp"]
    ) -> MakeReport {
        var settings = StickerSettings()
        settings.watermarks = marks
        let recipe = Recipe(
            settings: settings, targets: targets.compactMap { Target.builtIn[$0] })
        return StickerPipeline().make(source, recipe: recipe, limits: DecodeLimits())
    }

    private func made(
        _ source: SourceBytes, _ marks: [Watermark], targets: [String] = ["whatsapp"]
    ) throws -> MadeSticker {
        try report(source, marks, targets: targets).result.get()
    }

    private func still() throws -> SourceBytes {
        SourceBytes(
            try PNGEncoder.encode(
                PixelBuffer.drawn(PixelSize(width: 64, height: 64)) { x, y in
                    SIMD4(UInt8(x), UInt8(y), 128, x < 32 ? 255 : 0)
                }))
    }

    private func moving() throws -> SourceBytes {
        let size = PixelSize(width: 80, height: 80)
        let encoder = try GIFEncoder(size: size, matte: SIMD3(repeating: 255))
        for number in 0..<4 {
            try encoder.add(
                frame: PixelBuffer.drawn(size) { x, _ in
                    x / 20 == number ? SIMD4(0, 200, 0, 255) : .zero
                }, durationMilliseconds: 100)
        }
        return SourceBytes(try #require(try encoder.finish()))
    }

    private func image(_ picture: borrowing PixelBuffer) throws -> WatermarkFile {
        file(try PNGEncoder.encode(picture))
    }

    private func file(_ bytes: [UInt8]) -> WatermarkFile {
        var file = WatermarkFile(path: "mark")
        file.content = FileContent(
            bytes: bytes, hash: ContentHash(rawValue: String(bytes.hashValue)))
        return file
    }

    private func whole(_ id: String, _ color: SIMD4<UInt8>) -> Watermark {
        var mark = Watermark(id: id, .color(color))
        (mark.width, mark.height) = (1, 1)
        return mark
    }

    private func pixels(_ made: MadeSticker) throws -> PixelBuffer {
        try WebPDecoder.still(made.files[0].bytes)
    }

    @Test func colorOverEverythingIsEverywhereAndTheLaterMarkWins() throws {
        let sticker = try pixels(
            try made(try still(), [whole("a", Self.red), whole("b", Self.blue)]))

        let isBlue = (0..<512).allSatisfy { y in
            (0..<512).allSatisfy { sticker[$0, y] == Self.blue }
        }
        #expect(isBlue)
    }

    @Test func pictureIsDrawnInItsShapeAndPlace() throws {
        var logo = Watermark(
            id: "logo",
            .image(
                try image(
                    PixelBuffer.drawn(PixelSize(width: 200, height: 100)) { x, _ in
                        x < 100 ? Self.red : Self.blue
                    })))
        logo.width = 0.25
        logo.offset = Watermark.Point(x: -0.02, y: -0.02)

        let sticker = try pixels(try made(try still(), [logo]))
        let plain = try pixels(try made(try still(), []))

        #expect(sticker[376, 440] == Self.red && sticker[499, 499] == Self.blue)
        #expect(sticker[372, 440] == plain[372, 440] && sticker[376, 503] == plain[376, 503])
        let isSameElsewhere = (0..<437).allSatisfy { y in
            (0..<512).allSatisfy { sticker[$0, y] == plain[$0, y] }
        }
        #expect(isSameElsewhere)
    }

    @Test func markIsOnStickersOfItsKindAlone() throws {
        var (onStills, onMoving) = (whole("a", Self.red), whole("b", Self.blue))
        (onStills.on, onMoving.on) = (["still"], ["moving", "poster"])

        let still = try made(try still(), [onStills, onMoving])
        let moving = try made(try moving(), [onStills, onMoving])
        let plain = try made(try self.moving(), [])

        #expect(try pixels(still)[5, 5] == Self.red)
        for role in [StickerFile.Role.sticker, .companion, .tray] {
            let files = [moving, plain].map { $0.files.first { $0.role == role }?.bytes }
            #expect(files[0] == files[1] && files[0] != nil, "\(role)")
        }
        let poster = try #require(moving.files.first { $0.role == .poster })
        #expect(try WebPDecoder.still(poster.bytes)[5, 5] == Self.blue)
    }

    @Test func rawPixelsAreThoseOfThePictureHoweverTheyAreStored() throws {
        let size = PixelSize(width: 60, height: 40)
        let art = PixelBuffer.drawn(size) { x, y in
            SIMD4(UInt8(x * 4), UInt8(y * 6), 90, y < 20 ? 255 : 128)
        }
        func rows(_ form: Watermark.RawPixels) -> [UInt8] {
            (0..<size.height).flatMap { y in
                (0..<size.width).flatMap { x in
                    let pixel = art[x, form.isFlipped ? size.height - 1 - y : y]
                    let color = (0..<3).map {
                        form.isPremultiplied
                            ? UInt8((Int(pixel[$0]) * Int(pixel.w) + 127) / 255) : pixel[$0]
                    }
                    return color + [pixel.w]
                }
            }
        }
        func sticker(_ content: Watermark.Content) throws -> PixelBuffer {
            var mark = Watermark(id: "a", content)
            mark.width = 0.5
            return try pixels(
                try made(try still(), [whole("ground", SIMD4(255, 255, 255, 255)), mark]))
        }
        let wanted = try sticker(.image(try image(art)))
        for isFlipped in [false, true] {
            for isPremultiplied in [false, true] {
                var form = Watermark.RawPixels(size: size)
                (form.isFlipped, form.isPremultiplied) = (isFlipped, isPremultiplied)

                let found = try sticker(.raw(file(rows(form)), form))

                let worst = found.largestDifference(from: wanted)
                #expect(worst <= 1, "flipped \(isFlipped), multiplied \(isPremultiplied)")
            }
        }
    }

    @Test func wordsWithBoxesAreMadeAndTold() throws {
        let drawn = DrawnText(
            size: PixelSize(width: 2, height: 2), rows: Data(repeating: 255, count: 16), scale: 2,
            unknown: UnknownCharacters("世".unicodeScalars))
        let mark = Watermark(id: "words", .text(MarkText("世"), drawn))

        let report = report(try still(), [mark])

        _ = try report.result.get()
        let warning = try #require(report.warnings.first)
        #expect(report.warnings.count == 1 && warning.code == "unknown-characters")
        #expect(warning.detail.hasPrefix("the watermark words: no font has 世 (U+4E16); install"))
    }

    /// A text has the size of its font on 512 pixels, and in proportion on others.
    @Test func wordsHaveTheSizeOfTheirFontOnEveryCanvas() throws {
        let rows = Data(repeating: 255, count: 200 * 80 * 4)
        let drawn = DrawnText(size: PixelSize(width: 200, height: 80), rows: rows, scale: 2)
        var mark = Watermark(id: "text", .text(MarkText("text"), drawn))
        mark.anchor = Watermark.Point(x: 0, y: 0)

        let own = try made(try still(), [mark], targets: ["whatsapp", "discord"])
        mark.width = 0.5
        let wide = try made(try still(), [mark])

        let white = SIMD4<UInt8>(255, 255, 255, 255)
        let sticker = try pixels(own)
        #expect(sticker[99, 39] == white && sticker[100, 39] != white && sticker[99, 40] != white)
        let wideSticker = try pixels(wide)
        #expect(wideSticker[255, 101] == white && wideSticker[256, 101] != white)
        #expect(wideSticker[255, 103] != white)
        let log = report(try still(), [mark], targets: ["whatsapp", "discord"]).log
        #expect(log.entries.contains { $0.step == "mark" && $0.detail.contains("160x64") })
    }

    @Test func wordsThatNobodyDrewAreRefused() throws {
        let mark = Watermark(id: "text", .text(MarkText("text"), nil))

        guard case .failure(.refused(let refusal)) = report(try still(), [mark]).result else {
            Issue.record("it was drawn")
            return
        }
        #expect(refusal.detail.contains("the watermark text cannot be drawn"))
    }

    @Test func markIsOnEveryFrameAtOnePlace() throws {
        var mark = whole("a", Self.red)
        (mark.width, mark.height) = (0.25, 0.25)
        mark.anchor = Watermark.Point(x: 0, y: 0)

        let made = try made(try moving(), [mark])

        #expect(made.animated && made.files[0].frames == 4)
        let decoder = try WebPMovingDecoder(
            SourceBytes(made.files[0].bytes), limits: DecodeLimits())
        for _ in 0..<4 {
            _ = try #require(try decoder.next())
            decoder.withCanvas { pixels in
                let place = (60 * 512 + 60) * 4
                // Lossy.
                #expect(pixels[place] > 230 && pixels[place + 1] < 25 && pixels[place + 3] == 255)
            }
        }
        let thumbnail = try #require(made.files.first { $0.role == .thumbnail })
        let plain = try self.made(try moving(), []).files.first { $0.role == .thumbnail }
        #expect(thumbnail.bytes != plain?.bytes)
    }

    @Test func everyTargetWearsTheMarkOnItsOwnCanvas() throws {
        var mark = whole("a", Self.red)
        (mark.width, mark.height) = (0.5, 0.5)
        mark.anchor = Watermark.Point(x: 0, y: 0)

        let made = try made(try still(), [mark], targets: ["whatsapp", "discord"])

        let discord = try #require(made.files.first { $0.target == "discord" })
        let decoded = try PNGDecoder(SourceBytes(discord.bytes), limits: DecodeLimits())
        #expect(discord.size.width == 320)
        var row = 0
        try decoded.decode(size: discord.size) { bytes in
            if row == 10 {
                #expect(Array(bytes[(150 * 4)..<(150 * 4 + 4)]) == [255, 0, 0, 255])
                #expect(Array(bytes[(170 * 4)..<(170 * 4 + 4)]) != [255, 0, 0, 255])
            }
            row += 1
        }
    }

    @Test func whatShowsNothingChangesNothing() throws {
        var (invisible, empty) = (whole("a", Self.red), whole("b", Self.red))
        invisible.opacity = 0
        empty.width = 0

        #expect(
            try made(try still(), [invisible, empty, whole("c", .zero)]).files
                == made(try still(), []).files)
    }

    @Test func markThatCannotBeDrawnIsNamed() throws {
        var thin = Watermark(
            id: "thin", .image(try image(PixelBuffer(size: PixelSize(width: 1, height: 900)))))
        thin.width = 1
        let text = Watermark(id: "text", .image(file(Array("hello".utf8))))
        let whole = try still().withUnsafeBytes { Array($0) }
        let cut = Watermark(id: "cut", .image(file(whole.dropLast(40))))
        let raw = Watermark(
            id: "raw",
            .raw(file([1, 2, 3]), Watermark.RawPixels(size: PixelSize(width: 9, height: 9))))
        for (mark, said) in [
            (thin, "512x460800"), (text, "no PNG"), (cut, "cut"), (raw, "not 3 bytes"),
        ] {
            guard case .failure(.refused(let refusal)) = report(try still(), [mark]).result else {
                Issue.record("\(mark.id) was drawn")
                continue
            }
            #expect(refusal.detail.contains("the watermark \(mark.id) cannot be drawn"))
            #expect(refusal.detail.contains(said), "\(refusal.detail)")
            // So it is found at the start, and not with the first picture.
            let warnings = report(SourceBytes([]), [mark]).warnings
            #expect(warnings.map(\.code) == ["bad-watermark"])
        }
    }
}
