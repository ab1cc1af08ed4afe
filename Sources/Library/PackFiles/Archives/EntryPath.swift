import StickerValues

/// The path of an entry, proven to stay below the folder it is unpacked to.
struct EntryPath: Hashable {
    /// Its parts are separated by single slashes; none of them is empty, `.` or `..`.
    let text: String

    /// Checks a name from an archive.
    ///
    /// - Parameters:
    ///   - name: UTF-8. A leading `./` is dropped: `tar` writes it when it packs the current folder.
    ///   - isFolder: whether it may end in a slash, or be only `./`.
    ///   - bytesMax: the limit in bytes.
    ///   - depthMax: the limit in parts.
    /// - Throws: `ArchiveError.Code.badName`, `.longPath` or `.deepPath`.
    init(
        _ name: [UInt8], isFolder: Bool = false, bytesMax: Int, depthMax: Int
    ) throws(ArchiveError) {
        guard let text = String(validating: name, as: UTF8.self) else {
            throw .badName(name, "its name is not UTF-8")
        }
        guard name.count <= bytesMax else {
            throw ArchiveError(
                .longPath, entry: Self.shown(name), "its path is too long",
                measured: name.count.counted("byte", "bytes"),
                limit: bytesMax.counted("byte", "bytes"), remedy: "shorten its name or its folders")
        }
        guard !text.unicodeScalars.contains(where: Self.isForbidden) else {
            throw .badName(name, "its name contains a control character")
        }
        guard !name.contains(UInt8(ascii: "\\")) else {
            throw .badName(name, "its name contains a backslash")
        }
        guard name.first != UInt8(ascii: "/") else {
            throw .badName(name, "its path is absolute")
        }
        var parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String($0) ?? "" }
        if parts.count > 1, parts.first == "." { parts.removeFirst() }
        if isFolder, parts.last == "" || parts == ["."] { parts.removeLast() }
        guard parts.allSatisfy({ !["", ".", ".."].contains($0) }) else {
            throw .badName(name, "a part of its path is empty, `.` or `..`")
        }
        guard parts.count <= depthMax else {
            throw ArchiveError(
                .deepPath, entry: Self.shown(name), "it lies in too many folders",
                measured: parts.count.counted("part", "parts"),
                limit: depthMax.counted("part", "parts"), remedy: "pack it with fewer folders")
        }
        self.text = parts.joined(separator: "/")
    }

    /// Whether macOS adds such files to archives.
    var isLitter: Bool {
        let name = text.split(separator: "/").last ?? ""
        return text.hasPrefix("__MACOSX/") || name == ".DS_Store" || name.hasPrefix("._")
    }

    /// A name for display, whatever its bytes.
    static func shown(_ name: [UInt8]) -> String {
        let text = String(decoding: name.prefix(300), as: UTF8.self)
        return String(
            String.UnicodeScalarView(text.unicodeScalars.map { isForbidden($0) ? "\u{FFFD}" : $0 }))
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

/// The paths of an archive, none of which may collide on any file system.
struct EntryPaths {
    private var files: Set<String> = []
    private var folders: Set<String> = []

    /// Remembers the path of a file.
    ///
    /// - Throws: `ArchiveError.Code.duplicateName` if the paths differ only in case and Unicode normalisation, or if
    ///   one of the two files would have to be a folder.
    mutating func insert(_ path: EntryPath) throws(ArchiveError) {
        // Strings are equal if they are canonically equivalent. Upper case first, for letters like the long s that have
        // no lower case of their own.
        let key = path.text.uppercased().lowercased()
        var isNew = !folders.contains(key) && files.insert(key).inserted
        var folder = key[...]
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            isNew = isNew && !files.contains(String(folder))
            folders.insert(String(folder))
        }
        guard isNew else {
            throw ArchiveError(
                .duplicateName, entry: path.text,
                "another entry has this name, or one that differs in case or composition alone",
                remedy: "rename one of them")
        }
    }
}
