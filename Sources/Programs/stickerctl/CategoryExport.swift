import StickerConfiguration
import StickerPackFiles
import StickerPacks
import StickerStore
import StickerValues
import StickerWorkers

/// Exports a category to folders of packs.
struct CategoryExport {
    /// A preview of packs for a platform.
    struct Outlook {
        let platform: any PackMaking
        let report: LintReport
        /// Whether its stickers make up a pack, with or without faults.
        let hasPacks: Bool
        /// Why it is skipped although its stickers are fine, and the remedy.
        let obstacle: String?
        /// How many pictures were made for the preview.
        let made: Int

        /// Whether packs are written by default.
        var isReady: Bool { hasPacks && obstacle == nil && report.ready }
        /// Whether its packs have faults.
        var isFaulty: Bool { hasPacks && obstacle == nil && !report.ready }
    }

    let id: CategoryID
    private let store: LibraryStore
    private let configuration: Configuration
    private let names: CategoryNames
    private let books: PackBooks

    init(_ id: CategoryID, _ store: LibraryStore, _ configuration: Configuration) throws {
        self.id = id
        self.store = store
        self.configuration = configuration
        names = try store.catalog.names(of: id)
        _ = try PublishedTree(configuration).known(names)
        books = PackBooks(store.packs, PackShelf(out: configuration.out))
    }

    /// The published category.
    var source: PackSource { get throws { try PublishedTree(configuration).known(names) } }

    /// Makes the pictures that a platform needs, without recording or writing anything.
    func outlook(for platform: any PackMaking) throws -> Outlook {
        // A bundle that is impossible is reported before anything is written.
        if platform.isForLibrary { _ = try books.bundle(of: id, for: platform) }
        let (source, made) = try source(for: platform, rebalancing: false)
        let plan = try books.plan(source, for: platform)
        let hasPacks =
            !plan.packs.isEmpty || plan.remembered.contains { !$0.part.stickers.isEmpty }
        return Outlook(
            platform: platform, report: LintReport(platform.platform, plan), hasPacks: hasPacks,
            obstacle: try obstacle(to: platform, plan), made: made)
    }

    /// A number in the library is permanent, and is only given on request. A missing setting is no fault of the
    /// stickers.
    private func obstacle(to platform: any PackMaking, _ plan: PackPlan) throws -> String? {
        let name = platform.platform
        if platform.isForLibrary, !configuration.settings(of: names).packs.contains(name),
            try !books.members(of: platform).contains(id)
        {
            return "gives \(id) a number for ever; do it with: "
                + "\(stickerctl: "export \(id) --for \(name) --to DIR")"
        }
        let faults = plan.findings.filter { $0.severity == .fault }
        guard let fault = faults.first, faults.allSatisfy({ $0.rule == Platforms.noBaseURL }) else {
            return nil
        }
        return "\(fault.detail); \(fault.remedy)"
    }

    /// Notes in a folder that these forms are those of the packs for a platform.
    func claim(_ folder: String, for platform: any PackMaking, as forms: [String]) throws {
        try ExportedForms(platform.platform, platform.isForLibrary ? nil : id)
            .claim(forms, in: folder)
    }

    /// Records the packs for a platform, and writes those without a fault, or their last version without one.
    func write(
        _ platform: any PackMaking, as forms: [String], to folder: String, rebalancing: Bool
    ) throws -> ExportReport {
        // Obstacles are reported before a version or a place is given.
        try ExportedForms(platform.platform, platform.isForLibrary ? nil : id)
            .check(forms, in: folder)
        var report = try record(platform, rebalancing: rebalancing)
        let packs = try bundle(for: platform)
        guard !packs.isEmpty else {
            guard report.lint.ready, !report.lint.packs.isEmpty else { return report }
            throw PackError(
                description: "the packs of \(id) were released at this moment; export them again")
        }
        try claim(folder, for: platform, as: forms)
        let writer = PackWriter(out: configuration.out)
        report.folder = folder
        report.written = packs.filter { $0.category == id }
        report.forms = try forms.map {
            try writer.write(packs, for: platform, as: $0, to: folder)
        }
        return report
    }

    /// Records the packs for a platform.
    ///
    /// - Parameters:
    ///   - platform: the platform.
    ///   - rebalancing: whether stickers may move so that none is left over.
    /// - Returns: the report about the category.
    /// - Throws: an error with one sentence; earlier records stay.
    func record(_ platform: any PackMaking, rebalancing: Bool) throws -> ExportReport {
        var made = 0
        let plan = try books.record(id, for: platform, rebalancing: rebalancing) {
            let (source, more) = try source(for: platform, rebalancing: rebalancing)
            made += more
            return source
        }
        if rebalancing { try store.packs.packAgain(id) }
        return ExportReport(lint: LintReport(platform.platform, plan), made: made)
    }

    /// The packs that are published together, noted in the published tree.
    ///
    /// - Parameter platform: the platform.
    /// - Returns: those recorded for the category, or for a library all.
    /// - Throws: an error with one sentence if they are unknown.
    func bundle(for platform: any PackMaking) throws -> [Pack] {
        let bundle = try books.bundle(of: id, for: platform)
        try note(bundle, for: platform)
        return bundle.packs
    }

    /// Notes these packs from the database in the published tree before they are published: numbers and versions are
    /// permanent, even if a library loses its database.
    private func note(_ bundle: PackBundle, for platform: any PackMaking) throws {
        let shelf = PackShelf(out: configuration.out)
        try StateFolder.asOwner(of: configuration.state) {
            if platform.isForLibrary {
                _ = try shelf.publish(bundle, for: platform, nil)
            } else if !configuration.settings(of: names).packs.contains(platform.platform) {
                try shelf.remember(bundle, for: platform.platform, id)
            }
        }
    }

    /// The category with all pictures that the platform needs, and how many of them were made now, as the owner of the
    /// library.
    private func source(
        for platform: any PackMaking, rebalancing: Bool
    ) throws -> (PackSource, made: Int) {
        var source = try source
        let maker = WorkerMaking(program: try WorkerProgram.find()) { configuration.worker }
        let made = try StateFolder.asOwner(of: configuration.state) {
            try PackPictures(store.packs, configuration).complete(
                &source, names, for: platform, rebalancing: rebalancing, by: maker,
                into: ObjectStore(out: configuration.out))
        }
        return (source, made)
    }
}
