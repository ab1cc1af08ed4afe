/// The names in the directory of a ZIP, in the order in which libarchive reads its entries: by their offsets.
///
/// libarchive keeps names that are not UTF-8, and changes backslashes to slashes only in some names.
struct ZIPNames {
    struct Name {
        /// As it is in the directory.
        var bytes: [UInt8]
        /// The offset of its entry.
        var offset: Int
        /// Whether a program for DOS or Windows packed it: it may separate parts by backslashes.
        var isOfWindows: Bool
    }

    private var names: ArraySlice<Name>
    private let charset: LegacyCharset

    init(_ names: [Name]) {
        self.names = names.sorted { $0.offset < $1.offset }[...]
        charset = .guess(
            names.lazy.map(\.bytes).filter { String(validating: $0, as: UTF8.self) == nil })
    }

    /// Gives an entry its proper name.
    ///
    /// - Parameter entry: the next one that libarchive read.
    /// - Returns: the entry. Its name has slashes, and is in UTF-8 unless its charset is unknown.
    mutating func named(_ entry: ArchiveHandle.Entry) -> ArchiveHandle.Entry {
        guard let name = names.popFirst() else { return entry }
        let backslash = UInt8(ascii: "\\")
        // libarchive may know a Unicode name stored besides the other, with some backslashes changed.
        let own =
            name.bytes.contains(backslash) ? String(validating: name.bytes, as: UTF8.self) : nil
        let known = own ?? String(validating: entry.name, as: UTF8.self)
        guard let text = known ?? (entry.name == name.bytes ? charset.text(name.bytes) : nil)
        else { return entry }
        var entry = entry
        let slash = UInt8(ascii: "/")
        entry.name = text.utf8.map { name.isOfWindows && $0 == backslash ? slash : $0 }
        if entry.kind == .file, entry.name.last == slash, entry.bytes ?? 0 == 0 {
            entry.kind = .folder
        }
        return entry
    }
}
