import Foundation
import StickerTestSupport
import Testing

@testable import StickerContainers
@testable import StickerValues

/// Which pictures the faults of earlier releases concern, by their headers.
struct MendedFaultTests {
    private func faults(
        _ bytes: [UInt8], animated: Bool = false, alphaFlag: Bool? = nil, changed: Set<String> = []
    ) -> [String] {
        let canvas = TargetCanvas(width: 512, height: 512)
        var published = PublishedFacts(
            isAnimated: animated, canvas: canvas, hasAlphaFlag: alphaFlag)
        published.changedDefaults = changed
        return MendedFault.faults(in: SourceBytes(bytes), published, madeBy: 4).map(\.name)
    }

    // MARK: The table

    @Test func everyFaultHasANameOfItsOwnAndOneSentence() {
        let names = MendedFault.all.map(\.name)

        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { !$0.contains(" ") && MendedFault.named($0)?.name == $0 })
        #expect(MendedFault.all.allSatisfy { !$0.sentence.hasSuffix(".") })
        #expect(MendedFault.named("no-such-fault") == nil)
    }

    @Test func whatWasMadeAfterTheMendingIsNotConcerned() {
        let bytes = SourceBytes(png(TestPNG.chunk("cICP", [12, 13, 0, 1])))
        let published = PublishedFacts(
            isAnimated: false, canvas: TargetCanvas(width: 512, height: 512), hasAlphaFlag: nil)

        #expect(MendedFault.faults(in: bytes, published, madeBy: 4).map(\.name) == ["png-cicp"])
        #expect(MendedFault.faults(in: bytes, published, madeBy: 5).isEmpty)
    }

    @Test func anyBytesMayBeGiven() {
        let files = [
            png(TestPNG.chunk("cICP", [12, 13, 0, 1])), jpeg(components: 4, [exif(6), exif(1)]),
            tiff([262: 2, 277: 4]), webp(profile("GRAY")), TestFormats.avif, TestFormats.heic,
            svg(#"<image href="data:image/webp;base64,UklGRg=="/>"#), bmp(alpha: 0xFF00_0000),
            png(TestPNG.chunk("iCCP", Array("a\0\0".utf8) + zlib(profile("GRAY")))),
            heif("avif", Array("prof".utf8) + profile("CMYK"), nclx(12, 13)),
            gif(100, x: 50, width: 51), svg(#"<text x="1 2" style="font-size:1mm">ab</text>"#),
            png(TestAPNG.animation(1)), TestFormats.movingAVIF,
        ]

        for file in files {
            forEachDamage(of: file) { _ = faults($0, animated: true, changed: everyKey) }
            forEachRuin(of: file) { _ = faults($0, animated: true, changed: everyKey) }
        }
    }

    @Test(.needsCorpus) func hostileFilesMayBeGiven() throws {
        let folders = ["bad/synthetic", "bad/real", "bombs"].compactMap(Corpus.folder(named:))
        let files = try folders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }
        }

        for file in files {
            // Folders among them are passed over.
            guard let data = FileManager.default.contents(atPath: file) else { continue }
            let bytes = Array(data.prefix(64 << 10))
            _ = faults(bytes, animated: true, changed: everyKey)
            forEachRuin(of: bytes, count: 3) { _ = faults($0, changed: everyKey) }
        }
        #expect(!files.isEmpty)
    }

    private let everyKey: Set = ["sticker.resample"]

    // MARK: Colours of PNG

    private func png(_ chunks: [UInt8]..., type: UInt8 = 2) -> [UInt8] {
        TestPNG.file(
            [TestPNG.header(300, 300, color: type)] + chunks + [
                TestPNG.chunk("IDAT", [1]), TestPNG.chunk("IEND"),
            ])
    }

    private func numbers(_ values: Int...) -> [UInt8] { values.flatMap(TestPNG.number) }

    @Test(
        arguments: [
            ([12, 13, 0, 1], true), ([9, 16, 0, 1], true), ([1, 13, 0, 1], false),
            ([12, 13, 1, 1], false), ([12, 13, 0], false), ([2, 2, 0, 1], false),
        ] as [([UInt8], Bool)])
    func colourThatIsDeclaredInCICPCounts(_ data: [UInt8], _ isConcerned: Bool) {
        #expect(faults(png(TestPNG.chunk("cICP", data))) == (isConcerned ? ["png-cicp"] : []))
    }

    @Test func chunkBehindThePixelsDeclaresNothing() {
        let file = TestPNG.file([
            TestPNG.header(300, 300), TestPNG.chunk("IDAT", [1]),
            TestPNG.chunk("cICP", [12, 13, 0, 1]), TestPNG.chunk("IEND"),
        ])

        #expect(faults(file).isEmpty)
    }

    @Test func primariesCountBesideAGammaAlone() {
        let gamma = TestPNG.chunk("gAMA", numbers(45455))
        let wide = TestPNG.chunk(
            "cHRM", numbers(31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000))
        let same = TestPNG.chunk(
            "cHRM", numbers(31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000))

        #expect(faults(png(gamma, wide)) == ["png-chromaticities"])
        #expect(faults(png(gamma, wide, type: 3)) == ["png-chromaticities"])
        #expect(faults(png(gamma, wide, type: 0)).isEmpty)
        #expect(faults(png(gamma, same)).isEmpty && faults(png(wide)).isEmpty)
        #expect(faults(png(gamma, wide, TestPNG.chunk("sRGB", [0]))).isEmpty)
    }

    @Test func firstOfTwoGammasCounts() {
        let (first, second) = (
            TestPNG.chunk("gAMA", numbers(45455)), TestPNG.chunk("gAMA", numbers(100_000))
        )

        #expect(faults(png(first, second)) == ["png-two-gammas"])
        #expect(faults(png(first, first)).isEmpty && faults(png(second)).isEmpty)
        #expect(faults(png(first, second, TestPNG.chunk("sRGB", [0]))).isEmpty)
    }

    // MARK: Numbers of HEIF

    /// An AVIF or HEIC of colours, with these properties.
    private func heif(_ brand: String, _ properties: [UInt8]...) -> [UInt8] {
        func box(_ type: String, _ data: [UInt8]) -> [UInt8] {
            TestPNG.number(data.count + 8) + Array(type.utf8) + data
        }
        let configuration = brand == "avif" ? box("av1C", [0x81, 0x20, 0, 0]) : []
        let container = box("ipco", configuration + properties.flatMap { box("colr", $0) })
        return box("ftyp", Array(brand.utf8) + [0, 0, 0, 0])
            + box("meta", [0, 0, 0, 0] + box("iprp", container))
    }

    private func nclx(_ primaries: UInt8, _ transfer: UInt8) -> [UInt8] {
        Array("nclx".utf8) + [0, primaries, 0, transfer, 0, 6, 0x80]
    }

    @Test func numbersBesideAProfileThatIsSetAsideCount() {
        let cmyk = Array("prof".utf8) + profile("CMYK")
        let rgb = Array("prof".utf8) + sound(profile("RGB "))

        #expect(faults(heif("avif", cmyk, nclx(12, 13))) == ["heif-numbers"])
        #expect(faults(heif("avif", cmyk, nclx(9, 16))) == ["heif-numbers"])
        #expect(faults(heif("avif", cmyk, nclx(1, 13))).isEmpty)
        #expect(faults(heif("avif", cmyk, nclx(2, 2))).isEmpty)
        #expect(faults(heif("avif", rgb, nclx(12, 13))).isEmpty)
        #expect(faults(heif("avif", nclx(12, 13))).isEmpty)
    }

    /// A profile with a class and no tags.
    private func sound(_ profile: [UInt8]) -> [UInt8] {
        var profile = profile
        profile.replaceSubrange(12..<16, with: Array("mntr".utf8))
        return profile
    }

    @Test func coloursInAVideoHeaderAloneCount() {
        let wide = TestFormats.heic(primaries: 12, transfer: 13)

        #expect(faults(wide) == ["heic-video"])
        #expect(faults(TestFormats.heic(primaries: 9, transfer: 16)) == ["heic-video"])
        #expect(faults(TestFormats.heic(primaries: 1, transfer: 13)).isEmpty)
        #expect(faults(TestFormats.heic).isEmpty)
    }

    // MARK: Profiles

    /// The header of a profile for a colour space.
    private func profile(_ space: String) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 132)
        bytes.replaceSubrange(16..<20, with: Array(space.utf8))
        bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
        return bytes
    }

    /// A stream of one stored block.
    private func zlib(_ bytes: [UInt8]) -> [UInt8] {
        let (low, high) = (UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8))
        return [0x78, 0x01, 0x01, low, high, ~low, ~high] + bytes + [0, 0, 0, 0]
    }

    private func webp(_ profile: [UInt8]) -> [UInt8] {
        let size = PixelSize(width: 300, height: 300)
        return TestWebP.file([
            TestWebP.header(flags: 0x20, size), TestWebP.chunk("ICCP", profile),
            TestWebP.chunk("VP8 ", [0]),
        ])
    }

    @Test func profileForGrayBesideColoursConcernsFormatsThatUsedIt() {
        #expect(faults(webp(profile("GRAY"))) == ["gray-profile"])
        #expect(faults(webp(profile("RGB "))).isEmpty)
    }

    @Test func profileForColoursBesideGrayConcernsPNGAlone() {
        func chunk(_ space: String) -> [UInt8] {
            TestPNG.chunk("iCCP", Array("a\0\0".utf8) + zlib(profile(space)))
        }

        #expect(faults(png(chunk("RGB "), type: 0)) == ["rgb-profile"])
        #expect(faults(png(chunk("RGB "), type: 4)) == ["rgb-profile"])
        #expect(faults(png(chunk("RGB "), type: 2)).isEmpty)
        #expect(faults(png(chunk("GRAY"), type: 0)).isEmpty)
        let segment = (
            UInt8(0xE2), Array("ICC_PROFILE\0".utf8) + [1, 1] + profile("RGB ")
        )
        #expect(faults(jpeg(components: 1, [segment])).isEmpty)
    }

    @Test func profileThatDeclaresBrightnessBeyondWhiteWasShownFlat() {
        func profile(_ transfer: UInt8) -> [UInt8] {
            var bytes = self.profile("RGB ")
            bytes.replaceSubrange(128..<132, with: numbers(1))
            return bytes + Array("cicp".utf8) + numbers(144, 12)
                + Array("cicp".utf8) + [0, 0, 0, 0, 9, transfer, 0, 1]
        }

        #expect(faults(webp(profile(16))) == ["profile-hdr"])
        #expect(faults(webp(profile(18))) == ["profile-hdr"])
        #expect(faults(webp(profile(13))).isEmpty)
    }

    /// A profile for RGB with one curve.
    private func profile(curve: [UInt8]) -> [UInt8] {
        var bytes = profile("RGB ")
        bytes.replaceSubrange(128..<132, with: numbers(1))
        return bytes + Array("rTRC".utf8) + numbers(144, curve.count) + curve
    }

    /// Most profiles of gray pictures are those of sRGB: nothing was lost with them.
    @Test func profileByWhichGrayIsTheSameConcernsNothing() {
        func parametric(_ kind: UInt8, _ values: Double...) -> [UInt8] {
            Array("para".utf8) + [0, 0, 0, 0, 0, kind, 0, 0]
                + values.flatMap { TestPNG.number(Int(($0 * 65536).rounded())) }
        }
        func table(_ light: (Double) -> Double) -> [UInt8] {
            let entries = (0..<64).map { Int((light(Double($0) / 63) * 65535).rounded()) }
            return Array("curv".utf8) + [0, 0, 0, 0] + numbers(64)
                + entries.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        }
        func isConcerned(_ curve: [UInt8]) -> Bool {
            let chunk = TestPNG.chunk(
                "iCCP", Array("a\0\0".utf8) + zlib(profile(curve: curve)))
            return faults(png(chunk, type: 0)) == ["rgb-profile"]
        }
        let srgb = parametric(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)

        #expect(!isConcerned(srgb) && !isConcerned(table { pow(($0 + 0.055) / 1.055, 2.4) }))
        #expect(isConcerned(parametric(0, 1.8)) && isConcerned(table { $0 }))
        #expect(isConcerned(Array("curv".utf8) + [0, 0, 0, 0] + numbers(0)))
    }

    /// As compressors write it: with Huffman codes of their own, and fixed ones.
    @Test(arguments: [
        "eNq1jjsOwkAMRH0UzkJDnxvMx12CEMn9xXjp6LG1Go/kN96qql3HGanjeb23x/1WPwWdr/pjQQIlC2kK"
            + "sFJ0Boy4gc5Kry26mTcMEIJmm9T00AEoh4oVZhCzOfGTAJA9XjFeFL5Jo7E5ygCcNK9PdQKcoA8HCka1",
        "eAFjYGBgyEnOLQZSDLl5JUVB7k4KDGggMbm4gIGGIDE5OTEpOTkFAPBXCSc=",
    ])
    func headerOfAPackedProfileIsRead(_ packed: String) throws {
        let stream = [UInt8](try #require(Data(base64Encoded: packed)))

        let head = stream.withUnsafeBytes { Inflation.zlib($0, bytesMax: 40) }

        #expect(head.count == 40)
        #expect(head[12..<20].elementsEqual("mntrRGB ".utf8))
        #expect(head[36...].elementsEqual("acsp".utf8))
        forEachDamage(of: stream) { damaged in
            let read = damaged.withUnsafeBytes { Inflation.zlib($0, bytesMax: 40) }
            #expect(read.count <= 40)
        }
    }

    // MARK: JPEG

    private func jpeg(components: UInt8, _ segments: [(UInt8, [UInt8])]) -> [UInt8] {
        let frame: [UInt8] =
            [8, 1, 44, 1, 44, components]
            + (1...components).flatMap { [$0, 0x11, 0] as [UInt8] }
        let all = segments + [(0xC0, frame), (0xDA, [1, 1, 0, 0, 63, 0])]
        return [0xFF, 0xD8]
            + all.flatMap { marker, data in
                let length = data.count + 2
                return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + data
            } + [1, 0xFF, 0xD9]
    }

    private func exif(_ orientation: UInt8) -> (UInt8, [UInt8]) {
        (
            0xE1,
            Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0]
                + [orientation, 0, 0, 0, 0, 0, 0, 0]
        )
    }

    @Test func inksWithoutAdobesMarkerWereInverted() {
        let adobe = (UInt8(0xEE), Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0])

        #expect(faults(jpeg(components: 4, [])) == ["inverted-inks"])
        #expect(faults(jpeg(components: 4, [adobe])).isEmpty)
        #expect(faults(jpeg(components: 3, [])).isEmpty)
    }

    @Test func orientationsThatDifferAreAmbiguous() {
        #expect(faults(jpeg(components: 3, [exif(6), exif(1)])) == ["two-orientations"])
        #expect(faults(jpeg(components: 3, [exif(6), exif(6)])).isEmpty)
        #expect(faults(jpeg(components: 3, [exif(6)])).isEmpty)
    }

    // MARK: Alpha and pages

    private func bmp(version: Int = 124, alpha: Int, compression: Int = 0) -> [UInt8] {
        func long(_ value: Int) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        var info = long(version) + long(300) + long(300) + [1, 0, 32, 0] + long(compression)
        info += [UInt8](repeating: 0, count: 20)
        info += [0xFF_0000, 0xFF00, 0xFF, alpha].flatMap(long)
        info += [UInt8](repeating: 0, count: max(0, version - info.count))
        return Array("BM".utf8) + long(0) + long(0) + long(14 + version) + info
    }

    @Test func alphaMaskOfPlainPixelsConcernsLaterHeaders() {
        #expect(faults(bmp(alpha: 0xFF00_0000)) == ["bmp-alpha"])
        #expect(faults(bmp(version: 108, alpha: 0xFF00_0000)) == ["bmp-alpha"])
        #expect(faults(bmp(version: 40, alpha: 0xFF00_0000)).isEmpty)
        #expect(faults(bmp(alpha: 0)).isEmpty)
        #expect(faults(bmp(alpha: 0xFF00_0000, compression: 3)).isEmpty)
    }

    /// Directories of short values.
    private func tiff(_ directories: [Int: Int]...) -> [UInt8] {
        func short(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
        var bytes = Array("II*\0".utf8) + [8, 0, 0, 0]
        for (index, tags) in directories.enumerated() {
            let all = tags.merging([256: 300, 257: 300]) { first, _ in first }
            bytes += short(all.count)
            for (tag, value) in all.sorted(by: { $0.key < $1.key }) {
                bytes += short(tag) + [3, 0, 1, 0, 0, 0] + short(value) + [0, 0]
            }
            let next = index == directories.count - 1 ? 0 : bytes.count + 4
            bytes += short(next) + [0, 0]
        }
        return bytes
    }

    @Test func fourthChannelOfATIFFIsAlphaUnlessItIsSaidToBe() {
        #expect(faults(tiff([262: 2, 277: 4])) == ["tiff-alpha"])
        #expect(faults(tiff([262: 2, 277: 4, 338: 0])) == ["tiff-alpha"])
        #expect(faults(tiff([262: 2, 277: 4, 338: 2])).isEmpty)
        #expect(faults(tiff([262: 2, 277: 3])).isEmpty && faults(tiff([262: 5, 277: 4])).isEmpty)
    }

    @Test func reducedCopyInFrontOfThePictureIsNotThePicture() {
        #expect(faults(tiff([254: 1], [254: 0])) == ["tiff-reduced-first"])
        #expect(faults(tiff([254: 1], [:])) == ["tiff-reduced-first"])
        #expect(faults(tiff([255: 2], [255: 1])) == ["tiff-reduced-first"])
        #expect(faults(tiff([254: 0], [254: 1])).isEmpty && faults(tiff([254: 1])).isEmpty)
    }

    // MARK: Animations

    @Test func onlyFrameBehindTheDefaultImageIsThePicture() {
        let control = TestPNG.chunk("fcTL", [UInt8](repeating: 0, count: 26))

        #expect(faults(png(TestAPNG.animation(1))) == ["apng-only-frame"])
        #expect(faults(png(TestAPNG.animation(1), control)).isEmpty)
        #expect(faults(png(TestAPNG.animation(2))).isEmpty)
    }

    private func gif(_ screen: UInt8, x: UInt8, width: UInt8) -> [UInt8] {
        Array("GIF89a".utf8) + [
            screen, 0, 200, 0, 0, 0, 0, 0x2C, x, 0, 0, 0, width, 0, 9, 0, 0,
        ]
            + [2, 1, 0, 0, 0x3B]
    }

    @Test func firstFrameLargerThanTheScreenWasCut() {
        #expect(faults(gif(100, x: 0, width: 120)) == ["gif-screen"])
        #expect(faults(gif(100, x: 50, width: 51)) == ["gif-screen"])
        #expect(faults(gif(0, x: 0, width: 1)) == ["gif-screen"])
        #expect(faults(gif(100, x: 50, width: 50)).isEmpty)
    }

    @Test func reservedDisposalOfAnyFrameButTheLastTookNothingAway() {
        func gif(_ disposals: UInt8...) -> [UInt8] {
            Array("GIF89a".utf8) + [9, 0, 9, 0, 0, 0, 0]
                + disposals.flatMap { disposal -> [UInt8] in
                    [0x21, 0xF9, 4, disposal << 2, 9, 0, 0, 0]
                        + [0x2C, 0, 0, 0, 0, 9, 0, 9, 0, 0, 2, 1, 0, 0]
                } + [0x3B]
        }

        #expect(faults(gif(1, 4, 1)) == ["gif-disposal"])
        #expect(faults(gif(1, 4)).isEmpty && faults(gif(3, 5, 6)).isEmpty)
    }

    @Test func opaqueAnimationThatDoesNotFillTheCanvasNeedsTheFlag() {
        let wide: [UInt8] =
            Array("GIF89a".utf8) + [200, 0, 100, 0, 0, 0, 0, 0x3B]
        let square: [UInt8] =
            Array("GIF89a".utf8) + [100, 0, 100, 0, 0, 0, 0, 0x3B]

        #expect(faults(wide, animated: true, alphaFlag: false) == ["opaque-frames"])
        #expect(faults(wide, animated: true, alphaFlag: true).isEmpty)
        #expect(faults(wide, animated: true).isEmpty && faults(wide, alphaFlag: false).isEmpty)
        #expect(faults(square, animated: true, alphaFlag: false).isEmpty)
    }

    @Test func flagIsReadFromPublishedFiles() {
        let size = PixelSize(width: 9, height: 9)
        func flag(_ flags: UInt8) -> Bool? {
            PublishedFacts.alphaFlag(TestWebP.file([TestWebP.header(flags: flags, size)]))
        }

        #expect(flag(0x12) == true && flag(0x02) == false)
        #expect(PublishedFacts.alphaFlag(Array("GIF89a".utf8)) == nil)
    }

    // MARK: Drawings

    private func svg(_ body: String) -> [UInt8] {
        Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">\#(body)</svg>"#.utf8)
    }

    @Test func embeddedPictureThatIsNotWhatItIsCalledWasLeftOut() {
        let (png, webp) = ("iVBORw0KGgo=", "UklGRgAAAABXRUJQ")
        func picture(_ type: String, _ data: String) -> [String] {
            faults(svg(#"<image xlink:href="data:\#(type);base64,\#(data)"/>"#))
        }

        #expect(picture("image/png", png).isEmpty)
        #expect(picture("image/svg+xml", "PHN2Zy8+").isEmpty)
        #expect(picture("image/jpeg", "/9j/4AAQ").isEmpty)
        #expect(picture("image/jpg", "/9j/4AAQ") == ["svg-pictures"])
        #expect(picture("image/jpeg", png) == ["svg-pictures"])
        #expect(picture("image/gif", "R0lGODlh") == ["svg-pictures"])
        #expect(picture("", png) == ["svg-pictures"])
        #expect(picture("image/webp", webp) == ["svg-pictures"])
        #expect(faults(svg(##"<image href="#a"/><a href="data:,x"/>"##)).isEmpty)
    }

    @Test func variablesAndDropShadowsWereNotUnderstood() {
        #expect(faults(svg(#"<path fill="var(--a)"/>"#)) == ["svg-variables"])
        #expect(faults(svg(#"<filter><feDropShadow dx="1"/></filter>"#)) == ["svg-drop-shadow"])
        #expect(faults(svg("<style>@media screen{path{fill:red}}</style>")) == ["svg-styles"])
        #expect(faults(svg(#"<path fill="oklch(0.7 0.1 20)"/>"#)) == ["svg-styles"])
        #expect(faults(svg(#"<path style="rotate:45deg"/>"#)) == ["svg-styles"])
        #expect(faults(svg(#"<path clip-path="circle(40%)"/>"#)) == ["svg-styles"])
        #expect(faults(svg("<path/>")).isEmpty)
    }

    @Test func unitsOfPaperWereTooSmall() {
        #expect(faults(svg(#"<rect width="10mm" height="3"/>"#)) == ["svg-units"])
        #expect(faults(svg(#"<g style="fill:red; font-size: 12.5pt"/>"#)) == ["svg-units"])
        #expect(faults(svg(#"<rect width="10px" height="1e2" id="5mm"/>"#)).isEmpty)
        #expect(faults(svg(#"<rect style="fill:url(#a1in)" x="3 mm"/>"#)).isEmpty)
        let page = #"<svg xmlns="http://www.w3.org/2000/svg" width="9mm" height="9mm""#
        #expect(faults(Array("\(page) viewBox='0 0 9 9'><path/></svg>".utf8)).isEmpty)
        #expect(faults(Array("\(page)><path/></svg>".utf8)) == ["svg-units"])
    }

    @Test func lettersWithPlacesOfTheirOwnStoodInARow() {
        #expect(faults(svg(#"<text x="1 9,12" y="3">abc</text>"#)) == ["svg-letters"])
        #expect(faults(svg(#"<text><tspan dy="1 2">ab</tspan></text>"#)) == ["svg-letters"])
        #expect(faults(svg(#"<text x="1" y=" 3 ">abc</text><rect x="1 2"/>"#)).isEmpty)
    }

    @Test func symbolsThatMayReachBeyondTheirEdgeWereCutOff() {
        #expect(faults(svg(#"<symbol overflow="visible"><path/></symbol>"#)) == ["svg-symbols"])
        #expect(
            faults(svg(#"<symbol style="x:y; overflow : auto"></symbol>"#)) == ["svg-symbols"])
        #expect(faults(svg(#"<symbol overflow="hidden"></symbol>"#)).isEmpty)
        #expect(faults(svg(#"<g overflow="visible"><symbol></symbol></g>"#)).isEmpty)
    }

    // MARK: Changed defaults

    @Test func smallPictureIsOutdatedWhereTheChangedDefaultCounts() {
        let small: [UInt8] = Array("GIF89a".utf8) + [16, 0, 16, 0, 0, 0, 0, 0x3B]

        #expect(faults(small, changed: ["sticker.resample"]) == ["pixel-art"])
        #expect(faults(small).isEmpty)
        #expect(faults(jpeg(components: 3, []), changed: ["sticker.resample"]).isEmpty)
        #expect(MendedFault.named("pixel-art")?.effect == .changedDefault("sticker.resample"))
    }
}
