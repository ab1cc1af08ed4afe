import StickerConfiguration
import StickerPackFiles
import StickerPacks
import StickerProgram
import StickerStore
import StickerSystem
import StickerValues

/// Keeps the configured packs up to date with the manifests, and records their state in the manifests.
///
/// A category is packed once none of its pictures is being made and nothing has changed for a while, so that stickers
/// that arrive together are divided together; a sticker stays in its pack. A category that never rests is packed every
/// five minutes.
final class PackKeeper: Sendable {
    private static let rest = Duration.seconds(5)
    private static let patience = Duration.seconds(300)
    private static let retryAfterFailure = Duration.seconds(60)

    private let state = QueueConfined(State(), label: "stickerd.packs")
    private let writer: PackWriter
    private let mend: @Sendable () throws -> Void
    private let report: @Sendable (_ trouble: String?) -> Void

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

        /// Whether a category rests, or has waited for long enough; otherwise it waits on.
        mutating func isTime(
            toPack category: PackedCategory, isBusy: Bool, hurries: Bool
        ) -> Bool {
            var waiting = waiting[category.id] ?? Waiting(generation: category.generation)
            waiting.note(category.generation)
            let isResting =
                !isBusy && !category.isBehind && .now - waiting.changedAt >= PackKeeper.rest
            let isTime = hurries || isResting || .now - waiting.since > PackKeeper.patience
            self.waiting[category.id] = isTime ? nil : waiting
            return isTime
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
        writer: PackWriter, mend: @escaping @Sendable () throws -> Void,
        report: @escaping @Sendable (_ trouble: String?) -> Void
    ) {
        (self.writer, self.mend, self.report) = (writer, mend, report)
    }

    /// Notes that settings have changed, or that an operator changed packs.
    func steered() {
        state.async { state in
            state.seen = nil
            state.doubtBundles()
        }
    }

    /// Updates packs if manifests were written since the last look.
    func look() {
        state.async { [self] state in
            let written = writer.publisher.written
            guard state.seen != written, state.retryAt.map({ $0 <= .now }) ?? true else { return }
            state.seen = pack(&state, hurries: false) ? written : nil
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

    /// Removes packs that nobody needs any more. Writes in progress finish first; the caller does not wait.
    func clean() {
        state.async { [writer] state in
            (state.doubtsPacks, state.seen) = (true, nil)
            writer.release()
            writer.clean()
        }
    }

    /// A category, and its packs as they are to be.
    private struct Due {
        var category: PackedCategory
        var platforms: [any PackMaking]
        var mark: String

        /// Whether its packs are as new as its manifest.
        var isUpToDate: Bool {
            category.packedGeneration == category.generation && category.mark == mark
        }
    }

    /// - Returns: whether nothing is left to do.
    private func pack(_ state: inout State, hurries: Bool) -> Bool {
        guard !state.isStopped else { return true }
        // While `out` is away, packs look as if they had never been published.
        do throws(FileError) {
            try writer.objects.checkPlace()
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
                try writer.publishLibrary(platform)
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
        let members = try writer.members()
        let damagedBundles = state.doubtsPacks ? bundleDamage(&state) : [:]
        if state.doubtsPacks { state.doubtBundles() }
        var behind: [Due] = []
        for category in try writer.store.packs.packedCategories() {
            let due = due(category, members)
            let isPacked =
                try due.isUpToDate
                && !(state.doubtsPacks && writer.noteDamage(to: category, damagedBundles))
            // Categories that were never packed and are not to be packed are skipped.
            if !isPacked, category.packedGeneration != nil || !due.platforms.isEmpty {
                behind.append(due)
            } else {
                state.waiting[category.id] = nil
            }
        }
        let busy = behind.isEmpty ? [] : try writer.store.packs.busyCategories()
        let due = behind.filter { due in
            let isBusy = busy.contains(due.category.id)
            return state.isTime(toPack: due.category, isBusy: isBusy, hurries: hurries)
        }
        state.doubtsPacks = false
        return (due, due.count == behind.count)
    }

    /// The packs of a category as they are to be.
    private func due(
        _ category: PackedCategory, _ members: [PackPlatform: Set<CategoryID>]
    ) -> Due {
        let configuration = writer.settings.current
        let own = configuration.settings(of: category.names)
        let kept = own.packs
        // A category with a place in a bundle keeps it.
        let wanted = kept + members.filter { $1.contains(category.id) && !kept.contains($0) }.keys
        let mark = Self.mark(
            wanted, configuration.recipe(of: category.names), own.tuikit,
            sharesTitle: category.sharesTitle)
        let platforms = Platforms.all.filter { wanted.contains($0.platform) }
        return Due(category: category, platforms: platforms, mark: mark)
    }

    /// Damage to bundles of the whole library on platforms without other packs. Damage to the other bundles is only
    /// noted, as the packs of each category are intact.
    private func bundleDamage(_ state: inout State) -> [PackPlatform: LibraryDamage] {
        for platform in writer.settings.current.publish.libraryPacks {
            guard let damage = writer.noteDamage(toLibraryFor: platform) else { continue }
            // Due at once, without waiting for the remaining categories.
            state.bundles[platform] = .now - Self.patience
            state.troubles[Self.bundle(platform)] =
                "the folder of the library for \(platform) is damaged: \(damage.finding.sentence)"
        }
        return writer.libraryDamage()
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
                let plan = try writer.pack(due.category, for: platform)
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
            try writer.withdraw(id, butFor: due.platforms)
            guard state.troubles[id.rawValue] == nil else { return }
            try writer.record(readiness, of: due.category, mark: due.mark)
        } catch {
            state.troubles[id.rawValue] = "the packs of \(id) stay as they were: \(error)"
        }
    }

    /// Removes a damaged published picture that packs need.
    private func discardPicture(lackedBy error: any Error, _ state: inout State) {
        guard let picture = (error as? PackError)?.lackedPicture else { return }
        state.lacksPicture = true
        do {
            try writer.objects.discard(picture.path)
        } catch {
            writer.noteKept("\(error)")
        }
    }

    /// Has missing pictures made again, all at once, because every published file is checked.
    private func mendPictures(_ state: inout State) {
        guard state.lacksPicture else { return }
        state.lacksPicture = false
        do {
            try mend()
        } catch {
            writer.noteKept("\(error)")
        }
    }

    /// The key of trouble with a bundle of the whole library; ids of categories contain no slash.
    private static func bundle(_ platform: PackPlatform) -> String { "/\(platform.rawValue)" }
}
