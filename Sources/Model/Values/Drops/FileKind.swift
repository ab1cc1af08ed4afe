/// The kind of a file by its name; only its bytes show the true type.
public enum FileKind: Hashable, Sendable {
    /// It may become a sticker.
    case picture
    /// A `cover.*`, in any case, directly in a category's folder: it becomes the tray icon, not a sticker.
    case cover
    /// A picture of a type that stickerd does not read: refused as `unsupported-format`.
    case foreignPicture
    /// A side file about pictures.
    case words(SideFile)
    /// Everything else: ignored and counted.
    case ignored

    /// Extensions that are read.
    public static let pictureExtensions = ImageFormat.allCases.flatMap(\.fileExtensions)

    /// Known picture types, which are refused with a reason instead of being ignored silently.
    public static let foreignExtensions: Set<String> = [
        "ico", "cur", "psd", "jxl", "jp2", "j2k", "jpx", "tga", "xcf", "kra", "ai", "eps", "exr",
        "hdr", "pcx", "ppm",
        "pgm", "pbm", "pnm", "qoi", "dds", "raw", "dng", "cr2", "nef", "arw", "webm", "tgs", "mng",
    ]

    /// Judges the file `key`.
    public static func of(_ key: SourceKey) -> FileKind {
        guard !isIgnoredName(key.name) else { return .ignored }
        let ext = FileName.fileExtension(key.name)
        if foreignExtensions.contains(ext) { return .foreignPicture }
        if pictureExtensions.contains(ext) { return isCover(key) ? .cover : .picture }
        return SideFile(key).map { .words($0) } ?? .ignored
    }

    /// Whether an ignored file may be a misnamed picture: only its bytes can tell.
    public static func mayBeMisnamed(_ key: SourceKey) -> Bool {
        of(key) == .ignored && !isIgnoredName(key.name)
            && !rawExtensions.contains(FileName.fileExtension(key.name))
    }

    /// Whether a file of an unsupported type may be a picture of another type: only its bytes can tell.
    public static func mayBeOfAnotherType(_ key: SourceKey) -> Bool {
        of(key) == .foreignPicture
            && !rawExtensions.contains(FileName.fileExtension(key.name))
    }

    /// Raw camera pictures, which begin like a TIFF or a JPEG.
    private static let rawExtensions: Set<String> = [
        "raw", "dng", "cr2", "nef", "arw", "3fr", "cr3", "crw", "dcr", "erf", "fff", "iiq", "k25",
        "kdc", "mef", "mos", "mrw", "nrw",
        "orf", "pef", "raf", "rw2", "rwl", "sr2", "srf", "srw", "x3f",
    ]

    /// Whether a file of this name may be a picture that stickerd reads.
    package static func isPicture(named name: [UInt8]) -> Bool {
        !isIgnoredName(name) && pictureExtensions.contains(FileName.fileExtension(name))
    }

    /// Whether files and folders of this name are ignored: hidden ones, temporary files of editors and downloaders,
    /// system litter.
    ///
    /// The list follows the names that these programs write; see the table of names in the watcher's tests.
    public static func isIgnoredName(_ name: [UInt8]) -> Bool {
        guard !name.isEmpty, !isHidden(name), name.last != UInt8(ascii: "~") else { return true }
        let text = String(decoding: name, as: UTF8.self)
        let lower = text.lowercased()
        if text.hasPrefix("#") && text.hasSuffix("#") { return true }
        if text.hasPrefix("~$") || text.hasPrefix("~syncthing~") { return true }
        return litter.contains(lower)
            || temporaryExtensions.contains(FileName.fileExtension(name))
    }

    /// A leading dot hides a name. Two dots followed by more do not: that is an attempt to write a path out of the
    /// folder, and the name is as good as any.
    private static func isHidden(_ name: [UInt8]) -> Bool {
        let isDot: (UInt8) -> Bool = { $0 == UInt8(ascii: ".") }
        guard name.prefix(2).allSatisfy(isDot) else { return name.first.map(isDot) ?? false }
        return FileName.stem(name).allSatisfy(isDot)
    }

    /// Leftovers of systems and network storage; such folders contain pictures of their own.
    private static let litter: Set<String> = [
        "thumbs.db", "desktop.ini", "lost+found", "__macosx", "$recycle.bin",
        "system volume information", "@eadir", "#recycle", "#snapshot", "@recycle",
        "@recently-snapshot",
    ]

    private static let temporaryExtensions: Set<String> = [
        "part", "partial", "crdownload", "opdownload", "download", "filepart", "tmp", "temp", "!ut",
        "swp", "swx", "bak", "lock",
    ]

    private static func isCover(_ key: SourceKey) -> Bool {
        String(decoding: FileName.stem(key.name), as: UTF8.self).lowercased() == "cover"
            && !key.directory.isEmpty && !key.directory.contains(UInt8(ascii: "/"))
    }
}
