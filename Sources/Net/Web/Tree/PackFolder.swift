import FoundationEssentials
import Glibc
import StickerHTTP
import StickerSystem
import StickerValues

/// The packs of a category for one platform, in the published tree.
struct PackFolder: Sendable {
    /// A downloadable file.
    struct File: Hashable, Sendable {
        /// Its form: `wastickers`, `zip`. Some platforms have several.
        var form: String
        var name: String
        /// Its path below the published folder.
        var path: String
        var bytes: Int
    }

    /// The served part of `current.json`.
    private struct Current: Decodable {
        var folder: String?
        var forms: [String]
        var packs: [Pack]

        struct Pack: Decodable {
            var category: CategoryID
        }
    }

    /// The published folder.
    let out: String

    /// The files in forms whose files are useful by themselves: archives and lists. A folder of pictures is for people
    /// who copy folders.
    ///
    /// - Returns: the files by form, the usual one first; none if no packs are kept.
    /// - Throws: `FileError` or a decoding error.
    func files(_ platform: PackPlatform, _ category: CategoryID) throws -> [File] {
        // Some platforms have packs of the whole library.
        for shelf in ["_packs/\(platform.rawValue)/\(category)", "_packs/\(platform.rawValue)"] {
            if let files = try files(of: category, on: shelf) { return files }
        }
        return []
    }

    /// The files with packs of a category in a shelf; `nil` if there is none.
    private func files(of category: CategoryID, on shelf: String) throws -> [File]? {
        do {
            let current = try OpenFile("\(shelf)/current.json", below: out)
            let bytes = try current.descriptor.readToEnd(path: current.path)
            let packs = try JSONDecoder().decode(Current.self, from: Data(bytes))
            guard let folder = packs.folder,
                packs.packs.contains(where: { $0.category == category })
            else { return [] }
            return try packs.forms.flatMap { try files(form: $0, in: "\(shelf)/\(folder)") }
        } catch let error as FileError where error.kind == .vanished {
            // It has no packs, or they are being replaced at this moment.
            return nil
        }
    }

    private func files(form: String, in folder: String) throws -> [File] {
        let path = "\(folder)/\(form)"
        let listed = try Descriptor(folder: out).open(
            below: Array(path.utf8), O_RDONLY | O_DIRECTORY, shown: path)
        let entries = try FolderListing(listed, path: path).rest()
        let names = entries.compactMap { String(validating: $0.name, as: UTF8.self) }
        guard entries.allSatisfy({ $0.hint == .notFolder }), !names.contains(where: Self.isPicture)
        else { return [] }
        return try names.sorted().map { name in
            let file = try OpenFile("\(path)/\(name)", below: out)
            let size = try FileStatus(file.descriptor, path: file.path).size
            return File(form: form, name: name, path: "\(path)/\(name)", bytes: Int(size))
        }
    }

    private static func isPicture(_ name: String) -> Bool {
        ImageFormat.allCases.contains { format in
            format.fileExtensions.contains(FileName.fileExtension(Array(name.utf8)))
        }
    }
}
