import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

/// Which of the facts about its colours counts in a file.
struct ColorDecisionTests {
    private let linear = TestICC.screen(gamma: 1).bytes
    private let wide = CodedColor(primaries: 12, transfer: 13)
    private static let adobe = Chromaticities(
        red: .init(0.64, 0.33), green: .init(0.21, 0.71), blue: .init(0.15, 0.06),
        white: .init(0.3127, 0.3290))

    private func header(_ facts: ColorFacts) throws -> ImageHeader {
        var header = ImageHeader(
            format: facts.format, size: PixelSize(width: 1, height: 1),
            layout: facts.pixels == .cmyk ? .cmyk8 : .rgba8, hasAlpha: false, detail: "")
        try header.describeColor(facts)
        return header
    }

    private func facts(
        _ format: ImageFormat = .png, _ pixels: ICCProfile.Space = .rgb,
        _ change: (inout ColorFacts) -> Void
    ) -> ColorFacts {
        var facts = ColorFacts(format, pixels: pixels)
        change(&facts)
        return facts
    }

    private func shown(_ color: [UInt8], _ facts: ColorFacts) throws -> [UInt8] {
        let conversion = ColorConversion(try header(facts))
        return color.withUnsafeBytes { Array(conversion.convert(row: $0, pixels: 1)) }
    }

    // MARK: Order

    @Test func numbersGoBeforeTheProfileInPNGAndBehindItInHEIF() throws {
        for format in [ImageFormat.png, .avif, .heic] {
            let color = try header(
                facts(format) {
                    $0.coded = wide
                    $0.profile = .whole(linear)
                }
            ).color
            #expect((color == .icc(linear)) == (format != .png))
        }
    }

    @Test func profileGoesBeforeSRGBAndSRGBBeforeGamma() throws {
        var all = facts {
            $0.profile = .whole(linear)
            $0.isSRGB = true
            $0.gamma = 100_000
        }
        #expect(try header(all).color == .icc(linear))
        all.profile = nil
        #expect(try header(all).color == .sRGB)
        all.isSRGB = false
        #expect(try header(all).color == .gamma(1))
    }

    @Test func factSetAsideLeavesItsPlaceToTheNext() throws {
        let header = try header(
            facts {
                $0.coded = CodedColor(primaries: 99, transfer: 13)
                $0.profile = .damaged("it is cut off")
                $0.gamma = 100_000
                $0.chromaticities = Chromaticities(
                    red: .init(0, 0), green: .init(0, 0), blue: .init(0, 0), white: .init(0, 0))
            })

        #expect(header.color == .gamma(1))
        #expect(header.warnings.map(\.code) == ["bad-color", "bad-profile", "bad-color"])
        for (warning, name) in zip(header.warnings, ["cICP", "the colour profile", "cHRM"]) {
            #expect(warning.detail.hasPrefix("\(name) was set aside: "))
        }
    }

    @Test func numbersCountInHEIFIfTheProfileIsSetAside() throws {
        let color = try header(
            facts(.avif) {
                $0.coded = wide
                $0.profile = .whole(TestICC.gray(gamma: 1.8).bytes)
            }
        ).color

        #expect(try color == header(facts(.avif) { $0.coded = wide }).color && color != .sRGB)
    }

    // MARK: Brightness

    @Test(arguments: [ImageFormat.png, .jpeg, .webp, .tiff, .avif])
    func profileThatStatesPQIsRefused(format: ImageFormat) {
        var profile = TestICC.screen(gamma: 2.2)
        profile.tags.append(TestICC.numbers(primaries: 9, transfer: 16))

        let error = #expect(throws: CodecError.self) {
            try header(facts(format) { $0.profile = .whole(profile.bytes) })
        }

