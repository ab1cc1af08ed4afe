import FoundationEssentials
import Glibc
import StickerStore
import StickerSystem
public import StickerValues

/// Records the owners of the forms in an export folder, so that an export replaces only earlier exports of the same
/// packs.
public struct ExportedForms: Sendable {
    /// The list in the folder, with the owner of each form.
    private static let fileName = ".stickerd-export.json"

    private let owner: String

    /// Names packs.
    ///
    /// - Parameters:
    ///   - platform: the platform.
    ///   - category: the category; `nil` for a bundle of the whole library.
    public init(_ platform: PackPlatform, _ category: CategoryID?) {
        owner = ([platform.rawValue] + (category.map { [$0.rawValue] } ?? []))
            .joined(separator: "/")
    }

    /// Checks that only forms of these packs would be replaced; nothing is written.
    ///
    /// - Parameters:
    ///   - forms: their names.
    ///   - folder: the folder.
    /// - Throws: `PackError` if something else has one of the names, or the list is damaged.
    public func check(_ forms: [String], in folder: String) throws(PackError) {
        try check(forms, in: folder, Self.owners("\(folder)/\(Self.fileName)"))
    }

    private func check(
        _ forms: [String], in folder: String, _ owners: [String: String]
    ) throws(PackError) {
        for form in forms where owners[form] != owner && access("\(folder)/\(form)", F_OK) == 0 {
            let what = owners[form].map { "the packs of \($0)" } ?? "files of another program"
            throw PackError(
                "taken", "\(folder)/\(form)", "it holds \(what) and is not replaced",
                remedy: "name another folder with --to, or remove it")
        }
    }

    /// Records that forms in a folder belong to these packs.
    ///
    /// - Parameters:
    ///   - forms: their names.
    ///   - folder: the folder.
    /// - Throws: `PackError` if something else has one of the names, or the list is damaged; `FileError` if it cannot
    ///   be written.
    public func claim(_ forms: [String], in folder: String) throws {
        let path = "\(folder)/\(Self.fileName)"
        var owners = try Self.owners(path)
        try check(forms, in: folder, owners)
        let known = owners
        for form in forms { owners[form] = owner }
        guard owners != known else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        try AtomicFile.replace(path, with: [UInt8](encoder.encode(owners)))
    }

    /// The contents of the list; empty before the first export.
    private static func owners(_ path: String) throws(PackError) -> [String: String] {
        guard access(path, F_OK) == 0 else { return [:] }
        // If it is damaged, the owners of the forms are unknown.
        guard let list = try? Data(contentsOf: URL(filePath: path)),
            let owners = try? JSONDecoder().decode([String: String].self, from: list)
        else {
            throw PackError(
                "bad-list", path, "it does not say which packs the folders beside it hold",
                remedy: "remove it and these folders, or name another folder with --to")
        }
        return owners
    }
}
