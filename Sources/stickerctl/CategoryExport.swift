import StickerExport
import StickerModel
import StickerPacks
import StickerStore
import StickerWorkers

/// A category on its way to folders of packs.
struct CategoryExport {
    /// How packs for a platform would be.
    struct Outlook {
        let platform: any PackMaking
        let report: LintReport
        /// Whether its stickers make up a pack, with or without faults.
        let hasPacks: Bool
        /// Pictures that were made to say so.
        let made: Int
    }

    private let id: CategoryID
    private let store: JobStore
    private let configuration: Configuration
    private let names: CategoryNames
    private let books: PackBooks

    init(_ id: CategoryID, _ store: JobStore, _ configuration: Configuration) throws {
        self.id = id
        self.store = store
        self.configuration = configuration
        names = try store.names(of: id)
        books = PackBooks(store, PackShelf(out: configuration.out))
    }

    /// Makes the pictures that a platform needs, and records and writes nothing.
    func outlook(for platform: any PackMaking) throws -> Outlook {
        let (source, made) = try source(for: platform, rebalancing: false)
        let plan = try books.plan(source, for: platform)
        let hasPacks =
            !plan.packs.isEmpty || plan.remembered.contains { !$0.part.stickers.isEmpty }
        return Outlook(
            platform: platform, report: LintReport(platform.platform, plan), hasPacks: hasPacks,
            made: made)
    }

    /// Notes in a folder that its forms are those of the packs for a platform.
    func claim(_ folder: String, for platform: any PackMaking, as forms: [String]) throws {
        try ExportedForms(platform.platform, platform.isForLibrary ? nil : id)
            .claim(forms, in: folder)
    }

    /// Records the packs for a platform, and writes those without a fault, or as they last were without.
    func write(
        _ platform: any PackMaking, as forms: [String], to folder: String, rebalancing: Bool
    ) throws -> ExportReport {
        var made = 0
        let plan = try books.record(id, for: platform, rebalancing: rebalancing) {
            let (source, more) = try source(for: platform, rebalancing: rebalancing)
            made += more
            return source
        }
        if rebalancing { try store.packAgain(id) }
        let packs = try books.bundle(of: id, for: platform).packs
        var report = ExportReport(LintReport(platform.platform, plan), made: made)
        guard !packs.isEmpty else { return report }
        try claim(folder, for: platform, as: forms)
        let writer = PackWriter(out: configuration.out)
        report.folder = folder
        report.written = packs
        report.forms = try forms.map {
            try writer.write(packs, for: platform, as: $0, to: folder)
        }
        return report
    }

    /// The category with all pictures that the platform needs, and how many of them were made now, as the owner of the
    /// library.
    private func source(
        for platform: any PackMaking, rebalancing: Bool
    ) throws -> (PackSource, made: Int) {
        var source = try PublishedTree(configuration).known(names)
        let maker = WorkerMaking(program: try WorkerProgram.find()) { configuration.worker }
        let made = try StateFolder.asOwner(of: configuration.state) {
            try PackPictures(store, configuration).complete(
                &source, names, for: platform, rebalancing: rebalancing, by: maker,
                into: ObjectStore(out: configuration.out))
        }
        return (source, made)
    }
}
