import NIOCore
import StickerConfiguration
import StickerHTTP
import StickerStore
import StickerValues
import StickerWorkers
import Synchronization

/// Draws stickers with a look that is only tried, in a worker, as the daemon would; one at a time.
final class LookPreviews: Sendable {
    /// The time for one picture.
    private static let patience = Duration.seconds(15)
    private static let cpuSeconds = 10
    /// How many pictures are remembered, for pages that ask for one twice.
    private static let rememberedMax = 32

    private struct Key: Hashable {
        var content: ContentHash
        var recipe: Recipe
    }

    private let program = try? WorkerProgram.find()
    private let working = Mutex(())
    private let remembered = Mutex<[Key: MadeFile]>([:])

    /// Whether the programs that draw are installed.
    var areMade: Bool { program != nil }

    /// A sticker of a category with the look that a query has, as JSON or as fields of its form.
    ///
    /// - Throws: `WebError`, or `StoreError`.
    func answer(
        _ category: CategoryID, _ sticker: StickerID, _ query: [String: String],
        _ store: LibraryStore, _ configuration: Configuration
    ) throws -> Answer {
        guard try store.operations.category(of: sticker) == category,
            let story = try store.operations.story(of: sticker.rawValue), let live = story.product,
            let key = try store.operations.pictures(of: sticker.rawValue).first?.key,
            !key.isTemplate
        else { throw WebError.nothingHere }
        var names = try store.catalog.names(of: category)
        names.look = try Self.look(query, configuration)
        guard configuration.missingMarks(of: names).isEmpty else {
            throw Self.refused("a mark is missing")
        }
        let limits = Self.limits(configuration)
        guard
            case .read(let source, let content, _) = SourceReader.read(
                key, expected: nil, bytesMax: limits.sourceBytesMax)
        else { throw Self.refused("the picture cannot be read now") }
        var recipe = configuration.recipe(of: names)
            .granting((story.concessions ?? Concessions()).about(content))
        recipe.drawsStill = !live.animated
        let made = try file(
            Key(content: content, recipe: recipe.ofStickerAlone), source, configuration)
        return Answer(
            200,
            [
                ("Content-Type", "image/\(made.format.rawValue)"),
                ("Cache-Control", "private, max-age=60"),
                ("Content-Security-Policy", "default-src 'none'; sandbox"),
                ("Cross-Origin-Resource-Policy", "same-origin"),
            ], .bytes(ByteBuffer(bytes: made.bytes)))
    }

    private static func look(
        _ query: [String: String], _ configuration: Configuration
    ) throws -> CategoryLook? {
        let text = query["look"] ?? LookForm(sent: query).text
        guard !text.isEmpty else { return nil }
        do {
            return try SideFile.category.words(
                in: Array("{\"look\": \(text)}".utf8), by: configuration.lookRules
            ).category.look
        } catch {
            let faults = error.faults.map { "\($0.fault)" }.joined(separator: "; ")
            throw WebError(
                status: 400, message: faults, remedy: "correct it; nothing was saved")
        }
    }

    private static func limits(_ configuration: Configuration) -> DecodeLimits {
        var limits = configuration.limits
        limits.cpuSecondsMax = min(limits.cpuSecondsMax, cpuSeconds)
        return limits
    }

    private func file(
        _ key: Key, _ source: SourceBytes, _ configuration: Configuration
    ) throws -> MadeFile {
        if let known = remembered.withLock({ $0[key] }) { return known }
        // Nobody waits: threads that answer pages are few.
        let made = try working.withLockIfAvailable { _ in
            try make(key.recipe, source, configuration)
        }
        guard let made else {
            throw WebError(
                status: 503, message: "another look is being drawn",
                remedy: "try again in a second")
        }
        remembered.withLock { known in
            if known.count >= Self.rememberedMax { known = [:] }
            known[key] = made
        }
        return made
    }

    private func make(
        _ recipe: Recipe, _ source: SourceBytes, _ configuration: Configuration
    ) throws -> MadeFile {
        guard let program else { throw Self.refused("stickerd-worker is not installed") }
        let worker = configuration.worker
        let start = ContinuousClock.now
        let report = WorkerMaking(program: program, isStickerAlone: true) { worker }.make(
            source, recipe: recipe, limits: Self.limits(configuration),
            lane: WorkLane(isLarge: false, isFirstAttempt: true) { _ in
                ContinuousClock.now - start > Self.patience
            })
        switch report.result {
        case .success(let made):
            guard let file = made.files.first else { throw Self.refused("there is no picture") }
            return file
        case .failure(.refused(let refusal)), .failure(.worker(let refusal)):
            throw Self.refused(refusal.detail)
        case .failure(.lacking(let why)): throw Self.refused(why)
        case .failure(.yielded): throw Self.refused("it takes longer than a preview may")
        }
    }

    private static func refused(_ why: String) -> WebError {
        WebError(
            status: 422, message: why, remedy: "save it, and see the sticker that the daemon makes")
    }
}
