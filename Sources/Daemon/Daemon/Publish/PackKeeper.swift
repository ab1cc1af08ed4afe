import Dispatch
import Logging
import StickerValues
import StickerPackFiles
import StickerPacks
import StickerProgram
import StickerStore
import StickerSystem

/// Keeps the configured packs up to date with the manifests, and records their state in the manifests.
///
/// A category is packed once none of its pictures is being made and nothing has changed for a while, so that stickers
/// that arrive together are divided together; a sticker stays in its pack. A category that never rests is packed every
/// five minutes.
final class PackKeeper: Sendable {
    private static let rest = Duration.seconds(5)
    private static let patience = Duration.seconds(300)
    private static let retryAfterFailure = Duration.seconds(60)

    private let queue = DispatchQueue(label: "stickerd.packs")
    private let state: QueueConfined<State>
    private let settings: Settings
    private let store: LibraryStore
    private let objects: ObjectStore
    private let maker: any StickerMaking
    private let publisher: Publisher
    private let shelf: PackShelf
    private let mend: @Sendable () throws -> Void
    private let report: @Sendable (_ trouble: String?) -> Void
    private let logger: Logger

    private struct State {
        /// The number of manifests written when the categories were last examined; `nil` if there is more to do.
        var seen: Int?
        var waiting: [CategoryID: Waiting] = [:]
        /// Platforms whose bundle of the whole library may be older than the database, and since when. At the start,
        /// all platforms.
        var bundles: [PackPlatform: ContinuousClock.Instant] = [:]
        /// Whether to check for packs that other programs changed.
        var doubtsPacks = true
        /// Packs that cannot be written, and why, by category; the empty key is for bundles of the whole library.
        var troubles: [String: String] = [:]
        /// Whether a published picture that packs need is missing.
        var lacksPicture = false
        /// When to retry.
        var retryAt: ContinuousClock.Instant?
        var isStopped = false

        init() { doubtBundles() }

        /// Marks bundles of the whole library for comparison with the database: all, or those of `some` platforms.
        mutating func doubtBundles(of some: [PackPlatform]? = nil) {
            for platform in Platforms.all where !platform.formsOfLibrary.isEmpty {
                let name = platform.platform
                if some?.contains(name) != false, bundles[name] == nil { bundles[name] = .now }
            }
        }
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

    /// `mend` is called when a damaged published picture was removed; `report` with the packs that cannot be written,
    /// and with `nil` once all can be.
    init(
        settings: Settings, store: LibraryStore, objects: ObjectStore, maker: any StickerMaking,
        publisher: Publisher, logger: Logger,
        mend: @escaping @Sendable () throws -> Void,
        report: @escaping @Sendable (_ trouble: String?) -> Void
    ) {
        self.settings = settings
        self.store = store
        self.objects = objects
        self.maker = maker
        self.publisher = publisher
        self.logger = logger
        self.mend = mend
        self.report = report
        shelf = PackShelf(out: settings.current.out)
        state = QueueConfined(State(), on: queue)
    }

    /// Notes that settings have changed, or that an operator changed packs.
    func steered() {
        queue.async { [self] in
            state.confined { state in
                state.seen = nil
                state.doubtBundles()
            }
        }
    }

    /// Updates packs if manifests were written since the last look.
    func look() {
        queue.async { [self] in
            state.confined { state in
                let written = publisher.written
                guard state.seen != written, state.retryAt.map({ $0 <= .now }) ?? true else {
                    return
                }
                state.seen = pack(&state, hurries: false) ? written : nil
            }
        }
    }

