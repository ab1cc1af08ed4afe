import Glibc
public import StickerConfiguration
import StickerSystem
public import StickerValues

extension ConfigurationFile {
    /// Reads the files that decide how stickers look: the ink profile, the files of watermarks, and the folder of marks.
    ///
    /// - Returns: the same configuration with the content of the files.
    /// - Throws: `ConfigurationError` if a file cannot be read or is invalid.
    public func readingFiles() throws(ConfigurationError) -> ConfigurationFile {
        try readingProfile().readingWatermarks().readingMarks()
    }

    /// Reads the pictures of the folder of marks, if any. Hidden files, files without the name of a picture, and folders
    /// are no marks.
    private func readingMarks() throws(ConfigurationError) -> ConfigurationFile {
        guard var marks = configuration.marks else { return self }
        do throws(FileError) {
            marks.pictures = try Self.pictures(in: marks.path)
        } catch {
            let message =
                "\(FileName.escaped(error.path)) cannot be read: "
                + (error.errno == ELOOP
                    ? "links are not followed" : SystemCall.message(error.errno))
            throw ConfigurationError(
                faults: [JSONFault(path: "marks", message: message)],
                mayPass: [.io, .descriptors].contains(error.kind))
        }
        var faults: [String] = []
        if marks.pictures.count > MarkFolder.countMax {
            faults.append("has more than \(MarkFolder.countMax) pictures")
        }
        let limit = WatermarkFile.bytesMax
        for (name, picture) in marks.pictures.sorted(by: { $0.key < $1.key })
        where picture.bytes.count > limit {
            faults.append(
                "\(FileName.escaped(name)) has more than \(limit.grouped) B; make it smaller")
        }
        if marks.pictures.values.reduce(0, { $0 + $1.bytes.count }) > MarkFolder.bytesMax {
            faults.append("has more than \(MarkFolder.bytesMax.grouped) B")
        }
        guard faults.isEmpty else {
            throw ConfigurationError(faults: faults.map { JSONFault(path: "marks", message: $0) })
        }
        var file = self
        file.configuration.marks = marks
        return file
    }

    /// The pictures in a folder by name, and at most one too many or too large.
    private static func pictures(in folder: String) throws(FileError) -> [String: FileContent] {
        let listing = try FolderListing(folder)
        var (pictures, total): ([String: FileContent], Int) = ([:], 0)
        while let entry = try listing.next() {
            guard FileKind.isPicture(named: entry.name), !FileKind.isIgnoredName(entry.name),
                let name = String(validating: entry.name, as: UTF8.self),
                try listing.status(of: entry.name).kind == .regular
            else { continue }
            let bytes = try listing.firstBytes(WatermarkFile.bytesMax + 1, of: entry.name)
            pictures[name] = FileContent(bytes: bytes, hash: ContentHash(of: bytes))
            total += bytes.count
            let isTooMuch =
                pictures.count > MarkFolder.countMax || bytes.count > WatermarkFile.bytesMax
                || total > MarkFolder.bytesMax
            if isTooMuch { break }
        }
        return pictures
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
