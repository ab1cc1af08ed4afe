public import StickerPacks
import StickerStore
import StickerValues

/// Imports foreign packs as categories of a drop.
public struct Importer {
    private let drop: String
    private let limits: ImportLimits

    /// Creates an importer.
    ///
    /// - Parameters:
    ///   - drop: the drop folder.
    ///   - limits: the limits of an import.
    public init(drop: String, limits: ImportLimits = ImportLimits()) {
        self.drop = drop
        self.limits = limits
    }

    /// Imports every pack at a path.
    ///
    /// Run by root, it reads with root's rights, and writes with those of the drop's owner.
    ///
    /// - Parameters:
    ///   - path: a folder or an archive.
    ///   - name: the name of the category's folder if there is only one pack; `nil` uses the packs' names.
    /// - Returns: the written categories and the parts left out.
    /// - Throws: `ImportFault` if there is nothing to import, and `FolderError` if root cannot become the drop's owner.
    public func run(_ path: String, as name: String? = nil) throws -> ImportReport {
        if let name { try ImportFault.check(folderName: name) }
        let tree = try SourceTree(path, limits: limits)
        let found: (packs: [ImportedPack], faults: [ImportFault])
        do throws(ImportFault) {
            found = try PackFinder.packs(in: tree, limits: limits)
        } catch {
            throw tree.faults.first ?? error
        }
        if name != nil, found.packs.count > 1 { throw ImportFault.several(found.packs) }
        var report = ImportReport(drop: drop, leftOut: tree.faults + found.faults)
        var loader = PackLoader(tree, limits: limits)
        try Interruption.putOff { hasArrived in
            for pack in found.packs where !hasArrived() {
                try add(pack, named: name, &loader, to: &report, hasArrived)
            }
        }
        report.leftOut += loader.faults
        return report
    }

    private func add(
        _ pack: ImportedPack, named name: String?, _ loader: inout PackLoader,
        to report: inout ImportReport, _ isInterrupted: () -> Bool
    ) throws {
        do {
            let folder = try loader.folder(of: pack, named: name)
            try withoutActuallyEscaping(isInterrupted) { isInterrupted in
                let writer = CategoryWriter(drop: drop, isInterrupted: isInterrupted)
                try StateFolder.asOwner(of: drop) { try writer.write(folder) }
            }
            report.categories.append(ImportReport.Category(folder))
        } catch let fault as ImportFault {
            report.leftOut.append(fault)
        }
    }
}

/// The result of an import.
public struct ImportReport: Hashable, Sendable, Encodable {
    /// A written category.
    public struct Category: Hashable, Sendable, Encodable {
        /// The name of its folder in the drop.
        public let folder: String
        /// Its title.
        public let title: String?
        /// The form of the imported pack, in words.
        public let form: String
        /// The number of its stickers.
        public let stickers: Int
        /// Whether it has a cover.
        public let cover: Bool

        init(_ folder: CategoryFolder) {
            self.folder = folder.name
            title = folder.title
            form = folder.form
            stickers = folder.stickers
            cover = folder.hasCover
        }
    }

    /// The drop folder.
    public let drop: String
    /// The categories, in the order in which they were found.
    public internal(set) var categories: [Category] = []
    /// The parts left out, each with the reason.
    public internal(set) var leftOut: [ImportFault]

    init(drop: String, leftOut: [ImportFault]) {
        self.drop = drop
        self.leftOut = leftOut
    }
}

extension ImportFault {
    fileprivate static func several(_ packs: [ImportedPack]) -> ImportFault {
        let names = packs.prefix(5).map(\.name).joined(separator: ", ")
        return ImportFault(
            .severalPacks, nil, "one name cannot be that of several packs",
            measured: "\(packs.count.counted("pack", "packs")): \(names)", limit: "1 pack",
            remedy: "leave --category out, or name the folder of one pack")
    }
}
