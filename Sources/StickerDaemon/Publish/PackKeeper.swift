import Dispatch
import Logging
import StickerExport
import StickerModel
import StickerPacks
import StickerStore

/// Keeps the packs that the configuration asks for up to date with the manifests, and tells the manifests how they are
/// doing.
///
/// A category is packed once none of its pictures is being made and nothing has changed for a while: stickers that arrive
/// together are divided together, and what is once in a pack stays there. One that never rests is packed every five
/// minutes.
final class PackKeeper: Sendable {
    private static let rest = Duration.seconds(5)
    private static let patience = Duration.seconds(300)

    private let queue = DispatchQueue(label: "stickerd.packs")
    private let state: QueueConfined<State>
    private let settings: Settings
    private let store: JobStore
    private let objects: ObjectStore
    private let maker: any StickerMaking
    private let publisher: Publisher
    private let shelf: PackShelf
    private let report: @Sendable (_ trouble: String?) -> Void
    private let logger: Logger

    private struct State {
        /// The manifests that had been written when the categories were last looked at; `nil` if there is more to do.
        var seen: Int?
        var waiting: [CategoryID: Waiting] = [:]
        var troubles: [CategoryID: String] = [:]
    }

    /// A category that is to be packed once it rests.
    private struct Waiting {
        let since = ContinuousClock.now
        var generation: Int
        var changedAt = ContinuousClock.now

        mutating func note(_ generation: Int) {
            guard self.generation != generation else { return }
            (self.generation, changedAt) = (generation, .now)
        }
    }

    /// `report` is called with what cannot be written, and with `nil` once everything can be.
    init(
        settings: Settings, store: JobStore, objects: ObjectStore, maker: any StickerMaking,
        publisher: Publisher, logger: Logger,
        report: @escaping @Sendable (_ trouble: String?) -> Void
    ) {
        self.settings = settings
        self.store = store
        self.objects = objects
        self.maker = maker
        self.publisher = publisher
        self.logger = logger
        self.report = report
        shelf = PackShelf(out: settings.current.out)
        state = QueueConfined(State(), on: queue)
    }

    /// Notes that other settings are in force, or that an operator has steered packs.
    func steered() { queue.async { [self] in state.confined { $0.seen = nil } } }

    /// Brings packs up to date, if manifests were written since the last look.
    func look() {
        queue.async { [self] in
            state.confined { state in
                let written = publisher.written
                guard state.seen != written else { return }
                state.seen = pack(&state, hurries: false) ? written : nil
            }
        }
    }

    /// Brings all packs up to date, for the end of a drain.
    ///
    /// - Returns: what could not be written, one sentence each.
    func finish() -> [String] {
        state.perform { state in
            _ = pack(&state, hurries: true)
            return state.troubles.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
        }
    }

    /// Removes packs that were replaced long enough ago; what is being written is waited for, but not by the caller.
    func clean() {
        let keep = Int(settings.current.publish.oldRevisionHours * 3600)
        queue.async { [shelf, logger] in
            let removed = shelf.clean(olderThan: max(keep, ObjectStore.guardSeconds))
            guard removed > 0 else { return }
            logger.notice("old packs removed", metadata: [LogKey.count: "\(removed)"])
        }
    }

    /// A category whose packs do not show its manifest.
    private struct Due {
        var category: PackedCategory
        var platforms: [any PackMaking]
        var mark: String
    }

    /// - Returns: whether nothing is left to do.
    private func pack(_ state: inout State, hurries: Bool) -> Bool {
        do {
            let (due, isAll) = try due(&state, hurries: hurries)
            var bundles: Set<PackPlatform> = []
            for due in due {
                state.troubles[due.category.id] = nil
                do {
                    bundles.formUnion(try pack(due))
                } catch {
                    state.troubles[due.category.id] =
                        "the packs of \(due.category.id) stay as they were: \(error)"
                }
            }
            for platform in Platforms.all where bundles.contains(platform.platform) {
                try publish(platform, of: nil)
            }
            report(state.troubles.first?.value)
            return isAll && state.troubles.isEmpty
        } catch {
            report("packs stay as they were: \(error)")
            return false
        }
    }

