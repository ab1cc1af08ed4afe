import Glibc
import StickerSystem
import StickerTestSupport
import Testing

@testable import StickerConfiguration
@testable import StickerStore
@testable import StickerValues

/// Which files are taken as a profile for CMYK.
struct ProfileReaderTests {
    private let folder: StickerTestSupport.TemporaryFolder

    init() throws { folder = try StickerTestSupport.TemporaryFolder() }

    private func read(_ name: String) throws(ConfigurationError) -> CMYKProfile? {
        var configuration = Configuration()
        configuration.color.cmykProfile = CMYKProfileFile(path: folder.path(name))
        return try ConfigurationFile(configuration: configuration, path: nil).readingFiles()
            .configuration.color.cmykProfile?.profile
    }

    private func fault(_ name: String) throws -> String {
        let error = #expect(throws: ConfigurationError.self) { try read(name) }
        return try #require(error).description
    }

    @Test func profileIsReadAndHashed() throws {
        let bytes = TestICC.inks.bytes
        try folder.write(bytes, to: "inks.icc")

        let profile = try #require(try read("inks.icc"))

        #expect(profile.bytes == bytes && profile.hash == ContentHash(of: bytes))
    }

    @Test func withoutTheKeyNothingIsRead() throws {
        let file = ConfigurationFile(configuration: Configuration(), path: nil)

        #expect(try file.readingFiles().configuration == Configuration())
    }

    @Test func whatIsNoProfileForCMYKIsAFaultWithItsRemedy() throws {
        try folder.write(TestICC(tags: []).bytes, to: "rgb.icc")
        try folder.write(Array("a picture".utf8), to: "cat.png")
        try folder.write([], to: "empty")

        for name in ["rgb.icc", "cat.png", "empty"] {
            let fault = try fault(name)
            let what = name == "rgb.icc" ? "is a profile for RGB" : "is not an ICC profile"
            #expect(fault.hasPrefix("color.cmykProfile: \(folder.path(name)) \(what); "))
            #expect(fault.contains("libgs-common"))
        }
    }

    @Test func profileThatIsTooLargeIsAFaultWithItsLimit() throws {
        var bytes = TestICC.inks.bytes
        bytes += [UInt8](repeating: 0, count: CMYKProfile.bytesMax - bytes.count)
        try folder.write(bytes, to: "largest.icc")
        try folder.write(bytes + [0], to: "larger.icc")

        #expect(try read("largest.icc") != nil)
        #expect(try fault("larger.icc").contains("has 4,000,001 B, limit 4,000,000 B; "))
    }

    @Test func whatCannotBeReadIsAFault() throws {
        try folder.makeFolder("folder")
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)

        #expect(try fault("none.icc").contains("cannot be read: No such file or directory"))
        #expect(try fault("folder").contains("cannot be read: Is a directory"))
        #expect(try fault("pipe").contains("cannot be read: Illegal seek"))
    }
}
