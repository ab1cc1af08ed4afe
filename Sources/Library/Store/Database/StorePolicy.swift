public import StickerConfiguration
import StickerValues

/// The store's part of the configuration.
public struct StorePolicy: Hashable, Sendable {
    /// How long a file must stay unchanged if the end of writing was not observed.
    public var settle = Duration.seconds(1)
    /// How long new sightings can postpone a waiting job.
    public var arrivingMax = Duration.seconds(60)
    /// Pauses between attempts after transient errors.
    public var retryDelays: [Duration] = [2, 8, 30, 120, 600].map { .seconds($0) }
    /// How long finished jobs are kept.
    public var history = Duration.seconds(14 * 86400)
    /// How many bytes finished jobs may take.
    public var historyBytesMax = 1_000_000_000
    /// How long a sticker outlives its source file.
    public var deleteGrace = Duration.seconds(60)
    /// How long replaced pictures and manifest pages stay on disk.
    public var oldRevisions = Duration.seconds(86400)
    /// The least time that a template's earlier picture stays on disk: the template shows it again on the next day.
    public var moments = Duration.seconds(48 * 3600)
    /// How long the pictures of deleted stickers stay on disk.
    public var trash = Duration.seconds(30 * 86400)
    /// Whether mass deletions are carried out without confirmation.
    public var believesDeletions = false
    /// The drops; words in earlier ones take precedence.
    public var drops: [String] = []
    /// The folder name of the category of files directly in a drop.
    public var defaultCategory = "stickers"
    /// Prefixed to every URL; empty for relative URLs.
    public var publicBaseURL = ""
    /// Stickers on one manifest page.
    public var pageEntriesMax = 5000
    /// The default emoji of stickers.
    public var emojis: [String] = []
    /// The default emoji by category, keyed by id or folder name.
    public var categoryEmojis: [String: [String]] = [:]
    /// The words of categories that have none of their own.
    public var defaultWords = DefaultWords()

    /// Creates a policy with the defaults.
    public init() {}

    /// Creates the policy that `configuration` asks for.
    public init(_ configuration: Configuration, believesDeletions: Bool = false) {
        self.believesDeletions = believesDeletions
        settle = .seconds(configuration.watch.settleSeconds)
        arrivingMax = .seconds(configuration.watch.arrivingSecondsMax)
        retryDelays = configuration.queue.retrySeconds.map { .seconds($0) }
        history = .seconds(configuration.queue.historyDays * 86400)
        historyBytesMax = configuration.queue.historyBytesMax
        deleteGrace = .seconds(configuration.publish.deleteGraceSeconds)
        oldRevisions = .seconds(configuration.publish.oldRevisionHours * 3600)
        trash = .seconds(configuration.publish.trashDays * 86400)
        drops = configuration.dropPaths
        defaultCategory = configuration.defaultCategory
        publicBaseURL = configuration.publish.publicBaseURL
        pageEntriesMax = configuration.publish.pageEntriesMax
        emojis = configuration.sticker.emojis
        categoryEmojis = configuration.categories.mapValues(\.emojis)
        defaultWords = DefaultWords(configuration)
    }

    /// The default emoji of stickers of a category.
    func emojis(of category: @autoclosure () throws -> CategoryNames) rethrows -> [String] {
        guard !categoryEmojis.isEmpty else { return emojis }
        return try category().entry(in: categoryEmojis, defaultCategory: defaultCategory) ?? emojis
    }
}
