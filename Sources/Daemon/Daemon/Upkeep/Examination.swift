import Glibc
import Logging
import StickerConfiguration
import StickerContainers
import StickerProgram
import StickerStore
import StickerSystem
import StickerValues

/// Examines once the pictures whose stickers an earlier release made, to find those with faults that this release
/// corrects. Reads only headers, and remakes nothing.
struct Examination {
    /// How many pictures are examined in one step.
    private static let page = 100
    /// A step ends after this time, as a failing disk is slow.
    private static let stepMax = Duration.milliseconds(250)
    /// Unreadable pictures are examined again after this pause.
    private static let pause = Duration.seconds(3600)

    private let catalog: Catalog
    private let settings: Settings
    private let logger: Logger
    private var last: Int64 = 0
    private var due = ContinuousClock.now
    private var wrong = 0

    init(catalog: Catalog, settings: Settings, logger: Logger) {
        (self.catalog, self.settings, self.logger) = (catalog, settings, logger)
    }

    /// Examines the next pictures when it is time.
    mutating func step() throws {
        guard ContinuousClock.now >= due else { return }
        let end = ContinuousClock.now + Self.stepMax
        while ContinuousClock.now < end {
            guard try lookAtPage(until: end) else { return }
        }
    }

    /// Examines all pictures, for the end of a drain, unless interrupted.
    mutating func finish(isInterrupted: () -> Bool) throws {
        last = 0
        while !isInterrupted() {
            guard try lookAtPage(until: ContinuousClock.now + Self.stepMax) else { break }
        }
        tell()
    }

    /// Whether there may be more.
    private mutating func lookAtPage(until end: ContinuousClock.Instant) throws -> Bool {
        let page = try catalog.unseen(after: last, limit: Self.page)
        guard !page.isEmpty else {
            tell()
            (last, due) = (0, .now + Self.pause)
            return false
        }
        var noted: [NotedFaults] = []
        for (index, sticker) in page.enumerated() {
            if index > 0, ContinuousClock.now >= end { break }
            last = sticker.output
            let found = Reading.output(sticker.output).during { faults(of: sticker) }
            guard let found else { continue }
            noted.append(found)
        }
        try catalog.note(noted)
        wrong += noted.count(where: \.isWrong)
        return true
    }

    private mutating func tell() {
        guard wrong > 0 else { return }
        logger.notice(
            "an earlier release published stickers wrong; they stay until you make them again",
            metadata: [
                LogKey.count: "\(wrong)",
                LogKey.see: "\(OperatorCommand("plan")), \(OperatorCommand("redo --wrong"))",
            ])
        wrong = 0
    }

    /// `nil` if its file cannot be read now.
    private func faults(of sticker: UnseenSticker) -> NotedFaults? {
        let configuration = settings.current
        let source = SourceReader.headers(
            of: sticker.source, expected: sticker.version,
            bytesMax: configuration.limits.sourceBytesMax)
        guard let source else { return nil }
        let recipe = configuration.recipe(of: sticker.category)
        var published = PublishedFacts(
            isAnimated: sticker.product.animated, canvas: recipe.targets[0].canvas,
            hasAlphaFlag: alphaFlag(sticker.product))
        published.changedDefaults = Set(
            ChangedDefault.all.filter { $0.isInForce(in: recipe.settings) }.map(\.key))
        let revision = sticker.product.revision
        let found = MendedFault.faults(in: source, published, madeBy: revision)
        var noted = NotedFaults(
            output: sticker.output, revision: revision, names: found.map(\.name),
            isWrong: found.contains { $0.effect == .wrong })
        if case .picture(.svg) = ImageFormat.sniff(source) { noted.isDrawing = true }
        return noted
    }

    /// The alpha flag of the published file; read only for animations.
    private func alphaFlag(_ product: StickerProduct) -> Bool? {
        guard product.animated, let file = product.files.first, file.format == .webp else {
            return nil
        }
        let path = "\(settings.current.out)/\(file.path)"
        // A missing file is noticed elsewhere, and made again.
        guard let descriptor = try? Descriptor(path, O_RDONLY | O_NOFOLLOW),
            let head = try? descriptor.firstBytes(32, path: path)
        else { return nil }
        return PublishedFacts.alphaFlag(head)
    }
}
