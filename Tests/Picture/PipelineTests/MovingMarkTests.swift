import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerPipeline

/// Marks that change in the time of a sticker, and files that wear different ones.
struct MovingMarkTests {
    private static let red = SIMD4<UInt8>(255, 0, 0, 255)
    private static let art = PixelSize(width: 80, height: 80)

    private func report(
        _ source: SourceBytes, _ marks: [Watermark], targets: [Target],
        _ change: (inout StickerSettings) -> Void = { _ in }
    ) -> MakeReport {
        var settings = StickerSettings()
        settings.watermarks = marks
        change(&settings)
        return StickerPipeline().make(
            source, recipe: Recipe(settings: settings, targets: targets), limits: DecodeLimits())
    }

    private func made(
        _ source: SourceBytes, _ marks: [Watermark], targets: [String] = ["whatsapp"],
        _ change: (inout StickerSettings) -> Void = { _ in }
    ) throws -> MadeSticker {
        try report(source, marks, targets: targets.compactMap { Target.builtIn[$0] }, change)
            .result.get()
    }

    private func still() throws -> SourceBytes {
        SourceBytes(
            try PNGEncoder.encode(PixelBuffer.drawn(Self.art) { _, _ in SIMD4(0, 0, 90, 255) }))
    }

    /// A green bar that moves to the right, each frame as long as told.
    private func moving(_ milliseconds: [Int]) throws -> SourceBytes {
        let encoder = try GIFEncoder(size: Self.art, matte: SIMD3(repeating: 255))
        for (number, time) in milliseconds.enumerated() {
            try encoder.add(
                frame: PixelBuffer.drawn(Self.art) { x, y in
                    y < 40 && x / 20 == number % 4 ? SIMD4(0, 200, 0, 255) : SIMD4(0, 0, 90, 255)
                }, durationMilliseconds: time)
        }
        return SourceBytes(try #require(try encoder.finish()))
    }

    /// A square at the bottom left that moves to the bottom right.
    private func square(until milliseconds: Int) -> Watermark {
        var mark = Watermark(id: "square", .color(Self.red))
        (mark.width, mark.height) = (0.125, 0.125)
        mark.keyframes = [.init(milliseconds: 0), .init(milliseconds: milliseconds)]
        mark.keyframes[0].anchor = Watermark.Point(x: 0, y: 1)
        mark.keyframes[1].anchor = Watermark.Point(x: 1, y: 1)
        return mark
    }

    private func whole(_ id: String, _ color: SIMD4<UInt8>) -> Watermark {
        var mark = Watermark(id: id, .color(color))
        (mark.width, mark.height) = (1, 1)
        return mark
    }

    private func file(_ bytes: [UInt8]) -> WatermarkFile {
        var file = WatermarkFile(path: "mark")
        file.content = FileContent(
            bytes: bytes, hash: ContentHash(rawValue: String(bytes.hashValue)))
        return file
    }

    /// The left edge of what is red in the lowest rows, when each frame begins.
    private func tracks(_ file: MadeFile) throws -> [(milliseconds: Int, left: Int)] {
        let decoder = try WebPMovingDecoder(SourceBytes(file.bytes), limits: DecodeLimits())
        var (time, tracks) = (0, [(milliseconds: Int, left: Int)]())
        while let frame = try decoder.next() {
            decoder.withCanvas { pixels in
                let row = 480 * 512
                let left = (0..<512).first { x in
                    pixels[(row + x) * 4] > 150 && pixels[(row + x) * 4 + 2] < 80
                }
                tracks.append((time, left ?? -1))
            }
            time += frame.delayMilliseconds
        }
        return tracks
    }

    // MARK: On what moves

    @Test func markMovesWithTheTimeOfTheSticker() throws {
        let made = try made(try moving([100, 100, 100, 100]), [square(until: 400)])

        let tracks = try tracks(made.files[0])
        #expect(tracks.map(\.milliseconds) == [0, 100, 200, 300])
        for (index, track) in tracks.enumerated() {
            #expect(abs(track.left - 112 * index) <= 2, "\(tracks)")
        }
    }

    /// Art of two frames a second is no reason for a mark that jerks.
    @Test func longFramesAreDividedWhileAMarkMoves() throws {
        let made = try made(try moving([500, 500]), [square(until: 400)])

        let tracks = try tracks(made.files[0])
        #expect(tracks.map(\.milliseconds) == [0, 83, 166, 250, 333, 416, 500])
        #expect(tracks.map(\.left).sorted() == tracks.map(\.left) && tracks[5].left >= 446)
        #expect(made.files[0].durationMilliseconds == 1000)
    }

    @Test func picturesOfAMovingMarkFollowOneAnotherForEver() throws {
        let size = PixelSize(width: 16, height: 16)
        let encoder = try GIFEncoder(size: size, matte: SIMD3(repeating: 255))
        for color in [Self.red, SIMD4(0, 0, 0, 255)] {
            try encoder.add(
                frame: PixelBuffer.drawn(size) { _, _ in color }, durationMilliseconds: 100)
        }
        var mark = Watermark(id: "gif", .image(file(try #require(try encoder.finish()))))
        mark.width = 0.125
        mark.anchor = Watermark.Point(x: 0, y: 1)

        let made = try made(try moving([100, 100, 100, 100, 100, 100]), [mark])

        let isRed = try tracks(made.files[0]).map { $0.left >= 0 }
        #expect(isRed == [true, false, true, false, true, false])
    }

    /// Art of 30 frames a second gets no more of them.
    @Test func shortFramesAreNotDivided() throws {
        let art = Array(repeating: 30, count: 12)
        let size = PixelSize(width: 16, height: 16)
        let encoder = try GIFEncoder(size: size, matte: SIMD3(repeating: 255))
        for color in [Self.red, SIMD4(0, 0, 0, 255)] {
            try encoder.add(
                frame: PixelBuffer.drawn(size) { _, _ in color }, durationMilliseconds: 50)
        }
        var mark = Watermark(id: "gif", .image(file(try #require(try encoder.finish()))))
        mark.width = 0.125
        mark.anchor = Watermark.Point(x: 0, y: 1)

        for mark in [mark, square(until: 300)] {
            let made = try made(try moving(art), [mark])

            #expect(made.files[0].frames == 12 && made.files[0].durationMilliseconds == 360)
        }
    }

    @Test func markThatHidesAllThatMovesLeavesAStill() throws {
        let made = try made(try moving([100, 100, 100]), [whole("a", Self.red)])

        #expect(!made.animated && made.files[0].frames == nil)
    }

    @Test func framesThatAMarkMakesEqualAreNoHindrance() throws {
        var cover = whole("a", Self.red)
        cover.width = 0.5
        cover.anchor = Watermark.Point(x: 0, y: 0)

        let made = try made(
            try moving([100, 100, 100, 100]), [cover],
            targets: ["whatsapp", "discord", "telegram"])

        #expect(made.animated && made.files[0].durationMilliseconds == 400)
        #expect(made.files.contains { $0.target == "discord" && $0.durationMilliseconds == 400 })
    }

    @Test func emptyBeginningIsPassedOverAlsoUnderAMark() throws {
        let encoder = try GIFEncoder(size: Self.art, matte: SIMD3(repeating: 255))
        for color in [SIMD4<UInt8>.zero, SIMD4(0, 200, 0, 255), SIMD4(0, 0, 90, 255)] {
            try encoder.add(
                frame: PixelBuffer.drawn(Self.art) { _, _ in color }, durationMilliseconds: 100)
        }
        var mark = square(until: 0)
        mark.keyframes = []

        let source = SourceBytes(try #require(try encoder.finish()))
        let report = report(source, [mark], targets: [try #require(Target.builtIn["whatsapp"])])

        #expect(report.warnings.map(\.code) == ["rotated"])
    }

    // MARK: On stills

    @Test func stillStandsUnlessAskedToMove() throws {
        let plain = square(until: 800)
        var standing = plain
        standing.keyframes = []
        standing.anchor = Watermark.Point(x: 0, y: 1)

        #expect(try made(try still(), [plain]).files == made(try still(), [standing]).files)
    }

    @Test func stillMovesIfAsked() throws {
        var mark = square(until: 800)
        mark.animates = true

        let made = try made(try still(), [mark])

        // Its end is shown, too.
        #expect(made.animated && made.files[0].durationMilliseconds == 880)
        let tracks = try tracks(made.files[0])
        #expect(tracks.count == 11 && tracks[0].left <= 1 && tracks[10].left >= 446)
        let companion = try #require(made.files.first { $0.role == .companion })
        #expect(companion.format == .gif && companion.frames == 11)
        #expect(made.files.contains { $0.role == .poster })
        #expect(made.appearance?.startsEmpty == false)
    }

    /// The art of a still is tinted, whatever moves over it.
    @Test func stillThatMovesKeepsItsTint() throws {
        var mark = square(until: 800)
        mark.animates = true

        let made = try made(try still(), [mark]) {
            ($0.tint.mode, $0.tint.color) = (.solid, "#FFFFFF")
        }

        let decoder = try WebPMovingDecoder(
            SourceBytes(made.files[0].bytes), limits: DecodeLimits())
        _ = try #require(try decoder.next())
        decoder.withCanvas { pixels in
            let middle = (256 * 512 + 256) * 4
            #expect((0..<3).allSatisfy { pixels[middle + $0] > 240 })
        }
    }

    /// Whatever the mark asks for, each file keeps to the rules of its target.
    @Test func motionKeepsToTheRulesOfEachTarget() throws {
        var mark = square(until: 60_000)
        mark.animates = true
        let whatsApp = try #require(Target.builtIn["whatsapp"])
        var (stillOnly, refusing) = (whatsApp, whatsApp)
        (stillOnly.name, stillOnly.moving) = ("stills", nil)
        refusing.name = "refusing"
        refusing.moving?.tooLong = .refuse
        refusing.moving?.millisecondsMax = 3000
        refusing.moving?.framesMax = 20

        let made = try report(
            try still(), [mark], targets: [whatsApp, stillOnly, refusing]
        ).result.get()

        #expect(made.files[0].durationMilliseconds == 10_000 && made.shortfalls.isEmpty)
        let others = made.files.filter { $0.role == .rendition }
        #expect(others.map(\.target) == ["stills", "refusing"])
        #expect(others[0].frames == nil && others[1].durationMilliseconds == 3000)
        #expect(others[1].frames ?? 99 <= 20)
    }

    @Test func stillStandsWhereItsMotionDoesNotFit() throws {
        var target = try #require(Target.builtIn["whatsapp"])
        target.moving?.bytesMax = 400
        var mark = square(until: 800)
        mark.animates = true

        let report = report(try still(), [mark], targets: [target])

        let made = try report.result.get()
        #expect(!made.animated && made.files[0].frames == nil)
        #expect(report.warnings.map(\.code).contains("mark-stands-still"))
    }

    @Test func markThatAsksToMoveButDoesNotLeavesAStill() throws {
        var mark = whole("a", Self.red)
        mark.animates = true
        mark.keyframes = [.init(milliseconds: 0), .init(milliseconds: 500)]
        // A flat colour over everything shows no change.
        mark.keyframes[0].anchor = Watermark.Point(x: 0, y: 0)
        mark.keyframes[1].anchor = Watermark.Point(x: 1, y: 1)

        #expect(try !made(try still(), [mark]).animated)
    }

    /// It is seen only between its keyframes.
    @Test func rippleIsSeen() throws {
        var mark = Watermark(id: "ripple", .color(Self.red))
        (mark.width, mark.height, mark.animates) = (0, 0, true)
        mark.anchor = Watermark.Point(x: 0, y: 1)
        mark.keyframes = [.init(milliseconds: 0), .init(milliseconds: 800)]
        (mark.keyframes[1].width, mark.keyframes[1].height) = (1, 1)
        mark.keyframes[1].opacity = 0

        let made = try made(try still(), [mark])

        #expect(made.animated)
        #expect(try tracks(made.files[0]).contains { $0.left == 0 })
    }

    /// However large a keyframe makes it, visible or not, it has the limit of all.
    @Test func sizeOfEveryKeyframeIsLimited() throws {
        let thin = PixelBuffer(size: PixelSize(width: 1, height: 16_000))
        var mark = Watermark(id: "thin", .image(file(try PNGEncoder.encode(thin))))
        (mark.width, mark.animates) = (0.001, true)
        mark.keyframes = [.init(milliseconds: 0), .init(milliseconds: 100)]
        (mark.keyframes[1].width, mark.keyframes[1].opacity) = (1, 0)

        let warnings = report(
            SourceBytes([]), [mark], targets: [try #require(Target.builtIn["whatsapp"])]
        ).warnings

        #expect(warnings.map(\.code) == ["bad-watermark"])
    }

    /// Nothing is counted through that no sticker has the time for.
    @Test func endlessFramesUnderAFastMarkAreNoBurden() throws {
        let size = PixelSize(width: 8, height: 8)
        let art = TestAPNG(
            width: 8, height: 8,
            frames: (0..<200).map { number in
                var frame = TestAPNG.Frame.filled(SIMD4(UInt8(number), 0, 0, 255), 8, 8)
                frame.delay = (65_535, 1)
                return frame
            })
        let encoder = try GIFEncoder(size: size, matte: SIMD3(repeating: 255))
        for color in [Self.red, SIMD4(0, 0, 0, 255)] {
            try encoder.add(
                frame: PixelBuffer.drawn(size) { _, _ in color }, durationMilliseconds: 20)
        }
        var mark = Watermark(id: "gif", .image(file(try #require(try encoder.finish()))))
        mark.width = 0.1
        var target = try #require(Target.builtIn["whatsapp"])
        target.moving?.tooLong = .trim

        for marks in [[], [mark]] {
            let made = try report(SourceBytes(art.bytes), marks, targets: [target]).result.get()

            // A mark that is cut off after its first frame does not move.
            #expect(!made.animated && made.files[0].frames == nil)
        }
    }

    /// Once one mark makes a still move, all of them do.
    @Test func recipeHasTheMotionOfMarksBesideAnAnimatingOne() throws {
        var animating = square(until: 800)
        (animating.animates, animating.id) = (true, "b")
        func recipe(_ milliseconds: Int) -> RecipeIDs {
            var settings = StickerSettings()
            settings.watermarks = [square(until: milliseconds), animating]
            return RecipeIDs(Recipe(settings: settings)) { "<\($0)>" }
        }

        #expect(recipe(500).still.renditions != recipe(600).still.renditions)
    }

    // MARK: On some files alone

    private func colors(_ made: MadeSticker) throws -> [String: SIMD4<UInt8>] {
        var colors: [String: SIMD4<UInt8>] = [:]
        for file in made.files {
            let name = file.target ?? file.role.rawValue
            switch file.format {
            case .png:
                let decoder = try PNGDecoder(SourceBytes(file.bytes), limits: DecodeLimits())
                var row = 0
                try decoder.decode(size: file.size) { bytes in
                    if row == file.size.height / 2 {
                        let middle = file.size.width / 2 * 4
                        colors[name] = SIMD4(
                            bytes[middle], bytes[middle + 1], bytes[middle + 2], bytes[middle + 3])
                    }
                    row += 1
                }
            case .webp where file.frames == nil:
                let pixels = try WebPDecoder.still(file.bytes)
                colors[name] = pixels[file.size.width / 2, file.size.height / 2]
            default:
                // Nothing of it is asked for here.
                break
            }
        }
        return colors
    }

    @Test func eachFileWearsTheMarksThatAreOnIt() throws {
        let blue = SIMD4<UInt8>(0, 0, 90, 255)
        let files = ["whatsapp", "discord", "companion", "thumbnail", "tray"]

        for (on, marked) in [
            (["sticker"], ["whatsapp"]), (["discord"], ["discord"]),
            (["rendition", "tray"], ["discord", "tray"]),
            (["companion", "thumbnail"], ["companion", "thumbnail"]),
        ] {
            var mark = whole("a", Self.red)
            mark.on = on
            let found = try self.colors(
                try made(try still(), [mark], targets: ["whatsapp", "discord"]))
            for file in files {
                let wanted = marked.contains(file) ? Self.red : blue
                #expect(found[file] == wanted, "\(file) of marks on \(on)")
            }
        }
    }

    @Test func sideFilesOfWhatMovesWearTheirOwnMarks() throws {
        var cover = whole("a", Self.red)
        cover.on = ["poster", "thumbnail"]

        let found = try made(try moving([100, 100, 100, 100]), [cover])
        let plain = try made(try moving([100, 100, 100, 100]), [])

        #expect(found.animated && found.files[0].bytes == plain.files[0].bytes)
        let colors = try colors(found)
        #expect(colors["poster"] == Self.red && colors["thumbnail"] == Self.red)
        #expect(colors["tray"] != Self.red)
        let companions = [found, plain].map { $0.files.first { $0.role == .companion } }
        #expect(companions[0] == companions[1] && companions[0] != nil)
    }

    /// The sticker of a still moves by its mark, its companion wears none.
    @Test func companionWithoutTheMarkThatMovesIsAGIFNevertheless() throws {
        var mark = square(until: 400)
        (mark.animates, mark.on) = (true, ["sticker"])

        let made = try made(try still(), [mark])

        let companion = try #require(made.files.first { $0.role == .companion })
        #expect(made.animated && companion.format == .gif && companion.frames == 1)
    }

    @Test func targetsWithTheSameRulesButOtherMarksShareNothing() throws {
        let whatsApp = try #require(Target.builtIn["whatsapp"])
        var twin = whatsApp
        twin.name = "twin"
        var mark = whole("a", Self.red)
        mark.on = ["twin"]

        let made = try report(try still(), [mark], targets: [whatsApp, twin]).result.get()

        let twins = try #require(made.files.first { $0.target == "twin" })
        #expect(twins.bytes != made.files[0].bytes)
    }
}
