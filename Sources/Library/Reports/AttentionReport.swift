import StickerConfiguration
public import StickerStore
public import StickerValues

/// `run/attention.json`: everything that needs attention, for programs that notify people. Schema:
/// `deploy/schema/attention.schema.json`.
public struct AttentionReport: Hashable, Sendable, Encodable {
    /// One item.
    public struct Item: Hashable, Sendable, Encodable {
        /// Its kind.
        public enum Kind: String, Sendable, Encodable, CaseIterable {
            /// A file that does not become a sticker.
            case refused
            /// A deletion that awaits confirmation.
            case held
            /// A drop whose folder is missing or replaced.
            case away
            /// Work paused by an operator, or blocked.
            case paused
            /// Packs that should be kept up to date, but are missing or older than the stickers.
            case pack
            /// An unknown language in the configuration.
            case language
            /// A smart sticker that is drawn less often than it changes.
            case slow
        }

        /// Its kind.
        public var kind: Kind
        /// One sentence.
        public var message: String
        /// The remedy.
        public var remedy: String
        /// Since when, in ISO 8601; absent if unknown.
        public var since: String?
        /// The category concerned, if any.
        public var category: CategoryID?
        /// The file, below its drop and escaped.
        public var file: String?
        /// The drop concerned.
        public var drop: String?
        /// The code of the refusal.
        public var reason: String?
        /// The job of the refused file.
        public var job: JobID?
        /// The platform of the packs.
        public var platform: PackPlatform?
    }

    /// The most refused files listed, newest first; others are only counted.
    public static let refusedMax = 100

    /// The most faulty packs listed, by category; `status` counts all.
    public static let packsMax = 100

    /// The most slow smart stickers listed.
    public static let slowMax = 100

    /// The version of the format.
    public let version = 1
    /// Whether there are any items.
    public let needsAttention: Bool
    /// The number of refused files, listed or not.
    public let refused: Int
    /// All items, the refused files last.
    public let items: [Item]

    /// Collects everything that needs attention.
    ///
    /// - Parameters:
    ///   - store: the library.
    ///   - refused: the number of files that need attention.
    ///   - live: the daemon's live figures; `nil` if it does not run.
    /// - Throws: `StoreError` if the database cannot be read.
    public init(_ store: LibraryStore, refused: Int, live: LiveFigures?) throws(StoreError) {
        var items: [Item] = []
        if let paused = live?.paused {
            items.append(
                Item(kind: .paused, message: paused, remedy: "none needed: it goes on by itself"))
        }
        for drop in live?.awayDrops ?? [] {
            items.append(try Item(away: drop, store.sources.stickers(ofDrop: drop)))
        }
        items += (live?.unknownLanguages ?? []).map { language in
            Item(
                kind: .language, message: "smart stickers are in English: \(language)",
                remedy: "correct it, then: systemctl reload stickerd")
        }
        items += try store.catalog.deletionHolds().map(Item.init)
        items += Self.items(of: try store.operations.pauses())
        items += try store.packs.lackingPacks(categoriesMax: Self.packsMax).prefix(Self.packsMax)
            .map(Item.init)
        items += try store.queue.slowTemplates(max: Self.slowMax).map(Item.init)
        if refused > 0 {
            var filter = JobFilter()
            filter.needingAttention = true
            items += try store.operations.jobs(filter, limit: Self.refusedMax).map(Item.init)
        }
        self.refused = refused
        self.items = items
        needsAttention = !items.isEmpty
    }

    /// The number of items of a kind; of packs, at most `packsMax`.
    public func count(_ kind: Item.Kind) -> Int {
        kind == .refused ? refused : items.count { $0.kind == kind }
    }

    private static func items(of pauses: Pauses) -> [Item] {
        let all = Item(
            kind: .paused, message: "everything is paused", remedy: "\(stickerctl: "resume")")
        return (pauses.all ? [all] : [])
            + pauses.categories.map { category in
                Item(
                    kind: .paused, message: "\(category) is paused",
                    remedy: "\(stickerctl: "resume \(category)")", category: category)
            }
    }
}

extension AttentionReport.Item {
    fileprivate init(away drop: String, _ stickers: Int) {
        let stay = stickers.counted("sticker stays", "stickers stay")
        self.init(
            kind: .away, message: "drop \(FileName.escaped(drop)) looks unmounted; its \(stay)",
            remedy: "mount it again", drop: drop)
    }

    fileprivate init(_ hold: DeletionHold) {
        self.init(
            kind: .held, message: "\(FileName.escaped(hold.name)): \(hold.event)",
            remedy: "bring the files back, or: \(hold.confirmation)", since: hold.heldAt.asDate,
            category: hold.category, drop: hold.drop)
    }

    fileprivate init(_ packs: LackingPacks) {
        self.init(
            kind: .pack,
            message: "\(packs.category) is not ready for \(packs.platform): "
                + FileName.escaped(packs.finding.sentence),
            remedy: packs.remedy, category: packs.category, platform: packs.platform)
    }

    fileprivate init(_ template: SlowTemplate) {
        self.init(
            kind: .slow, message: "\(template.file): \(template.sentence)",
            remedy: SlowTemplate.remedy, category: template.category, file: template.file,
            drop: template.drop)
    }

    fileprivate init(_ job: JobRecord) {
        let why = job.refusal?.sentence ?? job.reason ?? "it is refused"
        self.init(
            kind: .refused, message: "\(job.file): \(why)",
            remedy: job.refusal?.remedy ?? "\(stickerctl: "show \(job.id)")",
            since: job.finishedAt?.asDate, category: job.category, file: job.file, drop: job.drop,
            reason: job.reason, job: job.id)
    }
}

extension LackingPacks {
    /// The command that shows all findings.
    public var remedy: String { "\(stickerctl: "lint \(category) --for \(platform)")" }
}

extension SlowTemplate {
    /// The remedy for any of them.
    public static let remedy =
        "draw it with fewer or smaller filters, or let it change less often (data-interval)"

    /// The finding in one sentence, with the cost, the pause and the limit.
    public var sentence: String {
        let seconds = (Double(milliseconds) / 100).rounded() / 10
        let rest = Int((restMilliseconds + 999) / 1000)
        let pause = rest < 600 ? "\(rest) s" : "\(((rest + 59) / 60).grouped) min"
        return "drawing it takes \(seconds) s of CPU time, so that it is drawn every \(pause) "
            + "at most (limit: one percent of a core)"
    }
}

extension Refusal {
    /// The problem, the measured value and the limit, in one line.
    public var sentence: String { detail + Finding.figures(measured, limit) }
}
