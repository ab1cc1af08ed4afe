import StickerConfiguration
import StickerPackFiles
import StickerPacks
import StickerStore
import StickerValues

/// Checks a published category and its published packs.
struct CategoryLint {
    private let configuration: Configuration
    private let store: LibraryStore
    private let tree: PublishedTree
    private let shelf: PackShelf

    init(_ configuration: Configuration, _ store: LibraryStore) {
        self.configuration = configuration
        self.store = store
        tree = PublishedTree(configuration)
        shelf = PackShelf(out: configuration.out)
    }

    /// Checks a category.
    ///
    /// - Parameters:
    ///   - category: its id.
    ///   - wanted: returns the platforms to check, given those with packs.
    /// - Returns: a report for each of them, and the damaged files.
    /// - Throws: an error with one sentence if it is not published, or there is no worker.
    func answer(
        on category: CategoryID, for wanted: ([PackPlatform]) -> [any PackMaking]
    ) throws -> LintAnswer {
        let names = try store.catalog.names(of: category)
        let source: PackSource
        do {
            source = try tree.known(names)
        } catch let damage as PackDamage {
            return LintAnswer(platforms: [], published: [damage.finding])
        }
        let damage = tree.damage(to: source)
        let books = PackBooks(store.packs, shelf)
        let pictures = PackPictures(store.packs, configuration)
        let reports = try wanted(configuration.settings(of: names).packs).map { platform in
            var source = source
            try pictures.find(in: &source, names, for: platform)
            let plan = try books.plan(source, for: platform)
            return LintReport(
                platform.platform, plan, of: source,
                besides: try stickers(source, damage, platform) + packs(source, platform))
        }
        return LintAnswer(
            platforms: reports, published: damage.map(\.finding),
            unjudged: source.stickers.count { $0.appearance == nil })
    }

    /// The findings of a platform about damaged pictures.
    private func stickers(
        _ source: PackSource, _ damage: [PackDamage], _ platform: any PackMaking
    ) throws -> [Finding] {
        let paths = Set(damage.map(\.path))
        let damaged = source.stickers(for: platform.platform).filter {
            paths.contains($0.picture.published.path)
        }
        guard !damaged.isEmpty else { return [] }
        let files = PublishedFiles(out: tree.out, damaged.map(\.picture.published))
        var judge = PackJudge(files, for: platform.platform, targets: source.targets)
        let lint = try FolderLint(configuration)
        return try [false, true].flatMap { moves in
            let alike = damaged.filter { $0.picture.moves == moves }
            let judged = judge.judge(alike, of: source.category, for: platform)
            let seen = try lint.look(at: judged.pictures, in: files)
            return (judged.findings + seen).map { $0.healing(from: damage) }
        }
    }

    /// The findings about published packs. Pixels are checked only if a file is damaged.
    private func packs(_ source: PackSource, _ platform: any PackMaking) throws -> [Finding] {
        let readiness = try store.packs.readiness(of: source.category)?[platform.platform]
        guard readiness?.packs.isEmpty == false else { return [] }
        let library = libraryDamage(platform)
        let shared = library?.damage(to: source.category) ?? []
        guard !platform.isForLibrary else {
            let seen = try look(at: shared, nil, source, platform)
            return seen.filter { finding in
                finding.file.map { library?.concerns(source.category, $0) == true } ?? true
            }
        }
        let own = shelf.damage(platform.platform, source.category, readsAll: true)
        return try look(at: own, source.category, source, platform) + shared.map(\.finding)
    }

    /// The damage to a bundle of the library; `nil` if there is none published.
    private func libraryDamage(_ platform: any PackMaking) -> LibraryDamage? {
        let name = platform.platform
        let isKept =
            configuration.publish.libraryPacks.contains(name)
            && shelf.current(name, nil)?.folder != nil
        guard platform.isForLibrary || isKept else { return nil }
        return PackBooks(store.packs, shelf).libraryDamage(for: platform, readsAll: true)
    }

    /// The findings about a folder of packs with damaged files; `category` is `nil` for a bundle of the whole library.
    private func look(
        at damage: [PackDamage], _ category: CategoryID?, _ source: PackSource,
        _ platform: any PackMaking
    ) throws -> [Finding] {
        guard !damage.isEmpty else { return [] }
        let lint = try FolderLint(configuration)
        let folders = shelf.folders(platform.platform, category)
        var found: [Finding] = []
        for folder in folders ?? [] {
            do {
                let (reports, unread) = try lint.judged(
                    folder, for: platform.platform, targets: source.targets)
                found += (reports.flatMap(\.findings) + unread).map { finding in
                    var finding = finding
                    finding.file = finding.file.map { "\(shelf.shown(folder))/\($0)" }
                    return finding.healing(from: damage)
                }
            } catch is ImportFault {
                // The damaged packs cannot be read any more: the damage is already reported.
            }
        }
        return damage.map(\.finding) + found
    }
}

extension Finding {
    /// The same with the remedy for its damaged file.
    fileprivate func healing(from damage: [PackDamage]) -> Finding {
        guard let damage = damage.first(where: { $0.path == file }) else { return self }
        var finding = self
        finding.remedy = damage.remedy
        return finding
    }
}
