import Foundation
import StickerSystem
import StickerTestSupport
import Synchronization

@testable import StickerConfiguration
@testable import StickerStore
@testable import StickerValues

/// A folder that is removed with its owner.
final class TemporaryFolder {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("stickerd-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
    }

    // A folder that cannot be removed is the system's to clean.
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func contents(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: file(name))))
    }

    func write(_ text: String, to name: String) throws {
        let url = URL(fileURLWithPath: file(name))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// Every file below the folder, as paths relative to it.
    func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).filter {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: file($0), isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }
}

/// Clocks that tests turn by hand.
final class TurnedClock: Sendable {
    private let time = Mutex<(boot: Int64, wall: Int64)>((1_000_000, 1_700_000_000_000))

    func advance(_ duration: Duration) {
        let milliseconds =
            duration.components.seconds * 1000
            + duration.components.attoseconds / 1_000_000_000_000_000
        time.withLock { $0 = ($0.boot + milliseconds, $0.wall + milliseconds) }
    }

    /// As after a start of the machine.
    func restartBoot() { time.withLock { $0.boot = 5_000 } }

    var clock: StoreClock {
        StoreClock(
            boot: { self.time.withLock { $0.boot } }, wall: { self.time.withLock { $0.wall } })
    }
}

/// A store, its clocks and its folders.
final class Library {
    let folder: TemporaryFolder
    let time = TurnedClock()
    var policy = StorePolicy() { didSet { store.policy = policy } }
    private(set) var store: LibraryStore
    let out: String
    /// Hears of every statement.
    let trace: (@Sendable (String) -> Void)?

    init(trace: (@Sendable (String) -> Void)? = nil) throws {
        self.trace = trace
        folder = try TemporaryFolder()
        out = folder.file("out")
        store = LibraryStore(
            try StoreConnection(
                path: folder.file("jobs.sqlite"), access: .daemon, policy: StorePolicy(),
                adopting: try EarlierRecipes(StickerConfiguration.Configuration()),
                clock: time.clock,
                jitter: { 1 }, trace: trace))
    }

    /// Opens the file again, as after a crash: the old connection is just forgotten.
    func reopen(adopting recipes: EarlierRecipes = EarlierRecipes()) throws {
        store = LibraryStore(
            try StoreConnection(
                path: folder.file("jobs.sqlite"), access: .daemon, policy: policy,
                adopting: recipes, clock: time.clock, jitter: { 1 }, trace: trace))
    }

    func publisher(of another: LibraryStore? = nil) throws -> CatalogPublisher {
        CatalogPublisher(
            catalog: (another ?? store).catalog, objects: try ObjectStore(out: out))
    }

    func housekeeper() throws -> Housekeeper {
        Housekeeper(catalog: store.catalog, objects: try ObjectStore(out: out), out: out)
    }
}

func key(_ path: String, drop: String = "/drop") -> SourceKey {
    let parts = path.split(separator: "/").map(String.init)
    return SourceKey(
        drop: drop, directory: Array(parts.dropLast().joined(separator: "/").utf8),
        name: Array((parts.last ?? "").utf8))
}

/// A look at `path`, whose content is stated by one number.
func sighting(
    _ path: String, _ content: Int64 = 1, inode: UInt64 = 0, ctime: Int64? = nil,
    _ origin: Sighting.Origin = .closed, isRegularFile: Bool = true
) -> Sighting {
    Sighting(
        key: key(path),
        version: FileVersion(
            inode: inode == 0 ? UInt64(bitPattern: Int64(path.hashValue)) : inode,
            size: 100 + content, mtime: content, ctime: ctime ?? content),
        isRegularFile: isRegularFile, origin: origin)
}

func hash(_ content: Int) -> ContentHash { ContentHash(of: Array("content \(content)".utf8)) }

/// A worker's result for content number `content`.
func product(
    _ content: Int, recipe: RecipeID = "recipe", revision: Int = Recipe.currentRevision,
    files version: Int = 1
) -> StickerProduct {
    func file(
        _ role: StickerFile.Role, _ format: ImageFormat, _ pixels: Int
    ) -> StickerFile {
        StickerFile(
            role: role, target: role == .sticker ? "whatsapp" : nil,
            recipe: role == .sticker ? recipe : nil, format: format,
            size: PixelSize(width: pixels, height: pixels), bytes: 10,
            sha256: ContentHash(
                of: Array("\(role) \(recipe) \(content)\(version == 1 ? "" : " \(version)")".utf8)),
            encoding: role == .sticker ? Encoding(mode: .lossless) : nil)
    }
    return StickerProduct(
        recipe: recipe, sideRecipe: recipe, revision: revision, animated: false,
        encoding: Encoding(mode: .lossless),
        files: [
            file(.sticker, .webp, 512), file(.companion, .png, 512), file(.thumbnail, .png, 144),
            file(.tray, .png, 96),
        ])
}

