import CLCMS
import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

struct ColorConversionTests {
    private func header(
        _ color: ColorDescription, _ layout: SampleLayout = .rgba8
    ) -> ImageHeader {
        ImageHeader(
            format: .png, size: PixelSize(width: 2, height: 1), layout: layout, hasAlpha: true,
            color: color, detail: "")
    }

    private func convert(_ row: [UInt8], _ conversion: ColorConversion, pixels: Int) -> [UInt8] {
        row.withUnsafeBytes { Array(conversion.convert(row: $0, pixels: pixels)) }
    }

    /// The bytes of an lcms2 profile, which is closed.
    private func saved(_ profile: cmsHPROFILE?) throws -> [UInt8] {
        let profile = try #require(profile)
        defer { cmsCloseProfile(profile) }
        var count: UInt32 = 0
        #expect(cmsSaveProfileToMem(profile, nil, &count) != 0)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        #expect(cmsSaveProfileToMem(profile, &bytes, &count) != 0)
        return bytes
    }

    private func linearRGB() throws -> [UInt8] {
        var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: 0.64, y: 0.33, Y: 1), Green: cmsCIExyY(x: 0.30, y: 0.60, Y: 1),
            Blue: cmsCIExyY(x: 0.15, y: 0.06, Y: 1))
        let curve = cmsBuildGamma(nil, 1)
        defer { cmsFreeToneCurve(curve) }
        var curves = [curve, curve, curve]
        return try saved(cmsCreateRGBProfile(&white, &primaries, &curves))
    }

    @Test func sRGBRowsComeBackUntouched() {
        let conversion = ColorConversion(header(.sRGB))

        #expect(conversion.isIdentity)
        #expect(convert([1, 2, 3, 4], conversion, pixels: 1) == [1, 2, 3, 4])
    }

    @Test(arguments: [SampleLayout.rgba8, .rgba16])
    func anSRGBProfileCostsNothing(layout: SampleLayout) throws {
        let conversion = ColorConversion(
            header(.icc(try saved(cmsCreate_sRGBProfile())), layout))

        #expect(conversion.isIdentity)
        #expect(conversion.warnings.isEmpty)
    }

    @Test func profilesAreFollowedAndAlphaPasses() throws {
        let conversion = ColorConversion(header(.icc(try linearRGB())))

        // 128 of linear light is 188 in sRGB (IEC 61966-2-1)
        let converted = convert([128, 0, 255, 7, 128, 128, 128, 0], conversion, pixels: 2)

        #expect(!conversion.isIdentity)
        #expect(
            zip(converted, [188, 0, 255, 7, 188, 188, 188, 0]).allSatisfy { a, b in
                abs(Int(a) - b) <= 1
            })
    }

    @Test func sixteenBitsStaySixteen() throws {
        let conversion = ColorConversion(header(.icc(try linearRGB()), .rgba16))
        let row: [UInt16] = [0x8000, 0, 0xFFFF, 0x1234]

        let converted = row.withUnsafeBytes { row in
            Array(conversion.convert(row: row, pixels: 1).bindMemory(to: UInt16.self))
        }

        #expect(conversion.layout == .rgba16)
        #expect(abs(Int(converted[0]) - 48190) < 60)
        #expect(converted[3] == 0x1234)
    }

    @Test func grayProfilesApplyToGrayPictures() throws {
        var white = cmsCIExyY(x: 0.3457, y: 0.3585, Y: 1)
        let curve = cmsBuildGamma(nil, 1)
        defer { cmsFreeToneCurve(curve) }
        let conversion = ColorConversion(
            header(.icc(try saved(cmsCreateGrayProfile(&white, curve)))))

        let converted = convert([128, 128, 128, 9], conversion, pixels: 1)

        #expect(converted[..<3].allSatisfy { abs(Int($0) - 188) <= 1 })
        #expect(converted[3] == 9)
    }

    @Test func brokenProfilesAreIgnoredWithAWarning() throws {
        var cut = try linearRGB()
        cut.removeLast(cut.count - 200)

        for profile in [[], Array("no profile".utf8), cut] {
            let conversion = ColorConversion(header(.icc(profile)))
            #expect(conversion.isIdentity)
            #expect(conversion.warnings.map(\.code) == ["bad-profile"])
        }
    }

    @Test func damagedProfilesNeverCrash() throws {
        let profile = try linearRGB()
        var numbers = SeededNumbers(7)

        for _ in 0..<500 {
            var damaged = profile
            for _ in 0..<4 {
                damaged[Int.random(in: 0..<profile.count, using: &numbers)] = UInt8.random(
                    in: 0...255, using: &numbers)
            }
            let conversion = ColorConversion(header(.icc(damaged)))
            #expect(convert([9, 99, 199, 5], conversion, pixels: 1)[3] == 5)
        }
    }

    @Test func inkWithoutAProfileIsMultipliedOut() {
        let conversion = ColorConversion(header(.sRGB, .cmyk8))

        let converted = convert([0, 0, 0, 0, 255, 0, 128, 0], conversion, pixels: 2)

        #expect(conversion.layout == .rgba8)
        #expect(converted == [255, 255, 255, 255, 0, 255, 127, 255])
        #expect(convert([0, 0, 0, 255], conversion, pixels: 1) == [0, 0, 0, 255])
    }

    private func inks(_ bytes: [UInt8] = TestICC.inks.bytes) throws -> CMYKProfile {
        try #require(CMYKProfile(bytes: bytes, hash: ContentHash(rawValue: "\(bytes.count)")))
    }

    /// Pure cyan: L*a*b* (55, -37, -50) is about (0, 149, 221) in sRGB, outside of which red lies.
    private func isDullCyan(_ pixel: [UInt8]) -> Bool {
        pixel[0] < 30 && (140...160).contains(pixel[1]) && (210...230).contains(pixel[2])
            && pixel[3] == 255
    }

    @Test func inkWithoutAProfileFollowsThatOfTheConfiguration() throws {
        let conversion = ColorConversion(header(.sRGB, .cmyk8), cmykProfile: try inks())

        let converted = convert([255, 0, 0, 0, 0, 0, 0, 0], conversion, pixels: 2)

        #expect(conversion.assumesProfile && conversion.warnings.isEmpty)
        #expect(isDullCyan(Array(converted[..<4])), "\(converted)")
        #expect(converted[4...].allSatisfy { $0 >= 254 }, "\(converted)")
    }

    @Test func ownProfileOfInksGoesFirst() throws {
        var other = TestICC.inks
        other.tags[0].data[48 + 4 * 256 + 8 * 3] = 0  // what cyan alone looks like is black now

        let conversion = ColorConversion(
            header(.icc(TestICC.inks.bytes), .cmyk8), cmykProfile: try inks(other.bytes))

        #expect(!conversion.assumesProfile)
        #expect(isDullCyan(convert([255, 0, 0, 0], conversion, pixels: 1)))
    }

    @Test func badProfileOfItsOwnIsReplacedByThatOfTheConfiguration() throws {
        for own in [Array("no profile".utf8), try linearRGB()] {
            let conversion = ColorConversion(header(.icc(own), .cmyk8), cmykProfile: try inks())

            #expect(conversion.assumesProfile)
            #expect(conversion.warnings.map(\.code) == ["bad-profile"])
            #expect(isDullCyan(convert([255, 0, 0, 0], conversion, pixels: 1)))
        }
    }

    @Test func badProfileOfTheConfigurationIsSetAside() throws {
        var cut = TestICC.inks
        cut.tags[0].data.removeLast(900)
        let profile = try inks(cut.bytes)

        let conversion = ColorConversion(header(.sRGB, .cmyk8), cmykProfile: profile)

        #expect(convert([255, 0, 0, 0], conversion, pixels: 1) == [0, 255, 255, 255])
        #expect(conversion.warnings.map(\.code) == ["bad-profile"])
        #expect(conversion.warnings[0].detail.contains("color.cmykProfile"))
        #expect(ColorConversion.fault(in: profile) != nil)
        #expect(ColorConversion.fault(in: try inks()) == nil)
    }

    @Test func profileForInksConcernsNothingElse() throws {
        for layout in [SampleLayout.rgba8, .rgba16] {
            let conversion = ColorConversion(header(.sRGB, layout), cmykProfile: try inks())
            #expect(conversion.isIdentity && !conversion.assumesProfile)
        }
    }

    @Test func gammaOfTheScreenChangesNothing() {
        #expect(ColorConversion(header(.gamma(0.45455))).isIdentity)
        #expect(ColorConversion(header(.gamma(0.46))).isIdentity)
    }

    @Test func otherGammasAreBroughtToTheScreen() {
        let conversion = ColorConversion(header(.gamma(1)))

        // 255 * (64 / 255) ^ (1 / 2.2), by hand
        #expect(convert([64, 0, 255, 64], conversion, pixels: 1) == [136, 0, 255, 64])
    }
}
