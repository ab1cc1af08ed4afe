import Dispatch
import FoundationEssentials
public import StickerConfiguration
import StickerContainers
public import StickerPacks
public import StickerStore
import StickerSystem
public import StickerValues
import Synchronization

/// Pictures that packs need and manifests do not list: icons, and renditions for platforms without configuration. The
/// worker makes them on request; they are kept like the pictures of removed stickers.
public struct PackPictures: Sendable {
    private let packs: PackRecords
    private let configuration: Configuration

    /// Creates a view of the database and `configuration.out`.
    public init(_ packs: PackRecords, _ configuration: Configuration) {
        (self.packs, self.configuration) = (packs, configuration)
    }

    /// A missing picture, and how to make it.
    private struct Order: Sendable {
        var subject: Subject
        var bytes: @Sendable () -> SourceBytes?
        var content: ContentHash
        var recipe: Recipe
        /// Its targets, by the id of the recipe of the file.
        var targets: [RecipeID: Target]
    }

    fileprivate enum Subject: Hashable, Sendable {
        /// The sticker with this number in the category, for a target.
        case sticker(Int)
        /// The icons of a sticker that represents a pack; `nil` for those of the category's cover.
        case icons(StickerID?)
    }

    // MARK: Looking

    /// Adds existing pictures to the category. Icons not made yet are represented by their origin, because they can be
    /// made.
    ///
    /// - Parameters:
    ///   - source: the category.
    ///   - names: its names, by which the configuration may list its settings.
    ///   - platform: the platform.
    /// - Throws: `StoreError` if the database cannot be read.
    public func find(
        in source: inout PackSource, _ names: CategoryNames, for platform: some PackMaking
    ) throws {
        _ = try missingRenditions(in: &source, names, platform)
        for order in try missingIcons(in: &source, names, platform, rebalancing: false) {
            guard case .icons(let sticker) = order.subject,
                let picture = try still(of: sticker, in: source)
            else { continue }
            for target in order.targets.values {
                let size = PixelSize(width: target.canvas.width, height: target.canvas.height)
                source.add(PackIcon(size: size, picture: picture), of: sticker)
            }
        }
    }

    /// Adds existing renditions, and returns the missing ones.
    private func missingRenditions(
        in source: inout PackSource, _ names: CategoryNames, _ platform: some PackMaking
    ) throws -> [Order] {
        guard let name = platform.platform.target, let target = configuration.targets[name] else {
            return []
        }
        var orders: [Order] = []
        let base = configuration.recipe(of: names)
        for (index, sticker) in source.stickers.enumerated() {
            let isTaken = sticker.animated ? target.moving != nil : target.still != nil
            let isRefused = sticker.shortfalls?.contains { $0.target == name } ?? false
            guard isTaken, !isRefused, source.picture(of: sticker, for: platform.platform) == nil
            else {
                continue
            }
            let content = sticker.source.sha256
            var recipe = base.rendition(of: target)
                .granting((sticker.source.concessions ?? Concessions()).about(content))
            recipe.drawsStill = !sticker.animated
            let ids = [recipe.ids.ofPicture(isCMYK: false), recipe.ids.ofPicture(isCMYK: true)]
                .compactMap { $0[moves: sticker.animated].recipe(for: name) }
            if let file = try file(of: content, ids) {
                source.stickers[index].add(file, name, source.baseURL)
                continue
            }
            orders.append(
                Order(
                    subject: .sticker(index),
                    bytes: { [packs, configuration] in
                        packs.bytes(
                            of: sticker.identifier, content, configuration.limits.sourceBytesMax)
                    }, content: content, recipe: recipe,
                    targets: Dictionary(ids.map { ($0, target) }, uniquingKeysWith: { $1 })))
        }
        return orders
    }

    /// Adds existing icons, and returns the missing ones: of the cover, else of the first sticker of each pack, so that
    /// a change to one pack does not affect the others.
    private func missingIcons(
        in source: inout PackSource, _ names: CategoryNames, _ platform: some PackMaking,
        rebalancing: Bool
    ) throws -> [Order] {
        guard !platform.icons.isEmpty else { return [] }
        let base = configuration.recipe(of: names)
        let books = PackBooks(packs, PackShelf(out: configuration.out))
        let stickers: [StickerID?] =
            source.hasCover
            ? [nil] : try books.heads(of: source, for: platform, rebalancing: rebalancing)
        return try stickers.compactMap { try icons(of: $0, in: &source, base, platform) }
    }

