import Logging
import StickerConfiguration
import StickerPackFiles
import StickerPacks
import StickerProgram
import StickerStore
import StickerValues

/// Writes packs, and records their state in the manifests.
struct PackWriter: Sendable {
    let settings: Settings
    let store: LibraryStore
    let objects: ObjectStore
    let maker: any StickerMaking
    let publisher: Publisher
    let logger: Logger

    private var shelf: PackShelf { PackShelf(out: settings.current.out) }
    private var books: PackBooks { PackBooks(store.packs, shelf) }

    /// Packs a category for a platform and publishes the packs, unless they have a place in a bundle of the library.
    func pack(_ category: PackedCategory, for platform: some PackMaking) throws -> PackPlan {
        let tree = PublishedTree(settings.current)
        let pictures = PackPictures(store.packs, settings.current)
        let plan = try books.record(category.id, for: platform) {
            guard var source = try tree.source(of: category.names) else {
                throw PackError(description: "nothing is published of it")
            }
            let made = try pictures.complete(
                &source, category.names, for: platform, by: maker, into: objects)
            if made > 0 { note(made, category.id, platform.platform) }
            return source
        }
        if !platform.isForLibrary {
            let bundle = try books.bundle(of: category.id, for: platform)
            try publish(bundle, for: platform, of: category.id)
        }
        return plan
    }

    /// Records the readiness of a category's packs.
    func record(
        _ readiness: [PackPlatform: Readiness], of category: PackedCategory, mark: String
    ) throws {
        let before = try store.packs.readiness(of: category.id) ?? [:]
        let isNews = try store.packs.setReadiness(
            readiness, generation: category.generation, mark: mark, of: category.id)
        if isNews { publisher.changed([category.id]) }
        note(readiness, after: before, category.id)
    }

    /// Withdraws the packs of a category for all other platforms.
    func withdraw(_ category: CategoryID, butFor platforms: [any PackMaking]) throws {
        for platform in Platforms.all
        where !platform.isForLibrary
            && !platforms.contains(where: { $0.platform == platform.platform })
        {
            try shelf.withdraw(platform.platform, category)
        }
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

    private func note(_ made: Int, _ category: CategoryID, _ platform: PackPlatform) {
        logger.info(
            "pictures made for packs",
            metadata: [
                LogKey.category: "\(category)", "platform": "\(platform.rawValue)",
                LogKey.count: "\(made)",
            ])
    }

    /// Publishes the packs of all categories, or withdraws them if no setting asks for them.
    func publishLibrary(_ platform: some PackMaking) throws {
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

    /// The categories with a place in each platform's bundle.
    func members() throws -> [PackPlatform: Set<CategoryID>] {
        Dictionary(
            uniqueKeysWithValues: try Platforms.all.filter(\.isForLibrary).map {
                ($0.platform, try books.members(of: $0))
            })
    }

    // MARK: Damage

    /// The damage to bundles of the library on platforms without other packs.
    func libraryDamage() -> [PackPlatform: LibraryDamage] {
        Dictionary(
            uniqueKeysWithValues: Platforms.all.filter(\.isForLibrary).map {
                ($0.platform, books.libraryDamage(for: $0))
            })
    }

    /// Logs the damage to the bundle of the whole library for a platform, and returns its first finding.
    func noteDamage(toLibraryFor platform: PackPlatform) -> PackDamage? {
        guard shelf.current(platform, nil)?.folder != nil else { return nil }
        let damage = shelf.damage(platform, nil)
        if !damage.isEmpty { tell(damage, nil, platform) }
        return damage.first
    }

    /// Marks the packs of a category as damaged until they are written again.
    ///
    /// - Returns: whether any are.
    func noteDamage(
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

    // MARK: Cleaning

    /// Releases packs that were exported once and not requested since.
    func release() {
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
                    try books.release(category, for: making)
                } catch {
                    noteKept("\(category) for \(platform): \(error)")
                }
            }
        } catch {
            noteKept("\(error)")
        }
    }

    /// Removes packs that were replaced long enough ago.
    func clean() {
        let keep = Int(settings.current.publish.oldRevisionHours * 3600)
        let removed = shelf.clean(olderThan: max(keep, ObjectStore.guardSeconds))
        guard removed > 0 else { return }
        logger.notice("old packs removed", metadata: [LogKey.count: "\(removed)"])
    }

    /// Nothing is lost: the next cleaning retries.
    func noteKept(_ why: String) {
        logger.warning("packs are kept for longer", metadata: [LogKey.detail: "\(why)"])
    }

    private static func shown(_ category: CategoryID?) -> String { category?.rawValue ?? "all" }
}
