import Foundation
import StickerConfiguration
import StickerValues
import Testing

/// Faults and warnings about marks, and their places.
struct WatermarkTests {
    /// A row of the table in the documentation of DeepMedia's Camera SDK 0.8.5, and what follows from it.
    struct Vector: Sendable {
        var canvas: PixelSize
        var own: PixelSize
        var size: (width: Double?, height: Double?)
        var anchor: (x: Double, y: Double)
        var offset: (x: Double, y: Double)
        var result: (width: Double, height: Double, x: Double, y: Double)
    }

    private static let vectors = [
        Vector(
            canvas: .sticker, own: PixelSize(width: 200, height: 100), size: (0.25, nil),
            anchor: (1, 1), offset: (0, 0), result: (128, 64, 384, 448)),
        Vector(
            canvas: .sticker, own: PixelSize(width: 200, height: 100), size: (0.25, nil),
            anchor: (1, 1), offset: (-0.02, -0.02), result: (128, 64, 373.76, 437.76)),
        Vector(
            canvas: PixelSize(width: 1920, height: 1080), own: PixelSize(width: 300, height: 100),
            size: (nil, 0.1), anchor: (0, 1), offset: (0.01, -0.01),
            result: (324, 108, 19.2, 961.2)),
        Vector(
            canvas: .sticker, own: PixelSize(width: 100, height: 300), size: (0.5, 0.5),
            anchor: (0.5, 0.5), offset: (0, 0), result: (256, 256, 128, 128)),
        Vector(
            canvas: .sticker, own: PixelSize(width: 64, height: 64), size: (nil, nil),
            anchor: (0.5, 0), offset: (0, 0.05), result: (64, 64, 224, 25.6)),
        Vector(
            canvas: PixelSize(width: 1080, height: 1920), own: .sticker, size: (0.4, nil),
            anchor: (0.5, 0.5), offset: (0, 0), result: (432, 432, 324, 744)),
    ]

    @Test(arguments: vectors.indices)
    func markLiesWhereTheVectorsSay(_ index: Int) {
        let vector = Self.vectors[index]
        var mark = Watermark(id: "a", .color(.zero))
        (mark.width, mark.height) = vector.size
        mark.anchor = Watermark.Point(x: vector.anchor.x, y: vector.anchor.y)
        mark.offset = Watermark.Point(x: vector.offset.x, y: vector.offset.y)

        let place = WatermarkPlacement(of: mark, own: vector.own, on: vector.canvas)

        func rounded(_ value: Double) -> Int { Int((value + 0.5).rounded(.down)) }
        let (width, height, x, y) = vector.result
        #expect(place.size == PixelSize(width: rounded(width), height: rounded(height)))
        #expect(place.x == rounded(x) && place.y == rounded(y))
    }

    @Test(arguments: [
        (PixelSize.sticker, IMGLYPlace.Alignment.topRight, 0.2, 0.05, 102, 51, 384, 26),
        (PixelSize(width: 1000, height: 500), .bottomLeft, 0.4, 0.1, 200, 100, 50, 350),
        (PixelSize(width: 500, height: 1000), .topLeft, 0.4, 0.1, 200, 100, 50, 50),
        (PixelSize(width: 1000, height: 500), .bottomRight, 1, 0, 500, 250, 500, 250),
        (PixelSize(width: 400, height: 400), .center, 0.5, 0.5, 200, 100, 100, 150),
    ])
    func markOfIMGLYIsMeasuredByTheShorterSide(
        _ canvas: PixelSize, _ alignment: IMGLYPlace.Alignment, _ size: Double, _ inset: Double,
        _ width: Int, _ height: Int, _ x: Int, _ y: Int
    ) {
        var mark = Watermark(id: "a", .color(.zero))
        var imgly = IMGLYPlace()
        (imgly.alignment, imgly.size, imgly.inset) = (alignment, size, inset)
        mark.imgly = imgly
        (mark.width, mark.offset.x) = (0.9, 0.9)

        let place = WatermarkPlacement(
            of: mark, own: PixelSize(width: 200, height: 100), on: canvas)

        #expect(place.size == PixelSize(width: width, height: height))
        #expect(place.x == x && place.y == y)
    }

