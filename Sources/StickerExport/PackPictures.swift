import Dispatch
import FoundationEssentials
import StickerContainers
public import StickerModel
public import StickerPacks
public import StickerStore
import StickerSystem
import Synchronization

/// Pictures that packs need and manifests do not list: renditions for platforms that nobody configured, and icons. They
/// are made in the worker on request, and kept like the pictures of removed stickers.
public struct PackPictures: Sendable {
    private let store: JobStore
    private let configuration: Configuration

    /// Creates a view of what `store` knows and `configuration.out` holds.
    public init(_ store: JobStore, _ configuration: Configuration) {
        (self.store, self.configuration) = (store, configuration)
    }

    /// A picture that is missing, and how it is made.
    private struct Order: Sendable {
        /// The sticker that it belongs to; `nil` for icons.
        var sticker: Int?
        var bytes: @Sendable () -> SourceBytes?
        var content: ContentHash
        var recipe: Recipe
        /// What it is made for, by the id of the recipe of the file.
        var targets: [RecipeID: Target]
    }

    // MARK: Looking

    /// Adds to the category what was made before. The cover stands for icons that were not: they can be made.
    ///
    /// - Parameters:
    ///   - source: the category.
    ///   - names: its names, by which the configuration may list its settings.
    ///   - platform: the platform.
    /// - Throws: `StoreError` if the database cannot be read.
    public func find(
        in source: inout PackSource, _ names: CategoryNames, for platform: some PackMaking
    ) throws {
        _ = try missing(in: &source, names, platform)
        guard let cover = try store.coverPicture(of: source.category) else { return }
        let made = source.icons.map(\.size)
        source.icons += platform.icons.filter { !made.contains($0) }
            .map { PackIcon(size: $0, picture: cover.published) }
    }

    /// Adds what was made before, and returns what was not.
    private func missing(
        in source: inout PackSource, _ names: CategoryNames, _ platform: some PackMaking
    ) throws -> [Order] {
        var orders: [Order] = []
        let base = configuration.recipe(of: names)
        if let order = try icons(of: &source, base, platform) { orders.append(order) }
        guard let name = platform.platform.target, let target = configuration.targets[name] else {
            return orders
        }
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
                    sticker: index,
                    bytes: { [store, configuration] in
                        store.bytes(
                            of: sticker.identifier, content, configuration.limits.sourceBytesMax)
                    }, content: content, recipe: recipe,
                    targets: Dictionary(ids.map { ($0, target) }, uniquingKeysWith: { $1 })))
        }
        return orders
    }

    /// Icons are made from the published picture of the cover: it is upright, and of what moves its first frame.
    private func icons(
        of source: inout PackSource, _ base: Recipe, _ platform: some PackMaking
    ) throws -> Order? {
        guard !platform.icons.isEmpty, let cover = try store.coverPicture(of: source.category)
        else { return nil }
        var recipe = base
        recipe.targets = [base.targets[0]] + platform.icons.map(Target.icon)
        recipe.makesSticker = false
        var targets: [RecipeID: Target] = [:]
        for target in recipe.targets.dropFirst() {
            guard let id = recipe.ids.still.recipe(for: target.name) else { continue }
            if let file = try file(of: cover.sha256, [id]) {
                source.icons.append(PackIcon(size: file.size, picture: file.published))
            } else {
                targets[id] = target
            }
        }
        recipe.targets.removeAll { $0.name != base.targets[0].name && !targets.values.contains($0) }
        let path = "\(configuration.out)/\(cover.path)"
        return targets.isEmpty
            ? nil
            : Order(
                sticker: nil,
                bytes: {
                    (try? Data(contentsOf: URL(filePath: path))).map { SourceBytes([UInt8]($0)) }
                },
                content: cover.sha256, recipe: recipe, targets: targets)
    }

    private func file(of content: ContentHash, _ recipes: [RecipeID]) throws -> StickerFile? {
        try store.knownProducts(of: content).lazy.flatMap(\.files).first { file in
            file.recipe.map(recipes.contains) == true && isThere(file)
        }
    }

    private func isThere(_ file: StickerFile) -> Bool {
        // What cannot be looked at is made again.
        let status = try? FileStatus(link: "\(configuration.out)/\(file.path)")
        return status.map { $0.kind == .regular && $0.size == file.bytes } ?? false
    }

    // MARK: Making

    /// Adds to the category what was made before, and makes and keeps the rest.
    ///
    /// - Parameters:
    ///   - source: the category.
    ///   - names: its names, by which the configuration may list its settings.
    ///   - platform: the platform.
    ///   - maker: makes pictures.
    ///   - objects: where they are put.
    /// - Returns: how many pictures were made.
    /// - Throws: `StoreError` or `FileError`; what was made until then is kept.
    public func complete(
        _ source: inout PackSource, _ names: CategoryNames, for platform: some PackMaking,
        by maker: some StickerMaking, into objects: ObjectStore
    ) throws -> Int {
        let orders = try missing(in: &source, names, platform)
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
            let (order, outcome) = (orders[index], try result.get())
            count += outcome.files.count
            for file in outcome.files { source.add(file, order.sticker) }
            order.sticker.map { source.stickers[$0].add(outcome.shortfalls) }
        }
        return count
    }

    private func isAnimated(_ order: Order, _ source: PackSource) -> Bool {
        order.sticker.map { source.stickers[$0].animated } ?? false
    }

    /// What became of an order.
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
        // No recipe of a whole sticker has this id, so that no such product is replaced.
        let recipe = files.compactMap(\.recipe).map(\.rawValue).joined(separator: " ")
        let product = StickerProduct(
            recipe: RecipeID(rawValue: "pack \(recipe)"), revision: Recipe.currentRevision,
            animated: animated, encoding: encoding, files: files)
        try store.keep(product, of: order.content)
        return files
    }
}

extension Target {
    /// A PNG of this size that stands still.
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
    /// The part that makes nothing but the file for another target.
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
    fileprivate mutating func add(_ file: StickerFile, _ sticker: Int?) {
        guard let sticker else {
            return icons.append(PackIcon(size: file.size, picture: file.published))
        }
        stickers[sticker].add(file, file.target ?? "", baseURL)
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
        .unreadable, "the file that the sticker was made from is not there, or is another now",
        remedy: "put it back, or wait until the sticker is made again")

    fileprivate static func notMadeNow(_ why: String) -> Refusal {
        Refusal(.retriesExhausted, "it cannot be made now: \(why)", remedy: "try again later")
    }
}
