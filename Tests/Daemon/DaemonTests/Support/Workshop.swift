import Foundation
import StickerConfiguration
import StickerStore
import StickerTestSupport
import StickerValues
import StickerWatch
import Synchronization
import Testing

@testable import StickerDaemon

/// Drops, a database and published files on the disk, and between them an executor whose maker is a
/// fake. Nobody watches: the test says when a file is seen, and when its job is done.
final class Workshop: Sendable {
    let folder: TemporaryFolder
    let store: LibraryStore
    let objects: ObjectStore
    let settings: Settings
    let maker = FakeMaker()
    private let lookAnswer = Mutex(Look.unknown)

    init(_ configure: (inout Configuration) -> Void = { _ in }) throws {
        folder = try TemporaryFolder()
        for name in ["drop", "out", "state", "run"] { try folder.makeFolder(name) }
        var configuration = Configuration()
        (configuration.out, configuration.state) = (folder.path("out"), folder.path("state"))
        configuration.run = folder.path("run")
        configure(&configuration)
        settings = Settings(configuration)
        store = try LibraryStore(
            path: folder.path("state/\(LibraryStore.fileName)"), policy: StorePolicy(configuration))
        objects = try ObjectStore(out: folder.path("out"))
    }

    /// The watcher's report on a file that cannot be found.
    func lookWillSay(_ look: Look) { lookAnswer.withLock { $0 = look } }

    func executor(isDraining: Bool = false) -> JobExecutor {
        JobExecutor(
            settings: settings, store: store, objects: objects, maker: maker,
            isDraining: isDraining, look: { _ in self.lookAnswer.withLock { $0 } })
    }

    // MARK: Settings

    func change(_ change: (inout Configuration) -> Void) {
        var newer = settings.current
        change(&newer)
        settings.replace(with: newer)
    }

    /// Puts another recipe in force for a category; its ids.
    @discardableResult
    func change(_ category: String, quality: Int) -> RecipeIDs {
        change { $0.categories[category, default: StickerSettings()].qualityMin = quality }
        return settings.current.recipe(of: CategoryNames(folder: Array(category.utf8))).ids
    }

    // MARK: Files

    func key(_ path: String, drop: String = "drop") -> SourceKey {
        let parts = path.split(separator: "/").map(String.init)
        return SourceKey(
            drop: folder.path(drop), directory: Array(parts.dropLast().joined(separator: "/").utf8),
            name: Array((parts.last ?? "").utf8))
    }

    /// Writes a file and sees it; no job of it waits for quiet.
    func drop(_ path: String, _ bytes: [UInt8], drop: String = "drop") throws {
        try folder.write(bytes, to: "\(drop)/\(path)")
        let sighting = Sighting(
            key: key(path, drop: drop), version: try generation(path, drop: drop),
            isRegularFile: true, origin: .closed)
        _ = try store.queue.accept([sighting], settle: .zero)
    }

    func drop(_ path: String, _ text: String, drop: String = "drop") throws {
        try self.drop(path, Array(text.utf8), drop: drop)
    }

    private func generation(_ path: String, drop: String) throws -> FileVersion {
        let reading = SourceReader.read(key(path, drop: drop), expected: nil, bytesMax: 1 << 20)
        guard case .read(_, _, let generation) = reading else {
            throw CocoaError(.fileReadUnknown)
        }
        return generation
    }

    // MARK: Jobs

    /// The next job of whatever size.
    func claim() throws -> ClaimedJob {
        try #require(try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
    }

    /// Does the next job, puts its files in place and books it.
    @discardableResult
    func work() throws -> FinishedJob {
        let executor = executor()
        let result = executor.run(try claim(), on: .only)
        let finished =
            result.staged == nil ? result.finished : try #require(executor.place([result]).first)
        try book(finished)
        return finished
    }

    func book(_ finished: FinishedJob) throws {
        _ = try store.queue.turn(finished: [finished], claiming: .any(0))
    }

    /// A job of a file that nobody has seen.
    func job(_ path: String) -> ClaimedJob {
        ClaimedJob(
            id: JobID(rawValue: 1), source: key(path),
            version: FileVersion(inode: 1, size: 1, mtime: 1, ctime: 1), origin: .closed,
            attempt: 1, ageMilliseconds: 0, category: CategoryID(rawValue: "cats"),
            sticker: nil)
    }

    /// The published files, as paths below `out`.
    var published: [String] {
        get throws {
            try FileManager.default.subpathsOfDirectory(atPath: folder.path("out"))
                .filter { $0.hasSuffix(".webp") }.sorted()
        }
    }
}

extension FinishedJob {
    /// Its result, if that was a product.
    var product: StickerProduct? {
        if case .made(let product, _) = outcome { product } else { nil }
    }

    var steps: [String] { log.entries.map(\.step) }
}