    /// Updates all packs, for the end of a drain.
    ///
    /// - Returns: what could not be written, one sentence each.
    func finish() -> [String] {
        state.perform { state in
            _ = pack(&state, hurries: true)
            return state.troubles.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// Stops packing; waits for writes in progress.
    func stop() {
        state.perform { $0.isStopped = true }
    }

    /// Removes packs that were replaced long enough ago. Writes in progress finish first; the caller does not wait.
    func clean() {
        let keep = Int(settings.current.publish.oldRevisionHours * 3600)
        queue.async { [self] in
            state.confined { ($0.doubtsPacks, $0.seen) = (true, nil) }
            release()
            let removed = shelf.clean(olderThan: max(keep, ObjectStore.guardSeconds))
            guard removed > 0 else { return }
            logger.notice("old packs removed", metadata: [LogKey.count: "\(removed)"])
        }
    }

    /// Releases packs that were exported once and not requested since.
    private func release() {
        do {
            let wanted = try store.catalog.categoryNames().mapValues {
                settings.current.settings(of: $0).packs
            }
            for (category, platform) in try store.packs.unusedPacks(except: wanted) {
                // A place in the library is permanent and must show something.
                guard let making = Platforms.all.first(where: { $0.platform == platform }),
                    !making.isForLibrary
                else { continue }
                do {
                    try PackBooks(store, shelf).release(category, for: making)
                } catch {
                    noteKept("\(category) for \(platform): \(error)")
                }
            }
        } catch {
            noteKept("\(error)")
        }
    }

    /// Nothing is lost: the next cleaning retries.
    private func noteKept(_ why: String) {
        logger.warning("packs are kept for longer", metadata: [LogKey.detail: "\(why)"])
    }

    /// A category whose packs are older than its manifest.
    private struct Due {
        var category: PackedCategory
        var platforms: [any PackMaking]
        var mark: String
    }

    /// - Returns: whether nothing is left to do.
    private func pack(_ state: inout State, hurries: Bool) -> Bool {
        guard !state.isStopped else { return true }
        // While `out` is away, packs look as if they had never been published.
        do throws(FileError) {
            try objects.checkPlace()
        } catch {
            state.troubles = ["": "packs stay as they were: \(error)"]
            state.retryAt = nil
            return false
        }
        state.troubles = [:]
        var isAll = true
        do {
            let (due, isLast) = try due(&state, hurries: hurries)
            isAll = isLast
            for due in due { pack(due, &state) }
        } catch {
            state.troubles[""] = "packs stay as they were: \(error)"
        }
        for platform in Platforms.all {
            guard let since = state.bundles[platform.platform],
                isAll || .now - since > Self.patience
            else { continue }
            do {
                try publishLibrary(platform)
                state.bundles[platform.platform] = nil
                state.troubles[Self.bundle(platform.platform)] = nil
            } catch {
                discardPicture(lackedBy: error, &state)
                // The missing packs may be those of a category still to be packed.
                guard isAll else { continue }
                state.troubles[""] = "the bundle for \(platform.platform) stays as it was: \(error)"
            }
        }
        mendPictures(&state)
        report(state.troubles.sorted { $0.key < $1.key }.first?.value)
        state.retryAt = state.troubles.isEmpty ? nil : .now + Self.retryAfterFailure
        return isAll && state.troubles.isEmpty
    }

    /// The categories to be packed now, and whether they are all.
    private func due(_ state: inout State, hurries: Bool) throws -> (due: [Due], isAll: Bool) {
        var (due, isAll) = ([Due](), true)
        let members = try members()
        var busy: Set<CategoryID>?
        let damagedBundles = state.doubtsPacks ? bundleDamage(&state) : [:]
        if state.doubtsPacks { state.doubtBundles() }
        for category in try store.packs.packedCategories() {
            let recipe = settings.current.recipe(of: category.names)
            let own = settings.current.settings(of: category.names)
            let kept = own.packs
            // A category with a place in a bundle keeps it.
            let wanted =
                kept + members.filter { $1.contains(category.id) && !kept.contains($0) }.keys
            let mark = Self.mark(
                wanted, recipe, own.tuikit, sharesTitle: category.sharesTitle)
            let isUpToDate =
                category.packedGeneration == category.generation && category.mark == mark
            let isPacked =
                try isUpToDate
                && !(state.doubtsPacks && noteDamage(to: category, damagedBundles))
            // Categories that were never packed and are not to be packed are skipped.
            guard !isPacked, category.packedGeneration != nil || !wanted.isEmpty else {
                state.waiting[category.id] = nil
                continue
            }
            let busyNow = try busy ?? store.packs.busyCategories()
            busy = busyNow
            var waiting = state.waiting[category.id] ?? Waiting(generation: category.generation)
            waiting.note(category.generation)
            let isResting =
                !busyNow.contains(category.id) && !category.isBehind
                && .now - waiting.changedAt >= Self.rest
            guard hurries || isResting || .now - waiting.since > Self.patience else {
                state.waiting[category.id] = waiting
                isAll = false
                continue
            }
            state.waiting[category.id] = nil
            let platforms = Platforms.all.filter { wanted.contains($0.platform) }
            due.append(Due(category: category, platforms: platforms, mark: mark))
        }
        state.doubtsPacks = false
        return (due, isAll)
    }

    /// The categories with a place in each platform's bundle.
    private func members() throws -> [PackPlatform: Set<CategoryID>] {
        let books = PackBooks(store, shelf)
        return Dictionary(
            uniqueKeysWithValues: try Platforms.all.filter(\.isForLibrary).map {
                ($0.platform, try books.members(of: $0))
            })
    }

    /// The damage to bundles of the whole library on platforms without other packs. Damage to the other bundles is only
    /// logged, as the packs of each category are intact.
    private func bundleDamage(_ state: inout State) -> [PackPlatform: LibraryDamage] {
        for platform in settings.current.publish.libraryPacks
        where shelf.current(platform, nil)?.folder != nil {
            let damage = shelf.damage(platform, nil)
            guard let first = damage.first else { continue }
            tell(damage, nil, platform)
            // Due at once, without waiting for the remaining categories.
            state.bundles[platform] = .now - Self.patience
            state.troubles[Self.bundle(platform)] =
                "the folder of the library for \(platform) is damaged: \(first.finding.sentence)"
        }
        let books = PackBooks(store, shelf)
        return Dictionary(
            uniqueKeysWithValues: Platforms.all.filter(\.isForLibrary).map {
                ($0.platform, books.libraryDamage(for: $0))
            })
    }

    /// Marks the packs of a category as damaged until they are written again.
    ///
    /// - Returns: whether any are.
    private func noteDamage(
        to category: PackedCategory, _ bundles: [PackPlatform: LibraryDamage]
    ) throws -> Bool {
        let before = try store.packs.readiness(of: category.id) ?? [:]
        var now = before
        for (platform, readiness) in before where !readiness.packs.isEmpty {
            let damage =
                bundles[platform]?.damage(to: category.id) ?? shelf.damage(platform, category.id)
            guard !damage.isEmpty else { continue }
            now[platform] = readiness.damaged(damage.map(\.finding))
            tell(damage, category.id, platform)
        }
        guard now != before else { return false }
        // With the mark removed, they are written again even if the daemon stops now.
        if try store.packs.setReadiness(
            now, generation: category.generation, mark: "", of: category.id)
        {
            publisher.changed([category.id])
        }
        return true
    }

    /// `category` is `nil` for a bundle of the whole library.
    private func tell(_ damage: [PackDamage], _ category: CategoryID?, _ platform: PackPlatform) {
        var metadata: Logger.Metadata = [
            LogKey.category: "\(Self.shown(category))", "platform": "\(platform.rawValue)",
            LogKey.count: "\(damage.count)",
        ]
        if let first = damage.first { metadata[LogKey.detail] = "\(first.finding.sentence)" }
        logger.warning("packs are damaged and made again", metadata: metadata)
    }

    /// Everything that the packs of a category depend on besides its manifest.
    private static func mark(
        _ wanted: [PackPlatform], _ recipe: Recipe, _ group: StickerSettings.FaceGroup,
        sharesTitle: Bool
    ) -> String {
        let ids = recipe.ids
        let settings =
            wanted.map(\.rawValue).sorted() + [ids.still.whole.rawValue, ids.moving.whole.rawValue]
        let isUsual = group == StickerSettings.FaceGroup()
        let grid = isUsual ? [] : ["\(group.rows)x\(group.columns)@\(group.order)"]
        let text = ([Stickerd.version, "\(sharesTitle)"] + settings + grid).joined(separator: " ")
        return String(ContentHash(of: Array(text.utf8)).rawValue.prefix(16))
    }

    /// Packs a category for all its platforms. A failure on one does not hold up the others.
    private func pack(_ due: Due, _ state: inout State) {
        let id = due.category.id
        state.doubtBundles(of: due.platforms.map(\.platform))
        var readiness: [PackPlatform: Readiness] = [:]
        for platform in due.platforms {
            do {
                let plan = try pack(due.category, for: platform)
                // Smart stickers alone have no readiness to report.
                if !plan.packs.isEmpty || !plan.findings.isEmpty {
                    readiness[platform.platform] = plan.readiness
                }
            } catch {
                discardPicture(lackedBy: error, &state)
                state.troubles[id.rawValue] =
                    "the packs of \(id) for \(platform.platform) stay as they were: \(error)"
            }
        }
        do {
            for platform in Platforms.all where !platform.isForLibrary {
                guard !due.platforms.contains(where: { $0.platform == platform.platform })
                else { continue }
                try shelf.withdraw(platform.platform, id)
            }
            guard state.troubles[id.rawValue] == nil else { return }
            let before = try store.packs.readiness(of: id) ?? [:]
            let isNews = try store.packs.setReadiness(
                readiness, generation: due.category.generation, mark: due.mark, of: id)
            if isNews { publisher.changed([id]) }
            note(readiness, after: before, id)
        } catch {
            state.troubles[id.rawValue] = "the packs of \(id) stay as they were: \(error)"
        }
    }

    private func pack(
        _ category: PackedCategory, for platform: some PackMaking
    ) throws -> PackPlan {
        let tree = PublishedTree(settings.current)
        let pictures = PackPictures(store, settings.current)
        let plan = try PackBooks(store, shelf).record(category.id, for: platform) {
            guard var source = try tree.source(of: category.names) else {
                throw PackError(description: "nothing is published of it")
            }
            let made = try pictures.complete(
                &source, category.names, for: platform, by: maker, into: objects)
            if made > 0 { note(made, category.id, platform.platform) }
            return source
        }
        if !platform.isForLibrary {
            let bundle = try PackBooks(store, shelf).bundle(of: category.id, for: platform)
            try publish(bundle, for: platform, of: category.id)
        }
        return plan
    }

    /// Logs the packs that a category no longer has, and those that it has again.
    private func note(
        _ now: [PackPlatform: Readiness], after before: [PackPlatform: Readiness],
        _ category: CategoryID
    ) {
        for (platform, readiness) in now.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where (before[platform]?.lack == nil) != (readiness.lack == nil) {
            var metadata: Logger.Metadata = [
                LogKey.category: "\(category)", "platform": "\(platform.rawValue)",
            ]
            guard let lack = readiness.lack else {
                logger.notice("packs are ready", metadata: metadata)
                continue
            }
            metadata["rule"] = "\(lack.rule)"
            metadata[LogKey.detail] = "\(lack.sentence)"
            metadata[LogKey.remedy] =
                "\(OperatorCommand("lint \(category) --for \(platform.rawValue)"))"
            logger.warning("packs are not ready", metadata: metadata)
        }
    }

    /// Removes a damaged published picture that packs need.
    private func discardPicture(lackedBy error: any Error, _ state: inout State) {
        guard let picture = (error as? PackError)?.lackedPicture else { return }
        state.lacksPicture = true
        do {
            try objects.discard(picture.path)
        } catch {
            noteKept("\(error)")
        }
    }

    /// Has missing pictures made again, all at once, because every published file is checked.
    private func mendPictures(_ state: inout State) {
        guard state.lacksPicture else { return }
        state.lacksPicture = false
        do {
            try mend()
        } catch {
            noteKept("\(error)")
        }
    }

    private func note(_ made: Int, _ category: CategoryID, _ platform: PackPlatform) {
        logger.info(
            "pictures made for packs",
            metadata: [
                LogKey.category: "\(category)", "platform": "\(platform.rawValue)",
                LogKey.count: "\(made)",
            ])
    }

    /// Publishes the packs of all categories, or withdraws them if no setting asks for them.
    private func publishLibrary(_ platform: some PackMaking) throws {
        let books = PackBooks(store, shelf)
        let name = platform.platform
        guard !platform.isForLibrary else {
            return try publish(books.bundle(of: nil, for: platform), for: platform, of: nil)
        }
        guard settings.current.publish.libraryPacks.contains(name) else {
            return try shelf.withdraw(name, nil)
        }
        let categories = try store.packs.packedCategories().filter {
            settings.current.settings(of: $0.names).packs.contains(name)
        }
        let bundle = try books.bundle(ofAll: categories.map(\.id), for: platform)
        // Pictures of smart stickers are removed when they change; a folder that is kept for days excludes them.
        let whole = platform.ofLibrary(smart: [], personal: settings.current.personal)
        try publish(bundle, for: whole, of: nil)
    }

    /// Publishes the packs in the database; `category` is `nil` for a bundle of the whole library.
    private func publish(
        _ bundle: PackBundle, for platform: some PackMaking, of category: CategoryID?
    ) throws {
        let start = ContinuousClock.now
        guard try shelf.publish(bundle, for: platform, category) else { return }
        var metadata: Logger.Metadata = [
            LogKey.category: "\(Self.shown(category))",
            "platform": "\(platform.platform.rawValue)",
            LogKey.count: "\(bundle.packs.count)",
            LogKey.milliseconds: "\(Int((ContinuousClock.now - start).inMilliseconds.rounded()))",
        ]
        if category == nil, !platform.isForLibrary {
            let leftOut = try store.packs.libraryPacks(for: [platform.platform]).flatMap(\.leftOut)
            if !leftOut.isEmpty {
                metadata["left.out"] = "\(leftOut.map(\.rawValue).joined(separator: ", "))"
            }
        }
        logger.info("packs published", metadata: metadata)
    }

    /// The key of trouble with a bundle of the whole library; ids of categories contain no slash.
    private static func bundle(_ platform: PackPlatform) -> String { "/\(platform.rawValue)" }

    private static func shown(_ category: CategoryID?) -> String { category?.rawValue ?? "all" }
}
