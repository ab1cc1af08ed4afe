import StickerCodecs
import StickerConfiguration
import StickerPipeline
import StickerRaster
import StickerTestSupport
import StickerValues
import StickerWorkers
import Testing

/// The profile of the configuration reaches the worker, which opens no file.
struct InkTests {
    private let maker = WorkerMaking(program: Built.path("stickerd-worker")) { .init() }
    private let cyan = TestInkJPEG(cyan: 255, magenta: 0, yellow: 0, black: 0)

    private func configuration(_ profile: [UInt8]) -> Configuration {
        var configuration = Configuration()
        configuration.color.cmykProfile = .read(profile)
        return configuration
    }

    /// The middle of the sticker.
    private func color(_ report: MakeReport) throws -> SIMD4<UInt8> {
        let file = try #require(try report.result.get().files.first)
        return try WebPDecoder.still(file.bytes)[256, 256]
    }

    @Test func pictureInCMYKFollowsTheProfileInAWorker() throws {
        let recipe = configuration(TestICC.inks.bytes).recipe(of: CategoryNames(folder: nil))
        let source = SourceBytes(cyan.bytes)

        let plain = maker.make(
            source, recipe: Recipe(settings: StickerSettings()), limits: DecodeLimits())
        let followed = maker.make(source, recipe: recipe, limits: DecodeLimits())
        let here = StickerPipeline().make(source, recipe: recipe, limits: DecodeLimits())

        #expect(try color(plain) == [0, 255, 255, 255])
        let dull = try color(followed)
        #expect(dull.y < 170 && dull.z < 235, "\(dull)")
        #expect(
            try followed.result.get().files.map(\.bytes) == here.result.get().files.map(\.bytes))
        #expect(
            followed.log.entries.contains {
                $0.step == "colour" && $0.detail == "to sRGB by color.cmykProfile"
            })
    }

    @Test func pictureWithAProfileOfItsOwnIsMadeAsEver() throws {
        var embedded = cyan
        embedded.profile = TestICC.inks.bytes
        var other = TestICC.inks
        other.tags[0].data[48 + 4 * 256 + 8 * 3] = 0
        let recipe = configuration(other.bytes).recipe(of: CategoryNames(folder: nil))
        let source = SourceBytes(embedded.bytes)

        let plain = maker.make(
            source, recipe: Recipe(settings: StickerSettings()), limits: DecodeLimits())
        let asked = maker.make(source, recipe: recipe, limits: DecodeLimits())

        #expect(try plain.result.get().files.map(\.bytes) == asked.result.get().files.map(\.bytes))
        #expect(plain.warnings.isEmpty && asked.warnings.isEmpty)
    }

    @Test func profileThatCanBeUsedPassesTheCheck() throws {
        try maker.check(filesOf: configuration(TestICC.inks.bytes))
        try maker.check(filesOf: Configuration())
    }

    @Test func profileThatCannotBeUsedIsAFaultOfTheConfiguration() throws {
        var cut = TestICC.inks
        cut.tags[0].data.removeLast(900)
        let name = ("desc", [UInt8](repeating: 0, count: 20))
        let bare = TestICC(kind: "prtr", spaces: "CMYKLab ", tags: [name])

        for profile in [cut, bare] {
            let configuration = configuration(profile.bytes)
            let error = #expect(throws: ConfigurationError.self) {
                try maker.check(filesOf: configuration)
            }
            let fault = try #require(error).description
            #expect(fault.hasPrefix("color.cmykProfile: /inks.icc cannot be used: "), "\(fault)")
            #expect(fault.contains("libgs-common"))
        }
    }
}