    /// What is to be packed now, and whether that is all.
    private func due(_ state: inout State, hurries: Bool) throws -> (due: [Due], isAll: Bool) {
        var (due, isAll) = ([Due](), true)
        var busy: Set<CategoryID>?
        for category in try store.packedCategories() {
            let recipe = settings.current.recipe(of: category.names)
            let wanted = settings.current.settings(of: category.names).packs
            let mark = Self.mark(wanted, recipe)
            let isPacked = category.packedGeneration == category.generation && category.mark == mark
            // What was never packed, and is not to be, is left alone.
            guard !isPacked, category.packedGeneration != nil || !wanted.isEmpty else {
                state.waiting[category.id] = nil
                continue
            }
            let busyNow = try busy ?? store.busyCategories()
            busy = busyNow
            var waiting = state.waiting[category.id] ?? Waiting(generation: category.generation)
            waiting.note(category.generation)
            let isResting =
                !busyNow.contains(category.id) && .now - waiting.changedAt >= Self.rest
            guard hurries || isResting || .now - waiting.since > Self.patience else {
                state.waiting[category.id] = waiting
                isAll = false
                continue
            }
            state.waiting[category.id] = nil
            let platforms = Platforms.all.filter { wanted.contains($0.platform) }
            due.append(Due(category: category, platforms: platforms, mark: mark))
        }
        return (due, isAll)
    }

    /// What the packs of a category depend on besides its manifest.
    private static func mark(_ wanted: [PackPlatform], _ recipe: Recipe) -> String {
        let ids = recipe.ids
        let settings =
            wanted.map(\.rawValue) + [ids.still.whole.rawValue, ids.moving.whole.rawValue]
        let text = ([Stickerd.version] + settings).joined(separator: " ")
        return String(ContentHash(of: Array(text.utf8)).rawValue.prefix(16))
    }

    /// Packs a category for all its platforms.
    ///
    /// - Returns: platforms whose bundle of the whole library is to be written.
    private func pack(_ due: Due) throws -> Set<PackPlatform> {
        let id = due.category.id
        let (tree, names) = (PublishedTree(settings.current), due.category.names)
        guard let category = try tree.source(of: names) else { return [] }
        let pictures = PackPictures(store, settings.current)
        let books = PackBooks(store, shelf)
        var readiness: [PackPlatform: Readiness] = [:]
        var bundles: Set<PackPlatform> = []
        for platform in due.platforms {
            var source = category
            let made = try pictures.complete(
                &source, names, for: platform, by: maker, into: objects)
            if made > 0 { note(made, id, platform.platform) }
            let plan = try books.record(source, for: platform)
            if platform.isForLibrary {
                bundles.insert(platform.platform)
            } else {
                try publish(platform, of: id)
            }
            readiness[platform.platform] = plan.readiness
        }
        let kept = Set(due.platforms.map(\.platform))
        for platform in Platforms.all where !kept.contains(platform.platform) {
            guard !platform.isForLibrary else { continue }
            try shelf.withdraw(platform.platform, id)
        }
        if try store.setReadiness(
            readiness, generation: due.category.generation, mark: due.mark, of: id)
        {
            publisher.changed([id])
        }
        return bundles
    }

    private func note(_ made: Int, _ category: CategoryID, _ platform: PackPlatform) {
        logger.info(
            "pictures made for packs",
            metadata: [
                LogKey.category: "\(category)", "platform": "\(platform.rawValue)",
                LogKey.count: "\(made)",
            ])
    }

    /// Hands over what the books hold; `category` is `nil` for a bundle of the whole library.
    private func publish(_ platform: some PackMaking, of category: CategoryID?) throws {
        let start = ContinuousClock.now
        let bundle = try PackBooks(store, shelf).bundle(of: category, for: platform)
        guard try shelf.publish(bundle, for: platform, category) else { return }
        logger.info(
            "packs published",
            metadata: [
                LogKey.category: "\(category.map { "\($0)" } ?? "all")",
                "platform": "\(platform.platform.rawValue)",
                LogKey.count: "\(bundle.packs.count)",
                LogKey.milliseconds:
                    "\(Int((ContinuousClock.now - start).inMilliseconds.rounded()))",
            ])
    }
}