extension RecipeIDs {
    /// A recipe for WhatsApp alone that is called so in every part.
    init(_ name: String) {
        let kind = Self.kind(name)
        self.init(still: kind, moving: kind)
    }

    /// A recipe for WhatsApp alone that is another one for stills in CMYK.
    init(_ name: String, cmyk: String) {
        self.init(
            still: Self.kind(name), moving: Self.kind("\(name), moving"), cmyk: Self.kind(cmyk))
    }

    private static func kind(_ name: String) -> Kind {
        let id = RecipeID(rawValue: name)
        return Kind(whole: id, sideFiles: id, renditions: [.init(target: "whatsapp", recipe: id)])
    }
}

extension Library {
    @discardableResult
    func accept(_ sightings: Sighting..., gone: [SourceKey] = []) throws -> IntakeSummary {
        try store.queue.accept(sightings, gone: gone)
    }

    func claim(_ count: Int = 1) throws -> [ClaimedJob] {
        try store.queue.turn(finished: [], claiming: .any(count)).claimed
    }

    /// The outlook of a job about a file with these bytes, seen or not.
    func outlook(_ path: String, _ content: ContentHash) throws -> JobOutlook {
        let job = ClaimedJob(
            id: JobID(rawValue: 1), source: key(path), version: sighting(path).version,
            origin: .closed, attempt: 1, ageMilliseconds: 0, category: CategoryID(rawValue: "cats"),
            sticker: nil)
        return try store.queue.outlook(of: job, content)
    }

    /// Books how `job` ended and claims nothing.
    @discardableResult
    func finish(
        _ job: ClaimedJob, _ outcome: JobOutcome, detail: String = "done", isCMYK: Bool? = nil,
        drawing: TemplateDrawing? = nil, cpuTime: Duration = .zero
    ) throws -> Turn {
        var log = StepLog()
        log.append(StepEntry("work", milliseconds: 1, detail))
        let finished = FinishedJob(
            job: job, outcome: outcome, log: log, isCMYK: isCMYK, drawing: drawing,
            cpuTime: cpuTime)
        return try store.queue.turn(finished: [finished], claiming: .any(0))
    }

    /// Drops a file and makes its sticker of content number `content`.
    @discardableResult
    func make(
        _ path: String, _ content: Int = 1, isCMYK: Bool? = nil
    ) throws -> ClaimedJob {
        try accept(sighting(path, Int64(content)))
        if let job = try claim().first { return try made(job, content, isCMYK) }
        time.advance(.seconds(1))
        guard let job = try claim().first else { throw Missing("no job for \(path)") }
        return try made(job, content, isCMYK)
    }

    private func made(
        _ job: ClaimedJob, _ content: Int, _ isCMYK: Bool?
    ) throws -> ClaimedJob {
        try finish(job, .made(product(content), content: hash(content)), isCMYK: isCMYK)
        return job
    }

    /// Saves a side file, whose bytes differ from all before it, and takes over what it says.
    func say(_ path: String, _ text: String, drop: String = "/drop") throws {
        var seen = sighting(path, Int64(text.utf8.count))
        seen.version.ctime = Int64(abs(text.hashValue % 1_000_000))
        seen.key.drop = drop
        try accept(seen)
        guard let job = try claim().first, let file = SideFile(seen.key) else {
            throw Missing("no job for \(path)")
        }
        let (words, faults) = try file.reading(of: Array(text.utf8))
        let content = ContentHash(of: Array(text.utf8))
        let changed = try store.catalog.note(words, mending: faults, of: job) ?? []
        try finish(job, .said(changed: changed, faults: faults, content: content))
    }

    func manifest(_ category: String) throws -> Manifest {
        let data = Data(try folder.contents("out/\(category)/manifest.json"))
        return try JSONDecoder().decode(Manifest.self, from: data)
    }
}

struct Missing: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

extension CatalogPublisher {
    /// Writes the manifest of a category, books it, and writes the index.
    @discardableResult
    func publish(_ category: CategoryID) throws -> PublishedManifest? {
        let written = try write(category)
        try book(written.map { [$0] } ?? [])
        try publishIndex()
        return written
    }
}

extension Catalog {
    /// The published product of a sticker.
    func liveProduct(_ sticker: StickerID) throws -> LiveProduct? {
        try read { try $0.source(of: sticker) }.flatMap { try liveProduct(of: $0.key) }
    }
}