    @Test func betweenKeyframesEverythingChangesEvenly() {
        var mark = Watermark(id: "a", .color(.zero))
        (mark.width, mark.opacity) = (0.5, 0.8)
        var (first, second, third) = (
            Watermark.Keyframe(milliseconds: 100), Watermark.Keyframe(milliseconds: 200),
            Watermark.Keyframe(milliseconds: 500)
        )
        first.offset = Watermark.Point(x: 0, y: -1)
        second.width = 0.25
        third.offset = Watermark.Point(x: 1, y: 0)
        third.width = 0.75
        mark.keyframes = [first, second, third]

        #expect(mark.at(milliseconds: 0).offset == Watermark.Point(x: 0, y: -1))
        #expect(mark.at(milliseconds: 300).offset == Watermark.Point(x: 0.5, y: -0.5))
        #expect(mark.at(milliseconds: 9999).offset == Watermark.Point(x: 1, y: 0))
        #expect(mark.at(milliseconds: 0).width == 0.5)
        #expect(mark.at(milliseconds: 150).width == 0.375)
        #expect(mark.at(milliseconds: 350).width == 0.5)
        #expect(mark.at(milliseconds: 350).opacity == 0.8 && mark.at(milliseconds: 7).height == nil)
        #expect(mark.hasMotion && mark.motionMilliseconds == 500)
        mark.keyframes = [first]
        #expect(!mark.hasMotion)
    }

    @Test func markIsOnTheRolesAndTargetsThatItNames() {
        var mark = Watermark(id: "a", .color(.zero))
        #expect(mark.isOn(.sticker, "whatsapp") && mark.isOn(.tray, nil))
        mark.on = ["discord", "poster"]
        #expect(mark.isOn(.sticker, "discord") && mark.isOn(.rendition, "discord"))
        #expect(mark.isOn(.poster, nil))
        #expect(!mark.isOn(.sticker, "whatsapp") && !mark.isOn(.companion, nil))
    }

    @Test func markIsOnTheKindsThatItNames() {
        var mark = Watermark(id: "a", .color(.zero))
        #expect(mark.isOn(.still) && mark.isOn(.moving))
        mark.on = ["still"]
        #expect(mark.isOn(.still) && !mark.isOn(.moving) && mark.isOn(.tray, nil))
        mark.on = ["moving", "poster"]
        #expect(mark.isOn(.moving) && !mark.isOn(.still) && mark.isOn(.poster, nil))
        #expect(!mark.isOn(.tray, nil))
        mark.on = ["poster"]
        #expect(mark.isOn(.still) && mark.isOn(.moving))
    }

    @Test func extremeShapesHavePlacesThatCanBeCounted() {
        var mark = Watermark(id: "a", .color(.zero))
        mark.width = 1
        let thin = PixelSize(width: 1, height: 1_000_000)

        let place = WatermarkPlacement(of: mark, own: thin, on: .sticker)

        #expect(place.size == PixelSize(width: 512, height: 1_000_000))
        mark.width = 0
        #expect(WatermarkPlacement(of: mark, own: thin, on: .sticker).isEmpty)
    }

    // MARK: JSON

    private func read(_ marks: String) throws -> (marks: [Watermark], warnings: [String]) {
        let json = #"{"sticker": {"watermarks": \#(marks)}}"#
        let file = try ConfigurationFile.parse(Array(json.utf8), at: "/etc/x/config.json")
        return (file.configuration.sticker.watermarks, file.warnings.map(\.description))
    }

