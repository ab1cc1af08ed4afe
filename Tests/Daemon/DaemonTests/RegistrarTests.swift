import Logging
import StickerConfiguration
import StickerStore
import StickerSystem
import StickerTestSupport
import StickerValues
import StickerWatch
import Testing

@testable import StickerDaemon

/// How the watcher's findings are recorded.
struct RegistrarTests {
    private let library: BookedLibrary
    private let watcher: TreeWatcher
    private let registrar: QueueConfined<Registrar>
    private let reports = WaitableValue<[Registrar.Report]>([])

    init() throws {
        library = try BookedLibrary()
        try library.folder.makeFolder("drop")
        watcher = TreeWatcher(
            drops: [library.folder.path("drop")], configuration: WatchConfiguration()
        ) { _ in }
        registrar = QueueConfined(
            Registrar(
                store: library.store, drops: [library.folder.path("drop")],
                settle: { SettleTime(WatchConfiguration()) },
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            ) { [reports] report in reports.update { $0.append(report) } }, label: "test.intake")
    }

    private func record(_ events: [FolderEvent]) -> Bool {
        registrar.perform { $0.record(events, by: watcher) }
    }

    private func reconsider() throws -> Bool { try registrar.perform { try $0.reconsider() } }

    private func recorded() -> [Set<CategoryID>] {
        reports.value.compactMap { if case .recorded(let changed) = $0 { changed } else { nil } }
    }

    private func present() throws -> [String] {
        try library.store.sources.presentNames(
            drop: library.folder.path("drop"), directory: Array("cats".utf8), after: nil, limit: 10
        ).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A start scan may take minutes, and the service manager gets signs that it goes on.
    @Test func filesThatAreAsTheyWereAreReportedAllTheSame() throws {
        try library.make("cats/a.png")

        #expect(record([.sighted([library.sighting("cats/a.png")])]))

        #expect(recorded() == [[]])
        #expect(try library.store.operations.status().waiting == 0)
    }

    /// Where nothing but scans tells what became of files.
    @Test func whatAScanMissedIsContinuedAtItsEnd() throws {
        try library.make("cats/wave.png")
        try library.folder.makeFolder("drop/cats")
        try library.folder.write([], to: "drop/cats/wave.webp")
        try watcher.start()
        let drop = library.folder.path("drop")
        #expect(record([.folderScanned(drop: drop, directory: Array("cats".utf8))]))
        try library.make("cats/wave.webp")
        #expect(try library.store.catalog.expireMissing(isEnd: true).renamed.isEmpty)

        #expect(record([.scansFinished]))

        let renamed = try library.store.catalog.expireMissing(isEnd: true).renamed
        #expect(renamed.map(\.sticker.rawValue) == ["wave"])
        watcher.stop()
    }

    @Test func fileThatWentAndCameBackInOneBatchIsThere() throws {
        try library.make("cats/a.png")

        let events: [FolderEvent] = [
            .gone([library.key("cats/a.png")]), .sighted([library.sighting("cats/a.png")]),
        ]
        #expect(record(events))

        #expect(try present() == ["a.png"])
        #expect(reports.value.contains { if case .returned = $0 { true } else { false } })
    }

    @Test func moveIsOneChangeOfBothCategories() throws {
        try library.make("cats/a.png")

        let events: [FolderEvent] = [
            .sighted([library.sighting("dogs/b.png", movedFrom: "cats/a.png")]),
            .gone([library.key("cats/a.png")]),
        ]
        #expect(record(events))

        #expect(recorded() == [[CategoryID(rawValue: "cats"), CategoryID(rawValue: "dogs")]])
        #expect(try present().isEmpty)
    }

    @Test func whatIsMissedInADropThatIsNotWatchedStays() throws {
        try library.make("cats/a.png")
        let drop = library.folder.path("drop")

        let events: [FolderEvent] = [
            .folderScanned(drop: drop, directory: Array("cats".utf8)), .dropScanned(drop: drop),
        ]
        #expect(record(events))

        #expect(try present() == ["a.png"])
    }

    // MARK: - Another folder in a drop's place

    private var drop: String { library.folder.path("drop") }

    private func isAway() -> Bool { library.store.sources.heldDrops == [drop] }

    /// Three stickers, and then a folder that nobody knows in the place of their drop.
    private func replaceDrop() throws {
        for name in ["a", "b", "c"] { try library.make("cats/\(name).png") }
        try library.store.sources.note(inode: 1, ofDrop: drop)
        #expect(record([.rootLost(drop: drop)]))
        #expect(record([.rootBack(drop: drop, inode: 2)]))
        #expect(isAway())
    }

    @Test func onePictureOnABareMountPointIsNotTheDrop() throws {
        try replaceDrop()

        #expect(record([.sighted([library.sighting("dogs/new.png")])]))
        #expect(record([.dropScanned(drop: drop)]))

        #expect(try isAway() && library.store.operations.status().waiting == 0)
        #expect(try library.store.sources.inode(ofDrop: drop) == 1)
    }

    @Test func asManyPicturesAsTheLibraryAreTheDrop() throws {
        try replaceDrop()
        #expect(record([.sighted([library.sighting("dogs/1.png")])]))

        let more = ["dogs/2.png", "dogs/3.png"].map { library.sighting($0) }

        // Files that were seen before have to be checked again.
        #expect(!record([.sighted(more)]))
        #expect(try !isAway() && library.store.sources.inode(ofDrop: drop) == 2)
        #expect(try library.store.operations.status().waiting == 2)
        #expect(record([.sighted([library.sighting("dogs/1.png")])]))
        #expect(try library.store.operations.status().waiting == 3)
    }

    @Test func folderOfTheSameFilesIsTheDrop() throws {
        try replaceDrop()
        for name in ["a", "b"] {
            let size = library.sighting("cats/\(name).png").version.size
            try library.folder.write(
                [UInt8](repeating: 1, count: Int(size)), to: "drop/cats/\(name).png")
        }

        #expect(record([.sighted([library.sighting("dogs/1.png")])]))

        #expect(try !isAway() && library.store.sources.inode(ofDrop: drop) == 2)
    }

    @Test func operatorMakesAnotherFolderTheDrop() throws {
        try replaceDrop()
        #expect(try !reconsider() && isAway())

        try library.store.sources.note(inode: 2, ofDrop: drop)

        #expect(try reconsider() && !isAway())
        #expect(try !reconsider())
    }
}
