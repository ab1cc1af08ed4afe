import StickerConfiguration
import StickerPackFiles
import StickerPacks
import StickerStore
import StickerValues

/// Exports the packs of all categories into one folder for an app.
struct LibraryExport {
    /// The outcome.
    struct Report: Encodable {
        var platform: PackPlatform
        /// The findings about each category.
        var categories: [LintReport] = []
        /// The folder; absent if nothing was written.
        var folder: String?
        var forms: [WrittenForm] = []
        /// How many pictures were made.
        var made = 0
        /// Why categories were not packed at all.
        var errors: [String] = []
        /// The written packs.
        var packs: [Pack] = []

        private enum CodingKeys: String, CodingKey {
            case platform, categories, folder, forms, made, errors
        }

        /// Whether packs were written, and no category has a fault.
        var isFine: Bool {
            folder != nil && errors.isEmpty
                && categories.allSatisfy { !$0.findings.contains { $0.severity == .fault } }
        }
    }

    let store: LibraryStore
    let configuration: Configuration

    /// Records the packs of every category, and writes those without a fault, or their last version without one.
    ///
    /// - Parameters:
    ///   - platform: the platform.
    ///   - forms: some of its library forms.
    ///   - folder: the folder.
    ///   - rebalancing: whether stickers may move so that none is left over.
    /// - Returns: the result.
    /// - Throws: an error with one sentence; files written before stay.
    func write(
        _ platform: any PackMaking, as forms: [String], to folder: String, rebalancing: Bool
    ) throws -> Report {
        let owner = ExportedForms(platform.platform, nil)
        try owner.check(forms, in: folder)
        var report = Report(platform: platform.platform)
        var recorded: [CategoryExport] = []
        for category in try PublishedTree(configuration).categories() {
            do {
                let export = try CategoryExport(category, store, configuration)
                let own = try export.record(platform, rebalancing: rebalancing)
                report.categories.append(own.lint.named(category.rawValue))
                report.made += own.made
                recorded.append(export)
            } catch {
                report.errors.append("\(category): \(error)")
            }
        }
        // The bundle of a library contains all packs.
        let bundles = platform.isForLibrary ? Array(recorded.prefix(1)) : recorded
        report.packs = try bundles.flatMap { try $0.bundle(for: platform) }
        guard !report.packs.isEmpty else { return report }
        try owner.claim(forms, in: folder)
        let platform = platform.ofLibrary(
            smart: try recorded.map { try $0.source }, personal: configuration.personal)
        let writer = PackWriter(out: configuration.out)
        report.folder = folder
        report.forms = try forms.map {
            try writer.write(report.packs, for: platform, as: $0, to: folder)
        }
        return report
    }
}

extension LibraryExport.Report {
    /// The categories with missing parts, and the written packs.
    var lines: [String] {
        var lines = categories.filter { !$0.findings.isEmpty || !$0.ready }.flatMap(\.lines)
        if made > 0 {
            lines.append("\(made.counted("picture was", "pictures were")) made, and kept")
        }
        guard let folder else { return lines + ["nothing was written"] }
        let count = Set(packs.map(\.category)).count.counted("category", "categories")
        let names = forms.map(\.name).joined(separator: ", ")
        let size = PackSize(packs, forms).shown
        return lines + ["written to \(FileName.escaped(folder)): \(names)", "\(count), \(size)"]
    }
}
