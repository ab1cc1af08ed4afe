import Logging
import StickerModel
import StickerStore
import StickerTestSupport
import StickerWatch
import Testing

@testable import StickerDaemon

/// What the books make of what the watcher says.
struct RegistrarTests {
    private let library: BookedLibrary
    private let watcher: TreeWatcher
    private let registrar: Registrar
    private let reports = WaitableValue<[Registrar.Report]>([])

    init() throws {
        library = try BookedLibrary()
        try library.folder.makeFolder("drop")
        watcher = TreeWatcher(
            drops: [library.folder.path("drop")], configuration: WatchConfiguration()
        ) { _ in }
        registrar = Registrar(
            store: library.store, drops: [library.folder.path("drop")],
            settle: { SettleTime(WatchConfiguration()) },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { [reports] report in reports.update { $0.append(report) } }
    }

    private func recorded() -> [Set<CategoryID>] {
        reports.value.compactMap { if case .recorded(let changed) = $0 { changed } else { nil } }
    }

    private func present() throws -> [String] {
        try library.store.presentNames(
            drop: library.folder.path("drop"), directory: Array("cats".utf8), after: nil, limit: 10
        ).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A start scan may take minutes, and the service manager is told that it goes on.
    @Test func filesThatAreAsTheyWereAreReportedAllTheSame() throws {
        try library.make("cats/a.png")

        #expect(registrar.record([.sighted([library.sighting("cats/a.png")])], by: watcher))

        #expect(recorded() == [[]])
        #expect(try library.store.status().waiting == 0)
    }

    @Test func fileThatWentAndCameBackInOneBatchIsThere() throws {
        try library.make("cats/a.png")

        let events: [FolderEvent] = [
            .gone([library.key("cats/a.png")]), .sighted([library.sighting("cats/a.png")]),
        ]
        #expect(registrar.record(events, by: watcher))

        #expect(try present() == ["a.png"])
        #expect(reports.value.contains { if case .returned = $0 { true } else { false } })
    }

    @Test func moveIsOneChangeOfBothCategories() throws {
        try library.make("cats/a.png")

        let events: [FolderEvent] = [
            .sighted([library.sighting("dogs/b.png", movedFrom: "cats/a.png")]),
            .gone([library.key("cats/a.png")]),
        ]
        #expect(registrar.record(events, by: watcher))

        #expect(recorded() == [[CategoryID(rawValue: "cats"), CategoryID(rawValue: "dogs")]])
        #expect(try present().isEmpty)
    }

    @Test func whatIsMissedInADropThatIsNotWatchedStays() throws {
        try library.make("cats/a.png")
        let drop = library.folder.path("drop")

        let events: [FolderEvent] = [
            .folderScanned(drop: drop, directory: Array("cats".utf8)), .dropScanned(drop: drop),
        ]
        #expect(registrar.record(events, by: watcher))

        #expect(try present() == ["a.png"])
    }
}
