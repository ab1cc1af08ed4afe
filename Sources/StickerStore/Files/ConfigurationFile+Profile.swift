import Glibc
public import StickerModel
import StickerSystem

extension ConfigurationFile {
    /// Reads the profile that `color.cmykProfile` names, if it names one.
    ///
    /// - Returns: the same configuration with the content of the file.
    /// - Throws: `ConfigurationError` if the file cannot be read, or is not the profile of four inks.
    public func readingProfile() throws(ConfigurationError) -> ConfigurationFile {
        guard let named = configuration.color.cmykProfile else { return self }
        let (bytes, size): ([UInt8], Int)
        do throws(FileError) {
            (bytes, size) = try Self.beginning(of: named.path)
        } catch {
            let message = "cannot be read: \(SystemCall.message(error.errno))"
            throw ConfigurationError(
                faults: [named.fault(message)], mayPass: [.io, .descriptors].contains(error.kind))
        }
        var file = self
        let profile = CMYKProfile(bytes: bytes, hash: ContentHash(of: bytes))
        guard let profile else { throw ConfigurationError(faults: [named.fault(in: bytes, size)]) }
        file.configuration.color.cmykProfile?.profile = profile
        return file
    }

    /// As many bytes of the file as a profile may have and one more, and the size of the whole file.
    private static func beginning(of path: String) throws(FileError) -> ([UInt8], Int) {
        // Without waiting for a writer if it is a pipe.
        let file = try Descriptor(path, O_RDONLY | O_NONBLOCK)
        let bytes = try file.firstBytes(CMYKProfile.bytesMax + 1, path: path)
        return (bytes, Int(try FileStatus(file, path: path).size))
    }
}

extension CMYKProfileFile {
    fileprivate func fault(in bytes: [UInt8], _ size: Int) -> JSONFault {
        guard bytes.count <= CMYKProfile.bytesMax else {
            return fault("has \(size.grouped) B, limit \(CMYKProfile.bytesMax.grouped) B")
        }
        let space = CMYKProfile.space(of: bytes)
        return fault("is \(space.map { "a profile for \($0)" } ?? "not an ICC profile")")
    }
}
