public import StickerModel
public import StickerStore

/// The state of the whole: what is published, waiting and refused, and how the daemon fares.
public struct StatusReport: Encodable {
    /// The process number of the daemon that holds the state folder.
    public let daemon: Int32?
    /// Free space on `out`.
    public let freeBytes: Int64?
    /// The numbers of the store.
    public let status: StoreStatus
    /// What the daemon told of itself last.
    public let live: LiveFigures?
    /// What an operator has paused.
    public let pauses: Pauses
    /// Deletions that wait for a word.
    public let holds: [DeletionHold]
    /// Packs that are kept up to date, but are missing or older than the stickers.
    public let lackingPacks: [LackingPacks]
    /// Smart stickers that are drawn less often than they change.
    public let slowTemplates: [SlowTemplate]
    /// Packs of all categories in one folder, for each platform of `publish.libraryPacks`.
    public let libraryPacks: [LibraryPacks]
    /// What the daemon runs with, or ran with last.
    public let configuration: ConfigurationRecord?
    /// Keys of the file that are not in force.
    public let changedKeys: Int
    /// Drops with stickers that the file does not list.
    public let unlistedDrops: [UnlistedDrop]
    /// Templates that are no sticker now, as they show what is not known.
    public let withdrawn: Int
    /// What is known of the weather; absent where nobody wants to know it.
    public let weather: WeatherOutlook?
    /// The release that the library can go back to; absent if there is none.
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
    ///   - freeBytes: on `out`; `nil` if it is not known.
    ///   - countsOutdated: whether to count what an older release made, which takes a while in a large library.
    /// - Throws: `StoreError` if the database cannot be read.
    public init(
        _ configuration: Configuration, faults: [String], _ store: JobStore, daemon: Int32?,
        freeBytes: Int64?, countsOutdated: Bool = true
    ) throws(StoreError) {
        self.daemon = daemon
        self.freeBytes = freeBytes
        self.faults = faults
        status = try store.status(countsOutdated: countsOutdated)
        live = try store.liveFigures()
        pauses = try store.pauses()
        holds = try store.deletionHolds()
        lackingPacks = try store.lackingPacks()
        slowTemplates = try store.slowTemplates(max: AttentionReport.slowMax)
        libraryPacks = try store.libraryPacks(for: configuration.publish.libraryPacks)
        withdrawn = try store.withdrawnTemplates()
        let place = configuration.smart.weather.place
        weather =
            withdrawn > 0 || place != nil
            ? WeatherOutlook(WeatherFile(configuration.weatherPath), at: place, now: store.now)
            : nil
        // A copy that cannot be read concerns whoever wants to go back.
        earlier = (try? store.earlierDatabase())?.record
        let record = try store.configurationRecord()
        changedKeys =
            record.map {
                Configuration.changes(from: $0.settings, to: configuration.settings).count
            } ?? 0
        self.configuration = record
        // A faulty file is read as far as it goes, and may list others.
        unlistedDrops = faults.isEmpty ? try store.unlistedDrops(configuration.dropPaths) : []
    }

    /// The batch that the daemon works at; `nil` if nothing is left to do, which the daemon tells a little later.
    public var batch: LiveFigures.Batch? {
        daemon != nil && status.waiting + status.working > 0 ? live?.batch : nil
    }

    /// One sentence about files that are gone while their stickers are still published; `nil` if there is none.
    public var goneFiles: String? {
        guard status.missing > 0 else { return nil }
        let leave = "after publish.deleteGraceSeconds, unless it is back"
        return status.missing == 1
            ? "1 file is gone; its sticker leaves \(leave)"
            : "\(status.missing.grouped) files are gone; the sticker of each leaves \(leave)"
    }

    /// Whether somebody should look: something was refused, the work is paused, a drop is away, a deletion waits for
    /// a word, packs are not as they should be, a smart sticker is slow, or a language is not known.
    public var needsAttention: Bool {
        status.needAttention > 0 || pauses.all || !pauses.categories.isEmpty
            || !holds.isEmpty || !lackingPacks.isEmpty || !slowTemplates.isEmpty
            || (daemon != nil
                && (live?.paused != nil || live?.awayDrops.isEmpty == false
                    || live?.unknownLanguages != nil))
    }
}
