import Glibc
import NIOCore
import StickerConfiguration
import StickerContainers
import StickerHTTP
import StickerPackFiles
import StickerStore
import StickerSystem
import StickerValues
import Synchronization

/// Pictures for the pages: untrusted bytes, which a browser may only show.
enum ConsolePictures {
    /// No script, style, frame or external content, even if the address is opened by itself.
    private static let headers: [(name: String, value: String)] = [
        ("Content-Security-Policy", "default-src 'none'; sandbox"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    /// A file of a drop as it is now.
    ///
    /// - Throws: `WebError` if browsers do not show it, or it does not exist.
    static func source(_ file: SourceKey) throws -> Answer {
        guard let type = type(of: file.name),
            let file = try? OpenFile(file.relativePath, below: file.drop)
        else { throw WebError.nothingHere }
        return try answer(file, type, "no-store")
    }

    /// Whether browsers show files of this name.
    static func areShown(_ name: String) -> Bool {
        // A template shows its blanks instead of a time.
        !name.lowercased().hasSuffix(FileName.templateSuffix) && type(of: Array(name.utf8)) != nil
    }

    private static func type(of name: [UInt8]) -> String? { types[FileName.fileExtension(name)] }

    private static func answer(
        _ file: OpenFile, _ type: String, _ caching: String
    ) throws -> Answer {
        guard let status = try? FileStatus(file.descriptor, path: file.path),
            status.kind == .regular
        else { throw WebError.nothingHere }
        return Answer(
            200, [("Content-Type", type), ("Cache-Control", caching)] + headers,
            .file(file, 0..<Int(status.size)))
    }

    /// A published file, by the parts of its path: `_`, two digits, and the hash with the format.
    ///
    /// - Throws: `WebError` if there is none.
    static func published(_ parts: [String], _ out: String) throws -> Answer {
        let path = parts.joined(separator: "/")
        guard path.wholeMatch(of: /_\/[0-9a-f]{2}\/[0-9a-f]{64}\.(webp|png|gif)/) != nil,
            let type = type(of: Array(path.utf8)), let file = try? OpenFile(path, below: out)
        else { throw WebError.nothingHere }
        // Its name is its hash; a list that shows itself again asks for none of its pictures.
        return try answer(file, type, "private, max-age=31536000, immutable")
    }

    /// The sticker of a job that waits for review.
    ///
    /// - Throws: `WebError` if it does not exist.
    static func inReview(_ job: JobID, state: String) throws -> Answer {
        let folder = ReviewFolder(state: state)
        guard let file = try? OpenFile("\(job)", below: folder.path),
            let head = try? file.descriptor.firstBytes(16, path: file.path),
            case .picture(let format) = ImageFormat.sniff(SourceBytes(head)),
            let type = types[format.fileExtension]
        else { throw WebError.nothingHere }
        return try answer(file, type, "no-store")
    }

    /// Packs as one file, to be kept.
    ///
    /// - Parameters:
    ///   - parts: the platform, the category, and the name of the file.
    ///   - downloads: knows it.
    ///   - configuration: the folders.
    ///   - person: who asks for it.
    /// - Returns: the answer.
    /// - Throws: `WebError` if there is none of this name now, or no room to write it.
    static func pack(
        _ parts: [String], _ downloads: DownloadLists, _ configuration: Configuration,
        for person: Person
    ) throws -> Answer {
        let download = PackPlatform(rawValue: parts[0]).flatMap { platform in
            downloads.list(platform, CategoryID(rawValue: parts[1])).first { $0.name == parts[2] }
        }
        guard let download else { throw WebError.nothingHere }
        if download.isOfLibrary { try person.need(.library) }
        let file =
            try download.place.map { try OpenFile($0, below: configuration.out) }
            ?? written(download, downloads.shelf, configuration)
        return try answer(file, "application/octet-stream", "no-store")
    }

    /// The ZIP of a folder, in a file without a name.
    private static func written(
        _ download: PackDownload, _ shelf: PackShelf, _ configuration: Configuration
    ) throws -> OpenFile {
        // One at a time, so that together they do not fill the disk.
        try writing.withLock { _ in try write(download, shelf, configuration) }
    }

    private static let writing = Mutex(())

    private static func write(
        _ download: PackDownload, _ shelf: PackShelf, _ configuration: Configuration
    ) throws -> OpenFile {
        let needed = Int64(download.bytes + configuration.publish.freeSpaceReserveBytes)
        guard try FreeSpace.bytes(at: configuration.state) >= needed else {
            throw WebError(
                status: 507,
                message: "\(configuration.state) has no room to write \(download.name)",
                remedy: "make room, or copy the folder from \(configuration.out)/_packs")
        }
        let path = "\(configuration.state)/.download-\(UInt64.random(in: 0...UInt64.max))"
        let file = try Descriptor(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
        try SystemCall.run("unlink", path) { unlink(path) }
        try shelf.write(download, to: file, path: download.name)
        return OpenFile(file, path: download.name, isApart: true)
    }

    private static let types = [
        "png": "image/png", "apng": "image/apng", "gif": "image/gif", "jpg": "image/jpeg",
        "jpeg": "image/jpeg", "jpe": "image/jpeg", "jfif": "image/jpeg", "webp": "image/webp",
        "bmp": "image/bmp", "avif": "image/avif", "svg": "image/svg+xml",
    ]
}

extension WebError {
    /// There is no such page.
    static let nothingHere = WebError(
        status: 404, message: "there is nothing here",
        remedy: "old jobs are forgotten after a while; look for the file in the library")
}
