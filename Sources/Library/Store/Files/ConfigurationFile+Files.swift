import Glibc
public import StickerConfiguration
import StickerSystem
public import StickerValues

extension ConfigurationFile {
    /// Reads the files that decide how stickers look: the ink profile and the files of watermarks.
    ///
    /// - Returns: the same configuration with the content of the files.
    /// - Throws: `ConfigurationError` if a file cannot be read or is invalid.
    public func readingFiles() throws(ConfigurationError) -> ConfigurationFile {
        try readingProfile().readingWatermarks()
    }

    private func readingWatermarks() throws(ConfigurationError) -> ConfigurationFile {
        var file = self
        // Categories inherit the general ones.
        var known: [String: FileContent] = [:]
        try file.configuration.changeWatermarkFiles { mark, path throws(ConfigurationError) in
            let content: FileContent
            if let read = known[mark.path] {
                content = read
            } else {
                content = try Self.content(of: mark, path)
                known[mark.path] = content
            }
            mark.content = content
        }
        try file.checkBytesOfWatermarks()
        return file
    }

    /// They are sent with each picture.
    private func checkBytesOfWatermarks() throws(ConfigurationError) {
        let limit = WatermarkFile.totalBytesMax
        let lists =
            [("sticker", configuration.sticker)]
            + configuration.categories.sorted { $0.key < $1.key }
            .map { ("categories.\(FileName.escaped($0.key))", $0.value) }
        let faults = lists.compactMap { path, settings -> JSONFault? in
            let bytes = settings.watermarks.reduce(0) { $0 + ($1.file?.content?.bytes.count ?? 0) }
            guard bytes > limit else { return nil }
            return JSONFault(
                path: "\(path).watermarks",
                message: "its files have \(bytes.grouped) B together, limit \(limit.grouped) B; "
                    + "make them smaller")
        }
        guard faults.isEmpty else { throw ConfigurationError(faults: faults) }
    }

    /// Reads the file of a mark.
    ///
    /// - Parameters:
    ///   - mark: the watermark that names the file.
    ///   - path: the key that names it, for the fault.
    /// - Returns: its content.
    /// - Throws: `ConfigurationError` if it cannot be read, or is too large.
    public static func content(
        of mark: WatermarkFile, _ path: String
    ) throws(ConfigurationError) -> FileContent {
        let shown = FileName.escaped(mark.path)
        let limit = WatermarkFile.bytesMax
        let (bytes, size): ([UInt8], Int)
        do throws(FileError) {
            (bytes, size) = try beginning(of: mark.path, bytesMax: limit)
        } catch {
            let message =
                "\(shown) cannot be read: \(SystemCall.message(error.errno)); "
                + "name a picture that \(SystemCall.userName) can read"
            throw ConfigurationError(
                faults: [JSONFault(path: path, message: message)],
                mayPass: [.io, .descriptors].contains(error.kind))
        }
        guard bytes.count <= limit else {
            let message =
                "\(shown) has \(size.grouped) B, limit \(limit.grouped) B; make it smaller"
            throw ConfigurationError(faults: [JSONFault(path: path, message: message)])
        }
        return FileContent(bytes: bytes, hash: ContentHash(of: bytes))
    }

    /// Reads the profile that `color.cmykProfile` names, if any.
    ///
    /// - Returns: the same configuration with the content of the file.
    /// - Throws: `ConfigurationError` if the file cannot be read, or is no profile of four inks.
    func readingProfile() throws(ConfigurationError) -> ConfigurationFile {
        guard let named = configuration.color.cmykProfile else { return self }
        let (bytes, size): ([UInt8], Int)
        do throws(FileError) {
            (bytes, size) = try Self.beginning(of: named.path, bytesMax: CMYKProfile.bytesMax)
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

    /// Up to one byte more than the file may have, and the size of the whole file.
    private static func beginning(
        of path: String, bytesMax: Int
    ) throws(FileError) -> ([UInt8], Int) {
        // Do not wait for a writer if it is a pipe.
        let file = try Descriptor(path, O_RDONLY | O_NONBLOCK)
        let bytes = try file.firstBytes(bytesMax + 1, path: path)
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