    /// Icons are made from a published picture: it is upright; of an animation, the first frame.
    private func icons(
        of sticker: StickerID?, in source: inout PackSource, _ base: Recipe,
        _ platform: some PackMaking
    ) throws -> Order? {
        guard let picture = try still(of: sticker, in: source) else { return nil }
        // The art of that picture is already processed.
        var recipe = base
        (recipe.settings.trim, recipe.settings.watermarks) = (false, [])
        (recipe.settings.tint, recipe.settings.outline) = (.init(), .init())
        // That picture is at least as large as an icon, so `auto` would choose the same, and icons made before this
        // default keep their recipes.
        if recipe.settings.resample == .auto { recipe.settings.resample = .lanczos3 }
        recipe.targets = [base.targets[0]] + platform.icons.map(Target.icon)
        recipe.makesSticker = false
        var targets: [RecipeID: Target] = [:]
        for target in recipe.targets.dropFirst() {
            guard let id = recipe.ids.still.recipe(for: target.name) else { continue }
            if let file = try file(of: picture.sha256, [id]) {
                source.add(PackIcon(size: file.size, picture: file.published), of: sticker)
            } else {
                targets[id] = target
            }
        }
        recipe.targets.removeAll { $0.name != base.targets[0].name && !targets.values.contains($0) }
        let path = "\(configuration.out)/\(picture.path)"
        return targets.isEmpty
            ? nil
            : Order(
                subject: .icons(sticker),
                bytes: {
                    (try? Data(contentsOf: URL(filePath: path))).map { SourceBytes([UInt8]($0)) }
                },
                content: picture.sha256, recipe: recipe, targets: targets)
    }

    /// The published picture of 512 pixels of a sticker, or of the cover; of an animation, the first frame.
    private func still(
        of sticker: StickerID?, in source: PackSource
    ) throws -> PublishedPicture? {
        guard let sticker else {
            return try packs.coverPicture(of: source.category)?.published
        }
        let files = source.stickers.first { $0.identifier == sticker }?.files ?? []
        return [StickerFile.Role.poster, .companion, .sticker].lazy
            .compactMap { role in files.first { $0.role == role && $0.frames ?? 1 == 1 } }
            .first.map { PublishedPicture(sha256: $0.sha256, format: $0.format) }
    }

    private func file(of content: ContentHash, _ recipes: [RecipeID]) throws -> StickerFile? {
        try packs.knownProducts(of: content).lazy.flatMap(\.files).first { file in
            file.recipe.map(recipes.contains) == true && isThere(file)
        }
    }

    private func isThere(_ file: StickerFile) -> Bool {
        // Inaccessible files are made again.
        let status = try? FileStatus(link: "\(configuration.out)/\(file.path)")
        return status.map { $0.kind == .regular && $0.size == file.bytes } ?? false
    }

    // MARK: Making

    /// Adds existing pictures to the category, and makes and keeps the rest.
    ///
    /// - Parameters:
    ///   - source: the category.
    ///   - names: its names, by which the configuration may list its settings.
    ///   - platform: the platform.
    ///   - rebalancing: whether stickers may move in the plan.
    ///   - maker: makes pictures.
    ///   - objects: their storage.
    /// - Returns: how many pictures were made.
    /// - Throws: `StoreError` or `FileError`; pictures made before that are kept.
    public func complete(
        _ source: inout PackSource, _ names: CategoryNames, for platform: some PackMaking,
        rebalancing: Bool = false, by maker: some StickerMaking, into objects: ObjectStore
    ) throws -> Int {
        let renditions = try missingRenditions(in: &source, names, platform)
        var count = try make(renditions, &source, maker, objects)
        // Which stickers represent packs depends on which have a picture for the platform.
        let icons = try missingIcons(in: &source, names, platform, rebalancing: rebalancing)
        count += try make(icons, &source, maker, objects)
        return count
    }