        #expect(error?.code == .unsupported)
    }

    @Test func profileThatStatesScreenColoursIsUsed() throws {
        var profile = TestICC.screen(gamma: 2.2)
        profile.tags.append(TestICC.numbers(primaries: 1, transfer: 13))

        let header = try header(facts { $0.profile = .whole(profile.bytes) })

        #expect(header.color == .icc(profile.bytes) && header.warnings.isEmpty)
    }

    // MARK: Numbers that PNG does not allow

    @Test func otherMatricesAndRangesAreSetAside() throws {
        var video = wide
        video.isFullRange = false
        var coded = wide
        coded.matrix = 1

        for color in [video, coded] {
            let header = try header(facts { $0.coded = color })
            #expect(header.color == .sRGB)
            #expect(header.warnings.map(\.code) == ["bad-color"])
        }
    }

    // MARK: Profiles of other pixels

    @Test(
        arguments: [
            (.gray, .gray, true), (.gray, .rgb, true), (.gray, .cmyk, false),
            (.rgb, .rgb, true), (.rgb, .gray, false), (.rgb, .cmyk, false),
            (.cmyk, .cmyk, true), (.cmyk, .rgb, false), (.cmyk, .gray, false),
        ] as [(ICCProfile.Space, ICCProfile.Space, Bool)])
    func profileOfOtherPixelsIsSetAside(
        pixels: ICCProfile.Space, space: ICCProfile.Space, isUsed: Bool
    ) throws {
        let profile =
            switch space {
            case .gray: TestICC.gray(gamma: 1.8).bytes
            case .rgb: TestICC.screen(gamma: 1.8).bytes
            case .cmyk: TestICC.inks.bytes
            }
        for format in [ImageFormat.png, .jpeg, .webp, .bmp, .tiff, .avif, .heic] {
            let header = try header(facts(format, pixels) { $0.profile = .whole(profile) })
            #expect(header.color == (isUsed ? .icc(profile) : .sRGB))
            #expect(header.warnings.map(\.code) == (isUsed ? [] : ["bad-profile"]))
        }
    }

    @Test func profileOfOtherColoursIsSetAside() throws {
        let lab = TestICC(kind: "spac", spaces: "Lab XYZ ", tags: [])

        #expect(
            try header(facts { $0.profile = .whole(lab.bytes) }).warnings.map(\.code)
                == ["bad-profile"])
    }

    @Test func grayPixelsFollowProfilesOfBothKinds() throws {
        for profile in [TestICC.gray(gamma: 1.8).bytes, TestICC.screen(gamma: 1.8).bytes] {
            let shown = try shown(
                [128, 128, 128, 255], facts(.png, .gray) { $0.profile = .whole(profile) })
            #expect(shown[..<3].allSatisfy { abs(Int($0) - 146) <= 1 }, "\(shown)")
        }
    }

    // MARK: Gamma and chromaticities; the values are what Chromium 156 shows

    @Test func chromaticitiesCountWithGamma() throws {
        let adobe = facts {
            $0.gamma = 45455
            $0.chromaticities = Self.adobe
        }
        for (stored, expected) in [
            ([64, 200, 120, 255], [0, 201, 116]), ([220, 60, 180, 255], [254, 57, 185]),
            ([128, 128, 128, 255], [129, 129, 129]), ([16, 16, 16, 255], [7, 7, 7]),
        ] as [([UInt8], [Int])] {
            let shown = try shown(stored, adobe)
            #expect(zip(shown, expected).allSatisfy { abs(Int($0) - $1) <= 1 }, "\(shown)")
        }
    }

    @Test func chromaticitiesAloneAreSetAside() throws {
        let other = try header(facts { $0.chromaticities = Self.adobe })
        let same = try header(facts { $0.chromaticities = .sRGB })

        #expect(other.color == .sRGB && other.warnings.map(\.code) == ["bad-color"])
        #expect(same.color == .sRGB && same.warnings.isEmpty)
    }

    @Test(
        arguments: [
            [(0, 0), (0, 0), (0, 0), (0, 0)],
            [(0.64, 0.33), (0.64, 0.33), (0.64, 0.33), (0.3, 0.3)],
            [(0.64, 0.33), (0.3, 0.6), (0.15, 0.06), (0, 0)],
            [(6.4, 3.3), (3, 6), (1.5, 0.6), (0.3, 0.3)],
            [(0.64, 0.33), (0.3, 0.6), (0.15, -0.06), (0.3, 0.3)],
        ] as [[(Double, Double)]])
    func nonsensicalChromaticitiesAreSetAside(points: [(Double, Double)]) throws {
        let points = points.map { Chromaticities.Point($0.0, $0.1) }
        let header = try header(
            facts {
                $0.gamma = 45455
                $0.chromaticities = Chromaticities(
                    red: points[0], green: points[1], blue: points[2], white: points[3])
            })

        #expect(header.color == .gamma(0.45455))
        #expect(header.warnings.map(\.code) == ["bad-color"])
    }

    @Test(arguments: [0, 15, 0xFFFF_FFFF])
    func nonsensicalGammaIsSetAside(gamma: Int) throws {
        let header = try header(facts { $0.gamma = gamma })

        #expect(header.color == .sRGB && header.warnings.map(\.code) == ["bad-color"])
    }
}
