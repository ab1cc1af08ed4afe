import FoundationEssentials
import Glibc
public import StickerSystem
public import StickerValues

/// Packs on the shelf as one file: a file that an app imports whole, or a ZIP of a form that is a folder.
public struct PackDownload: Hashable, Sendable {
    /// A file in it.
    fileprivate struct Member: Hashable, Sendable {
        /// Its path in the download.
        var path: String
        /// Its path below the published folder.
        var place: String
        var bytes: Int
    }

    /// The name to save it under; unique among those of a platform and category.
    public let name: String
    fileprivate let members: [Member]
    /// Whether it is a ZIP of its files, written when it is asked for.
    public let isFolder: Bool
    /// Whether it has packs of all categories.
    public let isOfLibrary: Bool

    /// The bytes of its files.
    public var bytes: Int { members.reduce(0) { $0 + $1.bytes } }

    /// The path below the published folder; `nil` if it is yet to be written.
    public var place: String? { isFolder ? nil : members[0].place }
}

extension PackShelf {
    /// The most files of a form that are listed one by one.
    private static let filesListed = 12

    /// The packs handed over now, as files to download.
    ///
    /// - Parameters:
    ///   - platform: the platform.
    ///   - category: the category; for a bundle of the whole library, one in it.
    /// - Returns: those of the usual form first; none if there are no packs.
    public func downloads(_ platform: PackPlatform, _ category: CategoryID) -> [PackDownload] {
        for owner in [category, nil] {
            guard let packs = current(platform, owner), let folder = packs.folder,
                packs.packs.contains(where: { $0.category == category })
            else { continue }
            let shelf = (["_packs", platform.rawValue] + (owner.map { [$0.rawValue] } ?? []))
                .joined(separator: "/")
            let files = packs.files ?? []
            return packs.forms.flatMap { form in
                let members = files.filter { $0.path.hasPrefix("\(form)/") }.map { file in
                    PackDownload.Member(
                        path: String(file.path.dropFirst(form.count + 1)),
                        place: "\(shelf)/\(folder)/\(file.path)", bytes: file.bytes)
                }
                let name = "\(owner?.rawValue ?? "library")-\(platform.rawValue)"
                return Self.downloads(
                    of: members, form == "folder" ? name : "\(name)-\(form)",
                    isOfLibrary: owner == nil)
            }
        }
        return []
    }

    /// The states of the lists on which `downloads` depends.
    package func marks(_ platform: PackPlatform, _ category: CategoryID) -> [FileStatus?] {
        [category, nil].map { try? FileStatus(link: list(platform, $0)) }
    }

    /// Files that are complete by themselves, or all of them in a ZIP called `name`.
    private static func downloads(
        of members: [PackDownload.Member], _ name: String, isOfLibrary: Bool
    ) -> [PackDownload] {
        let areComplete =
            members.count <= filesListed
            && members.allSatisfy { member in
                !member.path.contains("/") && !isPicture(member.path)
            }
        if areComplete {
            return members.map {
                PackDownload(
                    name: $0.path, members: [$0], isFolder: false, isOfLibrary: isOfLibrary)
            }
        }
        return [
            PackDownload(
                name: "\(name).zip", members: members, isFolder: true, isOfLibrary: isOfLibrary)
        ]
    }

    private static func isPicture(_ name: String) -> Bool {
        ImageFormat.allCases.contains { format in
            format.fileExtensions.contains(FileName.fileExtension(Array(name.utf8)))
        }
    }

    /// Writes the ZIP of a folder.
    ///
    /// - Parameters:
    ///   - download: one of `downloads`.
    ///   - file: the output.
    ///   - path: the name of the output in errors.
    /// - Throws: `ArchiveError`; then the output is useless.
    public func write(
        _ download: PackDownload, to file: borrowing Descriptor, path: String
    ) throws(ArchiveError) {
        let items = download.members.map { [out] member in
            ArchiveItem(
                member.path,
                .file { () throws(FileError) in
                    try Descriptor(folder: out).open(
                        below: Array(member.place.utf8), O_RDONLY | O_NONBLOCK, shown: member.place)
                })
        }
        try ArchiveWriter.write(items, as: .zip, to: file, path: path)
    }
}