    private func make(
        _ orders: [Order], _ source: inout PackSource, _ maker: some StickerMaking,
        _ objects: ObjectStore
    ) throws -> Int {
        guard !orders.isEmpty else { return 0 }
        let known = source
        let results = Mutex<[Int: Result<Outcome, any Error>]>([:])
        let next = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(
            iterations: min(orders.count, configuration.workerCount)
        ) { _ in
            while case let index = next.add(1, ordering: .relaxed).oldValue, index < orders.count {
                let order = orders[index]
                let result = Result {
                    try make(order, animated: isAnimated(order, known), maker, objects)
                }
                results.withLock { $0[index] = result }
            }
        }
        var count = 0
        for (index, result) in results.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            let outcome = try result.get()
            count += outcome.files.count
            for file in outcome.files { source.add(file, orders[index].subject) }
            if case .sticker(let sticker) = orders[index].subject {
                source.stickers[sticker].add(outcome.shortfalls)
            }
        }
        return count
    }

    private func isAnimated(_ order: Order, _ source: PackSource) -> Bool {
        guard case .sticker(let sticker) = order.subject else { return false }
        return source.stickers[sticker].animated
    }

    private struct Outcome: Sendable {
        var files: [StickerFile] = []
        var shortfalls: [Shortfall] = []
    }

    /// Makes a picture and keeps it at once, so that nothing waits in memory and a stop loses little.
    private func make(
        _ order: Order, animated: Bool, _ maker: some StickerMaking, _ objects: ObjectStore
    ) throws -> Outcome {
        let name = order.targets.values.map(\.name).sorted().joined(separator: ", ")
        func lacking(_ refusal: Refusal) -> Outcome {
            Outcome(shortfalls: [Shortfall(target: name, refusal)])
        }
        guard let source = order.bytes() else { return lacking(.sourceIsGone) }
        let report = maker.make(source, recipe: order.recipe, limits: configuration.limits)
        switch report.result {
        case .success(let made):
            return Outcome(
                files: try keep(made, order, animated: animated, objects),
                shortfalls: made.shortfalls)
        case .failure(.refused(let refusal)), .failure(.worker(let refusal)):
            return lacking(refusal)
        case .failure(.lacking(let why)): return lacking(.notMadeNow(why))
        case .failure(.yielded): return lacking(.notMadeNow("no time"))
        }
    }

    /// Puts the files of an order in place and records them.
    private func keep(
        _ made: MadeSticker, _ order: Order, animated: Bool, _ objects: ObjectStore
    ) throws -> [StickerFile] {
        guard !made.files.isEmpty else { return [] }
        let staged = try objects.stage(
            made.files.map { NewObject(bytes: $0.bytes, format: $0.format) })
        if let error = objects.commit([staged]).compactMap(\.self).first { throw error }
        let files = zip(made.files, staged.hashes).map { file, hash in
            StickerFile(
                role: .rendition, target: file.target,
                recipe: order.targets.first { $0.value.name == file.target }?.key,
                format: file.format, size: file.size, bytes: file.bytes.count, sha256: hash,
                frames: file.frames, durationMilliseconds: file.durationMilliseconds,
                encoding: file.encoding)
        }
        guard let encoding = files[0].encoding else { return files }
        // No recipe of a whole sticker has this id, so no such product is replaced.
        let recipe = files.compactMap(\.recipe).map(\.rawValue).joined(separator: " ")
        let product = StickerProduct(
            recipe: RecipeID(rawValue: "pack \(recipe)"), revision: Recipe.currentRevision,
            animated: animated, encoding: encoding, files: files)
        try packs.keep(product, of: order.content)
        return files
    }
}

extension Target {
    /// A still PNG of this size.
    fileprivate static func icon(_ size: PixelSize) -> Target {
        var target = Target(
            name: "icon_\(size.width)x\(size.height)",
            canvas: TargetCanvas(width: size.width, height: size.height))
        var rules = StillRules()
        (rules.forms, rules.bytesMax) = ([.png, .palettePNG], 500_000)
        target.still = rules
        return target
    }
}

extension Recipe {
    /// A recipe that makes only the file for another target.
    fileprivate func rendition(of target: Target) -> Recipe {
        var recipe = self
        recipe.targets = [targets[0], target]
        recipe.makesSticker = false
        return recipe
    }
}

extension StickerFile {
    fileprivate var published: PublishedPicture {
        PublishedPicture(sha256: sha256, format: format)
    }
}

extension PackSource {
    fileprivate mutating func add(_ file: StickerFile, _ subject: PackPictures.Subject) {
        switch subject {
        case .sticker(let index): stickers[index].add(file, file.target ?? "", baseURL)
        case .icons(let sticker):
            add(PackIcon(size: file.size, picture: file.published), of: sticker)
        }
    }

    /// Adds an icon of a sticker; `nil` for the cover.
    fileprivate mutating func add(_ icon: PackIcon, of sticker: StickerID?) {
        guard let sticker else { return icons.append(icon) }
        stickerIcons[sticker, default: []].append(icon)
    }
}

extension ManifestSticker {
    fileprivate mutating func add(_ file: StickerFile, _ target: String, _ base: String?) {
        var file = file
        (file.role, file.target) = (.rendition, target)
        files.append(File(file, url: (base ?? "../") + file.path))
    }

    fileprivate mutating func add(_ found: [Shortfall]) {
        guard !found.isEmpty else { return }
        shortfalls = (shortfalls ?? []) + found
    }
}

extension Refusal {
    fileprivate static let sourceIsGone = Refusal(
        .unreadable, "the file that the sticker was made from is missing or has changed",
        remedy: "put it back, or wait until the sticker is made again")

    fileprivate static func notMadeNow(_ why: String) -> Refusal {
        Refusal(.retriesExhausted, "it cannot be made now: \(why)", remedy: "try again later")
    }
}
