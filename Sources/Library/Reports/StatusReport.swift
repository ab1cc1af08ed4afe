public import StickerConfiguration
public import StickerStore
import StickerValues

/// The overall state: published, waiting and refused files, and the daemon.
public struct StatusReport: Encodable {
    /// The process number of the daemon that holds the state folder.
    public let daemon: Int32?
    /// Free space on `out`.
    public let freeBytes: Int64?
    /// The figures of the store.
    public let status: StoreStatus
    /// The daemon's last live figures.
    public let live: LiveFigures?
    /// The operator's pauses.
    public let pauses: Pauses
    /// Deletions that await confirmation.
    public let holds: [DeletionHold]
    /// Packs that should be kept up to date, but are missing or older than the stickers.
    public let lackingPacks: [LackingPacks]
    /// Categories with too few stickers for a pack that should be kept up to date.
    public let shortPacks: [LackingPacks]
    /// Smart stickers that are drawn less often than they change.
    public let slowTemplates: [SlowTemplate]
    /// Packs of all categories in one folder, for each platform of `publish.libraryPacks`.
    public let libraryPacks: [LibraryPacks]
    /// The configuration in force, or the last one.
    public let configuration: ConfigurationRecord?
    /// The number of keys of the file that are not in force.
    public let changedKeys: Int
    /// Drops with stickers that the file does not list.
    public let unlistedDrops: [UnlistedDrop]
    /// The number of templates without a sticker because their data is unknown.
    public let withdrawn: Int
    /// The known weather; absent if it is not used.
    public let weather: WeatherOutlook?
    /// The release that a rollback would restore; absent if there is none.
    public let earlier: EarlierDatabase.Record?
    /// Faults of the file.
    public let faults: [String]

    /// Reads the state of a library.
    ///
    /// - Parameters:
    ///   - configuration: as its file has it now.
    ///   - faults: of that file.
    ///   - store: the library.
    ///   - daemon: the process number of the daemon, if one runs.
    ///   - freeBytes: on `out`; `nil` if unknown.
    ///   - countsOutdated: whether to count stickers of older releases, which is slow in a large library.
    /// - Throws: `StoreError` if the database cannot be read.
    public init(
        _ configuration: Configuration, faults: [String], _ store: LibraryStore, daemon: Int32?,
        freeBytes: Int64?, countsOutdated: Bool = true
    ) throws(StoreError) {
        self.daemon = daemon
        self.freeBytes = freeBytes
        self.faults = faults
        status = try store.operations.status(countsOutdated: countsOutdated)
        live = try store.operations.liveFigures()
        pauses = try store.operations.pauses()
        holds = try store.catalog.deletionHolds()
        lackingPacks = try store.packs.lackingPacks()
        shortPacks = try store.packs.shortPacks()
        slowTemplates = try store.queue.slowTemplates(max: AttentionReport.slowMax)
        libraryPacks = try store.packs.libraryPacks(for: configuration.publish.libraryPacks)
        withdrawn = try store.queue.withdrawnTemplates()
        let place = configuration.smart.weather.place
        weather =
            withdrawn > 0 || place != nil
            ? WeatherOutlook(WeatherFile(configuration.weatherPath), at: place, now: store.now)
            : nil
        // A copy that cannot be read only matters to a rollback.
        earlier = (try? store.earlierDatabase())?.record
        let record = try store.operations.configurationRecord()
        changedKeys =
            record.map {
                Configuration.changes(from: $0.settings, to: configuration.settings).count
            } ?? 0
        self.configuration = record
        // A faulty file is read as far as possible, and may list other drops.
        unlistedDrops =
            faults.isEmpty ? try store.sources.unlistedDrops(configuration.dropPaths) : []
    }

    /// The batch in progress; `nil` if nothing is left to do, which the daemon reports a little later.
    public var batch: LiveFigures.Batch? {
        daemon != nil && status.waiting + status.working > 0 ? live?.batch : nil
    }

    /// One sentence about missing files whose stickers are still published; `nil` if there are none.
    public var goneFiles: String? {
        guard status.missing > 0 else { return nil }
        let leave = "after publish.deleteGraceSeconds, unless it is back"
        return status.missing == 1
            ? "1 file is gone; its sticker leaves \(leave)"
            : "\(status.missing.grouped) files are gone; the sticker of each leaves \(leave)"
    }

    /// Whether something needs attention: a file was refused, work is paused, a drop is missing, a deletion awaits
    /// confirmation, packs are faulty, a smart sticker is slow, or a language is unknown.
    public var needsAttention: Bool {
        status.needAttention > 0 || pauses.all || !pauses.categories.isEmpty
            || !holds.isEmpty || !lackingPacks.isEmpty || !slowTemplates.isEmpty
            || (daemon != nil
                && (live?.paused != nil || live?.awayDrops.isEmpty == false
                    || live?.unknownLanguages != nil))
    }
}