    @Test func everythingThatCanBeSaidIsRead() throws {
        let (marks, warnings) = try read(
            ##"""
            [{"id": "band", "color": "#10203040", "width": 1, "height": 0.2, "anchor": [0, 0.5]},
             {"id": "logo", "image": "logo.png", "width": 0.25, "offset": [-0.02, 0.5],
              "opacity": 0.5},
             {"id": "dots", "raw": {"file": "/dots", "width": 2, "height": 3,
              "premultiplied": true, "flipVertically": true}, "height": null}]
            """##)

        var band = Watermark(id: "band", .color(SIMD4(16, 32, 48, 64)))
        (band.width, band.height) = (1, 0.2)
        band.anchor = Watermark.Point(x: 0, y: 0.5)
        var logo = Watermark(id: "logo", .image(WatermarkFile(path: "/etc/x/logo.png")))
        logo.width = 0.25
        logo.offset = Watermark.Point(x: -0.02, y: 0.5)
        logo.opacity = 0.5
        var pixels = Watermark.RawPixels(size: PixelSize(width: 2, height: 3))
        (pixels.isPremultiplied, pixels.isFlipped) = (true, true)
        let dots = Watermark(id: "dots", .raw(WatermarkFile(path: "/dots"), pixels))
        #expect(marks == [band, logo, dots])
        #expect(warnings == [])
    }

    @Test func motionStyleAndFilesAreRead() throws {
        let (marks, warnings) = try read(
            ##"""
            [{"id": "a", "image": "/a", "animate": true, "on": ["discord", "tray"], "keyframes": [
               {"milliseconds": 0}, {"milliseconds": 60000, "width": 7, "height": 0.5,
                "anchor": [0, 0], "offset": [0, -3], "opacity": 0.5}]},
             {"id": "b", "image": "/b", "style": "imgly"},
             {"id": "c", "image": "/c", "style": "imgly", "size": 2, "inset": 0.7,
              "alignment": "center", "keyframes": [{"milliseconds": 1, "opacity": 0}]}]
            """##)

        var a = Watermark(id: "a", .image(WatermarkFile(path: "/a")))
        (a.animates, a.on) = (true, ["discord", "tray"])
        var end = Watermark.Keyframe(milliseconds: 60_000)
        (end.width, end.height, end.opacity) = (1, 0.5, 0.5)
        (end.anchor, end.offset) = (Watermark.Point(x: 0, y: 0), Watermark.Point(x: 0, y: -1))
        a.keyframes = [Watermark.Keyframe(milliseconds: 0), end]
        var b = Watermark(id: "b", .image(WatermarkFile(path: "/b")))
        b.imgly = IMGLYPlace()
        var c = Watermark(id: "c", .image(WatermarkFile(path: "/c")))
        var place = IMGLYPlace()
        (place.size, place.inset, place.alignment) = (1, 0.5, .center)
        c.imgly = place
        c.keyframes = [Watermark.Keyframe(milliseconds: 1)]
        c.keyframes[0].opacity = 0
        #expect(marks == [a, b, c])
        #expect(
            warnings == [
                "sticker.watermarks[0].keyframes[1].width: is 7, taken as 1",
                "sticker.watermarks[0].keyframes[1].offset[1]: is -3, taken as -1",
                "sticker.watermarks[2].size: is 2, taken as 1",
                "sticker.watermarks[2].inset: is 0.7, taken as 0.5",
            ])
    }

    @Test func wordsAreRead() throws {
        let (marks, warnings) = try read(
            ##"""
            [{"id": "a", "text": {"text": "© Ada"}},
             {"id": "b", "width": 0.5, "text": {"text": "a\n\"b\"", "font": "Inter Black",
              "size": 60.5, "color": "#11223344", "stroke": {"pixels": 3, "color": "#FFEEDD"}}}]
            """##)

        var text = MarkText("a\n\"b\"")
        (text.font, text.size, text.color) = ("Inter Black", 60.5, SIMD4(17, 34, 51, 68))
        (text.strokePixels, text.strokeColor) = (3, SIMD3(255, 238, 221))
        var second = Watermark(id: "b", .text(text, nil))
        second.width = 0.5
        #expect(marks == [Watermark(id: "a", .text(MarkText("© Ada"), nil)), second])
        #expect(warnings == [])
    }

    @Test func whatIsOutOfItsRangeIsBroughtIntoIt() throws {
        let (marks, warnings) = try read(
            #"""
            [{"id": "a", "color": [2, -1, 0.5, 1], "width": 1.5, "height": -1, "anchor": [9, -9],
              "offset": [-2, 1.5], "opacity": 7}]
            """#)

        let mark = try #require(marks.first)
        #expect(mark.content == .color(SIMD4(255, 0, 128, 255)))
        #expect(mark.width == 1 && mark.height == 0 && mark.opacity == 1)
        #expect(mark.anchor == Watermark.Point(x: 1, y: 0))
        #expect(mark.offset == Watermark.Point(x: -1, y: 1))
        #expect(warnings.count == 9)
        #expect(warnings.contains("sticker.watermarks[0].opacity: is 7, taken as 1"))
        #expect(warnings.contains("sticker.watermarks[0].offset[0]: is -2, taken as -1"))
    }

    @Test func colorWithoutAlphaIsOpaque() throws {
        let (marks, warnings) = try read(
            """
            [{"id": "a", "color": [1, 0, 0.2], "width": 1, "height": 1},
             {"id": "b", "color": "#FF0033", "width": 1, "height": 1},
             {"id": "c", "text": {"text": "c", "color": [1, 0, 0.2]}}]
            """)

        let color = SIMD4<UInt8>(255, 0, 51, 255)
        #expect(marks[0].content == .color(color) && marks[1].content == .color(color))
        guard case .text(let text, nil) = marks[2].content else {
            Issue.record("no text")
            return
        }
        #expect(text.color == color && warnings.isEmpty)
    }

    @Test func ofSeveralWithOneIdTheLastCounts() throws {
        let one = { (id: String, color: String) in
            ##"{"id": "\##(id)", "color": "\##(color)", "width": 1, "height": 1}"##
        }

        let (marks, warnings) = try read(
            "[\(one("a", "#000000")), \(one("b", "#111111")), \(one("a", "#222222"))]")

        #expect(marks.map(\.id) == ["b", "a"])
        #expect(marks.last?.content == .color(SIMD4(34, 34, 34, 255)))
        #expect(
            warnings == ["sticker.watermarks[0]: a later one has the same id and counts"])
    }

    @Test(arguments: [
        (##"{"id": "a", "color": "red", "width": 1, "height": 1}"##, "[0].color"),
        (##"{"id": "a", "color": "#000000", "width": 1}"##, "no size of its own"),
        (##"{"id": "a"}"##, "give one of image, color, raw and text, not 0"),
        (##"{"id": "a", "text": {}}"##, "text.text: is missing"),
        (##"{"id": "a", "text": {"text": "x", "size": 900}}"##, "text.size: is 900; 4 to 512"),
        (
            ##"{"id": "a", "text": {"text": "x", "stroke": {"pixels": 40}}}"##,
            "text.stroke.pixels: is 40"
        ),
        (##"{"id": "a", "text": {"text": "x", "colour": 1}}"##, "did you mean \"color\""),
        (##"{"id": "a", "image": "x", "raw": {}}"##, "not 2"),
        (##"{"id": "a", "raw": {"file": "x", "width": 3}}"##, "raw.height: is missing"),
        (##"{"image": "x"}"##, "[0].id: is missing"), (##"{"id": "", "image": "x"}"##, "[0].id"),
        (##"{"id": "a", "image": "x", "anchor": [1]}"##, "[0].anchor"),
        (##"{"id": "a", "image": "x", "width": "wide"}"##, "[0].width"),
        (##"{"id": "a", "image": "x", "color": [1, 2]}"##, "[0].color"),
        (##"{"id": "a", "image": "x", "wide": 1}"##, "[0].wide: unknown key"),
        (##"{"id": "a", "image": "x", "on": ["discrod"]}"##, "did you mean \"discord\""),
        (##"{"id": "a", "image": "x", "size": 1}"##, "size: is not for the style relative"),
        (
            ##"{"id": "a", "image": "x", "style": "imgly", "width": 1}"##,
            "width: is not for the style imgly, which has size, inset, alignment"
        ),
        (##"{"id": "a", "color": "#000000", "style": "imgly"}"##, "no shape of its own"),
        (
            ##"{"id": "a", "image": "x", "keyframes": [{"opacity": 1}]}"##,
            "keyframes[0].milliseconds: is missing"
        ),
        (
            ##"{"id": "a", "image": "x", "keyframes": [{"milliseconds": 5}, {"milliseconds": 5}]}"##,
            "keyframes[1].milliseconds: is not later"
        ),
        (
            ##"{"id": "a", "image": "x", "style": "imgly", "keyframes": [{"milliseconds": 5, "width": 1}]}"##,
            "keyframes[0].width: is not for the style imgly"
        ),
    ])
    func whatMakesNoSenseIsAFault(mark: String, fault: String) {
        let error = #expect(throws: ConfigurationError.self) { try read("[\(mark)]") }

        #expect(error?.description.contains(fault) == true, "\(String(describing: error))")
    }

    @Test func moreThanSixteenAreAFault() {
        let marks = (1...17).map { #"{"id": "\#($0)", "image": "x"}"# }

        #expect(throws: ConfigurationError.self) {
            try read("[\(marks.joined(separator: ","))]")
        }
    }
}
