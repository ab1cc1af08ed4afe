package import StickerConfiguration
import StickerValues

extension CMYKProfileFile {
    /// A file `/inks.icc` that was read, with a hash that tells it from others.
    package static func read(
        _ bytes: [UInt8] = TestICC.inks.bytes, hash: String = "f00d"
    ) -> CMYKProfileFile {
        var file = CMYKProfileFile(path: "/inks.icc")
        file.profile = CMYKProfile(bytes: bytes, hash: ContentHash(rawValue: hash))
        return file
    }
}
